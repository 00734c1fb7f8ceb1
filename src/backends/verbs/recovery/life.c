/* SPDX-License-Identifier: BSD-2-Clause */
/* The life of a recovery, and the sums that come and go in it. */
#include "backends/verbs/recovery/recovery_impl.h"

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
  OVK_TRY(ovk__agree(r->ctx, ovk__farewell_open(r->ctx, r->comm, &r->engine->tags, &r->farewell)));
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
  ovk__farewell_free(&r->farewell);
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

/* How the life of a recovery ends: all ranks have come to it, and have all that was told. */
typedef struct parting {
  ovk__recovery *recovery;
  double deadline; /* 0: as long as it takes */
  bool clean;
} parting;

static int have_all_parted(void *self, bool *complete)
{
  const double grace = 1; /* seconds for messages under way: nobody needs any more what they say */
  parting *p = self;
  ovk__recovery *r = p->recovery;
  bool all;
  ovk__recovery_take_news(r);
  const int err = ovk__farewell_move_on(&r->farewell, r->phase != OVK__SOUND, &all);
  if (p->deadline == 0 && (all || r->phase == OVK__LOST)) {
    p->deadline = MPI_Wtime() + (all ? grace : r->remedy.seconds);
  }
  const ovk__phase settled = r->farewell.news ? OVK__RECOVERED : OVK__SOUND;
  const bool through = all && ovk__tables_are_sent(&r->tables);
  p->clean = through && r->phase == settled;
  *complete = p->clean || (through && r->phase == OVK__LOST) ||
              (p->deadline > 0 && MPI_Wtime() > p->deadline);
  return err;
}

bool ovk__recovery_part(ovk__recovery *recovery)
{
  parting p = {.recovery = recovery};
  if (!recovery->open) return true;
  recovery->parting = true;
  return ovk__wait(recovery->ctx, recovery->engine->spins, have_all_parted, &p) == MPI_SUCCESS &&
         p.clean;
}
