/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of a recovery. Each rank stops where it is and sends all others a table of its sums;
 * once it has theirs, all know the same: nobody has come further, for nobody uses the adapter any
 * more. A sum is a barrier, so who lacks totals that another has is one behind, and that one still
 * has them.
 *
 * Who does not hear from a rank in time gives up, and says so. Others may have heard from it, and
 * gone on: they give up when they are told. */
#include "backends/verbs/recovery/recovery_impl.h"
#include "core/ctx_impl.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

ovk__phase ovk__recovery_phase(const ovk__recovery *recovery)
{
  return recovery->phase;
}

/* Nothing more can be agreed on: tells the others. */
OVK_PRINTF(2, 3)
static void lose(ovk__recovery *r, const char *format, ...)
{
  const size_t used = strlen(r->why);
  va_list args;
  va_start(args, format);
  vsnprintf(r->why + used, sizeof r->why - used, format, args);
  va_end(args);
  if (r->phase == OVK__LOST) return;
  r->phase = OVK__LOST;
  (void)ovk__tables_give_up(&r->tables, r->why);
}

/* Who noticed it first knows best what has happened. */
void ovk__recovery_enter(ovk__recovery *recovery, const char *why)
{
  ovk__recovery *r = recovery;
  if (r->phase != OVK__SOUND) return;
  (void)ovk__tables_receive(&r->tables);
  snprintf(r->why, sizeof r->why, "%s", r->tables.why[0] ? r->tables.why : why);
  r->phase = OVK__RECOVERING;
  r->deadline = MPI_Wtime() + r->remedy.seconds;
  if (!ovk__tables_send(&r->tables, &r->records, r->why)) lose(r, "; others cannot be told");
  ovk__endpoint_fail(r->engine->endpoint, "%s", r->why);
}

static void notify(ovk__recovery *r)
{
  if (r->notified || !r->remedy.fallback) return;
  r->notified = true;
  ovk__notify(r->ctx, "from now on sums go over '%s': %s", r->remedy.fallback, r->why);
}

static void substitute(ovk__recovery *r, ovk__record *record)
{
  if (ovk__record_substitute(record)) lose(r, "; '%s': %s", r->remedy.fallback, r->ctx->message);
}

/* All is known: totals go to their sums, and what is left begins anew, in the same order on all
 * ranks. Whatever sentence there is, it stays. */
static void resume(ovk__recovery *r)
{
  char said[sizeof r->ctx->message];
  memcpy(said, r->ctx->message, sizeof said);
  for (ovk__record *record = r->records.first; record; record = record->next) {
    if (!record->sum || !ovk__trade_has_brought(&r->trade, record)) continue;
    memcpy(record->sum->values, record->totals, (size_t)record->count * sizeof(double));
    record->completed = record->begun;
  }
  r->phase = OVK__RECOVERED;
  ovk__record *next;
  while (r->phase == OVK__RECOVERED && (next = ovk__records_unsubstituted(&r->records)) != NULL) {
    substitute(r, next);
  }
  notify(r);
  memcpy(r->ctx->message, said, sizeof said);
}

static void move_on(ovk__recovery *r)
{
  bool over = false;
  const int missing = ovk__tables_missing(&r->tables);
  if (missing < 0 && !ovk__trade_move_on(&r->trade, &r->records, &over)) {
    lose(r, "; totals cannot be sent");
  } else if (over) {
    resume(r);
  } else if (MPI_Wtime() > r->deadline) {
    lose(r, missing < 0 ? "; totals do not arrive" : "; rank %d does not answer", missing);
  }
}

void ovk__recovery_take_news(ovk__recovery *recovery)
{
  ovk__recovery *r = recovery;
  const bool received = ovk__tables_receive(&r->tables);
  if (ovk__tables_has_news(&r->tables))
    ovk__recovery_enter(r, "other ranks have noticed a failure");
  if (!received && r->phase != OVK__SOUND) lose(r, "; what they tell cannot be received");
  if (r->tables.given_up && r->phase != OVK__LOST) {
    snprintf(r->why, sizeof r->why, "%s", r->tables.why);
    r->phase = OVK__LOST;
  }
  if (r->phase == OVK__RECOVERING) move_on(r);
}

/* Looks, unless it has done so in the last `interval` seconds. */
static void look_now_and_then(ovk__recovery *r, double interval)
{
  const double now = MPI_Wtime();
  if (now - r->looked < interval) return;
  r->looked = now;
  ovk__recovery_take_news(r);
}

ovk__phase ovk__recovery_look(ovk__recovery *recovery)
{
  enum { LOOKS = 8 }; /* to look for messages takes longer than to look at memory or at the clock */
  const double interval = 1e-4;
  ovk__recovery *r = recovery;
  if (r->phase == OVK__RECOVERING) {
    ovk__recovery_take_news(r);
  } else if (++r->looks % LOOKS == 0) {
    look_now_and_then(r, interval);
  }
  return r->phase;
}

static int is_over(void *self, bool *complete)
{
  *complete = ovk__recovery_look(self) > OVK__RECOVERING;
  return MPI_SUCCESS;
}

ovk_err ovk__recovery_agree(ovk__recovery *recovery, bool *sound)
{
  ovk__recovery *r = recovery;
  int64_t all[2] = {r->phase == OVK__SOUND, ovk__records_oldest(&r->records)};
  OVK_TRY_MPI(r->ctx, MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT64_T, MPI_MIN, r->comm));
  *sound = all[0];
  if (*sound) {
    ovk__records_forget(&r->records, all[1]);
    return OVK_OK;
  }
  ovk__recovery_enter(r, "the network has failed on other ranks");
  OVK_TRY_MPI(r->ctx, ovk__wait(r->ctx, r->engine->spins, is_over, r));
  return OVK_OK;
}

void ovk__recovery_set_apart(ovk__recovery *recovery, ovk__record *record)
{
  record->apart = true;
  notify(recovery);
}

void ovk__recovery_begin(ovk__recovery *recovery, ovk__record *record)
{
  ovk__recovery *r = recovery;
  ovk__records_begin(&r->records, record);
  if (record->apart || (r->phase == OVK__RECOVERED && record->substitute)) substitute(r, record);
}

/* A rank that was away for long finds all parts there, and that the others have given up on it:
 * they do so that many seconds after they have told it. */
bool ovk__recovery_complete(ovk__recovery *recovery, ovk__record *record)
{
  look_now_and_then(recovery, recovery->remedy.seconds / 2);
  if (recovery->phase != OVK__SOUND) return false;
  ovk__record_complete(record);
  return true;
}

ovk_err ovk__recovery_settle(ovk__recovery *recovery, ovk__record *record, bool *complete)
{
  const ovk__recovery *r = recovery;
  *complete = record->completed == record->begun;
  if (*complete) return OVK_OK;
  const bool lost = r->phase == OVK__LOST && !record->apart;
  return record->substituted && !lost ? ovk__record_test(record, complete) : ovk__recovery_fail(r);
}

ovk_err ovk__recovery_fail(const ovk__recovery *recovery)
{
  return OVK_FAIL(recovery->ctx, OVK_ERR_NETWORK, "%s", recovery->why);
}
