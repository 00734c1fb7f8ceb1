/* SPDX-License-Identifier: BSD-2-Clause */
/* User-defined schedules. */
#include "comm/engine/collectives/own_schedule.h"
#include "comm/engine/schedule/algorithm_spec.h"
#include "comm/engine/schedule/builder.h"
#include "comm/engine/schedule/check.h"
#include "core/context/agree.h"
#include "core/context/ctx_impl.h"
#include "core/context/handle.h"
#include "core/context/mem.h"
#include "core/kept_error.h"

#include <stdlib.h>

struct ovk_schedule {
  ovk_ctx *ctx, *held;
  ovk__schedule data;
  ovk__builder builder;   /* of data */
  bool ended;             /* the next action begins a round */
  ovk__kept_error failed; /* builder.err */
};
OVK_IS_HANDLE(ovk_schedule);

ovk_err ovk_schedule_create(ovk_ctx *ctx, ovk_schedule **out)
{
  if (!ctx) return OVK_ERR_ARG;
  OVK_CHECK(out, ctx, OVK_ERR_ARG, "out is NULL");
  OVK_NEW_AT(ctx, *out, ovk_schedule, schedule);
  schedule->ctx = ctx;
  schedule->held = ovk__ctx_hold(ctx);
  schedule->builder = ovk__build_begin(
      ctx, (ovk__group){.size = ovk_ctx_size(ctx), .index = ovk_ctx_rank(ctx)}, &schedule->data);
  schedule->ended = true;
  return OVK_OK;
}

void ovk_schedule_destroy(ovk_schedule **schedule)
{
  if (!schedule || !*schedule) return;
  ovk_schedule *s = *schedule;
  ovk__schedule_free(&s->data);
  ovk__ctx_release(s->held);
  free(s);
  *schedule = NULL;
}

static ovk_err keep(ovk_schedule *s)
{
  ovk__keep_error(s->ctx, s->builder.err, &s->failed);
  return ovk__kept_error_of(s->ctx, &s->failed);
}

ovk_err ovk_schedule_round(ovk_schedule *schedule)
{
  if (!schedule) return OVK_ERR_ARG;
  schedule->ended = true;
  return keep(schedule);
}

/* Checks a range as far as possible without the lengths of the buffers. */
static ovk_err check_range(ovk_ctx *ctx, ovk_place place, int count)
{
  OVK_CHECK((int)place.buffer >= 0 && (int)place.buffer < OVK__NBUFFERS, ctx, OVK_ERR_ARG,
            "schedule: unknown buffer %d", (int)place.buffer);
  OVK_CHECK(count >= 0 && place.first <= PTRDIFF_MAX - (size_t)count, ctx, OVK_ERR_ARG,
            "schedule: a range of %d items that starts at item %zu", count, place.first);
  return OVK_OK;
}

static bool is_message(ovk__action_kind kind)
{
  return kind == OVK__SEND || kind == OVK__RECEIVE;
}

/* Combinations and copies of nothing, and copies onto themselves. */
static bool is_nothing(ovk__action_kind kind, ovk_place from, ovk_place to, int count)
{
  if (is_message(kind)) return false;
  return !count || (kind == OVK__COPY && from.buffer == to.buffer && from.first == to.first);
}

/* Adds an action; of a message both places are its own. Begins a round for the first action of a
 * round and for a message after combinations and copies. */
static ovk_err schedule_add(ovk_schedule *s, ovk__action_kind kind, int peer, ovk_place from,
                            ovk_place to, int count)
{
  if (!s) return OVK_ERR_ARG;
  ovk__builder *b = &s->builder;
  if (!b->err) b->err = check_range(s->ctx, from, count);
  if (!b->err) b->err = check_range(s->ctx, to, count);
  if (b->err || is_nothing(kind, from, to, count)) return keep(s);
  if (s->ended || (is_message(kind) && s->data.rounds[s->data.nrounds - 1].nlocal))
    ovk__build_round(b);
  s->ended = false;
  ovk__build_action(
      b, (ovk__action){.kind = kind, .peer = peer, .count = (size_t)count, .from = from, .to = to});
  return keep(s);
}

ovk_err ovk_schedule_send(ovk_schedule *schedule, int peer, ovk_place from, int count)
{
  return schedule_add(schedule, OVK__SEND, peer, from, from, count);
}

ovk_err ovk_schedule_receive(ovk_schedule *schedule, int peer, ovk_place to, int count)
{
  return schedule_add(schedule, OVK__RECEIVE, peer, to, to, count);
}

ovk_err ovk_schedule_combine(ovk_schedule *schedule, ovk_place from, ovk_place to, int count)
{
  return schedule_add(schedule, OVK__COMBINE, 0, from, to, count);
}

ovk_err ovk_schedule_copy(ovk_schedule *schedule, ovk_place from, ovk_place to, int count)
{
  return schedule_add(schedule, OVK__COPY, 0, from, to, count);
}

ovk_err ovk_schedule_print(const ovk_schedule *schedule, ovk_action_fn each, void *arg)
{
  if (!schedule) return OVK_ERR_ARG;
  OVK_CHECK(each, schedule->ctx, OVK_ERR_ARG, "each is NULL");
  ovk__schedule_print(&schedule->data, each, arg);
  return OVK_OK;
}

ovk_err ovk__own_schedule_check(ovk_ctx *ctx, const ovk_schedule *schedule, int inputs, int outputs,
                                bool combines)
{
  OVK_CHECK_HANDLE(ctx, schedule);
  OVK_CHECK(inputs >= 0 && outputs >= 0, ctx, OVK_ERR_ARG, "schedule: %d inputs and %d outputs",
            inputs, outputs);
  OVK_TRY(ovk__kept_error_of(schedule->ctx, &schedule->failed));
  return ovk__schedule_check(ctx, &schedule->data,
                             (ovk__limits){(size_t)inputs, (size_t)outputs, combines});
}

ovk_err ovk__own_schedule_match(ovk_ctx *ctx, const ovk_schedule *schedule)
{
  return ovk__schedules_match(ctx, &schedule->data);
}

ovk_err ovk_schedule_check(ovk_ctx *ctx, const ovk_schedule *schedule, int inputs, int outputs)
{
  if (!ctx) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(ctx, ovk__own_schedule_check(ctx, schedule, inputs, outputs, true)));
  return ovk__own_schedule_match(ctx, schedule);
}

ovk_err ovk__own_schedule_copy(ovk_ctx *ctx, const ovk_schedule *schedule, ovk__channel channel,
                               ovk__schedule *out)
{
  const ovk__schedule *from = &schedule->data;
  *out = (ovk__schedule){.work = from->work};
  OVK_NEW_ARRAY(ctx, out->actions, from->nactions);
  OVK_NEW_ARRAY(ctx, out->rounds, from->nrounds);
  for (int k = 0; k < from->nactions; k++) {
    out->actions[k] = from->actions[k];
    out->actions[k].channel = channel;
  }
  for (int r = 0; r < from->nrounds; r++) out->rounds[r] = from->rounds[r];
  out->nactions = from->nactions;
  out->nrounds = from->nrounds;
  return OVK_OK;
}
