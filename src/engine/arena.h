/* SPDX-License-Identifier: BSD-2-Clause */
/* Slots in memory that all ranks of a node share: each rank has a part of its own in every slot and
 * reads those of the others. Slots are many and windows few, as an MPI has only some thousands. */
#ifndef OVK_ENGINE_ARENA_H
#define OVK_ENGINE_ARENA_H

#include "core/check.h"

#include <stdbool.h>
#include <stddef.h>

enum { OVK__MAX_ARENAS = 64 };

/* One shared window, cut into slots of equal size. */
typedef struct ovk__arena {
  MPI_Win window;
  size_t part;     /* bytes of one rank's part of a slot */
  int nslots;      /* at most 64 */
  uint64_t used;   /* bit k: this rank uses slot k */
  char **segments; /* where each rank's parts of all slots begin */
} ovk__arena;

typedef struct ovk__arenas {
  ovk_ctx *ctx;
  MPI_Comm comm;
  int rank, size;
  int n;
  ovk__arena list[OVK__MAX_ARENAS];
} ovk__arenas;

/* A slot in use; arena NULL: none. */
typedef struct ovk__slot {
  ovk__arena *arena;
  int number;
} ovk__slot;

/* All ranks of comm share memory; it must outlive the arenas. */
void ovk__arenas_init(ovk_ctx *ctx, MPI_Comm comm, ovk__arenas *out);

/* Frees all windows. Collective. */
void ovk__arenas_free(ovk__arenas *arenas);

/* Takes a slot that no rank uses, all zeros. Parts have as many bytes as the rank with the largest
 * `part` needs; where that is 0, there is no slot. Collective; errors are not agreed, but if a rank
 * says that it has *failed, or fails, *failed is true on all and there is no slot for any. */
ovk_err ovk__slot_take(ovk__arenas *arenas, size_t part, bool *failed, ovk__slot *slot);

/* Gives it back; others may still use theirs. Not collective. */
void ovk__slot_release(ovk__slot *slot);

/* A rank's part of a slot, aligned to cache lines. */
void *ovk__slot_part(const ovk__slot *slot, int rank);

#endif
