/* SPDX-License-Identifier: BSD-2-Clause */
/* The model of a product's time by which "auto" chooses. The unit is a sixteenth of a cycle. What a
 * format's instructions take with a matrix in the caches is measured once and counted as so much
 * for each entry, slice, row and so on; beyond the second cache, the time comes on top in which the
 * third cache or memory delivers the block. x and y, which all formats read and write alike, are
 * left out. */
#ifndef OVK_MATRIX_FORMATS_COST_H
#define OVK_MATRIX_FORMATS_COST_H

#include "matrix/formats/csr.h"

/* Compressed rows up to these sizes count as cached: they are what a core has of the caches, about,
 * and a block takes a third to all of it. The third cache delivers sixteen bytes a cycle; memory,
 * with all cores at work, four for each core at most. */
enum { OVK__SECOND_CACHE = 1 << 20, OVK__THIRD_CACHE = 12 << 20 };

static inline int64_t ovk__cost_of_byte(const ovk__csr *A)
{
  const int64_t size = ovk__csr_bytes(A);
  return size > OVK__THIRD_CACHE ? 4 : size > OVK__SECOND_CACHE ? 1 : 0;
}

/* The cost of a product with a block of A that reads so many bytes and does so much work. */
static inline int64_t ovk__cost(const ovk__csr *A, int64_t bytes, int64_t work)
{
  return work + bytes * ovk__cost_of_byte(A);
}

#endif
