/* SPDX-License-Identifier: BSD-2-Clause */
/* Works and completions of an endpoint's connections, and when to give these up. Nothing here knows
 * what is sent. */
#include "engine/verbs/endpoint_impl.h"

#include <stdio.h>

/* Fails because of what an adapter says. */
static bool fail(ovk__endpoint *e, const ovk__pair *pair, int status)
{
  ovk__endpoint_fail(e, "the connection of ranks %d and %d is broken: %s", ovk_ctx_rank(e->ctx),
                     pair->peer, e->ops->text(status));
  return false;
}

bool ovk__pair_poll(ovk__endpoint *endpoint, ovk__pair *pair)
{
  ovk__endpoint *e = endpoint;
  if (e->failed) return false;
  const int status = e->ops->poll(pair->queue, &pair->done);
  return status ? fail(e, pair, status) : true;
}

static uint64_t under_way(const ovk__pair *pair)
{
  return pair->posted - pair->done;
}

int ovk__pair_room(ovk__endpoint *endpoint, ovk__pair *pair, int wanted)
{
  const ovk__endpoint *e = endpoint;
  if (e->depth - (int)under_way(pair) < wanted && !ovk__pair_poll(endpoint, pair)) return 0;
  return e->depth - (int)under_way(pair);
}

bool ovk__pair_post(ovk__endpoint *endpoint, ovk__pair *pair, ovk__work *works, int n)
{
  ovk__endpoint *e = endpoint;
  if (e->failed) return false;
  for (int k = 0; k < n; k++) {
    works[k].id = ++pair->posted;
    if (works[k].signaled) pair->signaled = works[k].id;
  }
  if (pair->posted - pair->signaled >= (uint64_t)e->depth / 2) {
    works[n - 1].signaled = true;
    pair->signaled = pair->posted;
  }
  switch (ovk__fault_strikes(&e->fault, n)) {
  case OVK__FAULT_SILENCE:
    return true;
  case OVK__FAULT_DEVICE:
    ovk__endpoint_fail(e, "the adapter of rank %d is gone, on purpose", ovk_ctx_rank(e->ctx));
    return false;
  case OVK__FAULT_BREAK:
    e->ops->hang_up(pair->queue);
    break;
  default:
    break;
  }
  const int status = e->ops->post(pair->queue, works, n);
  return status ? fail(e, pair, status) : true;
}

/* Asks the peer's adapter whether it is there, unless it still owes an answer. */
static bool ask(ovk__endpoint *e, ovk__pair *pair)
{
  if (pair->done < pair->asked || ovk__pair_room(e, pair, 1) < 1) return !e->failed;
  ovk__work question = {.kind = OVK__WRITE, .inlined = true, .signaled = true};
  if (!ovk__pair_post(e, pair, &question, 1)) return false;
  pair->asked = pair->posted;
  return true;
}

bool ovk__pair_is_idle(ovk__endpoint *endpoint, ovk__pair *pair)
{
  if (under_way(pair) == 0 || !ovk__pair_poll(endpoint, pair)) return true;
  if (under_way(pair) > 0 && pair->signaled < pair->posted) (void)ask(endpoint, pair);
  return endpoint->failed || under_way(pair) == 0;
}

/* Every so many looks the clock is looked at; returns whether it was. */
static bool has_looked_at_clock(ovk__patience *patience, double *now)
{
  enum { LOOKS = 64 };
  if (++patience->looks % LOOKS) return false;
  *now = MPI_Wtime();
  if (patience->since == 0) patience->since = patience->asked = *now;
  return true;
}

/* `whom`: who is waited for, in words. */
static bool is_in_time(ovk__endpoint *e, const ovk__patience *patience, double now,
                       const char *whom)
{
  if (e->timeout <= 0 || now - patience->since <= e->timeout) return true;
  ovk__endpoint_fail(e, "rank %d has waited %.0f ms for %s, and timeout_ms is %.0f",
                     ovk_ctx_rank(e->ctx), 1000 * (now - patience->since), whom, 1000 * e->timeout);
  return false;
}

bool ovk__endpoint_watch(ovk__endpoint *endpoint, ovk__patience *patience)
{
  double now;
  if (endpoint->failed) return false;
  return !has_looked_at_clock(patience, &now) || is_in_time(endpoint, patience, now, "other ranks");
}

/* Asks now and then. */
static bool look_after(ovk__endpoint *e, ovk__pair *pair, ovk__patience *patience, double now)
{
  if (!ovk__pair_poll(e, pair)) return false;
  const int status = e->ops->check(e->nic);
  if (status) {
    ovk__endpoint_fail(e, "the adapter of rank %d: %s", ovk_ctx_rank(e->ctx), e->ops->text(status));
    return false;
  }
  if (now - patience->asked < e->ask_every) return true;
  patience->asked = now;
  return ask(e, pair);
}

bool ovk__pair_look_after(ovk__endpoint *endpoint, ovk__pair *pair, ovk__patience *patience)
{
  double now;
  if (endpoint->failed) return false;
  return !has_looked_at_clock(patience, &now) || look_after(endpoint, pair, patience, now);
}

bool ovk__pair_watch(ovk__endpoint *endpoint, ovk__pair *pair, ovk__patience *patience)
{
  ovk__endpoint *e = endpoint;
  char whom[32];
  double now;
  if (e->failed) return false;
  if (!has_looked_at_clock(patience, &now)) return true;
  snprintf(whom, sizeof whom, "rank %d", pair->peer);
  return is_in_time(e, patience, now, whom) && look_after(e, pair, patience, now);
}
