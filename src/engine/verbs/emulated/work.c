/* SPDX-License-Identifier: BSD-2-Clause */
/* Works as copies. Others look at what is written while it is: all of it is atomic, in words or
 * bytes, and whoever sees one of these sees what was written before it. */
#include "engine/verbs/emulated/work.h"

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

/* Bytes of the next step of a copy. */
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
    atomic_thread_fence(memory_order_seq_cst); /* not before earlier writes can be seen */
    get(local, remote, work->bytes);
    break;
  case OVK__FETCH_ADD:
    fetch_add(local, remote, work->addend);
    break;
  }
}
