/* SPDX-License-Identifier: BSD-2-Clause */
/* The decorator of check mode. A reduction begins once all ranks have claimed to begin the same
 * one; begin does not wait for that, unless the backend's begin may wait for other ranks. A
 * reduction is complete once all ranks have the same totals. Both take an all-gather in the order
 * of begins, so that reductions still overlap. One additional value marks the reduction: its total
 * is wrong if contributions of other reductions, or of other begins, were added. A difference is
 * the same error on all ranks and ends that reduction only; a timeout is an error on the rank that
 * waits. */
#include "backends/open.h"
#include "backends/sum_claims.h"
#include "core/context/agree.h"
#include "core/context/compare.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"
#include "core/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POLLS_BEFORE_YIELD = 100 };

typedef enum stage { OVER, CLAIMED, SUMMING, SUMMED } stage;

/* The request of a reduction. */
typedef struct request {
  struct check_state *state;
  struct request *next; /* the next in the order of begins */
  ovk_sum *sum;
  ovk__job job;
  ovk__claim claim;
  stage stage;
  double since; /* time of the first poll without completion */
  ovk_err failed;
  char why[OVK__MESSAGE_SIZE];
} request;

/* The state of the backend. */
typedef struct check_state {
  ovk_ctx *ctx;
  const char *spec;
  ovk__allgather claims, verdicts;
  request *begun; /* reductions in flight, in the order of begins */
  bool busy;      /* check_mode_advance() is running */
  bool at_once;   /* the decorated backend's begin does not wait for other ranks */
  bool lost;      /* a timeout has expired */
} check_state;

static ovk_err check_mode_allocate(const ovk_backend *backend, check_state **out)
{
  ovk_ctx *ctx = backend->ctx;
  OVK_NEW_AT(ctx, *out, check_state, check_mode);
  check_mode->ctx = ctx;
  check_mode->spec = ovk_spec_text(backend->spec);
  check_mode->claims.comm = check_mode->verdicts.comm = MPI_COMM_NULL;
  OVK_TRY(ovk__allgather_allocate(ctx, sizeof(ovk__verdict), &check_mode->verdicts));
  return ovk__allgather_allocate(ctx, sizeof(ovk__claim), &check_mode->claims);
}

static ovk_err check_mode_connect(check_state *c)
{
  OVK_TRY(ovk__allgather_connect(c->ctx, &c->claims));
  return ovk__allgather_connect(c->ctx, &c->verdicts);
}

static void check_mode_free(check_state *c)
{
  if (!c) return;
  ovk__allgather_close(&c->claims);
  ovk__allgather_close(&c->verdicts);
  free(c);
}

static void check_mode_note(ovk_sum *sum, const char *format, va_list args)
{
  request *r = sum->request;
  memset(r->claim.note, 0, sizeof r->claim.note);
  vsnprintf(r->claim.note, sizeof r->claim.note, format, args);
}

static ovk_err check_mode_open(ovk_backend *backend)
{
  ovk_ctx *ctx = backend->ctx;
  check_state *c = NULL;
  ovk_err err = ovk__agree(ctx, check_mode_allocate(backend, &c));
  if (!err) err = ovk__agree(ctx, check_mode_connect(c));
  if (err) {
    check_mode_free(c);
    return err;
  }
  ovk__opened *opened = ovk__opened_of(backend);
  c->at_once = ovk__begins_at_once(opened->inner);
  opened->note = check_mode_note;
  backend->state = c;
  return OVK_OK;
}

static void check_mode_close(ovk_backend *backend)
{
  check_state *c = backend->state;
  ovk__opened_of(backend)->stuck = c->lost && !ovk__mpi_is_over();
  check_mode_free(c);
}

static ovk_err check_mode_prepare(ovk_sum *sum)
{
  OVK_NEW_AT(sum->backend->ctx, sum->request, request, reduction);
  reduction->state = sum->backend->state;
  reduction->sum = sum;
  reduction->claim.number = sum->number;
  reduction->claim.count = sum->count - 1;
  return OVK_OK;
}

