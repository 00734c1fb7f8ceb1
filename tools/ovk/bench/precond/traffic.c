/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory traffic of an application of a preconditioner, by kind. */
#include "bench/precond/traffic.h"
#include "bench/support/timing.h"
#include "tool.h"

#include <math.h>
#include <string.h>

/* An application reads the data of the preconditioner `held` times, or with factors M = L L^T
 * `factored` times if that is not 0, and moves `doubles` of vectors a row. It has `degree` SpMVs
 * with A, and `step` more doubles a row in each. */
typedef struct kind {
  const char *name;
  double held, factored, doubles;
  const char *degree; /* key of the spec, or NULL */
  double step;
} kind;

/* ic, and ssor with factors, read L forward and backward; ilu, and ssor without, L, then U. Dense
 * blocks stay in a cache between two triangles, and of L L^T one triangle is read. */
static const kind kinds[] = {
    {.name = "none", .held = 0, .doubles = 3},
    {.name = "jacobi", .held = 1, .doubles = 3},
    {.name = "ssor", .held = 1, .factored = 2, .doubles = 6},
    {.name = "chebyshev", .doubles = 6, .degree = "degree", .step = 10},
    {.name = "bjacobi", .held = 1, .factored = 0.5, .doubles = 5},
    {.name = "ic", .held = 2, .doubles = 6},
    {.name = "ilu", .held = 1, .doubles = 6},
};

static const kind *find(const char *name)
{
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
    if (strcmp(kinds[k].name, name) == 0) return &kinds[k];
  return NULL;
}

static ovk_err read_degree(ovk_ctx *ctx, const kind *k, const char *text, long *degree)
{
  *degree = 0;
  if (!k->degree) return OVK_OK;
  ovk_spec *spec = NULL;
  TRY(ovk_spec_parse(ctx, text, &spec));
  ovk_choice choice = OVK_CHOICE;
  for (int i = 0; ovk_list_preconds(ctx, i, &choice) && strcmp(choice.name, k->name) != 0; i++)
    continue;
  const ovk_err err = ovk_spec_int(ctx, spec, choice.keys, k->degree, degree);
  ovk_spec_destroy(&spec);
  return err;
}

ovk_err traffic_of(const ovk_mat *A, const ovk_precond *M, const char *spec, bool cholesky,
                   traffic *out)
{
  const kind *k = find(ovk_precond_name(M));
  *out = (traffic){NAN, NAN};
  if (!k) return OVK_OK;
  long degree;
  TRY(read_degree(ovk_mat_ctx(A), k, spec, &degree));
  const double held = cholesky && k->factored != 0 ? k->factored : k->held;
  out->read = held * (double)ovk_precond_bytes(M) + (double)degree * (double)ovk_mat_bytes(A);
  out->swept = 8 * (k->doubles + (double)degree * k->step) * (double)ovk_mat_size(A);
  return OVK_OK;
}

/* Seconds of one pass, the mean of several. */
static ovk_err time_passes(ovk_ctx *ctx, double (*pass)(const stream *), const stream *s, int times,
                           double *seconds)
{
  volatile double kept = pass(s); /* a warm-up; volatile, or the compiler could omit the loops */
  double start;
  TRY(timing_start(ctx, &start));
  for (int k = 0; k < times; k++) kept = pass(s);
  *seconds = (MPI_Wtime() - start) / times;
  (void)kept;
  return tool_greatest(ctx, seconds, 1);
}

ovk_err traffic_time(ovk_ctx *ctx, const traffic *t, int times, double *seconds)
{
  enum { LEAST = 1000, MOST = 4000000, ARRAYS = 3, READ = 16, SWEPT = 32 }; /* bytes an element */
  *seconds = NAN;
  if (isnan(t->read)) return OVK_OK;
  const double mine = (t->read + t->swept) / ovk_ctx_size(ctx) / (ARRAYS * sizeof(double));
  const double n = floor(fmin(MOST, fmax(LEAST, mine)));
  const double moved = n * ovk_ctx_size(ctx);
  double read = 0, swept = 0;
  stream s;
  ovk_err err = tool_got_memory(ctx, stream_create((long)n, &s));
  if (!err) err = time_passes(ctx, stream_dot, &s, times, &read);
  if (!err) err = time_passes(ctx, stream_triad, &s, times, &swept);
  stream_destroy(&s);
  *seconds = t->read / (READ * moved) * read + t->swept / (SWEPT * moved) * swept;
  return err;
}
