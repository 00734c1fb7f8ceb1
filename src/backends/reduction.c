/* SPDX-License-Identifier: BSD-2-Clause */
/* Front end of the reductions: checks the order of calls and keeps errors and buffers, so that a
 * backend that implements a few functions fulfils the contract of reduction.h. */
#include "backends/reduction_impl.h"
#include "core/job.h"

#include <stdarg.h>

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
  red->failed.err = OVK_OK;
  red->polls = 0;
  const unsigned before = red->ctx->message_count;
  const ovk_err err = red->ops->begin(&red->sum);
  red->state = err ? BROKEN : RUNNING;
  return ovk__user_failed(red->ctx, before, err, "the backend's begin");
}

/* Keeps an error until wait returns it. */
static void reduction_keep(ovk_reduction *red, unsigned before, ovk_err err, const char *what)
{
  ovk__keep_error(red->ctx, ovk__user_failed(red->ctx, before, err, what), &red->failed);
}

/* One test, unless the reduction is known to have ended; an error is kept. */
static void reduction_advance(ovk_reduction *red)
{
  if (red->state != RUNNING || red->complete || red->failed.err) return;
  const unsigned before = red->ctx->message_count;
  const ovk_err err = red->ops->test(&red->sum, &red->complete);
  reduction_keep(red, before, err, "the backend's test");
  if (!red->complete) ovk__on_empty_poll(red->ctx, &red->empty_polls);
}

ovk_err ovk_reduction_test(ovk_reduction *red, bool *complete)
{
  if (!red) return OVK_ERR_ARG;
  OVK_CHECK(complete, red->ctx, OVK_ERR_ARG, "complete is NULL");
  OVK_CHECK(red->state == RUNNING, red->ctx, OVK_ERR_STATE, "test: this reduction is not running");
  reduction_advance(red);
  *complete = red->complete;
  return ovk__kept_error_of(red->ctx, &red->failed);
}

/* For backends without a wait function; errors are kept. */
static int test_once(void *self, bool *over)
{
  ovk_reduction *red = self;
  reduction_advance(red);
  *over = red->complete || red->failed.err;
  return MPI_SUCCESS;
}

/* A reduction of a blocking backend is complete at the first test; then no other job is
 * advanced. */
static void test_until_complete(ovk_reduction *red)
{
  enum { TESTS_BEFORE_YIELD = 1000 }; /* a rank may share its core with the rank it waits for */
  reduction_advance(red);
  if (red->complete || red->failed.err) return;
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
  if (!red->complete && !red->failed.err) {
    if (red->ops->wait) {
      const unsigned before = red->ctx->message_count;
      const ovk_err err = red->ops->wait(&red->sum);
      reduction_keep(red, before, err, "the backend's wait");
    } else {
      test_until_complete(red);
    }
  }
  red->state = red->failed.err ? BROKEN : IDLE;
  return ovk__kept_error_of(red->ctx, &red->failed);
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
