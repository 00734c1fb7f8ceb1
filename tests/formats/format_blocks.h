/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks in a storage format, made from compressed rows that the test keeps. */
#ifndef OVK_TEST_FORMAT_BLOCKS_H
#define OVK_TEST_FORMAT_BLOCKS_H

#include "matrix/formats/format.h"

const ovk__format *format_named(const char *name);

ovk__csr csr_copy(const ovk__csr *A);

/* Builds a block of a copy of A. */
void *format_build(const ovk__format *format, const ovk__csr *A);

/* The block has the rows of A, bit by bit. */
void format_assert_rows(const ovk__format *format, const void *block, const ovk__csr *A);

/* n numbers in [-1/2,1/2); to be freed with free(). */
double *random_vector(ovk_lidx n, uint64_t seed);

#endif
