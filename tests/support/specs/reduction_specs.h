/* SPDX-License-Identifier: BSD-2-Clause */
/* All specs of the schedule engine's sums: every algorithm with every hierarchy and channel. */
#ifndef OVK_TEST_REDUCTION_SPECS_H
#define OVK_TEST_REDUCTION_SPECS_H

#include <stdbool.h>
#include <stddef.h>

enum { REDUCTION_SPEC_SIZE = 128 };

/* Writes the spec number `index`; false past the end. */
bool reduction_spec(int index, char spec[REDUCTION_SPEC_SIZE]);

#endif
