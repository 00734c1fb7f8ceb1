/* SPDX-License-Identifier: BSD-2-Clause */
/* Stores as Linux memory files (memfd), which other processes of the same user find in /proc. */
#define _GNU_SOURCE /* memfd_create, fallocate, getrandom */
#include "comm/net/emulated/shared_store.h"
#include "core/base/thread.h"
#include "core/memory_limit.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

/* The file is allocated in units of 64 KB, the largest page size. The key of an area is the number
 * of its first unit. Unit 0 stays unused, so that 0 is not a valid key. The head of an area takes
 * HEAD bytes. */
enum { UNIT = 64 << 10, HEAD = 4096 };

static off_t offset_of(uint32_t key)
{
  return (off_t)key * UNIT;
}

/* A hash of the boot id; 0 if unknown. */
static uint64_t hash_host(void)
{
  char id[64] = "";
  uint64_t hash = 14695981039346656037u; /* FNV-1a */
  const int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  const ssize_t n = read(fd, id, sizeof id);
  close(fd);
  for (ssize_t k = 0; k < n; k++) hash = (hash ^ (unsigned char)id[k]) * 1099511628211u;
  return n > 0 ? hash : 0;
}

enum { FILE_NAME = 40 };

static void name_file(uint64_t nonce, char name[FILE_NAME])
{
  snprintf(name, FILE_NAME, "ovkrylov-%016" PRIx64, nonce);
}

static void find_file(const ovk__store_name *name, char path[FILE_NAME])
{
  snprintf(path, FILE_NAME, "/proc/%" PRId32 "/fd/%" PRId32, name->pid, name->fd);
}

bool ovk__store_is_short(int error)
{
  return error == ENOMEM || error == EMFILE || error == ENFILE;
}

ovk_err ovk__store_open(ovk_ctx *ctx, ovk__store *out)
{
  char file[FILE_NAME];
  *out = (ovk__store){.name = {.host = hash_host(), .pid = (int32_t)getpid()}, .units = 1};
  uint64_t *nonce = &out->name.nonce;
  OVK_CHECK(getrandom(nonce, sizeof *nonce, 0) == (ssize_t)sizeof *nonce, ctx, OVK_ERR_UNSUPPORTED,
            "the system provides no random numbers");
  name_file(*nonce, file);
  out->name.fd = memfd_create(file, MFD_CLOEXEC);
  OVK_CHECK(out->name.fd >= 0, ctx,
            ovk__store_is_short(errno) ? OVK_ERR_MEMORY : OVK_ERR_UNSUPPORTED,
            "the system cannot create a memory file for the emulated NIC: %s", strerror(errno));
  return OVK_OK;
}

void ovk__store_close(ovk__store *store)
{
  close(store->name.fd);
}

/* Maps an area. Returns NULL on failure. The content of its head is not checked. */
static ovk__area *map(int fd, uint32_t key, size_t bytes)
{
  ovk__area *a = calloc(1, sizeof *a);
  if (!a) return NULL;
  *a = (ovk__area){.key = key, .mapped = HEAD + bytes};
  void *start = mmap(NULL, a->mapped, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset_of(key));
  if (start == MAP_FAILED) {
    free(a);
    return NULL;
  }
  a->head = start;
  return a;
}

static void unmap(ovk__area *a)
{
  munmap(a->head, a->mapped);
  free(a);
}

static void put_in_front(ovk__area *a, ovk__area **list)
{
  a->next = *list;
  *list = a;
}

/* Allocates the pages. If a page could not be allocated at its first access, the process would end
 * with SIGBUS. Signals are blocked: Linux before 6.13 releases all pages at a signal, so with a
 * profiling timer no number of attempts would suffice. Returns 0 or an errno. */
static int allocate(int fd, off_t offset, off_t bytes)
{
  sigset_t before;
  ovk__signals_block(&before);
  const int error = posix_fallocate(fd, offset, bytes);
  ovk__signals_restore(&before);
  return error;
}

