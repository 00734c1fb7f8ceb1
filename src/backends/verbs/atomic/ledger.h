/* SPDX-License-Identifier: BSD-2-Clause */
/* Which sums there are, and whose memory they are in. A rank is through with a sum when it releases
 * it, but others may still read what it keeps for them: memory for others is given back only once
 * all ranks have released the sum. Sums are made by all ranks together, and that is when they tell
 * each other; so there is never more of it than one sum's beyond those that some rank still has. */
#ifndef OVK_BACKENDS_VERBS_ATOMIC_LEDGER_H
#define OVK_BACKENDS_VERBS_ATOMIC_LEDGER_H

#include "engine/verbs/slab.h"

enum { OVK__LEDGER_ROWS = 4096, OVK__LEDGER_WORDS = OVK__LEDGER_ROWS / 64 };

/* All zeros at the start. */
typedef struct ovk__ledger {
  int n;                               /* rows that have ever been in use */
  uint64_t used[OVK__LEDGER_WORDS];    /* bits: the rows of the sums that this rank has */
  ovk__block blocks[OVK__LEDGER_ROWS]; /* what it keeps for all, or none */
} ovk__ledger;

/* *row <- one that no rank uses, and that all use from now on. Collective; errors are not agreed.
 */
ovk_err ovk__ledger_enter(ovk_ctx *ctx, MPI_Comm comm, ovk__ledger *ledger, int *row);

/* This rank does nothing more to the row's memory, wherever it is. Not collective. */
void ovk__ledger_leave(ovk__ledger *ledger, int row);

#endif
