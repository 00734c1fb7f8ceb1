/* SPDX-License-Identifier: BSD-2-Clause */
/* Which of several backends is the fastest for reductions of one length. */
#include "tune/trial.h"
#include "tool.h"

#include <ovkrylov/comm/reduction.h>
#include <stdio.h>
#include <string.h>

typedef struct candidate {
  ovk_reduction *sum;
  double seconds[TRIAL_ROUNDS];
} candidate;

typedef struct candidates {
  int n;
  candidate at[LIST_MAX];
} candidates;

static void candidates_destroy(candidates *c)
{
  for (int k = 0; k < c->n; k++) ovk_reduction_destroy(&c->at[k].sum);
}

static ovk_err candidates_create(ovk_ctx *ctx, const words *specs, int count, candidates *out)
{
  for (int k = 0; k < specs->n; k++) {
    ovk_reduction **sum = &out->at[out->n].sum;
    const ovk_err err = ovk_reduction_create(ctx, specs->at[k], count, sum);
    if (err == OVK_ERR_UNSUPPORTED && k > 0) continue;
    TRY(err);
    out->n++;
    memset(ovk_reduction_values(*sum), 0, (size_t)count * sizeof(double));
  }
  return OVK_OK;
}

static ovk_err time_one(ovk_reduction *sum, int iterations, double *seconds)
{
  double start = 0;
  for (int k = -1; k < iterations; k++) { /* -1: the warm-up, after which ranks start together */
    if (k == 0) start = MPI_Wtime();
    TRY(ovk_reduction_begin(sum));
    TRY(ovk_reduction_wait(sum));
  }
  *seconds = (MPI_Wtime() - start) / iterations;
  return OVK_OK;
}

/* seconds <- those of the slowest rank, by a reduction of the ranks of ctx. */
static ovk_err slowest(ovk_ctx *ctx, candidates *c, int rounds)
{
  MPI_Comm comm = ovk_ctx_comm(ctx);
  for (int k = 0; k < c->n; k++) {
    TRY(tool_mpi(ctx,
                 MPI_Allreduce(MPI_IN_PLACE, c->at[k].seconds, rounds, MPI_DOUBLE, MPI_MAX, comm),
                 "MPI_Allreduce"));
  }
  return OVK_OK;
}

static ovk_err time_all(ovk_ctx *ctx, const trial *with, int bytes, candidates *c)
{
  enum { FEWEST = 5, AS_LONG = 2048 }; /* AS_LONG: bytes which take as long again as a call */
  const int fewer = with->iterations / (1 + bytes / AS_LONG);
  const int iterations = fewer < FEWEST ? FEWEST : fewer;
  for (int round = 0; round < with->rounds; round++) {
    for (int k = 0; k < c->n; k++) {
      TRY(time_one(c->at[k].sum, iterations, &c->at[k].seconds[round]));
    }
  }
  return slowest(ctx, c, with->rounds);
}

static void choose(candidates *c, int rounds, trial_result *out)
{
  const double clearly = 0.95;
  int best = 0;
  out->seconds = out->plain = tool_median(c->at[0].seconds, rounds);
  for (int k = 1; k < c->n; k++) {
    const double seconds = tool_median(c->at[k].seconds, rounds);
    if (seconds > clearly * out->plain || seconds >= out->seconds) continue;
    out->seconds = seconds;
    best = k;
  }
  snprintf(out->spec, sizeof out->spec, "%s", ovk_reduction_spec(c->at[best].sum));
}

ovk_err trial_run(ovk_ctx *ctx, const trial *with, const words *specs, int bytes, trial_result *out)
{
  candidates c = {.n = 0};
  ovk_err err = candidates_create(ctx, specs, bytes / (int)sizeof(double), &c);
  if (!err) err = time_all(ctx, with, bytes, &c);
  if (!err) choose(&c, with->rounds, out);
  candidates_destroy(&c);
  return err;
}
