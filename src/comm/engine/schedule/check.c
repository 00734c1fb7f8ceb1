/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks the schedule of one rank. */
#include "comm/engine/schedule/check.h"
#include "comm/engine/schedule/algorithm_spec.h"
#include "core/context/mem.h"

#include <stdlib.h>

/* A schedule under check, and the current action. */
typedef struct check {
  ovk_ctx *ctx;
  const ovk__schedule *schedule;
  ovk__limits limits;
  bool *written; /* by element of OVK_WORK */
  int round;
  const ovk__action *action;
} check;

static ovk_err wrong(const check *c, const char *what)
{
  char text[OVK__ACTION_SIZE];
  ovk__action_print(c->action, text);
  return OVK_FAIL(c->ctx, OVK_ERR_ARG, "schedule, round %d: %s: %s", c->round + 1, text, what);
}

static bool is_message(const ovk__action *a)
{
  return a->kind == OVK__SEND || a->kind == OVK__RECEIVE;
}

static bool reads(const ovk__action *a)
{
  return a->kind != OVK__RECEIVE;
}

static bool writes(const ovk__action *a)
{
  return a->kind != OVK__SEND;
}

static bool overlap(ovk_place a, size_t na, ovk_place b, size_t nb)
{
  return a.buffer == b.buffer && a.first < b.first + nb && b.first < a.first + na;
}

static bool is_inside(const check *c, ovk_place place, size_t count)
{
  const size_t lengths[OVK__NBUFFERS] = {[OVK_INPUT] = c->limits.inputs,
                                         [OVK_OUTPUT] = c->limits.outputs,
                                         [OVK_WORK] = c->schedule->work};
  return place.first + count <= lengths[place.buffer];
}

static bool is_written(const check *c, ovk_place place, size_t count)
{
  if (place.buffer != OVK_WORK) return true;
  for (size_t k = place.first; k < place.first + count; k++) {
    if (!c->written[k]) return false;
  }
  return true;
}

static void mark(const check *c, ovk_place place, size_t count)
{
  if (place.buffer != OVK_WORK) return;
  for (size_t k = place.first; k < place.first + count; k++) c->written[k] = true;
}

static ovk_err check_action(const check *c)
{
  const ovk__action *a = c->action;
  const int rank = ovk_ctx_rank(c->ctx), size = ovk_ctx_size(c->ctx);
  if (is_message(a) && (a->peer < 0 || a->peer >= size)) return wrong(c, "there is no such rank");
  if (is_message(a) && a->peer == rank) return wrong(c, "a message to the rank itself");
  if (reads(a) && !is_inside(c, a->from, a->count)) return wrong(c, "beyond the end of the buffer");
  if (writes(a) && !is_inside(c, a->to, a->count)) return wrong(c, "beyond the end of the buffer");
  if (writes(a) && a->to.buffer == OVK_INPUT) return wrong(c, "the input is only read");
  if (reads(a) && !is_written(c, a->from, a->count)) return wrong(c, "reads what is not written");
  if (a->kind != OVK__COMBINE) return OVK_OK;
  if (!is_written(c, a->to, a->count)) return wrong(c, "reads what is not written");
  if (overlap(a->from, a->count, a->to, a->count)) return wrong(c, "the ranges overlap");
  return c->limits.combines ? OVK_OK : wrong(c, "there is no operation to combine with");
}

/* The end of a message in memory. */
typedef struct range {
  ovk_place at;
  size_t count;
  const ovk__action *action;
} range;

static int compare_ranges(const void *left, const void *right)
{
  const range *a = left, *b = right;
  if (a->at.buffer != b->at.buffer) return a->at.buffer < b->at.buffer ? -1 : 1;
  return (a->at.first > b->at.first) - (a->at.first < b->at.first);
}

/* Messages of a round conflict if one of them receives into a range of another. Of the previous
 * ranges, in the order of their starts, only two can conflict with the next one: the receive and
 * the message of any kind that extend farthest. */
static ovk_err check_races(check *c, const ovk__round *round, range *ranges)
{
  int n = 0;
  for (int k = round->first; k < round->first + round->nmessages; k++) {
    const ovk__action *a = &c->schedule->actions[k];
    if (a->count) ranges[n++] = (range){writes(a) ? a->to : a->from, a->count, a};
  }
  qsort(ranges, (size_t)n, sizeof *ranges, compare_ranges);
  const range *any = NULL, *receiving = NULL;
  for (const range *r = ranges; r < ranges + n; r++) {
    const range *before = writes(r->action) ? any : receiving;
    c->action = r->action;
    if (before && overlap(before->at, before->count, r->at, r->count))
      return wrong(c, "another message of the round is there");
    if (!any || !overlap(any->at, any->count, r->at, 1) ||
        r->at.first + r->count > any->at.first + any->count)
      any = r;
    if (writes(r->action)) receiving = r; /* receiving ranges do not overlap */
  }
  return OVK_OK;
}

/* A round sends before it receives. */
static ovk_err check_round(check *c, range *ranges)
{
  const ovk__round *round = &c->schedule->rounds[c->round];
  const ovk__action *first = c->schedule->actions + round->first, *local = first + round->nmessages;
  for (c->action = first; c->action < local; c->action++) OVK_TRY(check_action(c));
  for (const ovk__action *a = first; a < local; a++) {
    if (writes(a)) mark(c, a->to, a->count);
  }
  OVK_TRY(check_races(c, round, ranges));
  for (c->action = local; c->action < local + round->nlocal; c->action++) {
    OVK_TRY(check_action(c));
    mark(c, c->action->to, c->action->count);
  }
  return OVK_OK;
}

static ovk_err check_rounds(check *c, range **ranges)
{
  OVK_NEW_ZEROS(c->ctx, c->written, c->schedule->work);
  OVK_NEW_ARRAY(c->ctx, *ranges, c->schedule->nactions);
  for (c->round = 0; c->round < c->schedule->nrounds; c->round++) OVK_TRY(check_round(c, *ranges));
  return OVK_OK;
}

ovk_err ovk__schedule_check(ovk_ctx *ctx, const ovk__schedule *schedule, ovk__limits limits)
{
  check c = {.ctx = ctx, .schedule = schedule, .limits = limits};
  range *ranges = NULL;
  const ovk_err err = check_rounds(&c, &ranges);
  free(ranges);
  free(c.written);
  return err;
}
