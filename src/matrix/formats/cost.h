/* SPDX-License-Identifier: BSD-2-Clause */
/* The model of a product's time by which "auto" chooses. The unit is a sixteenth of a cycle. The
 * time of the instructions of a format with a matrix in the caches was measured once. It is counted
 * for each entry, slice, row and so on. Beyond the caches, the time in which memory delivers the
 * block is added. x and y, which all formats read and write alike, are omitted. */
#ifndef OVK_MATRIX_FORMATS_COST_H
#define OVK_MATRIX_FORMATS_COST_H

#include "matrix/formats/csr.h"

/* Compressed rows up to this size count as cached: it is about the share of a core of the caches,
 * and a block takes a third to all of it. Memory, with all cores at work, delivers four bytes a
 * cycle and core at most. */
enum { OVK__CACHE = 12 << 20, OVK__COST_OF_BYTE = 4 };

/* The cost of a product with a block of A that reads so many bytes and does so much work. */
static inline int64_t ovk__cost(const ovk__csr *A, int64_t bytes, int64_t work)
{
  return work + (ovk__csr_bytes(A) > OVK__CACHE ? bytes * OVK__COST_OF_BYTE : 0);
}

/* The most bytes of a block of A whose product costs less than `limit`, if its work is at least 1 a
 * byte. */
static inline int64_t ovk__most_bytes(const ovk__csr *A, int64_t limit)
{
  return ovk__csr_bytes(A) > OVK__CACHE ? limit / (OVK__COST_OF_BYTE + 1) : limit;
}

#endif
