/* SPDX-License-Identifier: BSD-2-Clause */
/* mode=atomic: NICs compute the sums by integer additions in the memory of one rank. They are
 * exact: the same bits for any number, order and placement of ranks. This file has the mode as a
 * whole; its reductions are in atomic_sum.c. */
#include "backends/verbs/atomic/atomic_sum.h"
#include "comm/engine/topology/topology.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "core/exact/exact.h"

#include <stdlib.h>

static ovk_err atomic_read_spec(ovk__verbs *v)
{
  static const char *const foreign[] = {"alg", "k", "reduce", "bcast", "channel"};
  OVK_NEW_AT(v->ctx, v->own, ovk__atomic, atomic_mode);
  for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++) {
    OVK_CHECK(!ovk_spec_has(v->spec, foreign[k]), v->ctx, OVK_ERR_ARG,
              "'%s': %s belongs to mode=write", ovk_spec_name(v->spec), foreign[k]);
  }
  OVK_TRY(ovk__algorithm_spec_read(v->ctx, v->spec, &atomic_mode->algorithms));
  OVK_CHECK(atomic_mode->algorithms.ngroupings <= 1, v->ctx, OVK_ERR_ARG,
            "'%s': mode=atomic has levels=flat or one grouping, not levels=%s",
            ovk_spec_name(v->spec), ovk_spec_string(v->spec, "levels", "flat"));
  return OVK_OK;
}

static ovk_err atomic_check(const ovk__verbs *v)
{
  OVK_CHECK(ovk__endpoint_limits(v->endpoint)->atomics, v->ctx, OVK_ERR_UNSUPPORTED,
            "mode=atomic needs a NIC that adds 64-bit integers atomically, and this one says "
            "that it does not (atomic_cap is IBV_ATOMIC_NONE); mode=write does without");
  OVK_CHECK(ovk_ctx_size(v->ctx) <= OVK__EXACT_MOST_PARTS, v->ctx, OVK_ERR_RANGE,
            "mode=atomic adds the values of up to %d ranks, and there are %d",
            OVK__EXACT_MOST_PARTS, ovk_ctx_size(v->ctx));
  return OVK_OK;
}

static ovk_err find_groups(ovk_ctx *ctx, ovk__atomic *m)
{
  const ovk__hierarchy *h = &m->hierarchy;
  const int rank = ovk_ctx_rank(ctx);
  OVK_NEW_ARRAY(ctx, m->node_ranks, h->nranks);
  OVK_NEW_ARRAY(ctx, m->top_ranks, h->nranks);
  m->grouped = h->ngroupings && ovk__hierarchy_group(h, 0, rank, 0, m->node_ranks, &m->node);
  m->participates = ovk__hierarchy_group(h, h->ngroupings, rank, 0, m->top_ranks, &m->top);
  return OVK_OK;
}

static ovk_err atomic_open(ovk__verbs *v)
{
  ovk__atomic *m = v->own;
  OVK_TRY(ovk__agree(v->ctx, atomic_check(v)));
  OVK_TRY(ovk__topology_hierarchy(v->ctx, v->comm, &m->algorithms, &m->hierarchy));
  return find_groups(v->ctx, m);
}

/* Frees the mode's lists. Other ranks no longer access this rank's memory, since they have entered
 * close, too; the memory is freed with the endpoint. */
static void atomic_close(ovk__verbs *v)
{
  ovk__atomic *m = v->own;
  if (!m) return;
  ovk__hierarchy_free(&m->hierarchy);
  free(m->node_ranks);
  free(m->top_ranks);
  free(m);
  v->own = NULL;
}

const ovk__verbs_mode ovk__mode_atomic = {.name = "atomic",
                                          .read = atomic_read_spec,
                                          .open = atomic_open,
                                          .close = atomic_close,
                                          .prepare = ovk__atomic_prepare,
                                          .release = ovk__atomic_release,
                                          .start = ovk__atomic_start,
                                          .advance = ovk__atomic_advance};
