/* SPDX-License-Identifier: BSD-2-Clause */
/* A simple reader of Matrix Market files known to be valid, for comparison. */
#ifndef OVK_TEST_FUZZ_MM_REFERENCE_H
#define OVK_TEST_FUZZ_MM_REFERENCE_H

#include "support/fuzz/entries.h"

/* The entries of a matrix in the order of the file, each followed by the one implied by symmetry;
 * to be freed. */
entries mm_reference_read(const uint8_t *data, size_t size);

#endif
