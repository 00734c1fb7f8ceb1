/* SPDX-License-Identifier: BSD-2-Clause */
/* Handshakes of a remote agent as messages: a rank takes them only if they are those of its
 * schedule.
 */
#include "comm/agent/wire/handshake_message.h"
#include "core/context/ctx_impl.h"
#include "support/test_main.h"

enum { SIZE = 4, RANK = 1, WORDS = 3 }; /* WORDS of each handshake, besides its messages */

/* Two messages to rank 3, one from there, one from rank 0. */
static ovk__action actions[] = {{.kind = OVK__SEND, .peer = 3},
                                {.kind = OVK__RECEIVE, .peer = 3},
                                {.kind = OVK__COMBINE},
                                {.kind = OVK__SEND, .peer = 3},
                                {.kind = OVK__RECEIVE, .peer = 0}};
static const ovk__schedule schedule = {.nactions = 5, .actions = actions};

typedef struct shape {
  int peer, sends, receives;
} shape;

/* Of an agent, to its own rank first. */
static const shape right[] = {{SIZE, 1, 1}, {3, 2, 1}, {0, 0, 1}};

static uint64_t word_of(int handshake, int k)
{
  return (uint64_t)(100 * handshake + k + 7);
}

static void write_message(ovk_ctx *ctx, const shape *shapes, int n, uint64_t **words, size_t *count)
{
  SCOPED(ovk__handshakes_free) ovk__handshakes handshakes;
  assert_ok(ovk__handshakes_make(ctx, n, &handshakes));
  for (int k = 0; k < n; k++) {
    handshakes.list[k] = (ovk__handshake){
        .peer = shapes[k].peer, .nout = WORDS + shapes[k].receives, .nin = WORDS + shapes[k].sends};
  }
  assert_ok(ovk__handshakes_allot(ctx, &handshakes));
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < handshakes.list[k].nout; i++) handshakes.list[k].out[i] = word_of(k, i);
  }
  assert_ok(ovk__handshakes_write(ctx, &handshakes, words, count));
}

TEST(handshakes_of_the_schedule_come_whole_both_ways)
{
  scoped_ctx *ctx = NULL;
  SCOPED(ovk__handshakes_free) ovk__handshakes handshakes;
  ovk__handshake *own;
  scoped_array uint64_t *words = NULL;
  size_t n;
  assert_ok(ovk__ctx_create_alone(RANK, SIZE, &ctx));
  write_message(ctx, right, 3, &words, &n);
  assert_ok(ovk__handshakes_read(ctx, words, n, &schedule, &handshakes, &own));
  free(words);
  assert_int_equal(handshakes.n, 3);
  assert_ptr_equal(own, handshakes.list);
  assert_int_equal(own->peer, MPI_PROC_NULL);
  for (int k = 0; k < 3; k++) {
    const ovk__handshake *h = &handshakes.list[k];
    if (k) assert_int_equal(h->peer, right[k].peer);
    assert_int_equal(h->nin, WORDS + right[k].sends);
    assert_int_equal(h->nout, WORDS + right[k].receives);
    for (int i = 0; i < h->nout; i++) assert_int_equal(h->out[i], word_of(k, i));
    for (int i = 0; i < h->nin; i++) h->in[i] = word_of(k, 50 + i);
  }
  assert_ok(ovk__connect_message_write(ctx, 11, &handshakes, &words, &n));
  for (int k = 0; k < 3; k++) handshakes.list[k].in[0] = 0;
  assert_int_equal(words[0], 11);
  assert_false(ovk__connect_message_read(words, n - 1, &handshakes));
  assert_true(ovk__connect_message_read(words, n, &handshakes));
  for (int k = 0; k < 3; k++) {
    const ovk__handshake *h = &handshakes.list[k];
    for (int i = 0; i < h->nin; i++) assert_int_equal(h->in[i], word_of(k, 50 + i));
  }
}

static void refuse(ovk_ctx *ctx, const uint64_t *words, size_t n)
{
  SCOPED(ovk__handshakes_free) ovk__handshakes handshakes;
  ovk__handshake *own;
  assert_int_equal(ovk__handshakes_read(ctx, words, n, &schedule, &handshakes, &own),
                   OVK_ERR_NETWORK);
}

TEST(handshakes_of_another_schedule_are_refused)
{
  static const struct {
    int n;
    shape shapes[4];
  } wrong[] = {
      {2, {{SIZE, 1, 1}, {3, 2, 1}}},                       /* one is missing, */
      {2, {{3, 2, 1}, {0, 0, 1}}},                          /* that to the rank itself */
      {3, {{SIZE, 1, 1}, {3, 2, 1}, {2, 0, 1}}},            /* to another rank, */
      {3, {{SIZE, 1, 1}, {3, 2, 1}, {RANK, 0, 1}}},         /* to this one */
      {4, {{SIZE, 1, 1}, {3, 2, 1}, {0, 0, 1}, {2, 0, 0}}}, /* one more */
      {4, {{SIZE, 1, 1}, {3, 2, 1}, {0, 0, 1}, {0, 0, 1}}}, /* one twice */
      {3, {{SIZE, 1, 1}, {3, 1, 2}, {0, 0, 1}}},            /* of another length */
      {3, {{SIZE, 1, 1}, {3, 2, 1}, {0, 1, 1}}},
      {3, {{SIZE, 2, 1}, {3, 2, 1}, {0, 0, 1}}},
  };
  scoped_ctx *ctx = NULL;
  assert_ok(ovk__ctx_create_alone(RANK, SIZE, &ctx));
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    scoped_array uint64_t *words = NULL;
    size_t n;
    write_message(ctx, wrong[k].shapes, wrong[k].n, &words, &n);
    refuse(ctx, words, n);
  }
}

TEST(messages_that_are_cut_or_spoilt_are_refused)
{
  scoped_ctx *ctx = NULL;
  scoped_array uint64_t *words = NULL;
  size_t n;
  assert_ok(ovk__ctx_create_alone(RANK, SIZE, &ctx));
  write_message(ctx, right, 3, &words, &n);
  for (size_t k = 0; k < n; k++) refuse(ctx, words, k);
  for (size_t k = 0; k < 4; k++) { /* their number, and the first one's peer and lengths */
    const uint64_t word = words[k];
    words[k] = (uint64_t)-1;
    refuse(ctx, words, n);
    words[k] = word;
  }
}
