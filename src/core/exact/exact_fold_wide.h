/* SPDX-License-Identifier: BSD-2-Clause */
/* The two versions of ovk__folds_add(), which give the same bits. */
#ifndef OVK_CORE_EXACT_EXACT_FOLD_WIDE_H
#define OVK_CORE_EXACT_EXACT_FOLD_WIDE_H

#include "core/exact/exact_fold.h"

/* For all processors. */
bool ovk__folds_add_narrow(ovk__folds *f, int folds, int exponent, ovk_lidx n, const double *x,
                           const double *y);

/* For processors with vectors of eight; only where OVK_CLONES is defined. */
bool ovk__folds_add_wide(ovk__folds *f, int folds, int exponent, ovk_lidx n, const double *x,
                         const double *y);

#endif
