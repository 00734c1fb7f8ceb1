/* SPDX-License-Identifier: BSD-2-Clause */
/* Front end of the reductions: checks the order of calls and keeps errors and buffers, so that a
 * backend that implements a few functions fulfils the contract of reduction.h. */
#include "backends/open.h"
#include "core/context/agree.h"
#include "core/context/compare.h"
#include "core/context/ctx_impl.h"
#include "core/context/handle.h"
#include "core/context/mem.h"
#include "core/job.h"
#include "core/memory_limit.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum state { IDLE, RUNNING, BROKEN } state;

struct ovk_reduction {
  ovk_ctx *ctx, *held;
  const ovk_backend_ops *ops;
  const char *spec;
  ovk_sum sum;
  bool prepared;
  state state;
  bool complete;               /* running, and the totals are available */
  unsigned empty_polls;        /* tests without completion */
  ovk_lidx interval;           /* rows between polls, where the library chooses them */
  int polls;                   /* since begin: calls of the hook that the reduction needed */
  ovk_err failed;              /* running, and will not complete; */
  char why[OVK__MESSAGE_SIZE]; /* its error message */
};
OVK_IS_HANDLE(ovk_reduction);

/* Intervals between polls. The shorter one gains up to 16 % of an iteration if polls advance
 * reductions from round to round (simulated), and costs 1 to 3 % if reductions complete at once
 * (measured): see docs/lessons.md. */
enum { SHORTEST = 512, LONGEST = 4096 };

static ovk_err check_new(ovk_ctx *ctx, int count, ovk_reduction **out)
{
  OVK_CHECK(out, ctx, OVK_ERR_ARG, "out is NULL");
  *out = NULL;
  OVK_CHECK(count >= 1, ctx, OVK_ERR_ARG, "a reduction of %d values: there must be at least 1",
            count);
  OVK_CHECK(!ovk__checking(ctx) || count < INT_MAX, ctx, OVK_ERR_RANGE,
            "a reduction of %d values: with OVK_CHECK, which adds one, there must be fewer", count);
  return OVK_OK;
}

static ovk_err reduction_allocate(ovk_ctx *ctx, ovk__opened *opened, int number, int count,
                                  ovk_reduction **out)
{
  *out = NULL;
  OVK_NEW_AT(ctx, *out, ovk_reduction, reduction);
  reduction->ctx = ctx;
  reduction->held = ovk__ctx_hold(ctx);
  reduction->interval = LONGEST;
  reduction->ops = opened->ops;
  reduction->spec = ovk_spec_text(opened->spec ? opened->spec : opened->inner->spec);
  reduction->sum = (ovk_sum){.backend = &opened->backend, .count = count, .number = number};
  if (!opened->inner) OVK_NEW_ZEROS(ctx, reduction->sum.values, count);
  return OVK_OK;
}

static ovk_err reduction_prepare(ovk_reduction *red)
{
  if (red->ops->prepare) {
    const unsigned before = red->ctx->message_count;
    red->ctx->in_backend++;
    const ovk_err err = red->ops->prepare(&red->sum);
    red->ctx->in_backend--;
    OVK_TRY(ovk__user_failed(red->ctx, before, err, "the backend's prepare"));
  }
  red->prepared = true;
  return OVK_OK;
}

/* Creates a reduction and those that it decorates, innermost first; all use the values of the
 * innermost. */
static ovk_err reduction_create_over(ovk_ctx *ctx, ovk__opened *opened, int count,
                                     ovk_reduction **out)
{
  const int number = opened->sums++; /* also after an error: the same on all ranks */
  ovk_err err = ovk__agree(ctx, reduction_allocate(ctx, opened, number, count, out));
  if (!err && opened->inner) {
    ovk_sum *sum = &(*out)->sum;
    ctx->in_backend++; /* the outer one holds the context, even if the inner one is never freed */
    err = reduction_create_over(ctx, opened->inner, count, &sum->inner);
    ctx->in_backend--;
    if (!err) sum->values = ovk_reduction_values(sum->inner);
  }
  if (!err) err = ovk__agree(ctx, reduction_prepare(*out));
  if (err) ovk_reduction_destroy(out);
  return err;
}

