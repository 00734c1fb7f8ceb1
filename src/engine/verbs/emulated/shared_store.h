/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory that other processes of the same machine find and map while its owner looks elsewhere:
 * what the emulated adapter's regions are made of. */
#ifndef OVK_ENGINE_VERBS_EMULATED_SHARED_STORE_H
#define OVK_ENGINE_VERBS_EMULATED_SHARED_STORE_H

#include "core/check.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a process finds the store of another one; may be sent as it is. */
typedef struct ovk__store_name {
  uint64_t host;  /* the machine, since it was switched on */
  uint64_t nonce; /* the store: pids and file descriptors are used again */
  int32_t pid, fd;
} ovk__store_name;

/* A process's store: a file without a place in the file system, which is gone with the last process
 * that has it. Areas of it are taken one behind the other, and no part of it twice: a key that was
 * released stays wrong. */
typedef struct ovk__store {
  ovk__store_name name;
  uint64_t units; /* of the file, see shared_store.c */
} ovk__store;

/* A part of a store, in the list of those that its owner, or a peer, has mapped. */
typedef struct ovk__area {
  struct ovk__area_head *head; /* in the store, in front of the area */
  uint32_t key;
  size_t mapped; /* bytes, with the head */
  struct ovk__area *next;
} ovk__area;

/* The key of the area that an owner takes first. */
#define OVK__STORE_FIRST_KEY 1

/* On failure there is nothing to close. close: when all areas are released. */
ovk_err ovk__store_open(ovk_ctx *ctx, ovk__store *out);
void ovk__store_close(ovk__store *store);

/* An area of zeros, put in front of the owner's list; and back. */
ovk_err ovk__store_take(ovk_ctx *ctx, ovk__store *store, size_t bytes, ovk__area **list);
void ovk__store_release(ovk__store *store, ovk__area **list, ovk__area *area);

/* Where a process has an area itself; aligned to cache lines. */
char *ovk__area_start(const ovk__area *area);

/* Maps a peer's area and puts it in front of a list, which loses those that were released since.
 * False if there is no such area, or its owner is gone or out of reach. */
bool ovk__store_map(const ovk__store_name *name, uint32_t key, ovk__area **list);
void ovk__areas_unmap(ovk__area **list);

/* NULL if the list does not have it. */
const ovk__area *ovk__areas_find(const ovk__area *list, uint32_t key);

/* Where this process has what the area's owner has at this address; NULL unless all of it lies in
 * the area and that has not been released. */
char *ovk__area_at(const ovk__area *area, uint64_t address, size_t bytes);

/* Whether the owner has the store still: is alive, and has not closed it. */
bool ovk__store_lives(const ovk__store_name *name);

#endif
