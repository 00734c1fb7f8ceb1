/* SPDX-License-Identifier: BSD-2-Clause */
/* Meetings. Each rank writes its values and the number of the meeting into its own area, and reads
 * those of the others once their numbers match. Two places alternate: a rank that begins meeting
 * g + 1 has seen that all ranks have begun meeting g, so all have read the place of meeting g - 1,
 * which it overwrites. */
#include "core/node/meeting.h"
#include "core/context/compare.h"
#include "core/job.h"

#include <stdlib.h>
#include <string.h>

/* It starts on a cache line, which the first values share with the number. */
typedef struct place {
  _Atomic uint64_t number;
  char values[];
} place;

enum { PLACE = 1024, MOST_BYTES = PLACE - (int)sizeof(place) };

typedef struct ovk__meeting {
  ovk__slot slot;
  int rank, size, spins;
  uint64_t number; /* of the meetings up to now */
  int arrived;     /* ranks whose values are there: 0 to arrived - 1 */
} ovk__meeting;

static place *place_of(const ovk__meeting *m, int rank)
{
  return (place *)((char *)ovk__slot_area(&m->slot, rank) + (m->number & 1) * PLACE);
}

/* An ovk__advance. */
static int meeting_look_for_others(void *self, bool *complete)
{
  ovk__meeting *m = self;
  for (; m->arrived < m->size; m->arrived++) {
    /* Pairs with the store in meet(): a rank that sees the number sees the values. */
    if (atomic_load_explicit(&place_of(m, m->arrived)->number, memory_order_acquire) != m->number) {
      return MPI_SUCCESS;
    }
  }
  *complete = true;
  return MPI_SUCCESS;
}

/* The parts are added in the order of ranks, so that totals are bitwise equal on all. */
static int meet(ovk_ctx *ctx, void *values, int n, MPI_Datatype type, MPI_Op op, size_t bytes)
{
  ovk__meeting *m = ctx->meeting;
  _Alignas(16) char total[MOST_BYTES];
  m->number++;
  m->arrived = 0;
  place *own = place_of(m, m->rank);
  memcpy(own->values, values, bytes);
  atomic_store_explicit(&own->number, m->number, memory_order_release);
  (void)ovk__wait(ctx, m->spins, meeting_look_for_others, m); /* cannot fail */
  memcpy(total, place_of(m, 0)->values, bytes);
  for (int rank = 1; rank < m->size; rank++) {
    const int code = MPI_Reduce_local(place_of(m, rank)->values, total, n, type, op);
    if (code != MPI_SUCCESS) return code;
  }
  memcpy(values, total, bytes);
  return MPI_SUCCESS;
}

void ovk__meeting_open(ovk_ctx *ctx, ovk__arenas *arenas, int spins)
{
  if (ovk__checking(ctx) || ctx->size == 1) return;
  ovk__meeting *m = calloc(1, sizeof *m);
  bool failed = !m;
  ovk__slot slot;
  const ovk_err err = ovk__slot_take(arenas, (size_t)2 * PLACE, &failed, &slot);
  if (err || failed) {
    ovk__clear_message(ctx);
    free(m);
    return;
  }
  *m = (ovk__meeting){.slot = slot, .rank = arenas->rank, .size = arenas->size, .spins = spins};
  ctx->meeting = m;
  ctx->meet = meet;
  ctx->most_met = MOST_BYTES;
}

void ovk__meeting_close(ovk_ctx *ctx)
{
  if (ctx->meeting) ovk__slot_release(&ctx->meeting->slot);
  free(ctx->meeting);
  ctx->meeting = NULL;
}