ovk_err ovk_backend_companion_sum(ovk_backend *backend, int count, ovk_reduction **out)
{
  const ovk__opened *o = ovk__opened_of(backend);
  OVK_CHECK(o->companion, backend->ctx, OVK_ERR_STATE, "'%s' has no companion", o->ops->name);
  return reduction_create_over(backend->ctx, o->companion, count, out);
}

static ovk_err create_checked(ovk_ctx *ctx, ovk__opened *opened, int count, ovk_reduction **out)
{
  if (ovk__checking(ctx)) {
    OVK_TRY(ovk__backend_check_mode(&opened));
    count++; /* check mode's mark */
  }
  return reduction_create_over(ctx, opened, count, out);
}

/* If "auto" has selected shared memory and some rank has none left, another backend replaces it on
 * all ranks. */
ovk_err ovk__reduction_create(ovk_ctx *ctx, ovk__opened **opened, int count, ovk_reduction **out)
{
  ctx->lacks_shared_memory = false;
  const ovk_err err = create_checked(ctx, *opened, count, out);
  if (!err || !ovk__agree(ctx, ctx->lacks_shared_memory ? err : OVK_OK)) return err;
  char why[OVK__MESSAGE_SIZE];
  snprintf(why, sizeof why, "%s", ctx->message);
  ovk__opened *next;
  OVK_TRY(ovk__backend_next(ctx, *opened, &next));
  if (!next) return err;
  OVK_TRY(create_checked(ctx, next, count, out));
  ovk__backend_replace(*opened, next, why);
  *opened = next;
  return OVK_OK;
}

ovk_err ovk_reduction_create(ovk_ctx *ctx, const char *spec, int count, ovk_reduction **out)
{
  if (!ctx) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(ctx, check_new(ctx, count, out)));
  char text[64];
  snprintf(text, sizeof text, "%d values", count);
  OVK_TRY(ovk__agree_same(ctx, "sizes of a reduction", text));
  const double bytes = (double)count * sizeof(double);
  OVK_TRY(ovk__memory_check(ctx, "the values of a reduction", bytes, bytes * ovk_ctx_size(ctx)));
  ovk_ctx *held = ovk__ctx_hold(ctx); /* a user's backend may give the context up */
  ovk__opened *opened;
  ovk_err err = ovk__backend_open(ctx, spec, false, count, &opened);
  if (!err) err = ovk__reduction_create(ctx, &opened, count, out);
  ovk__ctx_release(held);
  return err;
}

/* Waits for a running reduction, unless MPI is finalized. */
static void reduction_end(ovk_reduction *red)
{
  if (ovk__mpi_is_over()) {
    ovk__jobs_drop(red->ctx);
  } else {
    (void)ovk_reduction_wait(red);
  }
}

void ovk_reduction_destroy(ovk_reduction **red)
{
  if (!red || !*red) return;
  ovk_reduction *r = *red;
  *red = NULL;
  if (r->state == RUNNING) reduction_end(r);
  const bool decorates = r->sum.inner;
  if (r->prepared && r->ops->release) r->ops->release(&r->sum);
  if (decorates) {
    ovk_reduction_destroy(&r->sum.inner);
  } else {
    free(r->sum.values);
  }
  ovk__ctx_release(r->held);
  free(r);
}

double *ovk_reduction_values(ovk_reduction *red)
{
  return red ? red->sum.values : NULL;
}

ovk_err ovk_reduction_begin(ovk_reduction *red)
{
  if (!red) return OVK_ERR_ARG;
  OVK_CHECK(red->state == IDLE, red->ctx, OVK_ERR_STATE, "begin: this reduction %s",
            red->state == RUNNING ? "is running already" : "has failed and can only be destroyed");
  red->complete = false;
  red->failed = OVK_OK;
  red->polls = 0;
  const unsigned before = red->ctx->message_count;
  const ovk_err err = red->ops->begin(&red->sum);
  red->state = err ? BROKEN : RUNNING;
  return ovk__user_failed(red->ctx, before, err, "the backend's begin");
}

/* Keeps an error with its message until wait returns it. */
static void keep_error(ovk_reduction *red, unsigned before, ovk_err err, const char *what)
{
  if (!err) return;
  red->failed = ovk__user_failed(red->ctx, before, err, what);
  snprintf(red->why, sizeof red->why, "%s", red->ctx->message);
}

