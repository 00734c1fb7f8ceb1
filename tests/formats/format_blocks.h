/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks in a storage format, made from compressed rows that the test keeps. */
#ifndef OVK_TEST_FORMAT_BLOCKS_H
#define OVK_TEST_FORMAT_BLOCKS_H

#include "matrix/formats/format.h"

const ovk__format *format_named(const char *name);

ovk__csr csr_copy(const ovk__csr *A);
#define scoped_csr SCOPED(ovk__csr_free) ovk__csr

/* Builds a block of a copy of A. */
void *format_build(const ovk__format *format, const ovk__csr *A);

/* The reference. */
extern const ovk__format ovk__format_csr;

/* The estimate of the cost of a product; the data for `build` is destroyed. */
int64_t format_estimate(const ovk__format *format, const ovk__csr *A, int64_t limit);

/* The block has the rows of A and its diagonal, bit by bit. */
void format_assert_rows(const ovk__format *format, const void *block, const ovk__csr *A);

/* Unfolded, the block is A. */
void format_assert_unfolds(const ovk__format *format, const void *block, const ovk__csr *A);

/* y <- A x with NaN before and after x, checked against compressed rows, also where rows are passed
 * on. y has room for one element more, which stays. Returns the inner product. */
double format_product(const ovk__format *format, const void *block, const ovk__csr *A,
                      ovk_poll poll, double *y);

/* Polls, however often, change no bit of products. They are as many as asked for, if each row is
 * passed `passes` times at most. */
void format_assert_polls(const ovk__format *format, const void *block, const ovk__csr *A,
                         int passes);

/* Each column of 2, 4 and 8 columns has the bits of its product. */
void format_assert_columns(const ovk__format *format, const void *block, ovk_lidx rows);

/* A block that the format cannot hold exactly is refused, with this text, and left alone. */
void format_assert_refused(const ovk__format *format, const ovk__csr *A, const char *message);

/* A block without rows has a product without rows. */
void format_assert_empty(const ovk__format *format);

/* n numbers in [-1/2,1/2); to be freed with free(). */
double *random_vector(ovk_lidx n, uint64_t seed);

#endif
