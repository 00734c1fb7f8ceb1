/* SPDX-License-Identifier: BSD-2-Clause */
/* The ends of the spectrum of a preconditioned matrix, for polynomials in it. */
#ifndef OVK_PRECOND_SPECTRUM_H
#define OVK_PRECOND_SPECTRUM_H

#include "matrix/mat_impl.h"

/* Lanczos steps that are enough for one digit of the largest eigenvalue; the vectors that they
 * need. */
enum { OVK__SPECTRUM_STEPS = 12, OVK__SPECTRUM_VECTORS = 4 };

/* *lambda_min, *lambda_max <- the extreme Ritz values of A M^-1 after that many Lanczos steps,
 * which lie inside the spectrum; `product` is the action of A on `A`, `solve` that of M^-1 on `M`.
 * The start vector depends on row numbers only, so that the result does not depend on how rows are
 * distributed, except for rounding. Both are 0 if M is not positive or a number is not finite. The
 * vectors `work` have the rows of A and are overwritten. Collective; errors, of a user's functions,
 * are agreed. */
ovk_err ovk__spectrum(ovk__operator product, const void *A, ovk__operator solve, const void *M,
                      const int64_t *keys, ovk_vec *const work[OVK__SPECTRUM_VECTORS],
                      double *lambda_min, double *lambda_max);

#endif