/* An inner reduction that has not ended is never freed: its backend may still write its values. */
static void check_mode_release(ovk_sum *sum)
{
  request *r = sum->request;
  if (ovk_reduction_running(sum->inner) && !ovk__mpi_is_over()) sum->inner = NULL;
  free(r);
}

/* The message of an error is the context's. */
static void check_mode_enter(request *r, stage to, ovk_err err)
{
  r->stage = to;
  r->failed = err;
  snprintf(r->why, sizeof r->why, "%s", err ? r->state->ctx->message : "");
}

static void check_mode_end(request *r, ovk_err err)
{
  request **link = &r->state->begun;
  while (*link != r) link = &(*link)->next;
  *link = r->next;
  check_mode_enter(r, OVER, err);
}

/* The first reduction not yet confirmed to be the same on all ranks. */
static request *find_unconfirmed(const check_state *c)
{
  request *r = c->begun;
  while (r && r->stage != CLAIMED) r = r->next;
  return r;
}

/* If the inner begin fails, the reduction has failed: the verdict reports it to the other ranks. */
static void begin_inner(request *r)
{
  ovk_sum *sum = r->sum;
  sum->values[sum->count - 1] = ovk__claim_mark(&r->claim);
  ovk__clear_message(r->state->ctx);
  const ovk_err err = ovk_reduction_begin(sum->inner);
  check_mode_enter(r, err ? SUMMED : SUMMING, err);
}

static ovk_err take_mpi(const check_state *c, int code)
{
  OVK_TRY_MPI(c->ctx, code);
  return OVK_OK;
}

/* Advances the first unconfirmed claim; returns whether it was decided. */
static bool advance_claims(check_state *c)
{
  request *r = find_unconfirmed(c);
  int code = MPI_SUCCESS;
  bool complete = false;
  if (!r) return false;
  if (!c->claims.active) {
    memcpy(c->claims.mine, &r->claim, sizeof r->claim);
    code = ovk__allgather_start(&c->claims);
  }
  if (!code) code = ovk__allgather_test(&c->claims, &complete);
  if (!code && !complete) return false;
  const ovk_err err = code ? take_mpi(c, code) : ovk__claims_compare(c->ctx, c->spec, &c->claims);
  if (err) {
    check_mode_end(r, err);
  } else {
    begin_inner(r);
  }
  return true;
}

static void advance_sums(check_state *c)
{
  for (request *r = c->begun; r; r = r->next) {
    bool complete = false;
    if (r->stage != SUMMING) continue;
    const ovk_err err = ovk_reduction_test(r->sum->inner, &complete);
    if (complete || err) check_mode_enter(r, SUMMED, ovk_reduction_wait(r->sum->inner));
  }
}

/* If the verdicts agree, the result is this rank's own error, if it has one. */
static ovk_err compare_verdicts(const request *r)
{
  const check_state *c = r->state;
  OVK_TRY(ovk__verdicts_compare(c->ctx, c->spec, &c->verdicts, &r->claim));
  if (r->failed) ovk__set_message(c->ctx, "%s", r->why);
  return r->failed;
}

/* As advance_claims(), for the verdict on the first reduction in flight. */
static bool advance_verdicts(check_state *c)
{
  request *r = c->begun;
  int code = MPI_SUCCESS;
  bool complete = false;
  if (!r || r->stage != SUMMED) return false;
  if (!c->verdicts.active) {
    ovk__verdict_make(r->sum, r->failed, r->why, (ovk__verdict *)c->verdicts.mine);
    code = ovk__allgather_start(&c->verdicts);
  }
  if (!code) code = ovk__allgather_test(&c->verdicts, &complete);
  if (!code && !complete) return false;
  check_mode_end(r, code ? take_mpi(c, code) : compare_verdicts(r));
  return true;
}

