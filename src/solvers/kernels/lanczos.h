/* SPDX-License-Identifier: BSD-2-Clause */
/* The scalars of the deep pipeline: the Lanczos matrix T of B = A M^-1 and its consequences.
 *
 * B v_j = delta_j v_j+1 + gamma_j v_j + delta_j-1 v_j-1 defines a basis that is orthonormal in (u,
 * v) = u^T M^-1 v, and r_j = zeta_j v_j. The pipeline has z_i+1 = P_l(B) v_i+1-l l iterations
 * before v_i+1, where P_k(t) = (t - shift_0) ... (t - shift_k-1) / scale^k. The coefficients of
 * z_i+1 in the basis are a column of P_l(T), so two inner products of z_i+1 give gamma_i and
 * delta_i: the rest of that column is known by then. */
#ifndef OVK_SOLVERS_KERNELS_LANCZOS_H
#define OVK_SOLVERS_KERNELS_LANCZOS_H

#include <stdbool.h>

enum { OVK__MAX_DEPTH = 5, OVK__LANCZOS_KEPT = 64 };

/* Entries are kept for the last OVK__LANCZOS_KEPT indices, at index modulo OVK__LANCZOS_KEPT. */
typedef struct ovk__lanczos {
  int depth;                                                 /* l */
  double gamma[OVK__LANCZOS_KEPT], delta[OVK__LANCZOS_KEPT]; /* T */
  double eta[OVK__LANCZOS_KEPT], zeta[OVK__LANCZOS_KEPT];    /* pivots of T, and r_j / v_j */
  double shift[OVK__MAX_DEPTH], scale;
} ovk__lanczos;

/* The place of index j in the arrays. Entries with negative j are 0 if T was zeroed at first, until
 * OVK__LANCZOS_KEPT indices have been computed; they are not read after that. */
static inline int ovk__lanczos_at(int j)
{
  return (j + OVK__LANCZOS_KEPT) % OVK__LANCZOS_KEPT;
}

/* Computes eta_j and zeta_j+1 from gamma_j, delta_j and earlier entries; eta_j is (p, A p) / (r,
 * M^-1 r) of iteration j. Returns whether eta_j is positive. */
bool ovk__lanczos_pivot(ovk__lanczos *T, int j);

/* alpha and beta of CG's iteration j, from 0: p_j = r_j + beta p_j-1, x_j+1 = x_j + alpha p_j. */
double ovk__lanczos_alpha(const ovk__lanczos *T, int j);
double ovk__lanczos_beta(const ovk__lanczos *T, int j);

/* Widens the interval to include the eigenvalues of the kept part of T before index `end`. */
void ovk__lanczos_widen(const ovk__lanczos *T, int end, double *lambda_min, double *lambda_max);

/* Sets shifts and scale for a spectrum in about this interval; false if the interval is unusable.
 */
bool ovk__lanczos_shift(ovk__lanczos *T, double lambda_min, double lambda_max);

/* Computes gamma_i, delta_i and the pivot from zz = (z_i+1, z_i+1) and zy = (z_i+1, y), for z_i+1 =
 * (B - shift_k) y / scale, y = P_k(B) v_i-k and k = min(l - 1, i - start). False if they are
 * invalid by rounding or an indefinite A or M. */
bool ovk__lanczos_extend(ovk__lanczos *T, int start, int i, double zz, double zy);

/* The exact value of (P_l(B) v_m-1, v_m). */
double ovk__lanczos_expect(const ovk__lanczos *T, int m);

#endif
