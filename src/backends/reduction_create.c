/* SPDX-License-Identifier: BSD-2-Clause */
/* Creates and destroys reductions, and those that they decorate. */
#include "backends/reduction_impl.h"
#include "core/context/agree.h"
#include "core/context/compare.h"
#include "core/context/mem.h"
#include "core/job.h"
#include "core/memory_limit.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static ovk_err check_new(ovk_ctx *ctx, int count, ovk_reduction **out)
{
  OVK_CHECK(out, ctx, OVK_ERR_ARG, "out is NULL");
  *out = NULL;
  OVK_CHECK(count >= 1, ctx, OVK_ERR_ARG, "a reduction of %d values: there must be at least 1",
            count);
  OVK_CHECK(!ovk__checking(ctx) || count < INT_MAX, ctx, OVK_ERR_RANGE,
            "a reduction of %d values: with OVK_CHECK, which adds one, there must be fewer", count);
  return OVK_OK;
}

static ovk_err reduction_allocate(ovk_ctx *ctx, ovk__opened *opened, int number, int count,
                                  ovk_reduction **out)
{
  *out = NULL;
  OVK_NEW_AT(ctx, *out, ovk_reduction, reduction);
  reduction->ctx = ctx;
  reduction->held = ovk__ctx_hold(ctx);
  reduction->interval = LONGEST;
  reduction->ops = opened->ops;
  reduction->spec = ovk_spec_text(opened->spec ? opened->spec : opened->inner->spec);
  reduction->sum = (ovk_sum){.backend = &opened->backend, .count = count, .number = number};
  if (!opened->inner) OVK_NEW_ZEROS(ctx, reduction->sum.values, count);
  return OVK_OK;
}

static ovk_err reduction_prepare(ovk_reduction *red)
{
  if (red->ops->prepare) {
    const unsigned before = red->ctx->message_count;
    red->ctx->in_backend++;
    const ovk_err err = red->ops->prepare(&red->sum);
    red->ctx->in_backend--;
    OVK_TRY(ovk__user_failed(red->ctx, before, err, "the backend's prepare"));
  }
  red->prepared = true;
  return OVK_OK;
}

/* Creates a reduction and those that it decorates, innermost first; all use the values of the
 * innermost. */
static ovk_err reduction_create_over(ovk_ctx *ctx, ovk__opened *opened, int count,
                                     ovk_reduction **out)
{
  const int number = opened->sums++; /* also after an error: the same on all ranks */
  ovk_err err = ovk__agree(ctx, reduction_allocate(ctx, opened, number, count, out));
  if (!err && opened->inner) {
    ovk_sum *sum = &(*out)->sum;
    ctx->in_backend++; /* the outer one holds the context, even if the inner one is never freed */
    err = reduction_create_over(ctx, opened->inner, count, &sum->inner);
    ctx->in_backend--;
    if (!err) sum->values = ovk_reduction_values(sum->inner);
  }
  if (!err) err = ovk__agree(ctx, reduction_prepare(*out));
  if (err) ovk_reduction_destroy(out);
  return err;
}

ovk_err ovk_backend_companion_sum(ovk_backend *backend, int count, ovk_reduction **out)
{
  const ovk__opened *o = ovk__opened_of(backend);
  OVK_CHECK(o->companion, backend->ctx, OVK_ERR_STATE, "'%s' has no companion", o->ops->name);
  return reduction_create_over(backend->ctx, o->companion, count, out);
}

static ovk_err create_checked(ovk_ctx *ctx, ovk__opened *opened, int count, ovk_reduction **out)
{
  if (ovk__checking(ctx)) {
    OVK_TRY(ovk__backend_check_mode(&opened));
    count++; /* check mode's mark */
  }
  return reduction_create_over(ctx, opened, count, out);
}

/* If "auto" has selected shared memory and some rank has none left, another backend replaces it on
 * all ranks. */
ovk_err ovk__reduction_create(ovk_ctx *ctx, ovk__opened **opened, int count, ovk_reduction **out)
{
  ctx->lacks_shared_memory = false;
  const ovk_err err = create_checked(ctx, *opened, count, out);
  if (!err || !ovk__agree(ctx, ctx->lacks_shared_memory ? err : OVK_OK)) return err;
  char why[OVK__MESSAGE_SIZE];
  snprintf(why, sizeof why, "%s", ctx->message);
  ovk__opened *next;
  OVK_TRY(ovk__backend_next(ctx, *opened, &next));
  if (!next) return err;
  OVK_TRY(create_checked(ctx, next, count, out));
  ovk__backend_replace(*opened, next, why);
  *opened = next;
  return OVK_OK;
}

ovk_err ovk_reduction_create(ovk_ctx *ctx, const char *spec, int count, ovk_reduction **out)
{
  if (!ctx) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(ctx, check_new(ctx, count, out)));
  OVK_TRY(ovk__agree_number(ctx, "sizes of a reduction", count));
  const double bytes = (double)count * sizeof(double);
  OVK_TRY(ovk__memory_check(ctx, "the values of a reduction", bytes, bytes * ovk_ctx_size(ctx)));
  ovk_ctx *held = ovk__ctx_hold(ctx); /* a user's backend may give the context up */
  ovk__opened *opened;
  ovk_err err = ovk__backend_open(ctx, spec, false, count, &opened);
  if (!err) err = ovk__reduction_create(ctx, &opened, count, out);
  ovk__ctx_release(held);
  return err;
}

/* Waits for a running reduction, unless MPI is finalized. */
static void reduction_end(ovk_reduction *red)
{
  if (ovk__mpi_is_over()) {
    ovk__jobs_drop(red->ctx);
  } else {
    (void)ovk_reduction_wait(red);
  }
}

void ovk_reduction_destroy(ovk_reduction **red)
{
  if (!red || !*red) return;
  ovk_reduction *r = *red;
  *red = NULL;
  if (r->state == RUNNING) reduction_end(r);
  const bool decorates = r->sum.inner;
  if (r->prepared && r->ops->release) r->ops->release(&r->sum);
  if (decorates) {
    ovk_reduction_destroy(&r->sum.inner);
  } else {
    free(r->sum.values);
  }
  ovk__ctx_release(r->held);
  free(r);
}
