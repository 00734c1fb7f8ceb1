/* SPDX-License-Identifier: BSD-2-Clause */
/* Letters of a remote agent as messages: a rank takes them only if they are those of its schedule.
 */
#include "agent/letters_message.h"
#include "core/ctx_impl.h"
#include "support/test_main.h"

#include <stdlib.h>

enum { SIZE = 4, RANK = 1, WORDS = 3 }; /* WORDS of each letter, besides its messages */

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

static uint64_t word_of(int letter, int k)
{
  return (uint64_t)(100 * letter + k + 7);
}

static void write_message(ovk_ctx *ctx, const shape *shapes, int n, uint64_t **words, size_t *count)
{
  ovk__letters letters;
  assert_ok(ovk__letters_make(ctx, n, &letters));
  for (int k = 0; k < n; k++) {
    letters.list[k] = (ovk__letter){
        .peer = shapes[k].peer, .nout = WORDS + shapes[k].receives, .nin = WORDS + shapes[k].sends};
  }
  assert_ok(ovk__letters_allot(ctx, &letters));
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < letters.list[k].nout; i++) letters.list[k].out[i] = word_of(k, i);
  }
  assert_ok(ovk__letters_write(ctx, &letters, words, count));
  ovk__letters_free(&letters);
}

static void letters_of_the_schedule_come_whole_both_ways(void **state)
{
  (void)state;
  ovk_ctx *ctx = NULL;
  ovk__letters letters;
  ovk__letter *own;
  uint64_t *words;
  size_t n;
  assert_ok(ovk__ctx_create_alone(RANK, SIZE, &ctx));
  write_message(ctx, right, 3, &words, &n);
  assert_ok(ovk__letters_read(ctx, words, n, &schedule, &letters, &own));
  free(words);
  assert_int_equal(letters.n, 3);
  assert_ptr_equal(own, letters.list);
  assert_int_equal(own->peer, MPI_PROC_NULL);
  for (int k = 0; k < 3; k++) {
    const ovk__letter *l = &letters.list[k];
    if (k) assert_int_equal(l->peer, right[k].peer);
    assert_int_equal(l->nin, WORDS + right[k].sends);
    assert_int_equal(l->nout, WORDS + right[k].receives);
    for (int i = 0; i < l->nout; i++) assert_int_equal(l->out[i], word_of(k, i));
    for (int i = 0; i < l->nin; i++) l->in[i] = word_of(k, 50 + i);
  }
  assert_ok(ovk__join_write(ctx, 11, &letters, &words, &n));
  for (int k = 0; k < 3; k++) letters.list[k].in[0] = 0;
  assert_int_equal(words[0], 11);
  assert_false(ovk__join_read(words, n - 1, &letters));
  assert_true(ovk__join_read(words, n, &letters));
  for (int k = 0; k < 3; k++) {
    const ovk__letter *l = &letters.list[k];
    for (int i = 0; i < l->nin; i++) assert_int_equal(l->in[i], word_of(k, 50 + i));
  }
  free(words);
  ovk__letters_free(&letters);
  ovk_ctx_destroy(&ctx);
}

static void refuse(ovk_ctx *ctx, const uint64_t *words, size_t n)
{
  ovk__letters letters;
  ovk__letter *own;
  assert_int_equal(ovk__letters_read(ctx, words, n, &schedule, &letters, &own), OVK_ERR_NETWORK);
  ovk__letters_free(&letters);
}

static void letters_of_another_schedule_are_refused(void **state)
{
  (void)state;
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
  ovk_ctx *ctx = NULL;
  assert_ok(ovk__ctx_create_alone(RANK, SIZE, &ctx));
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    uint64_t *words;
    size_t n;
    write_message(ctx, wrong[k].shapes, wrong[k].n, &words, &n);
    refuse(ctx, words, n);
    free(words);
  }
  ovk_ctx_destroy(&ctx);
}

static void messages_that_are_cut_or_spoilt_are_refused(void **state)
{
  (void)state;
  ovk_ctx *ctx = NULL;
  uint64_t *words;
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
  free(words);
  ovk_ctx_destroy(&ctx);
}

int run_all_tests(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(letters_of_the_schedule_come_whole_both_ways),
                                     cmocka_unit_test(letters_of_another_schedule_are_refused),
                                     cmocka_unit_test(messages_that_are_cut_or_spoilt_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
