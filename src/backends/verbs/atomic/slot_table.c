/* SPDX-License-Identifier: BSD-2-Clause */
/* Combines the tables of all ranks to find free rows. */
#include "backends/verbs/atomic/slot_table.h"

enum { BITS = 64 };

static bool is_used(const uint64_t *used, int row)
{
  return used[row / BITS] >> row % BITS & 1;
}

static void give_back(ovk__slot_table *slot_table, const uint64_t *used)
{
  for (int row = 0; row < slot_table->n; row++) {
    if (!is_used(used, row)) ovk__block_give(&slot_table->blocks[row]);
  }
}

ovk_err ovk__slot_table_enter(ovk_ctx *ctx, MPI_Comm comm, ovk__slot_table *slot_table, int *row)
{
  uint64_t used[OVK__SLOT_WORDS]; /* used by any rank */
  OVK_TRY_MPI(ctx,
              MPI_Allreduce(slot_table->used, used, OVK__SLOT_WORDS, MPI_UINT64_T, MPI_BOR, comm));
  give_back(slot_table, used);
  *row = 0;
  while (*row < OVK__SLOT_ROWS && is_used(used, *row)) ++*row;
  OVK_CHECK(*row < OVK__SLOT_ROWS, ctx, OVK_ERR_RANGE,
            "too many reductions at a time: verbs:mode=atomic allows %d", OVK__SLOT_ROWS);
  if (*row == slot_table->n) slot_table->n++;
  slot_table->used[*row / BITS] |= (uint64_t)1 << *row % BITS;
  return OVK_OK;
}

void ovk__slot_table_leave(ovk__slot_table *slot_table, int row)
{
  slot_table->used[row / BITS] &= ~((uint64_t)1 << row % BITS);
}
