/* SPDX-License-Identifier: BSD-2-Clause */
/* Slots in memory that all ranks of a node share: each rank has its own area of every slot and
 * reads those of the others. Many slots are cut from few pieces of memory, as each takes system
 * calls and pages. */
#ifndef OVK_CORE_NODE_ARENA_H
#define OVK_CORE_NODE_ARENA_H

#include "core/node/shared_memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Slots hold 64-bit atomic variables that several processes access, so these must be lock-free. */
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2 && sizeof(_Atomic uint64_t) == sizeof(uint64_t),
               "a lock would be each process's own");

enum { OVK__MAX_ARENAS = 64 };

/* One piece of shared memory, cut into slots of equal size; or, for large areas, a single slot in
 * which each rank allocates only the size that it needs. */
typedef struct ovk__arena {
  ovk__shared_memory memory;
  size_t largest;  /* bytes of the largest area of a slot, the same on all ranks; 0: no memory */
  size_t area;     /* bytes of this rank's area; the same on all ranks if there are several slots */
  int nslots;      /* at most 63, one bit each in `used` */
  int backed;      /* of several slots, the first so many have pages in this rank's areas */
  uint64_t used;   /* bit k: this rank uses slot k */
  char **segments; /* [rank]: start of the rank's areas of all slots */
} ovk__arena;

typedef struct ovk__arenas {
  ovk_ctx *ctx;
  MPI_Comm comm;
  int rank, size;
  int n;
  ovk__arena list[OVK__MAX_ARENAS];
} ovk__arenas;

/* A slot in use. arena NULL: none. */
typedef struct ovk__slot {
  ovk__arena *arena;
  int number;
} ovk__slot;

/* All ranks of comm share memory. comm must outlive the arenas. */
void ovk__arenas_init(ovk_ctx *ctx, MPI_Comm comm, ovk__arenas *out);

/* Frees all of them. Not collective. */
void ovk__arenas_free(ovk__arenas *arenas);

/* Takes a slot that no rank uses. This rank's area has at least `area` bytes, which are zero; the
 * bytes after them are unspecified. If `area` is 0 on all ranks, no slot is taken. Collective;
 * errors are not agreed, but if any rank passes *failed or fails, *failed is true on all ranks and
 * none gets a slot. */
ovk_err ovk__slot_take(ovk__arenas *arenas, size_t area, bool *failed, ovk__slot *slot);

/* Releases this rank's use of the slot; other ranks may still use it. Not collective. */
void ovk__slot_release(ovk__slot *slot);

/* A rank's area of a slot, aligned to cache lines. */
void *ovk__slot_area(const ovk__slot *slot, int rank);

#endif
