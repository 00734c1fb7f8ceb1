/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of a recovery. Each rank stops where it is and sends all others a table of its sums;
 * once it has theirs, all know the same: nobody has come further, for nobody uses the adapter any
 * more. A sum is a barrier, so who lacks totals that another has is one behind, and that one still
 * has them. */
#include "backends/verbs/recovery.h"
#include "backends/verbs/tables.h"
#include "core/ctx_impl.h"
#include "core/mem.h"
#include "engine/engine.h"
#include "engine/job.h"
#include "engine/verbs/endpoint.h"

#include <stdlib.h>
#include <string.h>

struct ovk__recovery {
  ovk_ctx *ctx;
  MPI_Comm comm;
  ovk__engine *engine;
  ovk__job job;
  ovk__phase phase;
  unsigned looks;
  double seconds, deadline;
  ovk__record *records; /* by number */
  int ngone;            /* of them */
  int64_t tickets;
  ovk__tables tables;
};

static int listen(void *self, bool *complete)
{
  (void)ovk__recovery_look(self);
  *complete = false;
  return MPI_SUCCESS;
}

ovk_err ovk__recovery_open(ovk_ctx *ctx, MPI_Comm comm, ovk__engine *engine, double seconds,
                           ovk__recovery **out)
{
  ovk__recovery *r = *out = calloc(1, sizeof *r);
  const ovk_err err = r ? OVK_OK : OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for a recovery");
  ovk__tables none;
  ovk__tables *tables = r ? &r->tables : &none;
  const ovk_err opened = ovk__tables_open(ctx, comm, &engine->tags, tables);
  if (!r) {
    ovk__tables_free(tables);
    return err;
  }
  r->ctx = ctx;
  r->comm = comm;
  r->engine = engine;
  r->seconds = seconds;
  r->job = (ovk__job){.advance = listen, .self = r};
  ovk__job_enter(ctx, &r->job);
  return opened;
}

/* What ends the life of a recovery: all ranks are there. */
typedef struct farewell {
  const ovk__recovery *recovery;
  MPI_Request request;
} farewell;

static int all_are_there(void *self, bool *complete)
{
  farewell *f = self;
  int flag = 0;
  const int err = MPI_Test(&f->request, &flag, MPI_STATUS_IGNORE);
  *complete = flag || f->recovery->phase == OVK__LOST;
  return err;
}

static void free_record(ovk__record *record)
{
  ovk_reduction_destroy(&record->substitute);
  free(record->totals);
  free(record->parts);
  free(record);
}

void ovk__recovery_close(ovk__recovery **recovery)
{
  ovk__recovery *r = *recovery;
  if (!r) return;
  farewell f = {r, MPI_REQUEST_NULL};
  if (r->phase != OVK__LOST && MPI_Ibarrier(r->comm, &f.request) == MPI_SUCCESS) {
    (void)ovk__wait(r->ctx, r->engine->spins, all_are_there, &f);
  }
  ovk__job_leave(r->ctx, &r->job);
  while (r->records) {
    ovk__record *record = r->records;
    r->records = record->next;
    free_record(record);
  }
  ovk__tables_free(&r->tables);
  free(r);
  *recovery = NULL;
}

static ovk_err make_record(ovk_ctx *ctx, ovk_sum *sum, bool keep_parts, ovk__record *record)
{
  record->sum = sum;
  record->number = sum->number;
  record->count = sum->count;
  OVK_NEW_ARRAY(ctx, record->totals, sum->count);
  if (keep_parts) OVK_NEW_ARRAY(ctx, record->parts, sum->count);
  return OVK_OK;
}

ovk_err ovk__recovery_add(ovk__recovery *recovery, ovk_sum *sum, ovk_reduction *substitute,
                          ovk__record **out)
{
  *out = NULL;
  ovk__record *record = calloc(1, sizeof *record);
  OVK_CHECK(record, recovery->ctx, OVK_ERR_MEMORY, "no memory for a reduction");
  const ovk_err err = make_record(recovery->ctx, sum, substitute != NULL, record);
  if (err) {
    free_record(record);
    return err;
  }
  record->substitute = substitute;
  ovk__record **link = &recovery->records;
  while (*link) link = &(*link)->next;
  *link = *out = record;
  return OVK_OK;
}

/* Forgets the oldest of the sums that are gone. */
static void forget_oldest(ovk__recovery *r)
{
  ovk__record **link = &r->records;
  while ((*link)->sum) link = &(*link)->next;
  ovk__record *oldest = *link;
  *link = oldest->next;
  free_record(oldest);
  r->ngone--;
}

