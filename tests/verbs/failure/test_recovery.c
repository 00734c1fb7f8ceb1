/* SPDX-License-Identifier: BSD-2-Clause */
/* Recovery on its own: each rank records which sums it has completed, and then the network
 * fails. */
#include "backends/verbs/recovery/recovery_impl.h"
#include "support/test_main.h"

#include <ovkrylov/comm/reduction.h>

enum { SUMS = 8, COUNT = 3 };

/* A recovery, its endpoint, and sums whose totals the test provides. */
typedef struct world {
  MPI_Comm comm;
  ovk_ctx *ctx;
  ovk_spec *spec;
  ovk__engine *engine;
  ovk__endpoint *endpoint;
  ovk__recovery *recovery;
  double values[SUMS][COUNT];
  ovk_sum sums[SUMS];
  ovk__record *records[SUMS];
  int notices;
} world;

static void take_notice(void *arg, const char *message)
{
  world *w = arg;
  assert_non_null(strstr(message, "on purpose"));
  w->notices++;
}

static void add_sum(world *w, int k)
{
  ovk_reduction *substitute = NULL;
  if (w->recovery->opts.fallback) {
    assert_int_equal(ovk_reduction_create(w->ctx, w->recovery->opts.fallback, COUNT, &substitute),
                     OVK_OK);
  }
  w->sums[k] = (ovk_sum){.values = w->values[k], .count = COUNT, .number = k};
  assert_int_equal(ovk__recovery_add(w->recovery, &w->sums[k], substitute, &w->records[k]), OVK_OK);
}

static void open_world(world *w, const char *fallback, double seconds)
{
  const ovk__recovery_opts opts = {seconds, fallback};
  *w = (world){0};
  MPI_Comm_dup(MPI_COMM_WORLD, &w->comm);
  assert_int_equal(ovk_ctx_create(MPI_COMM_WORLD, &w->ctx), OVK_OK);
  ovk_ctx_on_notice(w->ctx, take_notice, w);
  assert_int_equal(ovk_spec_parse(w->ctx, "x:device=emulated", &w->spec), OVK_OK);
  assert_int_equal(ovk__endpoint_open(w->ctx, w->comm, w->spec, &w->endpoint), OVK_OK);
  assert_int_equal(ovk__engine_open(w->ctx, w->comm, &w->engine), OVK_OK);
  ovk__engine_use(w->engine, w->endpoint);
  assert_int_equal(ovk__recovery_open(w->ctx, w->comm, w->engine, opts, &w->recovery), OVK_OK);
  for (int k = 0; k < SUMS; k++) add_sum(w, k);
}

static void close_world(world *w)
{
  for (int k = 0; k < SUMS; k++) {
    if (w->records[k]) ovk__recovery_remove(w->recovery, w->records[k]);
  }
  const bool clean = ovk__recovery_shutdown(w->recovery);
  ovk__recovery_close(&w->recovery);
  ovk__engine_close(&w->engine);
  ovk__endpoint_close(&w->endpoint);
  ovk_spec_destroy(&w->spec);
  ovk_ctx_destroy(&w->ctx);
  if (clean) MPI_Comm_free(&w->comm);
}

/* The network's total of a sum; no rank computes it here. */
static double total_of(int k, int i)
{
  return 1000 * k + i + 0.5;
}

static void begin_sum(world *w, int k)
{
  for (int i = 0; i < COUNT; i++) w->values[k][i] = k + i;
  ovk__recovery_begin(w->recovery, w->records[k]);
}

static bool complete(world *w, int k)
{
  for (int i = 0; i < COUNT; i++) w->values[k][i] = total_of(k, i);
  return ovk__recovery_complete(w->recovery, w->records[k]);
}

static int is_over(void *self, bool *over)
{
  const world *w = self;
  *over = ovk__recovery_look(w->recovery) > OVK__RECOVERING;
  return MPI_SUCCESS;
}

static void recover(world *w)
{
  assert_int_equal(ovk__wait(w->ctx, 1, is_over, w), MPI_SUCCESS);
}

typedef struct question {
  world *w;
  int k;
  ovk_err err;
} question;

static int ask(void *self, bool *over)
{
  question *q = self;
  q->err = ovk__recovery_finish(q->w->recovery, q->w->records[q->k], over);
  *over = *over || q->err;
  return MPI_SUCCESS;
}

static ovk_err finish_sum(world *w, int k)
{
  question q = {.w = w, .k = k};
  assert_int_equal(ovk__wait(w->ctx, 1, ask, &q), MPI_SUCCESS);
  return q.err;
}

/* Sum 0 is completed by no rank, the others by the ranks with a bit in the sum's number. */
static bool has(int rank, int k)
{
  return k >> rank % 3 & 1;
}

