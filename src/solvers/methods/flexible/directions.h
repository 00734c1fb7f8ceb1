/* SPDX-License-Identifier: BSD-2-Clause */
/* The directions that the flexible methods keep: the last m, to which each new one is made
 * A-orthogonal. */
#ifndef OVK_SOLVERS_METHODS_FLEXIBLE_DIRECTIONS_H
#define OVK_SOLVERS_METHODS_FLEXIBLE_DIRECTIONS_H

#include "solvers/kernels/basis/updates_fcg.h"
#include "solvers/state/state.h"

/* The vectors of a direction: p and s = A p, pipelined also q and z = A q. */
enum { OVK__DIRECTION_P, OVK__DIRECTION_S, OVK__DIRECTION_Q, OVK__DIRECTION_Z, OVK__DIRECTION };

/* The numbers of a direction: sigma = (p, A p), and for the gap (residual_gap.h) its vectors' norms
 * and how far s and z have drifted. */
typedef struct ovk__direction {
  double sigma, norms[OVK__DIRECTION], gap_s, gap_z;
} ovk__direction;

/* S->own of these methods. Arrays of the kept directions have the oldest first and room for m + 1,
 * the next one included. */
typedef struct ovk__directions {
  int m, n;                      /* most of them, and how many there are */
  ovk_vec *next[OVK__DIRECTION]; /* of the next direction */
  void **kept[OVK__DIRECTION];   /* arrays */
  ovk__direction *of;
  double *c;    /* coefficients of the next direction */
  double *sums; /* room for those of a sum, with m inner products (u, s_k) at its end */
  double *dots, *lanes;
} ovk__directions;

/* For ovk__method.open, close and keys. */
ovk_err ovk__directions_open(ovk_solver *S);
void ovk__directions_close(ovk_solver *S);
extern const ovk_option ovk__directions_options[];

/* Finds the vectors of the kept directions and of the next one, that of `iteration`: `vectors` has
 * m + 1 for each of the first `kinds` enumerators, in which iterations take turns. */
void ovk__directions_place(ovk__directions *F, ovk_vec **vectors, int kinds, int iteration);

/* The arrays of the kept ones, for a sweep. */
ovk__kept ovk__directions_kept(const ovk__directions *F);

/* sums[count + k] <- (u, s_k) from `dots`, of n vectors s_k; 0 after them. */
void ovk__directions_take(ovk__directions *F, int count, int n);

/* sigma = (p, A p) and c of the next p = u - sum of c_k p_k, from delta = (u, A u) and the totals
 * dots[k] = (u, s_k). Before A is reported as indefinite, (p, A p) is recomputed. After a loss
 * by rounding the step is along u, and the kept directions are forgotten. Collective. */
double ovk__directions_find(ovk_solver *S, ovk__directions *F, double delta, const double *dots,
                            const ovk_vec *u);

/* Keeps the next direction, and leaves the oldest if there are m; its numbers except sigma are 0.
 */
ovk__direction *ovk__directions_keep(ovk__directions *F, double sigma);

#endif
