/* SPDX-License-Identifier: BSD-2-Clause */
/* The bound of the rounding errors of a solve (solvers/ops/rounding.h): against the errors
 * themselves in higher precision, and the products that it saves. */
#include "solvers/state/state.h"
#include "support/problem.h"

enum { N = 30, MOST_RANKS = 8 };

/* A dense operator, which all ranks have. */
typedef struct operator_ {
  double A[N * N];
  int counts[MOST_RANKS], firsts[MOST_RANKS];
  int products;
  bool unknown, fails; /* its bound, on this rank */
} operator_;

static void gather(const operator_ *O, const double *part, double all[N])
{
  MPI_Allgatherv(part, O->counts[test_rank], MPI_DOUBLE, all, O->counts, O->firsts, MPI_DOUBLE,
                 MPI_COMM_WORLD);
}

static ovk_err multiply(void *user, const double *x, double *y, ovk_poll poll)
{
  operator_ *O = user;
  double all[N];
  gather(O, x, all);
  O->products++;
  for (int i = 0; i < O->counts[test_rank]; i++) {
    const double *row = O->A + (ptrdiff_t)(O->firsts[test_rank] + i) * N;
    y[i] = 0;
    for (int j = 0; j < N; j++) y[i] += row[j] * all[j];
  }
  return OVK_OK;
}

static ovk_err get_diagonal(void *user, double *d)
{
  const operator_ *O = user;
  for (int i = 0; i < O->counts[test_rank]; i++) {
    d[i] = O->A[(ptrdiff_t)(O->firsts[test_rank] + i) * (N + 1)];
  }
  return OVK_OK;
}

static ovk_err bound(void *user, double *square)
{
  const operator_ *O = user;
  const int first = O->firsts[test_rank] * N, end = first + O->counts[test_rank] * N;
  if (O->fails) return OVK_ERR_USER;
  *square = O->unknown ? INFINITY : 0;
  for (int k = first; k < end; k++) *square += (N + 2.) * (N + 2) * O->A[k] * O->A[k];
  return OVK_OK;
}

typedef struct system_ {
  operator_ O;
  ovk_mat *A;
  ovk_precond *M;
  ovk_vec *b, *x;
} system_;

/* Takes ownership of `dense`. */
static system_ *make_system(double *dense, double scale_A, double scale_b, const char *precond)
{
  system_ *s = new_zeros(1, sizeof *s);
  for (int k = 0; k < N * N; k++) s->O.A[k] = scale_A * dense[k];
  free(dense);
  for (int rank = 0, first = 0; rank < test_size; first += s->O.counts[rank++]) {
    s->O.counts[rank] = (int)even_share(N, rank, test_size);
    s->O.firsts[rank] = first;
  }
  s->A = new_shell(s->O.counts[test_rank], &s->O, .mult = multiply, .diagonal = get_diagonal,
                   .rounding = bound);
  s->M = new_precond(s->A, precond);
  s->b = new_vec(s->A);
  s->x = new_vec(s->A);
  fill_random(s->b, 5);
  assert_ok(ovk_vec_scale(scale_b, s->b));
  return s;
}

static void destroy_system(system_ **s)
{
  ovk_precond_destroy(&(*s)->M);
  ovk_mat_destroy(&(*s)->A);
  ovk_vec_destroy(&(*s)->b);
  ovk_vec_destroy(&(*s)->x);
  free(*s);
}
#define scoped_rounded SCOPED(destroy_system) system_

static ovk_solver_opts options(const char *method, double rtol)
{
  return solver_opts(.method = method, .norm = OVK_NORM_PRECONDITIONED, .rtol = rtol,
                     .maxit = 3 * N);
}

/* f <- b - A x, of all rows; returns ||f - r|| or, without r, || D f || with D = diag(A)^-1 or I */
static long double norm_of_rest(const system_ *s, ovk_vec *x, ovk_vec *r, bool scaled)
{
  double b[N], y[N], z[N] = {0};
  long double squares = 0;
  gather(&s->O, ovk_vec_array(s->b), b);
  gather(&s->O, ovk_vec_array(x), y);
  if (r) gather(&s->O, ovk_vec_array(r), z);
  for (int i = 0; i < N; i++) {
    long double f = (long double)b[i] - z[i];
    for (int j = 0; j < N; j++) f -= (long double)s->O.A[i * N + j] * y[j];
    if (scaled) f /= s->O.A[i * (N + 1)];
    squares += f * f;
  }
  return sqrtl(squares);
}

/* Compares the bound with the error in each iteration. */
typedef struct watcher {
  const system_ *s;
  ovk_solver *S;
  ovk_vec *x;
  int bounded;     /* iterations with a bound */
  double tightest; /* the least bound over the error */
} watcher;

