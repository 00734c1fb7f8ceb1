/* SPDX-License-Identifier: BSD-2-Clause */
/* The correctly rounded sum of doubles, slow and simple: counts bits one by one. */
#ifndef OVK_TEST_EXACT_REFERENCE_H
#define OVK_TEST_EXACT_REFERENCE_H

#include <stddef.h>

double reference_sum(const double *values, size_t n);

#endif
