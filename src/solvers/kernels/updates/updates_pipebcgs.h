/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of pipelined BiCGStab; conventions as in updates.h. */
#ifndef OVK_SOLVERS_KERNELS_UPDATES_UPDATES_PIPEBCGS_H
#define OVK_SOLVERS_KERNELS_UPDATES_UPDATES_PIPEBCGS_H

#include "core/base/by_name.h"
#include "precond/diagonal.h"

#include <ovkrylov/base.h>

/* The inner products of each sweep, where q is the shadow vector. */
enum { OVK__PB_QR, OVK__PB_QW, OVK__PB_RR, OVK__PB_WW, OVK__PB_XX, OVK__PB_FULL_SUMS };
enum {
  OVK__PB_YR, /* r and y = w as the half step leaves them */
  OVK__PB_YY,
  OVK__PB_RR_HALF,
  OVK__PB_QS,
  OVK__PB_QZ,
  OVK__PB_SS,
  OVK__PB_ZZ,
  OVK__PB_PP,
  OVK__PB_HALF_SUMS
};

/* The vectors, the work vectors in their order, and x: cr = M^-1 r, cw = M^-1 w, cs = M^-1 s, cz =
 * M^-1 z; t = A cw, v = A cz. For a diagonal M^-1 = D cr and cs are not stored, and cw and cz are
 * made by the sweeps. */
#define OVK__PB_LETTERS(OUT, IN)                                                                   \
  OUT(r) IN(q) OUT(w) IN(t) IN(v) OUT(p) OUT(s) OUT(z) OUT(cr) OUT(cw) OUT(cs) OUT(cz) OUT(x)

typedef struct OVK_BY_NAME ovk__pb_arrays {
  OVK__PB_LETTERS(OVK_ARRAY, OVK_ARRAY_IN)
} ovk__pb_arrays;

typedef struct ovk__bcgs_coeffs {
  double alpha, beta, omega;
} ovk__bcgs_coeffs;

/* p <- cr + beta (p - omega cs); cs <- cw + beta (cs - omega cz); s <- w + beta (s - omega z);
 * z <- t + beta (z - omega v); r <- r - alpha s; cr <- cr - alpha cs; w <- w - alpha z; cz <- D z;
 * omega is that of the step before. */
void ovk__pipebcgs_half(ovk_lidx n, const ovk__bcgs_coeffs *step, ovk__diagonal D,
                        const ovk__pb_arrays *a, double sums[OVK__PB_HALF_SUMS]);

/* x <- x + alpha p + omega cr; cr <- cr - omega (cw - alpha cz); r <- r - omega w;
 * w <- w - omega (t - alpha v); cw <- D w */
void ovk__pipebcgs_full(ovk_lidx n, const ovk__bcgs_coeffs *step, ovk__diagonal D,
                        const ovk__pb_arrays *a, double sums[OVK__PB_FULL_SUMS]);

/* cw <- D w, and the inner products of the second sweep. */
void ovk__pipebcgs_sums(ovk_lidx n, ovk__diagonal D, const ovk__pb_arrays *a,
                        double sums[OVK__PB_FULL_SUMS]);

#endif
