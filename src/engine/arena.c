/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared windows and their slots. */
#include "engine/arena.h"
#include "core/mem.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_PART = 128, MOST_SLOTS = 64, ARENA_BYTES = 256 << 10 };

void ovk__arenas_init(ovk_ctx *ctx, MPI_Comm comm, ovk__arenas *out)
{
  *out = (ovk__arenas){.ctx = ctx, .comm = comm};
  MPI_Comm_rank(comm, &out->rank);
  MPI_Comm_size(comm, &out->size);
}

/* Parts come in powers of two, so that slots are used again by others of about that size. */
static uint64_t round_up(size_t part)
{
  uint64_t size = LEAST_PART;
  while (size < part) size *= 2;
  return size;
}

static ovk_err allocate(const ovk__arenas *arenas, ovk__arena *a)
{
  ovk_ctx *ctx = arenas->ctx;
  const MPI_Aint bytes = (MPI_Aint)(a->part * (size_t)a->nslots);
  char *own;
  MPI_Info info;
  OVK_TRY_MPI(ctx, MPI_Info_create(&info));
  MPI_Info_set(info, "alloc_shared_noncontig", "true"); /* a wish */
  const int code = MPI_Win_allocate_shared(bytes, 1, info, arenas->comm, &own, &a->window);
  MPI_Info_free(&info);
  if (code) return ovk__fail_mpi(ctx, code, __FILE__, __LINE__, "MPI_Win_allocate_shared");
  OVK_TRY_MPI(ctx, MPI_Win_set_errhandler(a->window, MPI_ERRORS_RETURN));
  return OVK_OK;
}

static ovk_err make_window(const ovk__arenas *arenas, ovk__arena *a)
{
  ovk_ctx *ctx = arenas->ctx;
  OVK_TRY(allocate(arenas, a));
  OVK_TRY_MPI(ctx, MPI_Win_lock_all(MPI_MODE_NOCHECK, a->window));
  for (int rank = 0; rank < arenas->size; rank++) {
    MPI_Aint size;
    int unit;
    OVK_TRY_MPI(ctx, MPI_Win_shared_query(a->window, rank, &size, &unit, &a->segments[rank]));
  }
  return OVK_OK;
}

static ovk_err make_segments(const ovk__arenas *arenas, ovk__arena *a)
{
  OVK_NEW_ZEROS(arenas->ctx, a->segments, arenas->size);
  return OVK_OK;
}

/* Returns this rank's error; *failed: some rank has one. */
static ovk_err agree(const ovk__arenas *arenas, ovk_err err, bool *failed)
{
  int worst = err != OVK_OK;
  *failed = true;
  OVK_TRY_MPI(arenas->ctx, MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, arenas->comm));
  *failed = worst;
  return err;
}

/* A new arena at the end of the list. After a failure its window stays: to free it takes all ranks,
 * and some may have none. */
static ovk_err add_arena(ovk__arenas *arenas, size_t part, bool *failed)
{
  OVK_CHECK(arenas->n < OVK__MAX_ARENAS, arenas->ctx, OVK_ERR_RANGE,
            "more sums than %d shared windows have room for", OVK__MAX_ARENAS);
  ovk__arena *a = &arenas->list[arenas->n];
  const size_t fit = ARENA_BYTES / part;
  *a = (ovk__arena){.part = part, .nslots = fit > MOST_SLOTS ? MOST_SLOTS : fit ? (int)fit : 1};
  ovk_err err = agree(arenas, make_segments(arenas, a), failed);
  if (!*failed) err = agree(arenas, make_window(arenas, a), failed);
  if (*failed) {
    free(a->segments);
  } else {
    arenas->n++;
  }
  return err;
}

/* The first slot that is free on all ranks. */
static ovk__slot find_slot(ovk__arenas *arenas, size_t part, const uint64_t *used)
{
  for (int k = 0; k < arenas->n; k++) {
    ovk__arena *a = &arenas->list[k];
    for (int s = 0; s < a->nslots && a->part == part; s++) {
      if (!(used[k] >> s & 1)) return (ovk__slot){a, s};
    }
  }
  return (ovk__slot){NULL, 0};
}

/* Makes a slot this rank's own, and clears its part; then all have. */
static ovk_err clear(const ovk__arenas *arenas, const ovk__slot *slot)
{
  ovk__arena *a = slot->arena;
  a->used |= (uint64_t)1 << slot->number;
  memset(ovk__slot_part(slot, arenas->rank), 0, a->part);
  OVK_TRY_MPI(arenas->ctx, MPI_Win_sync(a->window));
  OVK_TRY_MPI(arenas->ctx, MPI_Barrier(arenas->comm));
  OVK_TRY_MPI(arenas->ctx, MPI_Win_sync(a->window));
  return OVK_OK;
}

ovk_err ovk__slot_take(ovk__arenas *arenas, size_t part, bool *failed, ovk__slot *slot)
{
  enum { FAILED = 1 };
  *slot = (ovk__slot){NULL, 0};
  uint64_t words[OVK__MAX_ARENAS + 1] = {0}; /* used slots, and all wishes: powers of two */
  uint64_t *wishes = &words[OVK__MAX_ARENAS];
  for (int k = 0; k < arenas->n; k++) words[k] = arenas->list[k].used;
  if (part) *wishes |= round_up(part);
  if (*failed) *wishes |= FAILED;
  OVK_TRY_MPI(arenas->ctx, MPI_Allreduce(MPI_IN_PLACE, words, OVK__MAX_ARENAS + 1, MPI_UINT64_T,
                                         MPI_BOR, arenas->comm));
  *failed = *wishes & FAILED;
  if (*failed || !*wishes) return OVK_OK;
  uint64_t largest = LEAST_PART;
  while (largest <= *wishes / 2) largest *= 2;
  *slot = find_slot(arenas, largest, words);
  if (!slot->arena) {
    OVK_TRY(add_arena(arenas, largest, failed));
    *slot = *failed ? *slot : find_slot(arenas, largest, words);
  }
  return slot->arena ? clear(arenas, slot) : OVK_OK;
}

void ovk__slot_release(ovk__slot *slot)
{
  slot->arena->used &= ~((uint64_t)1 << slot->number);
}

void *ovk__slot_part(const ovk__slot *slot, int rank)
{
  return slot->arena->segments[rank] + slot->arena->part * (size_t)slot->number;
}

void ovk__arenas_free(ovk__arenas *arenas)
{
  for (int k = 0; k < arenas->n; k++) {
    ovk__arena *a = &arenas->list[k];
    MPI_Win_unlock_all(a->window);
    MPI_Win_free(&a->window);
    free(a->segments);
  }
  arenas->n = 0;
}
