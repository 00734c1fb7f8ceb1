/* SPDX-License-Identifier: BSD-2-Clause */
/* Pieces of shared memory and their slots. */
#include "core/node/arena.h"
#include "core/context/agree.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { LEAST_AREA = 2048, MAX_SLOTS = 63, ARENA_BYTES = 256 << 10, MAX_DOUBLINGS = 4 };

/* In addition to the bits of used slots: this rank's areas are too small. */
#define TOO_SMALL ((uint64_t)1 << MAX_SLOTS)

void ovk__arenas_init(ovk_ctx *ctx, MPI_Comm comm, ovk__arenas *out)
{
  *out = (ovk__arenas){.ctx = ctx, .comm = comm};
  MPI_Comm_rank(comm, &out->rank);
  MPI_Comm_size(comm, &out->size);
}

/* Areas are rounded up to powers of two, so that a freed slot fits other runs of similar size. */
static uint64_t round_up(size_t area)
{
  uint64_t size = LEAST_AREA;
  while (size < area) size *= 2;
  return size;
}

/* Shared memory is a file there. A page that has no space when it is first written ends the process
 * with SIGBUS. */
static ovk_err check_space(const ovk__arenas *arenas, uint64_t bytes)
{
  static const char place[] = "/dev/shm";
  struct statvfs s;
  if (statvfs(place, &s) != 0 || s.f_blocks == 0) return OVK_OK; /* unknown, or unlimited */
  const uint64_t room = (uint64_t)s.f_bavail * s.f_frsize;
  const uint64_t most = bytes + (uint64_t)arenas->size * s.f_frsize; /* in whole pages */
  arenas->ctx->lacks_shared_memory = room < most;
  OVK_CHECK(room >= most, arenas->ctx, OVK_ERR_MEMORY,
            "no shared memory: %llu bytes are left in %s, reductions need %llu",
            (unsigned long long)room, place, (unsigned long long)most);
  return OVK_OK;
}

/* Those of the ranks of a context meet. */
static ovk_err arena_total(const ovk__arenas *arenas, void *values, int n, MPI_Datatype type,
                           MPI_Op op)
{
  ovk_ctx *ctx = arenas->ctx;
  if (arenas->comm == ctx->comm) return ovk__total_of(ctx, values, n, type, op);
  OVK_TRY_MPI(ctx, MPI_Allreduce(MPI_IN_PLACE, values, n, type, op, arenas->comm));
  return OVK_OK;
}

static ovk_err make_segments(const ovk__arenas *arenas, ovk__arena *a)
{
  uint64_t bytes = (uint64_t)a->area * (uint64_t)a->nslots; /* summed over all ranks below */
  OVK_TRY(arena_total(arenas, &bytes, 1, MPI_UINT64_T, MPI_SUM));
  OVK_TRY(check_space(arenas, bytes));
  OVK_NEW_ZEROS(arenas->ctx, a->segments, arenas->size);
  return OVK_OK;
}

/* Returns this rank's error; *failed: some rank has one. */
static ovk_err arena_agree_on_slot(const ovk__arenas *arenas, ovk_err err, bool *failed)
{
  int worst = err != OVK_OK;
  *failed = true;
  OVK_TRY(arena_total(arenas, &worst, 1, MPI_INT, MPI_MAX));
  *failed = worst;
  return err;
}

static void free_arena(ovk__arena *a)
{
  ovk__shared_memory_unmap(&a->memory);
  free(a->segments);
  *a = (ovk__arena){0};
}

/* An entry for a new arena: one without memory; or one that no rank uses and whose areas are too
 * small on some rank; or a new one. All ranks find the same entry. */
static ovk__arena *find_place(ovk__arenas *arenas, size_t largest, const uint64_t *words)
{
  for (int k = 0; k < arenas->n; k++) {
    ovk__arena *a = &arenas->list[k];
    if (a->largest == 0 || (a->largest == largest && words[k] == TOO_SMALL)) return a;
  }
  return arenas->n < OVK__MAX_ARENAS ? &arenas->list[arenas->n++] : NULL;
}

/* Areas of this size that fit into arena number k. Later arenas are larger, so that there are few.
 */
static size_t areas_in(int k, size_t largest)
{
  return ((size_t)ARENA_BYTES << (k < MAX_DOUBLINGS ? k : MAX_DOUBLINGS)) / largest;
}

static ovk_err add_arena(ovk__arenas *arenas, size_t largest, size_t area, ovk__arena *a,
                         bool *failed)
{
  const size_t fit = areas_in((int)(a - arenas->list), largest);
  free_arena(a);
  *a = (ovk__arena){.area = fit > 1 ? largest : round_up(area),
                    .nslots = fit > MAX_SLOTS ? MAX_SLOTS
                              : fit > 1       ? (int)fit
                                              : 1};
  ovk_err err = arena_agree_on_slot(arenas, make_segments(arenas, a), failed);
  if (!*failed) {
    err = arena_agree_on_slot(arenas,
                              ovk__shared_memory_map(arenas->ctx, arenas->comm,
                                                     a->area * (size_t)a->nslots, a->segments,
                                                     &a->memory),
                              failed);
    arenas->ctx->lacks_shared_memory = *failed;
  }
  if (*failed) {
    free_arena(a);
  } else {
    a->largest = largest;
  }
  return err;
}

