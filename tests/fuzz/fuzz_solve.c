/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves of small systems. CG cannot solve most of them: every method ends with a reason and a
 * message, and if it claims convergence, b - A x is as small as claimed. Input: method,
 * preconditioner, backend, options; the matrix; the right-hand side from its end. */
#include "support/fuzz/entries.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const char *const methods[] = {"cg",          "split-cg",    "overlap",  "single-reduction",
                                      "groppcg",     "pipecg",      "pipeprcg", "pipelcg:l=1",
                                      "pipelcg:l=2", "pipelcg:l=5", "fcg",      "pipefcg",
                                      "pipefcg:m=3"};
static const char *const backends[] = {"blocking", "nbc", "shm", "iallreduce"};
enum {
  NMETHODS = sizeof methods / sizeof *methods,
  NBACKENDS = sizeof backends / sizeof *backends
};

/* A system, its solver's options, and the result. */
typedef struct problem {
  entries list;
  const char *precond;
  ovk_solver_opts opts;
  ovk_mat *A;
  ovk_precond *M;
  ovk_vec *b, *x;
  ovk_result result;
} problem;

static void read_options(problem *s, fuzz_bytes *in)
{
  static const double tolerances[] = {1e-8, 0, 1e-2, 1e-14};
  s->opts = ovk_solver_opts_default();
  s->opts.method = methods[fuzz_byte(in) % NMETHODS];
  s->precond = fuzz_byte(in) % 2 ? "jacobi" : "none";
  s->opts.backend = backends[fuzz_byte(in) % NBACKENDS];
  s->opts.maxit = (int)fuzz_byte(in);
  s->opts.rtol = tolerances[fuzz_byte(in) % 4];
  const unsigned more = fuzz_byte(in);
  s->opts.atol = more % 4 == 3 ? 1e-3 : 0;
  s->opts.true_residual_every = (int)(more / 4 % 3);
}

/* For every other input the largest entry of each row, and more, is added to the diagonal, so that
 * CG can converge. */
static void strengthen(entries *list)
{
  double largest = 0;
  for (int k = 0; k < list->count; k++)
    if (isfinite(list->at[k].value)) largest = fmax(largest, fabs(list->at[k].value));
  largest = largest > 0 && largest < 1e100 ? 40 * largest : 1;
  entry *all = realloc(list->at, ((size_t)list->count + (size_t)list->n + 1) * sizeof *all);
  FUZZ_CHECK(all, "no memory");
  list->at = all;
  for (ovk_lidx i = 0; i < list->n; i++) list->at[list->count++] = (entry){i, i, largest};
}

static void create_problem(problem *s)
{
  FUZZ_CHECK(ovk_mat_create(fuzz_ctx(), fuzz_share(s->list.n), &s->A) == OVK_OK, "no matrix");
  for (int k = 0; k < s->list.count; k++) {
    const entry *e = &s->list.at[k];
    if (entries_is_mine(e)) ovk_mat_add(s->A, e->i, e->j, e->value);
  }
  FUZZ_CHECK(ovk_mat_assemble(s->A) == OVK_OK, "not assembled");
  entries_merge(&s->list);
  FUZZ_CHECK(ovk_mat_create_vec(s->A, &s->b) == OVK_OK, "no vector");
  FUZZ_CHECK(ovk_mat_create_vec(s->A, &s->x) == OVK_OK, "no vector");
}

