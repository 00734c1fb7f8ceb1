/* SPDX-License-Identifier: BSD-2-Clause */
/* Meetings: sums and agreements of a few words among ranks that share memory, which take a fraction
 * of the time of an MPI call. */
#ifndef OVK_CORE_NODE_MEETING_H
#define OVK_CORE_NODE_MEETING_H

#include "core/node/arena.h"

/* From now on the ranks of ctx, which share `arenas`, meet in ovk__agree(), ovk__total() and
 * ovk__total_of(). Without memory, and in check mode, MPI carries these as before. Collective. */
void ovk__meeting_open(ovk_ctx *ctx, ovk__arenas *arenas, int spins);

/* Not collective. */
void ovk__meeting_close(ovk_ctx *ctx);

#endif