ovk_err ovk__store_take(ovk_ctx *ctx, ovk__store *store, size_t bytes, ovk__area **list)
{
  OVK_CHECK(!ovk__memory_never(bytes), ctx, OVK_ERR_MEMORY, "a region of %zu bytes", bytes);
  const uint64_t first = store->units, end = first + (HEAD + bytes + UNIT - 1) / UNIT;
  OVK_CHECK(end <= UINT32_MAX, ctx, OVK_ERR_RANGE,
            "all keys for regions are used; a region of %zu bytes needs one", bytes);
  OVK_CHECK(ftruncate(store->name.fd, offset_of((uint32_t)end)) == 0, ctx, OVK_ERR_MEMORY,
            "no memory for a region of %zu bytes", bytes);
  OVK_CHECK(allocate(store->name.fd, offset_of((uint32_t)first), (off_t)(HEAD + bytes)) == 0, ctx,
            OVK_ERR_MEMORY, "no memory for a region of %zu bytes", bytes);
  store->units = end;
  ovk__area *a = map(store->name.fd, (uint32_t)first, bytes);
  OVK_CHECK(a, ctx, OVK_ERR_MEMORY, "no memory to map a region of %zu bytes", bytes);
  a->head->nonce = store->name.nonce;
  a->head->start = (uintptr_t)ovk__area_start(a);
  a->head->bytes = bytes;
  /* Pairs with released(): a process that sees the key sees the rest of the head. ovk__store_map()
   * reads the head from the file after it has received the key in a message, which was sent later.
   */
  atomic_store(&a->head->key, a->key);
  put_in_front(a, list);
  return OVK_OK;
}

/* Peers that have mapped the area read zeros from now on, and its memory is free. */
void ovk__store_release(ovk__store *store, ovk__area **list, ovk__area *area)
{
  while (*list != area) list = &(*list)->next;
  *list = area->next;
  atomic_store(&area->head->key, 0); /* Pairs with released(). */
  (void)fallocate(store->name.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset_of(area->key),
                  (off_t)area->mapped); /* on failure the memory is released with the store */
  unmap(area);
}

char *ovk__area_start(const ovk__area *area)
{
  return (char *)area->head + HEAD;
}

/* Pairs with the stores of the key in ovk__store_take() and ovk__store_release(). */
static bool released(const ovk__area *a)
{
  return atomic_load_explicit(&a->head->key, memory_order_acquire) != a->key;
}

static void unmap_released(ovk__area **list)
{
  while (*list) {
    ovk__area *a = *list;
    if (released(a)) {
      *list = a->next;
      unmap(a);
    } else {
      list = &a->next;
    }
  }
}

bool ovk__store_map(const ovk__store_name *name, uint32_t key, ovk__area **list)
{
  char path[FILE_NAME];
  ovk__area_head h;
  ovk__area *a = NULL;
  unmap_released(list);
  if (!ovk__store_lives(name)) return false; /* also avoids opening an unrelated file */
  find_file(name, path);
  const int fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd < 0) return false;
  const bool found = pread(fd, &h, sizeof h, offset_of(key)) == (ssize_t)sizeof h && key &&
                     h.key == key && h.nonce == name->nonce;
  if (found) a = map(fd, key, h.bytes);
  close(fd);
  if (a) put_in_front(a, list);
  return a != NULL;
}

void ovk__areas_unmap(ovk__area **list)
{
  while (*list) {
    ovk__area *a = *list;
    *list = a->next;
    unmap(a);
  }
}

const ovk__area *ovk__areas_find(const ovk__area *list, uint32_t key)
{
  while (list && list->key != key) list = list->next;
  return list;
}

char *ovk__area_at(const ovk__area *area, uint64_t address, size_t bytes)
{
  const size_t size = area->mapped - HEAD;
  if (released(area)) return NULL;
  const uint64_t offset = address - area->head->start; /* wraps to a huge value below the area */
  if (offset > size || bytes > size - offset) return NULL;
  return ovk__area_start(area) + offset;
}

bool ovk__store_lives(const ovk__store_name *name)
{
  static const char prefix[] = "/memfd:";
  char path[FILE_NAME], wanted[FILE_NAME], target[128] = "";
  find_file(name, path);
  name_file(name->nonce, wanted);
  if (readlink(path, target, sizeof target - 1) < 0) return false;
  return strncmp(target, prefix, sizeof prefix - 1) == 0 &&
         strncmp(target + sizeof prefix - 1, wanted, strlen(wanted)) == 0;
}
