/* SPDX-License-Identifier: BSD-2-Clause */
/* Begins operations of a board and advances them. A place is overwritten only after all ranks have
 * read the previous operation in this place; each rank publishes in its `read` up to which number
 * it has read. Until then an operation waits in a queue, so begin returns at once. */
#include "comm/engine/board/board.h"
#include "core/job.h"

#include <string.h>

/* Fetches a line that will be written. Without an option the compiler knows no such instruction of
 * x86, and fetches a line for reading, which is slower than nothing. */
#ifdef __x86_64__
#define FETCH(line) __asm__ volatile("prefetchw %0" : : "m"(line))
#else
#define FETCH(line) __builtin_prefetch(&(line), 1)
#endif

static ovk_board_operation **entry_of(const ovk_board *b, uint64_t number)
{
  return &b->in_flight[number & (b->places - 1)];
}

/* Publishes the number up to which this rank has read. */
static void publish_read(ovk_board *b)
{
  const uint64_t before = b->read;
  while (b->read < b->begun && !*entry_of(b, b->read + 1)) b->read++;
  if (b->read == before) return;
  /* Pairs with look_at_readers(): the parts were read before they are overwritten. */
  atomic_store_explicit(&((ovk__reader *)b->areas[b->rank])->read, b->read, memory_order_release);
}

static void look_at_readers(ovk_board *b)
{
  b->read_by_all = b->read;
  for (int rank = 0; rank < b->size; rank++) {
    const ovk__reader *reader = (const ovk__reader *)b->areas[rank];
    /* Pairs with publish_read(). */
    const uint64_t read = atomic_load_explicit(&reader->read, memory_order_acquire);
    if (read < b->read_by_all) b->read_by_all = read;
  }
}

static bool has_place(ovk_board *b)
{
  if (b->begun + 1 <= b->read_by_all + b->places) return true;
  look_at_readers(b);
  return b->begun + 1 <= b->read_by_all + b->places;
}

void ovk__board_elect(ovk_board *board)
{
  board->elects = true;
}

/* Assigns a number and a place to the operation. An operation with wrong arguments is then
 * complete. */
static void post(ovk_board *b, ovk_board_operation *o)
{
  enum { LINE = 64, MOST = 1024 };
  o->number = ++b->begun;
  o->complete = o->error && !b->elects;
  *entry_of(b, o->number) = o->complete ? NULL : o;
  ovk__posted *place = ovk__board_place(b, b->rank, o->number);
  place->what = o->error ? 0 : ovk__board_describe(o);
  const size_t bytes = o->error ? 0 : ovk__board_bytes_of(o);
  const bool sends = o->kind != OVK_BOARD_BCAST || b->rank == o->root;
  if (bytes && o->kind == OVK_BOARD_PARTS) {
    o->parts->put(o->parts->self, place->data);
  } else if (bytes && sends) {
    memcpy(place->data, o->send, bytes);
  }
  /* Pairs with ovk__board_has_arrived(): a rank that sees the number sees the part. */
  atomic_store_explicit(&place->number, o->number, memory_order_release);
  o->elected = false;
  /* The caches of other ranks have the lines of the next place, which they have read. While this
   * rank waits for them it takes the lines back, for a part of the same length. */
  const char *next = (const char *)ovk__board_place(b, b->rank, o->number + 1);
  for (size_t at = 0; at <= bytes && at <= MOST; at += LINE) FETCH(next[at]);
  /* The last rank to post finds the parts of all others in begin: see is_decided(). */
  if (b->elects) atomic_thread_fence(memory_order_seq_cst);
}

static void post_queued(ovk_board *b)
{
  while (b->queue && has_place(b)) {
    ovk_board_operation *o = b->queue;
    b->queue = o->next;
    post(b, o);
  }
}

/* Whether a rank is elected, if the operation has elections. No rank overwrites a place before all
 * ranks have read it. */
static bool is_decided(const ovk_board *b, ovk_board_operation *o, bool may_be_elected)
{
  if (!b->elects || (o->kind != OVK_BOARD_ALLREDUCE && o->kind != OVK_BOARD_BARRIER)) return true;
  if (!ovk__board_has_arrived(b, o)) return false;
  _Atomic uint64_t *place = &ovk__board_place(b, 0, o->number)->number;
  uint64_t number = atomic_load_explicit(place, memory_order_acquire);
  if (number & OVK__BOARD_CLAIMED) return true;
  if (!may_be_elected) return false;
  o->elected = atomic_compare_exchange_strong(place, &number, number | OVK__BOARD_CLAIMED);
  return true;
}

static bool advance_all(ovk_board *b, bool may_be_elected)
{
  for (uint64_t number = b->read + 1; number <= b->begun; number++) {
    ovk_board_operation *o = *entry_of(b, number);
    if (!o || !is_decided(b, o, may_be_elected)) continue;
    ovk__board_read(b, o);
    if (o->complete) *entry_of(b, number) = NULL;
  }
  publish_read(b);
  post_queued(b);
  return b->read < b->begun || b->queue;
}

bool ovk_board_progress(ovk_board *board)
{
  return board && advance_all(board, false);
}

bool ovk__board_advance(ovk_board *board)
{
  return advance_all(board, true);
}

bool ovk_board_is_behind(const ovk_board *board)
{
  return board && board->queue;
}

ovk_err ovk_board_begin(ovk_board *board, ovk_board_operation *operation)
{
  ovk_board *b = board;
  ovk_board_operation *o = operation;
  if (!b || !o) return OVK_ERR_ARG;
  const ovk_err err = o->error = ovk__board_check(b, o);
  o->complete = false;
  o->next = NULL;
  if (!b->queue && has_place(b)) {
    post(b, o);
  } else {
    *(b->queue ? &b->last->next : &b->queue) = o;
    b->last = o;
  }
  if (b->queue || b->elects) (void)ovk__board_advance(b);
  return err;
}

/* The arguments of a wait. */
typedef struct wait_for {
  ovk_board *board;
  const ovk_board_operation *operation;
  const ovk_poll *idle;
} wait_for;

static int advance_wait(void *self, bool *complete)
{
  const wait_for *w = self;
  (void)ovk_board_progress(w->board);
  *complete = w->operation->complete;
  if (!*complete && w->idle) ovk_poll_call(*w->idle);
  return MPI_SUCCESS;
}

ovk_err ovk_board_wait(ovk_board *board, ovk_board_operation *operation, const ovk_poll *idle)
{
  if (!board || !operation) return OVK_ERR_ARG;
  wait_for w = {board, operation, idle};
  if (!operation->complete) (void)ovk__wait(board->ctx, board->spins, advance_wait, &w);
  return operation->error;
}
