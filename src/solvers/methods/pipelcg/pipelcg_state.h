/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the files of the deep method. */
#ifndef OVK_SOLVERS_METHODS_PIPELCG_PIPELCG_STATE_H
#define OVK_SOLVERS_METHODS_PIPELCG_PIPELCG_STATE_H

#include "solvers/kernels/lanczos.h"
#include "solvers/kernels/updates/updates_pipelcg.h"
#include "solvers/state/state.h"

/* Sums: one for each iteration in flight, and those of the blocking steps. */
enum { OVK__BLOCKING_GAMMA = OVK__MAX_DEPTH, OVK__BLOCKING_NORM };

/* The number of previous v that a vector is orthogonalised against: all that l products with B
 * couple it with. */
enum { OVK__MAX_OLDER = 2 * OVK__MAX_DEPTH + 1 };
enum {
  OVK__BLOCKING_WZ,
  OVK__BLOCKING_TEST, /* the square of w in the norm of the test */
  OVK__BLOCKING_CORRECTION,
  OVK__BLOCKING_ZAZ,
  OVK__BLOCKING_OLDER,                                       /* (M^-1 A z, v) of older v */
  OVK__BLOCKING_GRAM = OVK__BLOCKING_OLDER + OVK__MAX_OLDER, /* (z, v) of older v */
  OVK__BLOCKING_SUMS = OVK__BLOCKING_GRAM + OVK__MAX_OLDER
};

/* The current iterate is x_j, with r = zeta_j v_j; in blocking steps r = zeta_j w until v_j is
 * normalized. */
typedef struct ovk__pipelcg_state {
  ovk__lanczos T;
  int j;
  int tested; /* the last j whose norm was tested */
  int oldest; /* v_oldest, ... v_j are kept */
  int ring_size;
  ovk_vec *w, *z, *z_old, *m, *p, *P, *y; /* P = M p; in the pipeline, the iterate is x + M^-1 y */
  ovk_vec *pending_correction;            /* M^-1 y after the pipeline, to be added to x; or NULL */
  ovk_vec **ring;                         /* ring buffer of the v */
  ovk_vec *now[OVK__MAX_DEPTH + 1],
      *old[OVK__MAX_DEPTH + 1]; /* levels P_k(B) v; index 0 is not used */
  double gram[OVK__MAX_OLDER];  /* (v_j-1, v) of older v, while orthogonalising */
  bool orthogonalise;           /* v are orthogonalised against the previous ones */
  bool failed;                  /* cannot continue */
  double safe_rr;               /* (r, r) of x without y */
  double least_rr;              /* the smallest (r, r) so far, at x_least_rr_at */
  int least_rr_at;
  double deviation; /* bound of ||b - A x - r|| caused by orthogonalising */
} ovk__pipelcg_state;

/* v_j */
static inline ovk_vec *ovk__pipelcg_v(const ovk__pipelcg_state *d, int j)
{
  return d->ring[(j + d->ring_size) % d->ring_size];
}

/* Computes the levels of v_j-1, which the recurrences need in addition to those of v_j. */
void ovk__pipelcg_start_levels(ovk_solver *S, ovk__pipelcg_state *d, ovk_poll poll);

/* Computes level k + 1 of v_j from level k, and its inner products. */
void ovk__pipelcg_fill_level(ovk_solver *S, ovk__pipelcg_state *d, int k, ovk_poll poll,
                             double *sums);

/* Advances all vectors by one index: v_e+1 and the levels above it; x to x_m+1 if m >= 0. In the
 * sums (v, v) is the product that the norm of the test needs. */
void ovk__pipelcg_move_on(ovk_solver *S, ovk__pipelcg_state *d, int e, int m, double *sums);

/* Whether (r, r), now `rr`, has stagnated or grown beyond its bound. */
bool ovk__pipelcg_stalls(ovk__pipelcg_state *d, double rr);

/* CG from v_j, z = M^-1 v_j and p until S->reason or d->failed is set. Collective. */
ovk_err ovk__pipelcg_cg_fallback(ovk_solver *S, ovk__pipelcg_state *d);

/* Blocking Lanczos steps from w, a multiple of v_j, until d->j is `goal` or S->reason or d->failed
 * is set. On return w is a multiple of v_j again, and z = M^-1 w. Collective. */
ovk_err ovk__pipelcg_blocking_lanczos(ovk_solver *S, ovk__pipelcg_state *d, int goal);

/* Begin and end of a sum that tests w and z and normalizes them to v_j and z = M^-1 v_j, unless it
 * sets S->reason or d->failed. Collective. */
ovk_err ovk__pipelcg_begin_normalize(ovk_solver *S, ovk__pipelcg_state *d);
ovk_err ovk__pipelcg_end_normalize(ovk_solver *S, ovk__pipelcg_state *d);

/* The local parts of that sum, all other values 0; and the processing of its totals. */
void ovk__pipelcg_sum_normalize(ovk_solver *S, const ovk__pipelcg_state *d, double *sums);
ovk_err ovk__pipelcg_normalize(ovk_solver *S, ovk__pipelcg_state *d, const double *sums);

/* Adds `pending_correction` to x, unless it has NaN or Inf. Collective. */
ovk_err ovk__pipelcg_add_pending(ovk_solver *S, ovk__pipelcg_state *d);

#endif