/* All ranks' entries of a vector, to be freed. */
static double *all_of(const ovk_vec *v, ovk_lidx n)
{
  double *all = calloc((size_t)n + 1, sizeof *all);
  FUZZ_CHECK(all, "no memory");
  for (ovk_lidx i = 0; i < ovk_vec_local_size(v); i++)
    all[ovk_vec_first(v) + i] = ovk_vec_array_const(v)[i];
  MPI_Allreduce(MPI_IN_PLACE, all, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/* ||b - A x||, and a bound on its rounding error. */
static long double true_residual(const problem *s, long double *rounding)
{
  double *b = all_of(s->b, s->list.n), *x = all_of(s->x, s->list.n);
  long double square = 0, noise = 0;
  const entry *e = s->list.at, *end = e + s->list.count;
  for (ovk_lidx i = 0; i < s->list.n; i++) {
    long double r = b[i], size = fabs(b[i]);
    int n = 3;
    for (; e < end && e->i == i; e++, n++) {
      const long double product = (long double)e->value * x[e->j];
      r -= product;
      size += fabsl(product);
    }
    square += r * r;
    noise += n * n * (size * DBL_EPSILON) * (size * DBL_EPSILON);
  }
  free(b);
  free(x);
  *rounding = sqrtl(noise) + DBL_MIN;
  return sqrtl(square);
}

static void check_zero(const problem *s)
{
  for (ovk_lidx i = 0; i < ovk_vec_local_size(s->b); i++)
    FUZZ_CHECK(ovk_vec_array_const(s->b)[i] == 0 && ovk_vec_array_const(s->x)[i] == 0,
               "b = 0, but row %d", i);
}

static void check_converged(const problem *s)
{
  const ovk_result *r = &s->result;
  long double rounding;
  const long double norm = true_residual(s, &rounding);
  if (r->reason == OVK_REASON_CONVERGED_ZERO_RHS) {
    check_zero(s);
    return;
  }
  FUZZ_CHECK(norm <= 1.0101L * r->tolerance + rounding,
             "%s: %s after %d iterations, but ||b - A x|| is %Lg, the tolerance %g", s->opts.method,
             ovk_reason_text(r->reason), r->iterations, norm, r->tolerance);
  const long double told = (long double)r->true_relative_residual * r->rhs_norm;
  FUZZ_CHECK(fabsl(told - norm) <= 1e-6L * norm + rounding, "%s: ||b - A x|| is %Lg, told %Lg",
             s->opts.method, norm, told);
}

/* Only the iteration limit or the precision of doubles can prevent convergence. */
static void check_easy(const problem *s, const double *b)
{
  const ovk_reason reason = s->result.reason;
  if (reason > 0 || reason == OVK_REASON_MAXIT || !entries_are_easy(&s->list)) return;
  for (int k = 0; k < s->list.n; k++)
    if (!entries_moderate(b[k])) return;
  FUZZ_CHECK(reason == OVK_REASON_STAGNATED && s->opts.rtol < 1e-8, "%s: %s", s->opts.method,
             ovk_reason_text(reason));
}

static void check_result(const problem *s)
{
  const ovk_result *r = &s->result;
  FUZZ_CHECK(r->iterations >= 0 && r->iterations <= s->opts.maxit, "%s: %d of %d iterations",
             s->opts.method, r->iterations, s->opts.maxit);
  FUZZ_CHECK(r->reason != OVK_REASON_NOT_RUN && r->reason >= OVK_REASON_MONITOR, "reason %d",
             (int)r->reason);
  if (r->reason > 0) {
    check_converged(s);
  } else {
    FUZZ_CHECK(*ovk_ctx_error(fuzz_ctx()), "%s without a message", ovk_reason_text(r->reason));
  }
}

/* b and x0 times a power of two: the same bits apart from that factor, in as many iterations. With
 * rtol = 0 a residual may decrease until its square underflows. */
static void check_scaled(problem *s, const double *b, const double *start)
{
  bool moderate = s->opts.atol == 0 && s->opts.rtol > 0;
  const ovk_lidx n = ovk_vec_local_size(s->b);
  for (int k = 0; k < s->list.count; k++)
    moderate = moderate && entries_moderate(s->list.at[k].value);
  for (int k = 0; k < s->list.n; k++) moderate = moderate && entries_moderate(b[k]);
  if (!moderate) return;
  const double factor = 0x1p20;
  const ovk_result first = s->result;
  scoped_array double *x = all_of(s->x, s->list.n);
  for (ovk_lidx i = 0; i < n; i++) {
    ovk_vec_array(s->b)[i] = factor * b[ovk_vec_first(s->b) + i];
    ovk_vec_array(s->x)[i] = factor * start[ovk_vec_first(s->b) + i];
  }
  const ovk_err err = ovk_pcg_solve(s->A, s->M, s->b, s->x, &s->opts, &s->result);
  FUZZ_CHECK(err == OVK_OK && s->result.reason == first.reason &&
                 s->result.iterations == first.iterations && s->result.restarts == first.restarts,
             "%s: %s after %d iterations, scaled %s after %d", s->opts.method,
             ovk_reason_text(first.reason), first.iterations, ovk_reason_text(s->result.reason),
             s->result.iterations);
  for (ovk_lidx i = 0; i < n; i++)
    FUZZ_CHECK(entries_same(ovk_vec_array(s->x)[i], factor * x[ovk_vec_first(s->b) + i]),
               "%s: row %d is %.17g, scaled %.17g", s->opts.method, i, x[ovk_vec_first(s->b) + i],
               ovk_vec_array(s->x)[i] / factor);
}

static void solve(problem *s, fuzz_bytes *rhs)
{
  const bool guess = fuzz_byte(rhs) % 4 == 0;
  const ovk_gidx first = ovk_vec_first(s->b);
  double values[16];
  for (int k = 0; k < 16; k++) values[k] = fuzz_double(rhs);
  for (ovk_lidx i = 0; i < ovk_vec_local_size(s->b); i++) {
    const ovk_gidx row = first + i;
    ovk_vec_array(s->b)[i] = row < 16 ? values[row] : values[row % 16] + (double)(row % 7);
    ovk_vec_array(s->x)[i] = guess ? (double)row : 0;
  }
  scoped_array double *b = all_of(s->b, s->list.n), *start = all_of(s->x, s->list.n);
  ovk_err err = ovk_precond_create(s->A, s->precond, &s->M);
  if (!err) err = ovk_pcg_solve(s->A, s->M, s->b, s->x, &s->opts, &s->result);
  if (err) {
    fuzz_refused(err);
  } else {
    check_result(s);
    check_easy(s, b);
    check_scaled(s, b, start);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_bytes in = {data, data + size};
  problem s = {0};
  read_options(&s, &in);
  const unsigned right = fuzz_byte(&in), strong = fuzz_byte(&in);
  const size_t left = (size_t)(in.end - in.at), own = right < left ? left - right : left;
  fuzz_bytes matrix = {in.at, in.at + own}, rhs = {in.at + own, in.end};
  s.list = entries_read(&matrix);
  if (strong % 2) strengthen(&s.list);
  create_problem(&s);
  solve(&s, &rhs);
  ovk_precond_destroy(&s.M);
  ovk_vec_destroy(&s.b);
  ovk_vec_destroy(&s.x);
  ovk_mat_destroy(&s.A);
  entries_free(&s.list);
  return 0;
}
