/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory that other processes of the machine can find and map without help of the owner: the
 * registered regions of the emulated NIC. */
#ifndef OVK_COMM_NET_EMULATED_SHARED_STORE_H
#define OVK_COMM_NET_EMULATED_SHARED_STORE_H

#include "core/context/check.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Identifies the store of a process; may be sent as bytes. */
typedef struct ovk__store_name {
  uint64_t host;  /* the machine, since its last boot */
  uint64_t nonce; /* the store, since pids and file descriptors are reused */
  int32_t pid, fd;
} ovk__store_name;

/* The store of a process: an anonymous file in memory, which exists until the last process closes
 * it. Areas are allocated in ascending order and never reused: a released key stays invalid. */
typedef struct ovk__store {
  ovk__store_name name;
  uint64_t units; /* allocated units of the file, see shared_store.c */
} ovk__store;

/* The head of an area. */
typedef struct ovk__area_head {
  _Atomic uint64_t key; /* 0 after the area is released */
  uint64_t nonce;       /* the store's */
  uint64_t start;       /* address of the area, or of lent memory, in its owner */
  uint64_t bytes;       /* 0 for lent memory */
  uint64_t lent;        /* bytes of it */
} ovk__area_head;

/* A part of a store, in the list of areas that the owner or a peer has mapped. */
typedef struct ovk__area {
  ovk__area_head *head; /* mapped head, in front of the area */
  uint32_t key;
  size_t mapped; /* mapped bytes, head included */
  struct ovk__area *next;
} ovk__area;

/* The key of the first area of an owner. */
#define OVK__STORE_FIRST_KEY 1

/* After an error there is nothing to close. All areas must be released before close. */
ovk_err ovk__store_open(ovk_ctx *ctx, ovk__store *out);
void ovk__store_close(ovk__store *store);

/* Whether an errno means that memory or file descriptors are exhausted. */
bool ovk__store_is_short(int error);

/* Allocate an area of zeros at the front of the list of the owner; release it. */
ovk_err ovk__store_take(ovk_ctx *ctx, ovk__store *store, size_t bytes, ovk__area **list);
void ovk__store_release(ovk__store *store, ovk__area **list, ovk__area *area);

/* The address of an area in this process, aligned to cache lines. */
char *ovk__area_start(const ovk__area *area);

/* Map an area of a peer and put it at the front of a list. Removes released areas from the list.
 * Returns false if the area does not exist, its owner has exited or cannot be reached, or,
 * according to errno, this process is out of resources. */
bool ovk__store_map(const ovk__store_name *name, uint32_t key, ovk__area **list);
void ovk__areas_unmap(ovk__area **list);

/* The area with this key; NULL if it is not in the list. */
const ovk__area *ovk__areas_find(const ovk__area *list, uint32_t key);

/* The address in this process of the address `address` of the owner; NULL unless all bytes are in
 * the area and it has not been released. */
char *ovk__area_at(const ovk__area *area, uint64_t address, size_t bytes);

/* Lend memory of this process, which peers can read without mapping it: an area without bytes, at
 * the front of the list of the owner. OVK_ERR_UNSUPPORTED: the system does not allow processes to
 * read each other. */
ovk_err ovk__store_lend(ovk_ctx *ctx, ovk__store *store, void *start, size_t bytes,
                        ovk__area **list);

/* Whether all bytes at `address` of the owner are lent by this area. */
bool ovk__area_lends(const ovk__area *area, uint64_t address, size_t bytes);

/* Copy lent memory of the owner, a process of this machine. Returns false if that failed. */
bool ovk__area_read_lent(const ovk__area *area, int32_t pid, uint64_t address, char *to,
                         size_t bytes);

/* Whether the owner is alive and has not closed the store. */
bool ovk__store_lives(const ovk__store_name *name);

#endif
