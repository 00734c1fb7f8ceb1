/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens and closes a recovery; adds and removes reductions. */
#include "backends/verbs/recovery/recovery_impl.h"
#include "core/context/agree.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"

#include <stdlib.h>

/* The job in the context's list: polls for messages and checks the next rank of the ring. */
static int poll_peers(void *self, bool *complete)
{
  ovk__recovery *r = self;
  if (ovk__recovery_look(r) == OVK__SOUND && !r->closing) ovk__ring_detector_look(&r->detector);
  *complete = false;
  return MPI_SUCCESS;
}

static void on_endpoint_failure(void *self, const char *why)
{
  ovk__recovery_enter(self, why);
}

static ovk_err new_recovery(ovk_ctx *ctx, ovk__recovery **out)
{
  OVK_NEW_AT(ctx, *out, ovk__recovery, recovery);
  return OVK_OK;
}

static ovk_err open_components(ovk__recovery *r)
{
  OVK_TRY(ovk__agree(r->ctx, ovk__tables_open(r->ctx, r->comm, &r->engine->tags, &r->tables)));
  OVK_TRY(ovk__agree(r->ctx, ovk__result_exchange_open(&r->tables, &r->exchange)));
  OVK_TRY(ovk__agree(r->ctx, ovk__shutdown_open(r->ctx, r->comm, &r->engine->tags, &r->shutdown)));
  ovk__endpoint *endpoint = r->engine->transport.endpoint;
  ovk__endpoint_enter(endpoint);
  const ovk_err err = ovk__ring_detector_open(r->ctx, endpoint, r->tables.used_tag, &r->detector);
  ovk__endpoint_leave(endpoint);
  return err;
}

/* Starts to poll for failures of other ranks and to report those of this rank. */
static void recovery_start(ovk__recovery *r)
{
  r->open = true;
  ovk__endpoint_on_failure(r->engine->transport.endpoint, on_endpoint_failure, r);
  ovk__job_enter(r->ctx, &r->job);
}

ovk_err ovk__recovery_open(ovk_ctx *ctx, MPI_Comm comm, ovk__engine *engine,
                           ovk__recovery_opts opts, ovk__recovery **out)
{
  OVK_TRY(ovk__agree(ctx, new_recovery(ctx, out)));
  ovk__recovery *r = *out;
  *r = (ovk__recovery){.ctx = ctx, .comm = comm, .engine = engine, .opts = opts};
  r->job = (ovk__job){.advance = poll_peers, .self = r};
  OVK_TRY(open_components(r));
  recovery_start(r);
  return OVK_OK;
}

void ovk__recovery_close(ovk__recovery **recovery)
{
  ovk__recovery *r = *recovery;
  if (!r) return;
  if (r->open) {
    ovk__job_leave(r->ctx, &r->job);
    ovk__endpoint_on_failure(r->engine->transport.endpoint, NULL, NULL);
  }
  if (ovk__result_exchange_free(&r->exchange)) ovk__records_free(&r->records);
  ovk__tables_free(&r->tables);
  ovk__shutdown_free(&r->shutdown);
  free(r);
  *recovery = NULL;
}

ovk_err ovk__recovery_add(ovk__recovery *recovery, ovk_sum *sum, ovk_reduction *substitute,
                          ovk__record **out)
{
  return ovk__records_add(recovery->ctx, &recovery->records, sum, substitute, out);
}

/* Other ranks may need the totals of a removed reduction until they agree. A substitute that other
 * ranks have aborted never ends; it is not freed. */
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

/* The shutdown of a recovery: all ranks have entered it, and all messages have been delivered. */
typedef struct closing {
  ovk__recovery *recovery;
  double deadline; /* 0: no deadline */
  bool clean;
} closing;

static int test_shutdown(void *self, bool *complete)
{
  const double grace = 1; /* seconds for messages in flight, whose content is no longer needed */
  closing *p = self;
  ovk__recovery *r = p->recovery;
  bool all;
  ovk__recovery_take_news(r);
  const int err = ovk__shutdown_move_on(&r->shutdown, r->phase != OVK__SOUND, &all);
  if (p->deadline == 0 && (all || r->phase == OVK__LOST)) {
    p->deadline = MPI_Wtime() + (all ? grace : r->opts.seconds);
  }
  const ovk__recovery_state settled = r->shutdown.news ? OVK__RECOVERED : OVK__SOUND;
  const bool delivered = all && ovk__tables_are_sent(&r->tables);
  p->clean = delivered && r->phase == settled;
  *complete = p->clean || (delivered && r->phase == OVK__LOST) ||
              (p->deadline > 0 && MPI_Wtime() > p->deadline);
  return err;
}

bool ovk__recovery_shutdown(ovk__recovery *recovery)
{
  closing p = {.recovery = recovery};
  if (!recovery->open || ovk__mpi_is_over()) return true;
  recovery->closing = true;
  return ovk__wait(recovery->ctx, recovery->engine->spins, test_shutdown, &p) == MPI_SUCCESS &&
         p.clean;
}
