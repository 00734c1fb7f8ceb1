/* SPDX-License-Identifier: BSD-2-Clause */
/* Which sums exist, and the memory that this rank holds for each. A rank releases a sum when it no
 * longer uses it, but other ranks may still read the memory it holds for them, so that is freed
 * only once all ranks have released the sum. Creating a sum is collective, and that is when ranks
 * compare their tables; so the memory of at most one sum is held beyond those that some rank still
 * uses. */
#ifndef OVK_BACKENDS_VERBS_ATOMIC_SLOT_TABLE_H
#define OVK_BACKENDS_VERBS_ATOMIC_SLOT_TABLE_H

#include "comm/net/registered_memory.h"

enum { OVK__SLOT_ROWS = 4096, OVK__SLOT_WORDS = OVK__SLOT_ROWS / 64 };

/* Initially zero. */
typedef struct ovk__slot_table {
  int n;                             /* number of rows ever used */
  uint64_t used[OVK__SLOT_WORDS];    /* bit set: rows of the sums that this rank has */
  ovk__block blocks[OVK__SLOT_ROWS]; /* memory that this rank holds for all ranks, or none */
} ovk__slot_table;

/* *row <- a row that no rank uses, marked as used on all ranks. Collective; errors are not agreed.
 */
ovk_err ovk__slot_table_enter(ovk_ctx *ctx, MPI_Comm comm, ovk__slot_table *slot_table, int *row);

/* This rank no longer accesses the row's memory, on any rank. Not collective. */
void ovk__slot_table_leave(ovk__slot_table *slot_table, int row);

#endif
