/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory that its owner lends: peers copy it directly, once, by process_vm_readv(). */
#define _GNU_SOURCE /* process_vm_readv */
#include "comm/net/emulated/shared_store.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* Copies memory of a process, in as many calls as the system needs. */
static bool lent_copy(pid_t pid, uint64_t address, char *to, size_t bytes)
{
  for (size_t done = 0; done < bytes;) {
    const struct iovec here = {.iov_base = to + done, .iov_len = bytes - done};
    struct iovec there = {.iov_len = bytes - done};
    const uintptr_t next = address + done;
    memcpy(&there.iov_base, &next, sizeof next); /* a pointer of the other process */
    const ssize_t n = process_vm_readv(pid, &here, 1, &there, 1, 0);
    if (n <= 0) return false;
    done += (size_t)n;
  }
  return true;
}

/* Whether processes of a user may read each other: a sandbox may forbid the call, and the security
 * module Yama allows it to ancestors only. */
static bool may_read(void)
{
  const char here = 1;
  char copy = 0, scope = '0';
  FILE *yama = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
  if (yama) {
    if (fread(&scope, 1, 1, yama) != 1) scope = 0;
    fclose(yama);
  }
  return scope == '0' && lent_copy(getpid(), (uintptr_t)&here, &copy, 1) && copy == here;
}

ovk_err ovk__store_lend(ovk_ctx *ctx, ovk__store *store, void *start, size_t bytes,
                        ovk__area **list)
{
  OVK_CHECK(may_read(), ctx, OVK_ERR_UNSUPPORTED,
            "the system does not allow processes to read the memory of each other");
  OVK_TRY(ovk__store_take(ctx, store, 0, list));
  /* Peers map the head after they have received its key in a later message. */
  (*list)->head->start = (uintptr_t)start;
  (*list)->head->lent = bytes;
  return OVK_OK;
}

bool ovk__area_lends(const ovk__area *area, uint64_t address, size_t bytes)
{
  const ovk__area_head *head = area->head;
  /* Pairs with the stores of the key in ovk__store_take() and ovk__store_release(). */
  if (atomic_load_explicit(&head->key, memory_order_acquire) != area->key) return false;
  const uint64_t offset = address - head->start; /* wraps to a huge value below the memory */
  return offset <= head->lent && bytes <= head->lent - offset;
}

bool ovk__area_read_lent(const ovk__area *area, int32_t pid, uint64_t address, char *to,
                         size_t bytes)
{
  return ovk__area_lends(area, address, bytes) && lent_copy(pid, address, to, bytes);
}
