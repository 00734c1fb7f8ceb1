/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of bits, as ranks see them together. */
#include "backends/verbs/atomic/ledger.h"

enum { BITS = 64 };

static bool is_used(const uint64_t *used, int row)
{
  return used[row / BITS] >> row % BITS & 1;
}

static void give_back(ovk__ledger *ledger, const uint64_t *used)
{
  for (int row = 0; row < ledger->n; row++) {
    if (!is_used(used, row)) ovk__block_give(&ledger->blocks[row]);
  }
}

ovk_err ovk__ledger_enter(ovk_ctx *ctx, MPI_Comm comm, ovk__ledger *ledger, int *row)
{
  uint64_t used[OVK__LEDGER_WORDS]; /* by any rank */
  OVK_TRY_MPI(ctx,
              MPI_Allreduce(ledger->used, used, OVK__LEDGER_WORDS, MPI_UINT64_T, MPI_BOR, comm));
  give_back(ledger, used);
  *row = 0;
  while (*row < OVK__LEDGER_ROWS && is_used(used, *row)) ++*row;
  OVK_CHECK(*row < OVK__LEDGER_ROWS, ctx, OVK_ERR_RANGE, "more than %d sums at a time",
            OVK__LEDGER_ROWS);
  if (*row == ledger->n) ledger->n++;
  ledger->used[*row / BITS] |= (uint64_t)1 << *row % BITS;
  return OVK_OK;
}

void ovk__ledger_leave(ovk__ledger *ledger, int row)
{
  ledger->used[row / BITS] &= ~((uint64_t)1 << row % BITS);
}
