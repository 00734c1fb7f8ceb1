/* SPDX-License-Identifier: BSD-2-Clause */
/* The decorator of check mode. A reduction begins once all ranks have claimed to begin the same
 * one; begin does not wait for that, unless the backend's begin may wait for other ranks. A
 * reduction is complete once all ranks have the same totals. Both take an all-gather in the order
 * of begins, so that reductions still overlap. One additional value marks the reduction: its total
 * is wrong if contributions of other reductions, or of other begins, were added. A difference is
 * the same error on all ranks and ends that reduction only; a timeout is an error on the rank that
 * waits. */
#include "backends/check_order.h"
#include "backends/open.h"
#include "core/context/agree.h"
#include "core/context/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POLLS_BEFORE_YIELD = 100 };

static ovk_err check_mode_allocate(const ovk_backend *backend, ovk__check_state **out)
{
  ovk_ctx *ctx = backend->ctx;
  OVK_NEW_AT(ctx, *out, ovk__check_state, check_mode);
  check_mode->ctx = ctx;
  check_mode->spec = ovk_spec_text(backend->spec);
  check_mode->claims.comm = check_mode->verdicts.comm = MPI_COMM_NULL;
  OVK_TRY(ovk__allgather_allocate(ctx, sizeof(ovk__verdict), &check_mode->verdicts));
  return ovk__allgather_allocate(ctx, sizeof(ovk__claim), &check_mode->claims);
}

static ovk_err check_mode_connect(ovk__check_state *c)
{
  OVK_TRY(ovk__allgather_connect(c->ctx, &c->claims));
  return ovk__allgather_connect(c->ctx, &c->verdicts);
}

static void check_mode_free(ovk__check_state *c)
{
  if (!c) return;
  ovk__allgather_close(&c->claims);
  ovk__allgather_close(&c->verdicts);
  free(c);
}

static void check_mode_note(ovk_sum *sum, const char *format, va_list args)
{
  ovk__check_request *r = sum->request;
  memset(r->claim.note, 0, sizeof r->claim.note);
  vsnprintf(r->claim.note, sizeof r->claim.note, format, args);
}

static ovk_err check_mode_open(ovk_backend *backend)
{
  ovk_ctx *ctx = backend->ctx;
  ovk__check_state *c = NULL;
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
  ovk__check_state *c = backend->state;
  ovk__opened_of(backend)->stuck = c->lost && !ovk__mpi_is_over();
  check_mode_free(c);
}

static ovk_err check_mode_prepare(ovk_sum *sum)
{
  OVK_NEW_AT(sum->backend->ctx, sum->request, ovk__check_request, reduction);
  reduction->state = sum->backend->state;
  reduction->sum = sum;
  reduction->claim.number = sum->number;
  reduction->claim.count = sum->count - 1;
  return OVK_OK;
}

/* An inner reduction that has not ended is never freed: its backend may still write its values. */
static void check_mode_release(ovk_sum *sum)
{
  ovk__check_request *r = sum->request;
  if (ovk_reduction_running(sum->inner) && !ovk__mpi_is_over()) sum->inner = NULL;
  free(r);
}

static ovk_err check_mode_leave(ovk__check_request *r)
{
  ovk__job_leave(r->state->ctx, &r->job);
  return ovk__kept_error_of(r->state->ctx, &r->failed);
}

static ovk_err check_mode_wait(ovk_sum *sum)
{
  ovk__check_request *r = sum->request;
  (void)ovk__wait(r->state->ctx, POLLS_BEFORE_YIELD, ovk__check_poll, r);
  return check_mode_leave(r);
}

static ovk_err check_mode_begin(ovk_sum *sum)
{
  ovk__check_request *r = sum->request;
  ovk__check_state *c = r->state;
  ovk__check_claim(r);
  r->job = (ovk__job){.advance = ovk__check_advance, .self = r};
  ovk__job_enter(c->ctx, &r->job);
  bool complete;
  if (c->at_once) {
    (void)ovk__check_advance(r, &complete);
    return OVK_OK;
  }
  (void)ovk__wait(c->ctx, POLLS_BEFORE_YIELD, ovk__check_poll_claim, r);
  return r->failed.err ? check_mode_wait(sum) : OVK_OK; /* after all ranks know the error */
}

static ovk_err check_mode_test(ovk_sum *sum, bool *complete)
{
  ovk__check_request *r = sum->request;
  return ovk__check_poll(r, complete) || *complete ? check_mode_leave(r) : OVK_OK;
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
