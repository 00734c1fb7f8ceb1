/* SPDX-License-Identifier: BSD-2-Clause */
/* For products of "pattern" with blocks of columns: the groups that share entries. */
#ifndef OVK_MATRIX_FORMATS_PATTERN_PATTERN_MANY_H
#define OVK_MATRIX_FORMATS_PATTERN_PATTERN_MANY_H

#include "matrix/formats/pattern/pattern_product.h"

/* y <- A x in the groups from `group` on up to `stop`, or the first among them that shares no
 * entries, which is returned; sum <- sum + x y, number by number of a group. The second one is only
 * where OVK_CLONES is defined, for processors with vectors of eight; the bits are the same. */
ovk_lidx ovk__pattern_groups_many_narrow(int width, const ovk__pattern_groups *groups,
                                         ovk_lidx group, ovk_lidx stop, const double *x, double *y,
                                         double *sum);
ovk_lidx ovk__pattern_groups_many_wide(int width, const ovk__pattern_groups *groups, ovk_lidx group,
                                       ovk_lidx stop, const double *x, double *y, double *sum);

#endif
