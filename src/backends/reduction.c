/* SPDX-License-Identifier: BSD-2-Clause */
/* Front end of the reductions: keeps the order of calls, the failures and the buffers, so that
 * every backend gets the contract of reduction.h right by filling a few functions. */
#include "backends/open.h"
#include "core/check.h"
#include "core/mem.h"
#include "engine/job.h"

#include <stdio.h>
#include <stdlib.h>

typedef enum state { IDLE, RUNNING, BROKEN } state;

struct ovk_reduction {
  ovk_ctx *ctx;
  const ovk_backend_ops *ops;
  const char *spec;
  ovk_sum sum;
  bool prepared;
  state state;
  bool complete;               /* running, and the totals are there */
  unsigned looks;              /* in vain */
  ovk_err failed;              /* running, and it will not complete, */
  char why[OVK__MESSAGE_SIZE]; /* because of this */
};

static ovk_err check_new(ovk_ctx *ctx, int count, ovk_reduction **out)
{
  OVK_CHECK(out, ctx, OVK_ERR_ARG, "out is NULL");
  *out = NULL;
  OVK_CHECK(count >= 1, ctx, OVK_ERR_ARG, "a reduction of %d values", count);
  return OVK_OK;
}

static ovk_err make(ovk_ctx *ctx, ovk__opened *opened, int number, int count, ovk_reduction **out)
{
  ovk_reduction *red = calloc(1, sizeof *red);
  OVK_CHECK(red, ctx, OVK_ERR_MEMORY, "no memory for a reduction");
  *out = red;
  red->ctx = ctx;
  red->ops = opened->ops;
  red->spec = ovk_spec_text(opened->spec);
  red->sum = (ovk_sum){.backend = &opened->backend, .count = count, .number = number};
  if (!opened->inner) OVK_NEW_ZEROS(ctx, red->sum.values, count);
  return OVK_OK;
}

static ovk_err prepare(ovk_reduction *red)
{
  if (red->ops->prepare) {
    ovk__forget(red->ctx);
    OVK_TRY(ovk__user_failed(red->ctx, red->ops->prepare(&red->sum), "the backend's prepare"));
  }
  red->prepared = true;
  return OVK_OK;
}

/* A sum and those that it decorates, innermost first, over the values of the innermost. */
static ovk_err create(ovk_ctx *ctx, ovk__opened *opened, int count, ovk_reduction **out)
{
  const int number = opened->sums++; /* counted even if some rank has no memory for the sum */
  ovk_err err = ovk__agree(ctx, make(ctx, opened, number, count, out));
  if (!err && opened->inner) {
    ovk_sum *sum = &(*out)->sum;
    err = create(ctx, opened->inner, count, &sum->inner);
    if (!err) sum->values = ovk_reduction_values(sum->inner);
  }
  if (!err) err = ovk__agree(ctx, prepare(*out));
  if (err) ovk_reduction_destroy(out);
  return err;
}

ovk_err ovk_reduction_create(ovk_ctx *ctx, const char *spec, int count, ovk_reduction **out)
{
  if (!ctx) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(ctx, check_new(ctx, count, out)));
  char text[64];
  snprintf(text, sizeof text, "%d values", count);
  OVK_TRY(ovk__agree_same(ctx, "sizes of a reduction", text));
  ovk__opened *opened;
  OVK_TRY(ovk__backend_open(ctx, spec, &opened));
  return create(ctx, opened, count, out);
}

void ovk_reduction_destroy(ovk_reduction **red)
{
  if (!red || !*red) return;
  ovk_reduction *r = *red;
  if (r->state == RUNNING) (void)ovk_reduction_wait(r);
  if (r->prepared && r->ops->release) r->ops->release(&r->sum);
  if (r->sum.inner) {
    ovk_reduction_destroy(&r->sum.inner);
  } else {
    free(r->sum.values);
  }
  free(r);
  *red = NULL;
}

double *ovk_reduction_values(ovk_reduction *red)
{
  return red->sum.values;
}

ovk_err ovk_reduction_begin(ovk_reduction *red)
{
  if (!red) return OVK_ERR_ARG;
  OVK_CHECK(red->state == IDLE, red->ctx, OVK_ERR_STATE, "begin: this reduction %s",
            red->state == RUNNING ? "is running already" : "has failed and can only be destroyed");
  red->complete = false;
  red->failed = OVK_OK;
  ovk__forget(red->ctx);
  const ovk_err err = red->ops->begin(&red->sum);
  red->state = err ? BROKEN : RUNNING;
  return ovk__user_failed(red->ctx, err, "the backend's begin");
}

/* Keeps a failure with its sentence until wait tells it. */
static void keep(ovk_reduction *red, ovk_err err, const char *what)
{
  if (!err) return;
  red->failed = ovk__user_failed(red->ctx, err, what);
  snprintf(red->why, sizeof red->why, "%s", red->ctx->message);
}

/* The kept failure, said again. */
static ovk_err tell(const ovk_reduction *red)
{
  if (red->failed) ovk__say(red->ctx, "%s", red->why);
  return red->failed;
}

/* One test, unless the end is known; a failure is kept. */
static void advance(ovk_reduction *red)
{
  if (red->state != RUNNING || red->complete || red->failed) return;
  ovk__forget(red->ctx);
  keep(red, red->ops->test(&red->sum, &red->complete), "the backend's test");
  if (!red->complete) ovk__looked_in_vain(red->ctx, &red->looks);
}

ovk_err ovk_reduction_test(ovk_reduction *red, bool *complete)
{
  if (!red) return OVK_ERR_ARG;
  OVK_CHECK(complete, red->ctx, OVK_ERR_ARG, "complete is NULL");
  OVK_CHECK(red->state == RUNNING, red->ctx, OVK_ERR_STATE, "test: this reduction is not running");
  advance(red);
  *complete = red->complete;
  return tell(red);
}

/* For backends without a wait of their own; failures are kept. */
static int test_once(void *self, bool *over)
{
  ovk_reduction *red = self;
  advance(red);
  *over = red->complete || red->failed;
  return MPI_SUCCESS;
}

static void test_until_complete(ovk_reduction *red)
{
  enum { TESTS_BEFORE_YIELD = 1000 }; /* a rank may share its core with the one it waits for */
  (void)ovk__wait(red->ctx, TESTS_BEFORE_YIELD, test_once, red);
}

ovk_err ovk_reduction_wait(ovk_reduction *red)
{
  if (!red) return OVK_ERR_ARG;
  OVK_CHECK(red->state == RUNNING, red->ctx, OVK_ERR_STATE, "wait: this reduction is not running");
  if (!red->complete && !red->failed) {
    if (red->ops->wait) {
      ovk__forget(red->ctx);
      keep(red, red->ops->wait(&red->sum), "the backend's wait");
    } else {
      test_until_complete(red);
    }
  }
  red->state = red->failed ? BROKEN : IDLE;
  return tell(red);
}

bool ovk_reduction_running(const ovk_reduction *red)
{
  return red && red->state == RUNNING;
}

const char *ovk_reduction_spec(const ovk_reduction *red)
{
  return red->spec;
}

static void progress(void *arg)
{
  advance(arg);
}

ovk_poll ovk_reduction_poll(ovk_reduction *red, ovk_lidx every)
{
  return (ovk_poll){progress, red, every < 1 ? 1 : every};
}
