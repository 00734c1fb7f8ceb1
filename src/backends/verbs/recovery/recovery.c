/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of a recovery. Each rank stops using the NIC and sends all others a table of its
 * reductions; once it has all tables, all ranks have the same information, which no longer changes,
 * since no rank uses the NIC. A reduction is a barrier. So a rank that lacks totals of another rank
 * lags by exactly one reduction, and the other rank still has them.
 *
 * A rank that does not receive a table in time aborts, and sends that to all. Others may have
 * received the table and continued: they abort when they receive the message. */
#include "backends/verbs/recovery/recovery_impl.h"
#include "core/context/ctx_impl.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

ovk__recovery_state ovk__recovery_phase(const ovk__recovery *recovery)
{
  return recovery->phase;
}

/* Aborts recovery and sends that to the others. */
OVK_PRINTF(2, 3)
static void abort_recovery(ovk__recovery *r, const char *format, ...)
{
  const size_t used = strlen(r->why);
  va_list args;
  va_start(args, format);
  vsnprintf(r->why + used, sizeof r->why - used, format, args);
  va_end(args);
  if (r->phase == OVK__LOST) return;
  r->phase = OVK__LOST;
  (void)ovk__tables_abort(&r->tables, r->why);
}

/* If another rank has already reported a failure, its reason is kept: it is closer to the cause. */
void ovk__recovery_enter(ovk__recovery *recovery, const char *why)
{
  ovk__recovery *r = recovery;
  if (r->phase != OVK__SOUND) return;
  (void)ovk__tables_receive(&r->tables);
  snprintf(r->why, sizeof r->why, "%s", r->tables.why[0] ? r->tables.why : why);
  r->phase = OVK__RECOVERING;
  r->deadline = MPI_Wtime() + r->opts.seconds;
  if (!ovk__tables_send(&r->tables, &r->records, r->why))
    abort_recovery(r, "; other ranks cannot be notified");
  ovk__endpoint_fail(r->engine->transport.endpoint, "%s", r->why);
  ovk__endpoint_hang_up(r->engine->transport.endpoint);
}

static void notify_user(ovk__recovery *r)
{
  if (r->notified || !r->opts.fallback) return;
  r->notified = true;
  ovk__notify(r->ctx, "reductions use '%s' from now on: %s", r->opts.fallback, r->why);
}

static void begin_substitute(ovk__recovery *r, ovk__record *record)
{
  if (ovk__record_substitute(record))
    abort_recovery(r, "; '%s': %s", r->opts.fallback, r->ctx->message);
}

/* All information has arrived: copies received totals to their reductions and restarts the
 * remaining reductions, in the same order on all ranks. The context's message is preserved. */
static void resume_sums(ovk__recovery *r)
{
  char message[sizeof r->ctx->message];
  memcpy(message, r->ctx->message, sizeof message);
  for (ovk__record *record = r->records.first; record; record = record->next) {
    if (!record->sum || !ovk__result_exchange_has_brought(&r->exchange, record)) continue;
    memcpy(record->sum->values, record->totals, (size_t)record->count * sizeof(double));
    record->completed = record->begun;
  }
  r->phase = OVK__RECOVERED;
  ovk__record *next;
  while (r->phase == OVK__RECOVERED && (next = ovk__records_unsubstituted(&r->records)) != NULL) {
    begin_substitute(r, next);
  }
  notify_user(r);
  memcpy(r->ctx->message, message, sizeof message);
}

static void advance_recovery(ovk__recovery *r)
{
  bool over = false;
  const int missing = ovk__tables_missing(&r->tables);
  if (missing < 0 && !ovk__result_exchange_move_on(&r->exchange, &r->records, &over)) {
    abort_recovery(r, "; totals cannot be sent");
  } else if (over) {
    resume_sums(r);
  } else if (MPI_Wtime() > r->deadline) {
    abort_recovery(r, missing < 0 ? "; totals do not arrive" : "; rank %d does not answer",
                   missing);
  }
}

void ovk__recovery_take_news(ovk__recovery *recovery)
{
  ovk__recovery *r = recovery;
  const bool received = ovk__tables_receive(&r->tables);
  if (ovk__tables_has_news(&r->tables))
    ovk__recovery_enter(r, "other ranks have detected a failure");
  if (!received && r->phase != OVK__SOUND)
    abort_recovery(r, "; messages of other ranks cannot be received");
  if (r->tables.aborted && r->phase != OVK__LOST) {
    snprintf(r->why, sizeof r->why, "%s", r->tables.why);
    r->phase = OVK__LOST;
  }
  if (r->phase == OVK__RECOVERING) advance_recovery(r);
}

/* Receives messages, unless it has done so in the last `interval` seconds. */
static void receive_at_intervals(ovk__recovery *r, double interval)
{
  const double now = MPI_Wtime();
  if (now - r->last_probe < interval) return;
  r->last_probe = now;
  ovk__recovery_take_news(r);
}

/* A failure that an agent has detected, whose thread calls no alarm. */
static void look_at_endpoint(ovk__recovery *r)
{
  const ovk__endpoint *endpoint = r->engine->transport.endpoint;
  if (r->phase == OVK__SOUND && ovk__endpoint_failed(endpoint)) {
    ovk__recovery_enter(r, ovk__endpoint_why(endpoint));
  }
}

ovk__recovery_state ovk__recovery_look(ovk__recovery *recovery)
{
  enum { CALLS_PER_PROBE = 8 }; /* a probe takes longer than reading memory or the clock, */
  const double interval = 0.01; /* and is one of MPI for each open backend */
  ovk__recovery *r = recovery;
  look_at_endpoint(r);
  if (r->phase == OVK__RECOVERING) {
    ovk__recovery_take_news(r);
  } else if (++r->calls % CALLS_PER_PROBE == 0) {
    receive_at_intervals(r, interval);
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
  notify_user(recovery);
}

void ovk__recovery_begin(ovk__recovery *recovery, ovk__record *record)
{
  ovk__records_begin(&recovery->records, record);
  if (record->apart || (recovery->phase == OVK__RECOVERED && record->substitute))
    begin_substitute(recovery, record);
}

/* A rank that has not called the library for long may find all contributions although the other
 * ranks have aborted meanwhile: they abort `seconds` after they have sent their tables. */
bool ovk__recovery_complete(ovk__recovery *recovery, ovk__record *record)
{
  receive_at_intervals(recovery, recovery->opts.seconds / 2);
  if (recovery->phase != OVK__SOUND) return false;
  ovk__record_complete(record);
  return true;
}

ovk_err ovk__recovery_finish(ovk__recovery *recovery, ovk__record *record, bool *complete)
{
  *complete = record->completed == record->begun;
  if (*complete) return OVK_OK;
  const bool lost = recovery->phase == OVK__LOST && !record->apart;
  return record->substituted && !lost ? ovk__record_test(record, complete)
                                      : ovk__recovery_fail(recovery);
}

ovk_err ovk__recovery_fail(const ovk__recovery *recovery)
{
  return OVK_FAIL(recovery->ctx, OVK_ERR_NETWORK, "%s", recovery->why);
}
