/* SPDX-License-Identifier: BSD-2-Clause */
/* The life of a recovery, and the sums that come and go in it. */
#include "backends/verbs/recovery_impl.h"

#include <stdlib.h>

/* The context's job. */
static int listen(void *self, bool *complete)
{
  ovk__recovery *r = self;
  if (ovk__recovery_look(r) == OVK__SOUND && !r->parting) ovk__guard_look(&r->guard);
  *complete = false;
  return MPI_SUCCESS;
}

static void be_alarmed(void *self, const char *why)
{
  ovk__recovery_enter(self, why);
}

static ovk_err make(ovk_ctx *ctx, ovk__recovery **out)
{
  *out = calloc(1, sizeof **out);
  OVK_CHECK(*out, ctx, OVK_ERR_MEMORY, "no memory for a recovery");
  return OVK_OK;
}

static ovk_err open_parts(ovk__recovery *r)
{
  OVK_TRY(ovk__agree(r->ctx, ovk__tables_open(r->ctx, r->comm, &r->engine->tags, &r->tables)));
  OVK_TRY(ovk__agree(r->ctx, ovk__trade_open(&r->tables, &r->trade)));
  return ovk__guard_open(r->ctx, r->engine->endpoint, r->tables.used_tag, &r->guard);
}

/* From now on this rank listens, and tells. */
static void start(ovk__recovery *r)
{
  r->open = true;
  ovk__endpoint_on_failure(r->engine->endpoint, be_alarmed, r);
  ovk__job_enter(r->ctx, &r->job);
}

ovk_err ovk__recovery_open(ovk_ctx *ctx, MPI_Comm comm, ovk__engine *engine, ovk__remedy remedy,
                           ovk__recovery **out)
{
  OVK_TRY(ovk__agree(ctx, make(ctx, out)));
  ovk__recovery *r = *out;
  *r = (ovk__recovery){.ctx = ctx, .comm = comm, .engine = engine, .remedy = remedy};
  r->job = (ovk__job){.advance = listen, .self = r};
  OVK_TRY(open_parts(r));
  start(r);
  return OVK_OK;
}

void ovk__recovery_close(ovk__recovery **recovery)
{
  ovk__recovery *r = *recovery;
  if (!r) return;
  if (r->open) {
    ovk__job_leave(r->ctx, &r->job);
    ovk__endpoint_on_failure(r->engine->endpoint, NULL, NULL);
  }
  if (ovk__trade_free(&r->trade)) ovk__records_free(&r->records);
  ovk__tables_free(&r->tables);
  free(r);
  *recovery = NULL;
}

ovk_err ovk__recovery_add(ovk__recovery *recovery, ovk_sum *sum, ovk_reduction *substitute,
                          ovk__record **out)
{
  return ovk__records_add(recovery->ctx, &recovery->records, sum, substitute, out);
}

/* Others may need the totals of a sum that is gone here, until they agree. A substitute that others
 * have given up never ends: it is left alone. */
void ovk__recovery_remove(ovk__recovery *recovery, ovk__record *record)
{
  record->sum = NULL;
  if (recovery->phase == OVK__LOST && ovk_reduction_running(record->substitute)) {
    record->substitute = NULL;
  }
  ovk_reduction_destroy(&record->substitute);
  if (recovery->phase == OVK__RECOVERED) {
    ovk__records_forget(&recovery->records, recovery->records.tickets);
  }
}

/* What ends the life of a recovery: all ranks have come to it, and have what was told. */
typedef struct farewell {
  ovk__recovery *recovery;
  MPI_Request barrier;
  double deadline; /* 0: as long as it takes */
} farewell;

static int have_all_parted(void *self, bool *complete)
{
  const double grace = 1; /* seconds for messages under way: nobody needs any more what they say */
  farewell *f = self;
  ovk__recovery *r = f->recovery;
  int all = 0;
  const int err = MPI_Test(&f->barrier, &all, MPI_STATUS_IGNORE);
  ovk__recovery_take_news(r);
  if (f->deadline == 0 && (all || r->phase == OVK__LOST)) {
    f->deadline = MPI_Wtime() + (all ? grace : r->remedy.seconds);
  }
  *complete = (all && r->phase != OVK__RECOVERING && ovk__tables_are_sent(&r->tables)) ||
              (f->deadline > 0 && MPI_Wtime() > f->deadline);
  return err;
}

void ovk__recovery_part(ovk__recovery *recovery)
{
  farewell f = {.recovery = recovery};
  if (!recovery->open || MPI_Ibarrier(recovery->comm, &f.barrier)) return;
  recovery->parting = true;
  (void)ovk__wait(recovery->ctx, recovery->engine->spins, have_all_parted, &f);
}
