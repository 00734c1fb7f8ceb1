/* SPDX-License-Identifier: BSD-2-Clause */
/* The groups that share entries times a block of columns, for processors with vectors of eight;
 * apart, as lanes.h has one type for them. */
#define OVK__WIDE_LANES
#include "matrix/formats/pattern/pattern_many.h"
#include "matrix/formats/pattern/pattern_many_shared.h"

OVK_WIDE ovk_lidx ovk__pattern_groups_many_wide(int width, const ovk__pattern_groups *groups,
                                                ovk_lidx group, ovk_lidx stop, const double *x,
                                                double *y, double *sum)
{
  if (width == 8) return shared_groups(8, groups, group, stop, x, y, sum);
  if (width == 4) return shared_groups(4, groups, group, stop, x, y, sum);
  return shared_groups(2, groups, group, stop, x, y, sum);
}
