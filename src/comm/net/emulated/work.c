/* SPDX-License-Identifier: BSD-2-Clause */
/* Executes works as copies. Other processes may read data while it is written, so all accesses are
 * atomic, in words or bytes. A process that sees such a word or byte sees all earlier writes. */
#include "comm/net/emulated/work.h"

#include <stdatomic.h>
#include <string.h>

enum { WORD = sizeof(uint64_t) };

bool ovk__emulated_takes(const ovk__work *work)
{
  const ovk__work *w = work;
  if (w->bytes > OVK__EMULATED_WORK_MOST) return false;
  if (w->inlined && w->kind != OVK__WRITE) return false;
  if (w->inlined && w->bytes > OVK__EMULATED_INLINE_MOST) return false;
  return w->kind != OVK__FETCH_ADD || (w->bytes == WORD && w->remote % WORD == 0);
}

/* The number of bytes of the next step of a copy. */
static size_t step_at(const char *shared, size_t left)
{
  return left >= WORD && (uintptr_t)shared % WORD == 0 ? WORD : 1;
}

static void put_word(char *shared, const char *from)
{
  uint64_t word;
  memcpy(&word, from, WORD);
  atomic_store_explicit((_Atomic uint64_t *)(void *)shared, word, memory_order_release);
}

/* Release stores, word by word in ascending order. Pairs with the loads of get() and with those of
 * code that polls memory, such as comm/engine/channels/rdma.c: a process that sees a word sees the
 * words below it and earlier works. */
static void put(char *shared, const char *from, size_t bytes)
{
  while (bytes) {
    const size_t step = step_at(shared, bytes);
    if (step == WORD) {
      put_word(shared, from);
    } else {
      atomic_store_explicit((_Atomic char *)shared, *from, memory_order_release);
    }
    shared += step;
    from += step;
    bytes -= step;
  }
}

static void get_word(char *to, char *shared)
{
  const uint64_t word =
      atomic_load_explicit((_Atomic uint64_t *)(void *)shared, memory_order_acquire);
  memcpy(to, &word, WORD);
}

/* Acquire loads. Pairs with put() and fetch_add(). */
static void get(char *to, char *shared, size_t bytes)
{
  while (bytes) {
    const size_t step = step_at(shared, bytes);
    if (step == WORD) {
      get_word(to, shared);
    } else {
      *to = atomic_load_explicit((_Atomic char *)shared, memory_order_acquire);
    }
    shared += step;
    to += step;
    bytes -= step;
  }
}

/* Ordered after earlier works and before later ones, as with real NICs. Pairs with get(). */
static void fetch_add(char *to, char *shared, uint64_t addend)
{
  const uint64_t before = atomic_fetch_add((_Atomic uint64_t *)(void *)shared, addend);
  memcpy(to, &before, WORD);
}

void ovk__emulated_do(const ovk__work *work, char *local, char *remote)
{
  switch (work->kind) {
  case OVK__WRITE:
    put(remote, local, work->bytes);
    break;
  case OVK__READ:
    atomic_thread_fence(memory_order_seq_cst); /* earlier writes become visible before */
    get(local, remote, work->bytes);
    break;
  case OVK__FETCH_ADD:
    fetch_add(local, remote, work->addend);
    break;
  }
}
