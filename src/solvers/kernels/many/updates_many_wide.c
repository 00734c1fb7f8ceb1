/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of updates_many_rows.h for processors with vectors of eight, where the sums of 8
 * columns stay in registers; apart, as lanes.h has one type for them. */
#define OVK__WIDE_LANES
#include "solvers/kernels/diagonal_step.h"
#include "solvers/kernels/many/updates_many.h"
#include "solvers/kernels/many/updates_many_rows.h"

OVK_ALWAYS_INLINE void wide_update_r(ovk_lidx n, const double *alpha, const double *s,
                                     const double *d, ptrdiff_t step, bool of_z, double *r,
                                     double *rz, double *vv)
{
  double lane_vv[OVK__COLUMN_SUMS], lane_rz[OVK__COLUMN_SUMS];
  many_rows_update_r(n, alpha, s, d, step, of_z, r, lane_vv, lane_rz);
  many_totals(LANES, lane_vv, vv);
  if (rz) many_totals(LANES, lane_rz, rz);
}

OVK_WIDE void ovk__many_dots_wide(ovk_lidx n, const double *x, const double *y, double *xy,
                                  double *yy)
{
  double lane_xy[OVK__COLUMN_SUMS], lane_yy[OVK__COLUMN_SUMS];
  many_rows_dots(n, x, y, lane_xy, lane_yy);
  many_totals(LANES, lane_xy, xy);
  many_totals(LANES, lane_yy, yy);
}

OVK_WIDE void ovk__many_axpy_norm_wide(ovk_lidx n, const double *alpha, const double *s, double *r,
                                       double *rr)
{
  wide_update_r(n, alpha, s, NULL, 0, false, r, NULL, rr);
}

OVK_WIDE void ovk__many_cg_update_r_wide(ovk_lidx n, const double *alpha, const double *s,
                                         ovk__diagonal D, bool of_z, double *r, double *rz,
                                         double *vv)
{
  if (of_z) {
    OVK_WITH_STEP(D, step, wide_update_r(n, alpha, s, D.d, step, true, r, rz, vv));
  } else {
    OVK_WITH_STEP(D, step, wide_update_r(n, alpha, s, D.d, step, false, r, rz, vv));
  }
}

OVK_WIDE void ovk__many_cg_update_x_p_wide(ovk_lidx n, const double *alpha, ovk__diagonal D,
                                           const double *r, const double *beta, double *p,
                                           double *x)
{
  OVK_WITH_STEP(D, step, many_rows_update_x_p(n, alpha, D.d, step, r, beta, p, x));
}
