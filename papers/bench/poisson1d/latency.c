/* SPDX-License-Identifier: BSD-2-Clause */
/* Latencies of sums. */
#include "bench/poisson1d/latency.h"
#include "bench/support/timing.h"
#include "tool.h"

#include <math.h>
#include <string.h>

static const int counts[LATENCY_SIZES] = {1, 16, 128, 1024, 8192, 32768, 131072}; /* doubles */

const column latency_columns[LATENCY_SIZES] = {
    {"8 B", "us_8", "us_8_min", 1e6, 2},
    {"128 B", "us_128", "us_128_min", 1e6, 2},
    {"1 KB", "us_1024", "us_1024_min", 1e6, 2},
    {"8 KB", "us_8192", "us_8192_min", 1e6, 2},
    {"64 KB", "us_65536", "us_65536_min", 1e6, 1},
    {"256 KB", "us_262144", "us_262144_min", 1e6, 1},
    {"1 MB", "us_1048576", "us_1048576_min", 1e6, 1},
};

const char *latency_spec(operation_kind kind, const words *specs, int which)
{
  return which < LATENCY_OWN ? operation_own[kind][which] : specs->at[which - LATENCY_OWN];
}

static bool is_unfit(ovk_err err)
{
  return err == OVK_ERR_ARG || err == OVK_ERR_UNKNOWN || err == OVK_ERR_UNSUPPORTED;
}

static ovk_err latency_operation_create(ovk_ctx *ctx, operation_kind kind, const char *spec,
                                        int count, operation *out)
{
  const ovk_err err = operation_create(ctx, kind, spec, count, out);
  return kind == OPERATION_REDUCE && is_unfit(err) ? OVK_OK : err;
}

ovk_err latency_create(ovk_ctx *ctx, operation_kind kind, const words *specs, int sums,
                       latency *out)
{
  out->kind = kind;
  out->sums = sums;
  for (int which = 0; which < LATENCY_OWN + specs->n; which++) {
    const char *spec = latency_spec(kind, specs, which);
    for (int k = 0; k < LATENCY_SIZES; k++) {
      TRY(latency_operation_create(ctx, kind, spec, counts[k], &out->at[k][which]));
    }
  }
  return OVK_OK;
}

void latency_destroy(latency *l)
{
  for (int k = 0; k < LATENCY_SIZES; k++) {
    for (int which = 0; which < LATENCY_MOST; which++) operation_destroy(&l->at[k][which]);
  }
}

static ovk_err time_sums(operation *sum, int n, double *mean)
{
  double start;
  TRY(timing_start(sum->ctx, &start));
  for (int k = 0; k < n; k++) {
    TRY(operation_begin(sum));
    TRY(operation_wait(sum));
  }
  *mean = (MPI_Wtime() - start) / n;
  return tool_greatest(sum->ctx, mean, 1);
}

/* Sums r + 1 + k % 7 over the ranks r, which is exact; leaves zeros, which it also found. */
static ovk_err check(operation *sum, bool to_all)
{
  const int rank = ovk_ctx_rank(sum->ctx), nranks = ovk_ctx_size(sum->ctx);
  const size_t bytes = (size_t)sum->count * sizeof(double);
  for (int k = 0; k < sum->count; k++) sum->in[k] = rank + 1 + k % 7;
  TRY(operation_begin(sum));
  TRY(operation_wait(sum));
  double wrong = 0;
  for (int k = 0; k < sum->count && (to_all || rank == 0); k++) {
    const double exact = 0.5 * nranks * (nranks + 1.0) + (double)nranks * (k % 7);
    if (sum->out[k] != exact) wrong = 1;
  }
  memset(sum->in, 0, bytes);
  memset(sum->out, 0, bytes);
  TRY(tool_greatest(sum->ctx, &wrong, 1));
  if (wrong == 0) return OVK_OK;
  return ovk_ctx_fail(sum->ctx, OVK_ERR_INTERNAL, "%s: wrong sum of %d doubles", sum->spec,
                      sum->count);
}

ovk_err latency_measure(void *self, int which, double *figures)
{
  latency *l = self;
  for (int k = 0; k < LATENCY_SIZES; k++) {
    operation *sum = &l->at[k][which];
    const int fewer = counts[k] > 512 ? l->sums * 512 / counts[k] : l->sums;
    figures[k] = NAN;
    if (!sum->spec) continue;
    TRY(time_sums(sum, fewer > 0 ? fewer : 1, &figures[k]));
    TRY(check(sum, l->kind == OPERATION_SUM));
  }
  return OVK_OK;
}