/* Ends a reduction with an error if this rank has waited for it longer than the timeout. */
static void check_timeout(request *r)
{
  static const char *const where[] = {[CLAIMED] = "not all others have begun it",
                                      [SUMMING] =
                                          "all have begun it, but the backend does not complete it",
                                      [SUMMED] = "it is complete here, but not on all others"};
  check_state *c = r->state;
  const double now = MPI_Wtime();
  char which[OVK__CLAIM_NAME];
  if (r->since == 0) r->since = now;
  if (!c->lost && now - r->since <= ovk__check_timeout(c->ctx)) return;
  c->lost = true;
  check_mode_end(r, OVK_FAIL(c->ctx, OVK_ERR_DIFFER,
                             "OVK_CHECK: rank %d waited %g s for a reduction of '%.100s', %s: %s",
                             ovk_ctx_rank(c->ctx), now - r->since, c->spec,
                             ovk__claim_name(which, &r->claim), where[r->stage]));
}

/* Advances all reductions, since a reduction of another backend may wait for any of them. */
static int check_mode_advance(void *self, bool *complete)
{
  request *r = self;
  check_state *c = r->state;
  if (r->stage != OVER && !c->busy && !c->lost) {
    char message[OVK__MESSAGE_SIZE];
    c->busy = true;
    memcpy(message, c->ctx->message, sizeof message); /* the caller may be about to report it */
    do {
      while (advance_claims(c)) continue;
      advance_sums(c);
    } while (advance_verdicts(c));
    memcpy(c->ctx->message, message, sizeof message);
    c->busy = false;
  }
  *complete = r->stage == OVER && !r->failed;
  return r->stage == OVER && r->failed ? MPI_ERR_OTHER : MPI_SUCCESS;
}

/* Advances once and checks the timeout. */
static int check_mode_poll(void *self, bool *complete)
{
  request *r = self;
  const int code = check_mode_advance(r, complete);
  if (code || *complete) return code;
  check_timeout(r);
  return r->stage == OVER ? MPI_ERR_OTHER : MPI_SUCCESS;
}

/* The same; complete when the reduction has begun or failed. */
static int poll_claims(void *self, bool *complete)
{
  const request *r = self;
  const int code = check_mode_poll(self, complete);
  *complete = code || r->stage != CLAIMED;
  return MPI_SUCCESS;
}

static ovk_err check_mode_leave(request *r)
{
  ovk__job_leave(r->state->ctx, &r->job);
  if (r->failed) ovk__set_message(r->state->ctx, "%s", r->why);
  return r->failed;
}

static ovk_err check_mode_wait(ovk_sum *sum)
{
  request *r = sum->request;
  (void)ovk__wait(r->state->ctx, POLLS_BEFORE_YIELD, check_mode_poll, r);
  return check_mode_leave(r);
}

static ovk_err check_mode_begin(ovk_sum *sum)
{
  request *r = sum->request;
  check_state *c = r->state;
  request **last = &c->begun;
  while (*last) last = &(*last)->next;
  *last = r;
  r->next = NULL;
  r->stage = CLAIMED;
  r->failed = OVK_OK;
  r->since = 0;
  r->claim.time++;
  r->job = (ovk__job){.advance = check_mode_advance, .self = r};
  ovk__job_enter(c->ctx, &r->job);
  bool complete;
  if (c->at_once) {
    (void)check_mode_advance(r, &complete);
    return OVK_OK;
  }
  (void)ovk__wait(c->ctx, POLLS_BEFORE_YIELD, poll_claims, r);
  return r->failed ? check_mode_wait(sum) : OVK_OK; /* after all ranks know the error */
}

static ovk_err check_mode_test(ovk_sum *sum, bool *complete)
{
  request *r = sum->request;
  return check_mode_poll(r, complete) || *complete ? check_mode_leave(r) : OVK_OK;
}

const ovk_backend_ops ovk__check_mode = {
    .name = "check",
    .decorates = true,
    .begin = check_mode_begin,
    .test = check_mode_test,
    .open = check_mode_open,
    .close = check_mode_close,
    .prepare = check_mode_prepare,
    .release = check_mode_release,
    .wait = check_mode_wait,
};
