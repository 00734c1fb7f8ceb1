/* SPDX-License-Identifier: BSD-2-Clause */
/* Schedules that users write, of three ranks, which are threads: checking them neither crashes nor
 * hangs, all ranks come to the same end, and accepted schedules can be executed
 * (schedule_machine.h). Input: items of the buffers, seed, a byte each; then actions, see add(). */
#include "comm/engine/collectives/own_schedule.h"
#include "core/context/ctx_impl.h"
#include "support/comm/schedule_machine.h"
#include "support/comm/thread_world.h"
#include "support/fuzz/fuzz.h"

#include <ovkrylov/comm/schedule.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 8 };

typedef struct writer {
  ovk_ctx *ctx;
  ovk_schedule *schedule;
  ovk_err err;
} writer;

static writer ranks[THREAD_RANKS];
static int items; /* of the input, and of the output */

/* Mostly inside of the buffers. */
static int some_count(fuzz_bytes *in)
{
  static const int counts[] = {1, 2, 3, 0, 4, MOST_ITEMS, -1, 1 << 16};
  return counts[fuzz_below(in, 8)];
}

static ovk_place some_place(fuzz_bytes *in)
{
  const unsigned byte = fuzz_byte(in);
  const size_t first = byte / 4 < 63 ? byte / 4 % MOST_ITEMS : SIZE_MAX - 1;
  return (ovk_place){(ovk_buffer)(byte % 4), first};
}

/* Adds an action to a rank's schedule, or a message to two. Errors are kept. */
static void add(fuzz_bytes *in)
{
  enum { MESSAGE, SEND, RECEIVE, COMBINE, COPY, ROUND, NKINDS };
  const unsigned byte = fuzz_byte(in), kind = byte % NKINDS;
  const unsigned at = byte / NKINDS % THREAD_RANKS;
  const int peer = (int)fuzz_below(in, THREAD_RANKS + 2) - 1;
  const ovk_place from = some_place(in), to = some_place(in);
  const int count = some_count(in);
  ovk_schedule *s = ranks[at].schedule;
  if (kind == MESSAGE || kind == SEND) (void)ovk_schedule_send(s, peer, from, count);
  if (kind == MESSAGE && peer >= 0 && peer < THREAD_RANKS)
    (void)ovk_schedule_receive(ranks[peer].schedule, (int)at, to, count);
  if (kind == RECEIVE) (void)ovk_schedule_receive(s, peer, to, count);
  if (kind == COMBINE) (void)ovk_schedule_combine(s, from, to, count);
  if (kind == COPY) (void)ovk_schedule_copy(s, from, to, count);
  if (kind == ROUND) (void)ovk_schedule_round(s);
}

static void check(int rank)
{
  ranks[rank].err = ovk_schedule_check(ranks[rank].ctx, ranks[rank].schedule, items, items);
}

static void count_line(void *arg, int round, const char *action)
{
  FUZZ_CHECK(round >= 1 && *action, "round %d: no action", round);
  ++*(int *)arg;
}

static void carry_out(unsigned seed)
{
  scoped_machine *m = machine_make(THREAD_RANKS);
  for (int k = 0; k < THREAD_RANKS; k++) {
    ovk__schedule *s = &m->ranks[k].schedule;
    int lines = 0;
    FUZZ_CHECK(!ovk__own_schedule_copy(ranks[k].ctx, ranks[k].schedule, OVK__P2P, s), "no copy");
    FUZZ_CHECK(!ovk_schedule_print(ranks[k].schedule, count_line, &lines), "not printed");
    FUZZ_CHECK(lines == s->nactions, "%d lines of %d actions", lines, s->nactions);
    for (int b = OVK_INPUT; b <= OVK_OUTPUT; b++) {
      double *data = machine_give(m, k, (ovk_buffer)b, (size_t)items);
      for (int i = 0; i < items; i++) data[i] = i;
    }
  }
  machine_run(m, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_bytes in = {data, data + size};
  items = (int)fuzz_below(&in, MOST_ITEMS + 1);
  const unsigned seed = fuzz_byte(&in);
  for (int k = 0; k < THREAD_RANKS; k++) {
    FUZZ_CHECK(!ovk__ctx_create_alone(k, THREAD_RANKS, &ranks[k].ctx), "no context");
    FUZZ_CHECK(!ovk_schedule_create(ranks[k].ctx, &ranks[k].schedule), "no schedule");
  }
  while (in.at < in.end) add(&in);
  thread_world_run(check);
  for (int k = 0; k < THREAD_RANKS; k++) {
    const writer *r = &ranks[k];
    FUZZ_CHECK(r->err == ranks[0].err, "rank %d: %s, rank 0: %s", k, ovk_err_name(r->err),
               ovk_err_name(ranks[0].err));
    FUZZ_CHECK(!r->err || r->err == OVK_ERR_ARG, "%s", ovk_err_name(r->err));
    FUZZ_CHECK(!r->err || *ovk_ctx_error(r->ctx), "an error without a message");
  }
  if (!ranks[0].err) carry_out(seed);
  for (int k = 0; k < THREAD_RANKS; k++) {
    ovk_schedule_destroy(&ranks[k].schedule);
    ovk_ctx_destroy(&ranks[k].ctx);
  }
  return 0;
}