/* A rank that lags may need totals of a sum that this one has destroyed; but it takes part in
 * making each new one, and has not that many under way. */
void ovk__recovery_remove(ovk__recovery *recovery, ovk__record *record)
{
  enum { MOST_GONE = 256 };
  record->sum = NULL;
  ovk_reduction_destroy(&record->substitute);
  if (++recovery->ngone > MOST_GONE) forget_oldest(recovery);
}

static ovk_err substitute(ovk__record *record)
{
  const size_t bytes = (size_t)record->count * sizeof(double);
  memcpy(ovk_reduction_values(record->substitute), record->parts, bytes);
  record->substituted = true;
  return ovk_reduction_begin(record->substitute);
}

ovk_err ovk__recovery_begun(ovk__recovery *recovery, ovk__record *record)
{
  record->begun++;
  record->ticket = recovery->tickets++;
  if (!record->substitute) return OVK_OK;
  memcpy(record->parts, record->sum->values, (size_t)record->count * sizeof(double));
  return recovery->phase == OVK__RECOVERED ? substitute(record) : OVK_OK;
}

void ovk__recovery_completed(ovk__record *record)
{
  record->completed = record->begun;
  memcpy(record->totals, record->sum->values, (size_t)record->count * sizeof(double));
}

void ovk__recovery_enter(ovk__recovery *recovery, const char *why)
{
  ovk__recovery *r = recovery;
  if (r->phase != OVK__SOUND) return;
  ovk__endpoint_fail(r->engine->endpoint, "%s", why);
  r->phase = ovk__tables_send(&r->tables, r->records, why) ? OVK__RECOVERING : OVK__LOST;
  r->deadline = MPI_Wtime() + r->seconds;
}

/* The sum that was begun first of those that nobody has totals of, and that are not being made. */
static ovk__record *next_to_substitute(const ovk__recovery *r)
{
  ovk__record *next = NULL;
  for (ovk__record *record = r->records; record; record = record->next) {
    const bool pending = record->begun > record->completed && !record->substituted;
    if (record->sum && record->substitute && pending && (!next || record->ticket < next->ticket)) {
      next = record;
    }
  }
  return next;
}

/* All is known: the values go to their sums, and what is left begins anew, in the same order on all
 * ranks. */
static void resume(ovk__recovery *r)
{
  for (ovk__record *record = r->records; record; record = record->next) {
    if (!record->sum || !ovk__tables_has_brought(&r->tables, record)) continue;
    record->completed = record->begun;
    memcpy(record->sum->values, record->totals, (size_t)record->count * sizeof(double));
  }
  r->phase = OVK__RECOVERED;
  ovk__record *next;
  bool some = false;
  while ((next = next_to_substitute(r)) != NULL) {
    if (substitute(next)) r->phase = OVK__LOST;
    some = true;
  }
  if (some)
    ovk__notify(r->ctx, "the network failed, and sums go over another backend: %s",
                ovk__endpoint_why(r->engine->endpoint));
}

ovk__phase ovk__recovery_look(ovk__recovery *recovery)
{
  enum { LOOKS = 64 }; /* to look for messages takes longer than to look at memory */
  ovk__recovery *r = recovery;
  if (r->phase == OVK__SOUND) {
    if (++r->looks % LOOKS) return r->phase;
    const char *why = ovk__tables_receive(&r->tables);
    if (why) ovk__recovery_enter(r, why);
  }
  if (r->phase == OVK__RECOVERING) {
    bool over = false;
    (void)ovk__tables_receive(&r->tables);
    if (!ovk__tables_trade(&r->tables, r->records, &over) || MPI_Wtime() > r->deadline) {
      r->phase = OVK__LOST;
    } else if (over) {
      resume(r);
    }
  }
  return r->phase;
}

ovk_err ovk__recovery_settle(ovk__recovery *recovery, ovk__record *record, bool *complete)
{
  const ovk__recovery *r = recovery;
  *complete = record->completed == record->begun;
  if (*complete) return OVK_OK;
  OVK_CHECK(r->phase == OVK__RECOVERED && record->substituted, r->ctx, OVK_ERR_NETWORK, "%s%s",
            ovk__endpoint_why(r->engine->endpoint),
            r->phase == OVK__LOST ? "; nor could the other ranks be reached over MPI" : "");
  OVK_TRY(ovk_reduction_test(record->substitute, complete));
  if (!*complete) return OVK_OK;
  OVK_TRY(ovk_reduction_wait(record->substitute));
  record->substituted = false;
  memcpy(record->sum->values, ovk_reduction_values(record->substitute),
         (size_t)record->count * sizeof(double));
  ovk__recovery_completed(record);
  return OVK_OK;
}
