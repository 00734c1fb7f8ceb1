/* SPDX-License-Identifier: BSD-2-Clause */
/* Vector sweeps that also add their products to exact sums (core/exact/exact_sum.h) while these are
 * in registers, for blocks of at most OVK__EXACT_BLOCK rows. They return false, with the updates
 * but without the products, if a term does not fit in the window of its sum. The sums must take a
 * block, see ovk__exact_sum_takes(). */
#ifndef OVK_SOLVERS_KERNELS_EXACT_UPDATES_EXACT_H
#define OVK_SOLVERS_KERNELS_EXACT_UPDATES_EXACT_H

#include "core/exact/exact_sum.h"
#include "solvers/kernels/updates/updates_minres.h"
#include "solvers/kernels/updates/updates_overlapped.h"

/* r <- r - alpha s, z = D r; sums: (z, z) if `of_z`, else (r, r); (r, z) */
bool ovk__cg_update_r_exact(ovk_lidx n, double alpha, const double *s, ovk__diagonal D, bool of_z,
                            double *r, ovk__exact_sum *const sums[2]);

/* As ovk__update_pipecg(). All sums from OVK__XX on are estimates, but (u, u) may be none. */
bool ovk__update_pipecg_exact(ovk_lidx rows, double alpha, double beta, ovk__diagonal D,
                              const ovk__pipecg_arrays *v, ovk__exact_sum *const sums[]);

/* As ovk__update_minres() with a D, with the inner products in this order. */
enum { OVK__MARK_VZ, OVK__MARK_EE, OVK__MARK_ED, OVK__MARK_DD, OVK__MINRES_MARKS };
bool ovk__update_minres_exact(ovk_lidx n, const ovk__minres_coeffs *step, ovk__diagonal D,
                              const ovk__minres_arrays *a,
                              ovk__exact_sum *const sums[OVK__MINRES_MARKS]);

/* The same for processors with vectors of eight; only where OVK_CLONES is defined. */
bool ovk__cg_update_r_exact_wide(ovk_lidx n, double alpha, const double *s, ovk__diagonal D,
                                 bool of_z, double *r, ovk__exact_sum *const sums[2]);
bool ovk__update_pipecg_exact_wide(ovk_lidx rows, double alpha, double beta, ovk__diagonal D,
                                   const ovk__pipecg_arrays *v, ovk__exact_sum *const sums[]);
bool ovk__update_minres_exact_wide(ovk_lidx n, const ovk__minres_coeffs *step, ovk__diagonal D,
                                   const ovk__minres_arrays *a,
                                   ovk__exact_sum *const sums[OVK__MINRES_MARKS]);

#endif