/* Returns the kept error and restores its message. */
static ovk_err kept_error(const ovk_reduction *red)
{
  if (red->failed) ovk__set_message(red->ctx, "%s", red->why);
  return red->failed;
}

/* One test, unless the reduction is known to have ended; an error is kept. */
static void reduction_advance(ovk_reduction *red)
{
  if (red->state != RUNNING || red->complete || red->failed) return;
  const unsigned before = red->ctx->message_count;
  const ovk_err err = red->ops->test(&red->sum, &red->complete);
  keep_error(red, before, err, "the backend's test");
  if (!red->complete) ovk__on_empty_poll(red->ctx, &red->empty_polls);
}

ovk_err ovk_reduction_test(ovk_reduction *red, bool *complete)
{
  if (!red) return OVK_ERR_ARG;
  OVK_CHECK(complete, red->ctx, OVK_ERR_ARG, "complete is NULL");
  OVK_CHECK(red->state == RUNNING, red->ctx, OVK_ERR_STATE, "test: this reduction is not running");
  reduction_advance(red);
  *complete = red->complete;
  return kept_error(red);
}

/* For backends without a wait function; errors are kept. */
static int test_once(void *self, bool *over)
{
  ovk_reduction *red = self;
  reduction_advance(red);
  *over = red->complete || red->failed;
  return MPI_SUCCESS;
}

/* A reduction of a blocking backend is complete at the first test; then no other job is
 * advanced. */
static void test_until_complete(ovk_reduction *red)
{
  enum { TESTS_BEFORE_YIELD = 1000 }; /* a rank may share its core with the rank it waits for */
  reduction_advance(red);
  if (red->complete || red->failed) return;
  (void)ovk__wait(red->ctx, TESTS_BEFORE_YIELD, test_once, red);
}

/* The interval follows the number of polls of the last reduction. A poll advances it by one round
 * at most, and is late by half an interval on average. A reduction of few polls gains from more of
 * them, unless it was complete at the first. One of many polls lasts longer than polls can change.
 * Each rank chooses for itself, as no bits and no messages depend on the interval. */
static void adapt_interval(ovk_reduction *red)
{
  enum { FEW = 8, MANY = 16 };
  const bool at_once = red->complete && red->polls == 1;
  if (red->polls == 0) return; /* no kernel polled */
  if (at_once || red->polls > MANY) {
    if (red->interval < LONGEST) red->interval *= 2;
  } else if (red->polls < FEW && red->interval > SHORTEST) {
    red->interval /= 2;
  }
}

ovk_err ovk_reduction_wait(ovk_reduction *red)
{
  if (!red) return OVK_ERR_ARG;
  OVK_CHECK(red->state == RUNNING, red->ctx, OVK_ERR_STATE, "wait: this reduction is not running");
  adapt_interval(red);
  if (!red->complete && !red->failed) {
    if (red->ops->wait) {
      const unsigned before = red->ctx->message_count;
      const ovk_err err = red->ops->wait(&red->sum);
      keep_error(red, before, err, "the backend's wait");
    } else {
      test_until_complete(red);
    }
  }
  red->state = red->failed ? BROKEN : IDLE;
  return kept_error(red);
}

bool ovk_reduction_running(const ovk_reduction *red)
{
  return red && red->state == RUNNING;
}

void ovk__reduction_note(ovk_reduction *red, const char *format, ...)
{
  const ovk__opened *opened = ovk__opened_of(red->sum.backend);
  va_list args;
  if (!opened->note) return;
  va_start(args, format);
  opened->note(&red->sum, format, args);
  va_end(args);
}

const char *ovk_reduction_spec(const ovk_reduction *red)
{
  return red ? red->spec : "";
}

static void reduction_progress(void *arg)
{
  ovk_reduction *red = arg;
  red->polls += !red->complete;
  reduction_advance(red);
}

ovk_poll ovk_reduction_poll(ovk_reduction *red, ovk_lidx every)
{
  if (!red) return ovk_poll_none();
  return (ovk_poll){reduction_progress, red, every < 1 ? red->interval : every};
}
