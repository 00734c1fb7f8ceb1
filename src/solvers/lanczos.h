/* SPDX-License-Identifier: BSD-2-Clause */
/* The numbers of the deep pipeline: the Lanczos matrix T of B = A C^-1, and what follows from it.
 * Scalars only.
 *
 * B v_j = delta_j v_j+1 + gamma_j v_j + delta_j-1 v_j-1 makes a basis that is orthonormal in
 * (u, v) = u^T C^-1 v, in which r_j = zeta_j v_j. The pipeline has z_i+1 = P_l(B) v_i+1-l long
 * before v_i+1, where P_k(t) = (t - shift_0) ... (t - shift_k-1) / scale^k. As z_i+1 is the same
 * combination of basis vectors as P_l(T) has in a column, two inner products of it tell gamma_i and
 * delta_i: all else in that column is known by then. */
#ifndef OVK_SOLVERS_LANCZOS_H
#define OVK_SOLVERS_LANCZOS_H

#include <stdbool.h>

enum { OVK__MAX_DEPTH = 5, OVK__LANCZOS_KEPT = 64 };

/* Entries are kept for the last OVK__LANCZOS_KEPT indices, at index modulo that. */
typedef struct ovk__lanczos {
  int depth;                                                 /* l */
  double gamma[OVK__LANCZOS_KEPT], delta[OVK__LANCZOS_KEPT]; /* T */
  double eta[OVK__LANCZOS_KEPT], zeta[OVK__LANCZOS_KEPT];    /* pivots of T, and r_j / v_j */
  double shift[OVK__MAX_DEPTH], scale;
} ovk__lanczos;

/* The place of index j in the arrays. All is 0 at negative ones as long as T was at first, and
 * fewer than OVK__LANCZOS_KEPT have been made; after that nobody asks. */
static inline int ovk__lanczos_at(int j)
{
  return (j + OVK__LANCZOS_KEPT) % OVK__LANCZOS_KEPT;
}

/* eta_j and zeta_j+1 from gamma_j, delta_j and what was before; eta_j is (p, A p) / (r, C^-1 r) of
 * iteration j. Returns whether it is positive. */
bool ovk__lanczos_pivot(ovk__lanczos *T, int j);

/* alpha and beta of CG's iteration j, from 0: p_j = r_j + beta p_j-1, x_j+1 = x_j + alpha p_j. */
double ovk__lanczos_alpha(const ovk__lanczos *T, int j);
double ovk__lanczos_beta(const ovk__lanczos *T, int j);

/* Widens the interval to the eigenvalues of the part of T that is kept before index `end`. */
void ovk__lanczos_widen(const ovk__lanczos *T, int end, double *least, double *most);

/* Shifts and scale for a spectrum of which an interval is known; false if it is no use. */
bool ovk__lanczos_shift(ovk__lanczos *T, double least, double most);

/* gamma_i, delta_i and the pivot from zz = (z_i+1, z_i+1) and zy = (z_i+1, y), for z_i+1 = (B -
 * shift_k) y / scale, y = P_k(B) v_i-k and k = min(l - 1, i - start). False where rounding or an
 * indefinite A or C spoils them. */
bool ovk__lanczos_extend(ovk__lanczos *T, int start, int i, double zz, double zy);

/* What (P_l(B) v_m-1, v_m) should be. */
double ovk__lanczos_expect(const ovk__lanczos *T, int m);

#endif
