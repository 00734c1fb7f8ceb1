/* SPDX-License-Identifier: BSD-2-Clause */
/* Chooses a storage format by the time that products take. */
#ifndef OVK_MATRIX_FORMATS_TRIAL_H
#define OVK_MATRIX_FORMATS_TRIAL_H

#include "matrix/formats/format.h"

/* Builds A in each of the n formats that can hold it (`exact`: see ovk__wanted), times products,
 * and keeps the fastest: *best is the index of its format. Entries without functions are passed
 * over. Needs room for two more blocks meanwhile. As `build`: A is empty after success and
 * unchanged after a failure. Not collective. */
ovk_err ovk__format_trial(ovk_ctx *ctx, const void *const *formats, int n, bool exact, ovk__csr *A,
                          int *best, void **block);

#endif