/* The first slot that is free and large enough on all ranks. */
static ovk__slot arena_find_slot(ovk__arenas *arenas, size_t largest, const uint64_t *words)
{
  for (int k = 0; k < arenas->n; k++) {
    ovk__arena *a = &arenas->list[k];
    if (a->largest != largest || words[k] & TOO_SMALL) continue;
    for (int s = 0; s < a->nslots; s++) {
      if (!(words[k] >> s & 1)) return (ovk__slot){a, s};
    }
  }
  return (ovk__slot){NULL, 0};
}

/* Writes zeros with read(2): pages are allocated at the first access, and if the file system is
 * full, a plain store would end the process with SIGBUS, where read() returns an error. */
static ovk_err write_zeros(ovk_ctx *ctx, char *at, size_t bytes)
{
  const size_t most = 1 << 30; /* per call */
  size_t done = 0;
  const int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    memset(at, 0, bytes); /* no /dev/zero: stores are the only way */
    return OVK_OK;
  }
  for (ssize_t n = 1; done < bytes && (n > 0 || errno == EINTR);) {
    const size_t left = bytes - done;
    n = read(fd, at + done, left < most ? left : most);
    if (n > 0) done += (size_t)n;
    if (n == 0) break;
  }
  close(fd);
  ctx->lacks_shared_memory = done < bytes;
  OVK_CHECK(done == bytes, ctx, OVK_ERR_MEMORY,
            "no shared memory: %zu of %zu bytes on rank %d, see df /dev/shm", done, bytes,
            ovk_ctx_rank(ctx));
  return OVK_OK;
}

/* Clears this rank's area of a slot. Of several slots, those that have never been in use get their
 * pages some at a time, as each read() takes longer than the zeros. */
static ovk_err arena_clear(const ovk__arenas *arenas, const ovk__slot *slot, size_t area)
{
  enum { PIECE = 32 << 10 };
  ovk__arena *a = slot->arena;
  char *own = ovk__slot_area(slot, arenas->rank);
  if (a->nslots == 1) return write_zeros(arenas->ctx, own, area);
  if (slot->number < a->backed) {
    memset(own, 0, area);
    return OVK_OK;
  }
  int end = slot->number + 1 + (int)(PIECE / a->area);
  if (end > a->nslots) end = a->nslots;
  char *first = ovk__slot_area(&(ovk__slot){a, a->backed}, arenas->rank);
  OVK_TRY(write_zeros(arenas->ctx, first, a->area * (size_t)(end - a->backed)));
  a->backed = end;
  return OVK_OK;
}

/* Marks a slot as used and clears this rank's area of it. The agreement, with a fence on both
 * sides, is the barrier between these zeros and the first read by another rank. After that the
 * users' atomic variables order accesses. */
static ovk_err arena_take(const ovk__arenas *arenas, size_t area, bool *failed, ovk__slot *slot)
{
  ovk__arena *a = slot->arena;
  ovk_err err = arena_clear(arenas, slot, area);
  atomic_thread_fence(memory_order_seq_cst);
  err = arena_agree_on_slot(arenas, err, failed);
  atomic_thread_fence(memory_order_seq_cst);
  if (*failed) {
    *slot = (ovk__slot){NULL, 0};
  } else {
    a->used |= (uint64_t)1 << slot->number;
  }
  return err;
}

ovk_err ovk__slot_take(ovk__arenas *arenas, size_t area, bool *failed, ovk__slot *slot)
{
  enum { FAILED = 1 };
  *slot = (ovk__slot){NULL, 0};
  /* used slots, and the sizes that all ranks ask for: powers of two */
  uint64_t words[OVK__MAX_ARENAS + 1] = {0};
  uint64_t *requests = &words[arenas->n]; /* there are as many arenas on all ranks */
  for (int k = 0; k < arenas->n; k++) {
    const ovk__arena *a = &arenas->list[k];
    words[k] = a->used | (a->area < area ? TOO_SMALL : 0);
  }
  if (area) *requests |= round_up(area);
  if (*failed) *requests |= FAILED;
  OVK_TRY(arena_total(arenas, words, arenas->n + 1, MPI_UINT64_T, MPI_BOR));
  *failed = *requests & FAILED;
  if (*failed || !*requests) return OVK_OK;
  uint64_t largest = LEAST_AREA;
  while (largest <= *requests / 2) largest *= 2;
  *slot = arena_find_slot(arenas, largest, words);
  if (!slot->arena) {
    ovk__arena *a = find_place(arenas, largest, words);
    *failed = !a;
    OVK_CHECK(a, arenas->ctx, OVK_ERR_RANGE,
              "more reductions than %d segments of shared memory can hold", OVK__MAX_ARENAS);
    OVK_TRY(add_arena(arenas, largest, area, a, failed));
    *slot = (ovk__slot){*failed ? NULL : a, 0};
  }
  return slot->arena ? arena_take(arenas, area, failed, slot) : OVK_OK;
}

void ovk__slot_release(ovk__slot *slot)
{
  slot->arena->used &= ~((uint64_t)1 << slot->number);
}

void *ovk__slot_area(const ovk__slot *slot, int rank)
{
  return slot->arena->segments[rank] + slot->arena->area * (size_t)slot->number;
}

void ovk__arenas_free(ovk__arenas *arenas)
{
  for (int k = 0; k < arenas->n; k++) free_arena(&arenas->list[k]);
  arenas->n = 0;
}
