/* SPDX-License-Identifier: BSD-2-Clause */
/* Notices about entries that are probably mistakes. */
#include "matrix/assembly/odd_entries.h"
#include "core/base/cpu_dispatch.h"
#include "core/context/agree.h"
#include "core/context/ctx_impl.h"

#include <float.h>
#include <math.h>

OVK_FOR_EACH_CPU
static bool odd_entries_are_there(int64_t n, const double *values)
{
  int64_t odd = 0;
  for (int64_t i = 0; i < n; i++) odd |= !(fabs(values[i]) <= DBL_MAX); /* in vectors */
  return odd;
}

int64_t ovk__find_not_finite(int64_t n, const double *values)
{
  int64_t k = 0;
  if (!odd_entries_are_there(n, values)) return n;
  while (k < n && isfinite(values[k])) k++;
  return k;
}

void ovk__odd_entries_keep(ovk__odd_entries *odd, ovk_gidx row, ovk_gidx col, double value)
{
  if (odd->not_finite) return;
  odd->not_finite = true;
  odd->row = row;
  odd->col = col;
  odd->value = value;
}

void ovk__odd_entries_count_empty(ovk__odd_entries *odd, const ovk__csr *local,
                                  const ovk_lidx *remote_rows, ovk_lidx nremote, ovk_gidx first)
{
  ovk_lidx next = 0; /* the first of remote_rows not before row i */
  odd->empty_rows = 0;
  for (ovk_lidx i = 0; i < local->rows; i++) {
    const bool remote = next < nremote && remote_rows[next] == i;
    if (remote) next++;
    if (remote || local->ptr[i] < local->ptr[i + 1]) continue;
    if (odd->empty_rows++ == 0) odd->first_empty = first + i;
  }
}

/* Notifies all ranks of the message of the lowest rank that has one, and of `more`. */
static ovk_err notify_all(ovk_ctx *ctx, ovk_err mine, const char *more)
{
  OVK_CHECK(ovk__agree_on_file(ctx, mine) == OVK_ERR_ARG, ctx, OVK_ERR_INTERNAL,
            "no rank has the odd entry");
  ovk__notify(ctx, "%s%s", ctx->message, more);
  ovk__clear_message(ctx);
  return OVK_OK;
}

ovk_err ovk__odd_entries_report(ovk_ctx *ctx, const ovk__odd_entries *odd, int64_t ranks_not_finite,
                                int64_t empty_rows, ovk_gidx rows)
{
  if (ranks_not_finite > 0) {
    const ovk_err mine = odd->not_finite
                             ? OVK_FAIL(ctx, OVK_ERR_ARG, "entry (%lld,%lld) is %g",
                                        (long long)odd->row, (long long)odd->col, odd->value)
                             : OVK_OK;
    OVK_TRY(notify_all(ctx, mine, ": a solve with this matrix cannot converge"));
  }
  if (empty_rows > 0) {
    const ovk_err mine =
        odd->empty_rows
            ? OVK_FAIL(ctx, OVK_ERR_ARG,
                       "%lld of %lld rows of a matrix have no entries, the first is "
                       "row %lld",
                       (long long)empty_rows, (long long)rows, (long long)odd->first_empty)
            : OVK_OK;
    OVK_TRY(notify_all(ctx, mine, ": it is singular"));
  }
  return OVK_OK;
}