static void check(world *w, int k, bool substituted)
{
  bool some = false;
  for (int rank = 0; rank < test_size; rank++) some = some || has(rank, k);
  if (!w->records[k]) return;
  assert_int_equal(finish_sum(w, k), some || substituted ? OVK_OK : OVK_ERR_NETWORK);
  for (int i = 0; i < COUNT && (some || substituted); i++) {
    assert_true(w->values[k][i] == (some ? total_of(k, i) : test_size * (k + i)));
  }
}

static void fail_with(const char *fallback, bool on_all)
{
  SCOPED(close_world) world w;
  open_world(&w, fallback, 30);
  for (int k = 0; k < SUMS; k++) begin_sum(&w, k);
  for (int k = 0; k < SUMS; k++) {
    if (!has(test_rank, k)) continue;
    assert_true(complete(&w, k));
    if (k % 2 == 0) continue;
    ovk__recovery_remove(w.recovery, w.records[k]); /* other ranks may need its total */
    w.records[k] = NULL;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (on_all || is_last()) ovk__endpoint_fail(w.endpoint, "on purpose");
  recover(&w);
  assert_int_equal(ovk__recovery_phase(w.recovery), OVK__RECOVERED);
  assert_true(ovk__endpoint_failed(w.endpoint));
  assert_int_equal(w.notices, fallback ? 1 : 0);
  for (int k = SUMS - 1; k >= 0; k--) check(&w, k, fallback != NULL);
}

TEST(totals_that_some_rank_has_reach_all)
{
  fail_with(NULL, false);
  fail_with(NULL, true);
}

TEST(what_nobody_has_is_summed_up_again)
{
  fail_with("nbc", false);
  fail_with("nbc", true);
  fail_with("iallreduce", false);
  fail_with("blocking", true);
}

TEST(a_sum_that_completes_after_the_failure_does_not_count)
{
  SCOPED(close_world) world w;
  open_world(&w, NULL, 30);
  begin_sum(&w, 0);
  ovk__recovery_enter(w.recovery, "on purpose");
  assert_false(complete(&w, 0));
  recover(&w);
  assert_int_equal(finish_sum(&w, 0), OVK_ERR_NETWORK);
}

TEST(sums_that_begin_during_or_after_a_recovery_go_over_the_fallback)
{
  SCOPED(close_world) world w;
  open_world(&w, "iallreduce", 30);
  if (test_rank == 0) {
    begin_sum(&w, 3);
    ovk__recovery_enter(w.recovery, "on purpose");
    begin_sum(&w, 1);
  } else {
    if (test_rank == 1) begin_sum(&w, 3);
    recover(&w);
    if (test_rank != 1) begin_sum(&w, 3);
    begin_sum(&w, 1);
  }
  recover(&w);
  begin_sum(&w, 2);
  for (int k = 1; k <= 3; k++) {
    const int which = test_rank % 2 ? k : 4 - k;
    assert_int_equal(finish_sum(&w, which), OVK_OK);
    assert_true(w.values[which][0] == test_size * which);
  }
}

/* The last rank enters the recovery after rank 0 has given up. */
TEST(who_gives_up_is_followed_by_all)
{
  SCOPED(close_world) world w;
  open_world(&w, test_size % 2 ? "nbc" : NULL, test_rank == 0 ? 0.1 : 30);
  begin_sum(&w, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  if (test_rank == 0) ovk__recovery_enter(w.recovery, "on purpose");
  if (is_last()) MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  recover(&w);
  if (test_rank == 0) MPI_Send(NULL, 0, MPI_INT, test_size - 1, 0, MPI_COMM_WORLD);
  assert_int_equal(ovk__recovery_phase(w.recovery), OVK__LOST);
  assert_int_equal(finish_sum(&w, 0), OVK_ERR_NETWORK);
  assert_non_null(strstr(ovk_ctx_error(w.ctx), "does not answer"));
}

static int count_records(const world *w)
{
  int n = 0;
  for (const ovk__record *r = w->recovery->records.first; r; r = r->next) n++;
  return n;
}

/* Each rank has a different sum in flight; all others are complete and removed. */
TEST(what_all_have_completed_is_forgotten)
{
  SCOPED(close_world) world w;
  bool sound;
  open_world(&w, NULL, 30);
  for (int k = 0; k < SUMS; k++) begin_sum(&w, k);
  for (int k = 0; k < SUMS; k++) {
    if (k == 2 + test_rank) continue;
    assert_true(complete(&w, k));
    ovk__recovery_remove(w.recovery, w.records[k]);
    w.records[k] = NULL;
  }
  assert_int_equal(count_records(&w), SUMS);
  assert_int_equal(ovk__recovery_agree(w.recovery, &sound), OVK_OK);
  assert_true(sound);
  assert_int_equal(count_records(&w), SUMS - 2); /* those after rank 0's sum in flight stay */
  assert_true(complete(&w, 2 + test_rank));
  assert_int_equal(ovk__recovery_agree(w.recovery, &sound), OVK_OK);
  assert_int_equal(count_records(&w), 1);
}