static int watch(void *arg, const ovk_progress *progress)
{
  watcher *w = arg;
  const ovk__rounding *B = &w->S->rounding;
  if (progress->iteration == 0 || !(B->product > 0)) return 0;
  assert_ok(ovk_solver_current_x(w->S, w->x));
  const double gap = (double)norm_of_rest(w->s, w->x, w->S->work[0], false);
  assert_false(gap > B->gap);
  w->bounded++;
  w->tightest = fmin(w->tightest, B->gap / gap);
  return 0;
}

/* Whether the solve was not confirmed by a product. */
static bool solve_watched(const system_ *s, const char *method, double rtol, bool jacobi,
                          watcher *w)
{
  ovk_solver_opts opts = options(method, rtol);
  opts.monitor = watch;
  opts.monitor_arg = w;
  w->s = s;
  scoped_solver *solver = w->S = new_solver(s->A, s->M, &opts);
  scoped_vec *x = w->x = new_vec(s->A);
  const ovk_result res = solve_from_zero(w->S, s->b, s->x);
  const bool omitted = res.true_relative_residual < 0;
  if (omitted) {
    assert_true(res.true_relative_residual == -1);
    assert_true(res.reason == OVK_REASON_CONVERGED_RTOL);
    assert_false(norm_of_rest(s, s->x, NULL, jacobi) > 1.01 * res.tolerance);
  }
  return omitted;
}

/* Symmetric positive definite; not symmetric; of both signs. */
static double *random_kind(int kind, double condition, uint64_t seed)
{
  double *A = random_spd(N, condition, seed);
  for (int k = 0; kind == 1 && k < N * N; k++) A[k] *= 1 + 1e-2 * (k % 7);
  for (int k = 0; kind == 2 && k < N * N; k++) A[k] = k / N % 2 == k % N % 2 ? A[k] : -A[k];
  for (int k = 0; kind == 2 && k < N; k++) A[k * (N + 1)] *= k % 10 == 9 ? -1 : 1;
  return A;
}

TEST(the_bound_is_never_below_the_error)
{
  static const double conditions[] = {1e1, 1e4, 1e8, 1e12}, scales[] = {1, 1e-7, 1e9};
  int omitted = 0, solves = 0;
  watcher w = {.tightest = INFINITY};
  for (int k = 0; k < 4 * 3 * 3 * 4; k++) {
    const int c = k % 4, kind = k / 4 % 3, scale = k / 12 % 3, way = k / 36;
    const bool jacobi = way % 2;
    scoped_rounded *s =
        make_system(random_kind(kind, conditions[c], (uint64_t)(100 + k)), scales[scale],
                    scales[(scale + way) % 3], jacobi ? "jacobi" : "none");
    omitted +=
        solve_watched(s, way < 2 ? "cg" : "two-reductions", pow(10, -2 - 3 * (k % 5)), jacobi, &w);
    solves++;
  }
  if (test_rank == 0) {
    print_message("%d of %d solves without a last product; the bound is at least %.1f times the "
                  "error in %d iterations\n",
                  omitted, solves, w.tightest, w.bounded);
  }
  assert_true(omitted > 5 && omitted < solves);
  assert_true(w.bounded > 10 * solves);
}

static ovk_result count_products(system_ *s, double rtol, double guess)
{
  const ovk_solver_opts opts = options("cg", rtol);
  scoped_solver *S = new_solver(s->A, s->M, &opts);
  s->O.products = 0;
  assert_ok(ovk_vec_fill(s->x, guess));
  const ovk_result res = solve_from(S, s->b, s->x);
  assert_true(res.reason > 0);
  return res;
}

TEST(the_last_product_is_omitted_only_where_the_bound_allows_it)
{
  scoped_rounded *s = make_system(random_spd(N, 1e2, 3), 1, 1, "jacobi");
  ovk_result res = count_products(s, 1e-5, 0);
  assert_int_equal(s->O.products, res.iterations);
  assert_true(res.true_relative_residual == -1);
  res = count_products(s, 1e-5, 1); /* a guess */
  assert_int_equal(s->O.products, res.iterations + 2);
  assert_true(res.true_relative_residual > 0);
  res = count_products(s, 1e-14, 0); /* rounding errors matter */
  assert_true(s->O.products > res.iterations);
  assert_true(res.true_relative_residual > 0);
  s->O.unknown = is_last();
  res = count_products(s, 1e-5, 0);
  assert_int_equal(s->O.products, res.iterations + 1);
  assert_true(res.true_relative_residual > 0);
}

TEST(a_bound_that_fails_on_one_rank_ends_the_solve_on_all)
{
  scoped_rounded *s = make_system(random_spd(N, 1e2, 3), 1, 1, "none");
  const ovk_solver_opts opts = options("cg", 1e-5);
  scoped_solver *S = new_solver(s->A, s->M, &opts);
  s->O.fails = is_last();
  assert_error(ovk_solver_solve(S, s->b, s->x, NULL), OVK_ERR_USER,
               "the shell operator's rounding");
}
