/* SPDX-License-Identifier: BSD-2-Clause */
/* The reductions of check mode that are in flight: claims and verdicts are gathered in the order of
 * begins. */
#include "backends/check_order.h"
#include "core/context/compare.h"

#include <stdio.h>
#include <string.h>

void ovk__check_claim(ovk__check_request *request)
{
  ovk__check_request **last = &request->state->begun;
  while (*last) last = &(*last)->next;
  *last = request;
  request->next = NULL;
  request->stage = OVK__CLAIMED;
  request->failed.err = OVK_OK;
  request->since = 0;
  request->claim.time++;
}

/* The message of an error is the context's. */
static void check_enter(ovk__check_request *r, ovk__check_stage to, ovk_err err)
{
  r->stage = to;
  r->failed = (ovk__kept_error){0};
  ovk__keep_error(r->state->ctx, err, &r->failed);
}

static void check_end(ovk__check_request *r, ovk_err err)
{
  ovk__check_request **link = &r->state->begun;
  while (*link != r) link = &(*link)->next;
  *link = r->next;
  check_enter(r, OVK__OVER, err);
}

/* The first reduction not yet confirmed to be the same on all ranks. */
static ovk__check_request *find_unconfirmed(const ovk__check_state *c)
{
  ovk__check_request *r = c->begun;
  while (r && r->stage != OVK__CLAIMED) r = r->next;
  return r;
}

/* If the inner begin fails, the reduction has failed: the verdict reports it to the other ranks. */
static void begin_inner(ovk__check_request *r)
{
  ovk_sum *sum = r->sum;
  sum->values[sum->count - 1] = ovk__claim_mark(&r->claim);
  ovk__clear_message(r->state->ctx);
  const ovk_err err = ovk_reduction_begin(sum->inner);
  check_enter(r, err ? OVK__SUMMED : OVK__SUMMING, err);
}

static ovk_err take_mpi(const ovk__check_state *c, int code)
{
  OVK_TRY_MPI(c->ctx, code);
  return OVK_OK;
}

/* Advances the first unconfirmed claim; returns whether it was decided. */
static bool advance_claims(ovk__check_state *c)
{
  ovk__check_request *r = find_unconfirmed(c);
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
    check_end(r, err);
  } else {
    begin_inner(r);
  }
  return true;
}

static void advance_sums(ovk__check_state *c)
{
  for (ovk__check_request *r = c->begun; r; r = r->next) {
    bool complete = false;
    if (r->stage != OVK__SUMMING) continue;
    const ovk_err err = ovk_reduction_test(r->sum->inner, &complete);
    if (complete || err) check_enter(r, OVK__SUMMED, ovk_reduction_wait(r->sum->inner));
  }
}

/* If the verdicts agree, the result is this rank's own error, if it has one. */
static ovk_err compare_verdicts(const ovk__check_request *r)
{
  const ovk__check_state *c = r->state;
  OVK_TRY(ovk__verdicts_compare(c->ctx, c->spec, &c->verdicts, &r->claim));
  return ovk__kept_error_of(c->ctx, &r->failed);
}

/* As advance_claims(), for the verdict on the first reduction in flight. */
static bool advance_verdicts(ovk__check_state *c)
{
  ovk__check_request *r = c->begun;
  int code = MPI_SUCCESS;
  bool complete = false;
  if (!r || r->stage != OVK__SUMMED) return false;
  if (!c->verdicts.active) {
    ovk__verdict_make(r->sum, &r->failed, (ovk__verdict *)c->verdicts.mine);
    code = ovk__allgather_start(&c->verdicts);
  }
  if (!code) code = ovk__allgather_test(&c->verdicts, &complete);
  if (!code && !complete) return false;
  check_end(r, code ? take_mpi(c, code) : compare_verdicts(r));
  return true;
}

/* Ends a reduction with an error if this rank has waited for it longer than the timeout. */
static void check_timeout(ovk__check_request *r)
{
  static const char *const where[] = {[OVK__CLAIMED] = "not all others have begun it",
                                      [OVK__SUMMING] =
                                          "all have begun it, but the backend does not complete it",
                                      [OVK__SUMMED] = "it is complete here, but not on all others"};
  ovk__check_state *c = r->state;
  const double now = MPI_Wtime();
  char which[OVK__CLAIM_NAME];
  if (r->since == 0) r->since = now;
  if (!c->lost && now - r->since <= ovk__check_timeout(c->ctx)) return;
  c->lost = true;
  check_end(r, OVK_FAIL(c->ctx, OVK_ERR_DIFFER,
                        "OVK_CHECK: rank %d waited %g s for a reduction of '%.100s', %s: %s",
                        ovk_ctx_rank(c->ctx), now - r->since, c->spec,
                        ovk__claim_name(which, &r->claim), where[r->stage]));
}

int ovk__check_advance(void *self, bool *complete)
{
  ovk__check_request *r = self;
  ovk__check_state *c = r->state;
  if (r->stage != OVK__OVER && !c->busy && !c->lost) {
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
  *complete = r->stage == OVK__OVER && !r->failed.err;
  return r->stage == OVK__OVER && r->failed.err ? MPI_ERR_OTHER : MPI_SUCCESS;
}

int ovk__check_poll(void *self, bool *complete)
{
  ovk__check_request *r = self;
  const int code = ovk__check_advance(r, complete);
  if (code || *complete) return code;
  check_timeout(r);
  return r->stage == OVK__OVER ? MPI_ERR_OTHER : MPI_SUCCESS;
}

int ovk__check_poll_claim(void *self, bool *complete)
{
  const ovk__check_request *r = self;
  const int code = ovk__check_poll(self, complete);
  *complete = code || r->stage != OVK__CLAIMED;
  return MPI_SUCCESS;
}
