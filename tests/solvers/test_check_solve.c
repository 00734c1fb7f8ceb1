/* SPDX-License-Identifier: BSD-2-Clause */
/* Check mode in solves: a monitor that accesses solver internals makes ranks decide differently;
 * all ranks must report it, with the place. */
#include "solvers/state/state.h"
#include "support/problem.h"

typedef enum fault { SOONER, OTHER_COUNT, RESTARTED, OTHER_NORM } fault;

/* The change on the last rank in iteration 3. */
typedef struct spoiler {
  ovk_solver *solver;
  fault what;
} spoiler;

static int spoil(void *arg, const ovk_progress *progress)
{
  const spoiler *s = arg;
  if (!is_last() || progress->iteration != 3) return 0;
  if (s->what == SOONER) s->solver->norms.tolerance = 1e30;
  if (s->what == OTHER_COUNT) s->solver->counts.iterations++;
  if (s->what == RESTARTED) s->solver->counts.restarts++;
  if (s->what == OTHER_NORM) s->solver->norms.b *= 1e30; /* residual looks like rounding */
  return 0;
}

static ovk_ctx *open_ctx(void)
{
  setenv("OVK_CHECK_TIMEOUT", "100", 1);
  setenv("OVK_CHECK", test_rank == 0 ? "1" : "0", 1); /* rank 0's value is used */
  ovk_ctx *ctx = new_ctx();
  unsetenv("OVK_CHECK");
  return ctx;
}

/* The same error and message on all ranks, with both ranks' decisions. */
static void expect(const ovk_ctx *ctx, ovk_err err, const char *part)
{
  char first[1024];
  const char *said = ovk_ctx_error(ctx);
  snprintf(first, sizeof first, "%s", said);
  MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
  assert_string_equal(first, said);
  assert_int_equal(err, OVK_ERR_DIFFER);
  if (!strstr(said, part) || !strstr(said, "rank 0: ")) fail_msg("%s", said);
}

static void solve_spoiled(const char *method, const char *backend, fault what, const char *part)
{
  enum { N = 24 };
  scoped_ctx *ctx = open_ctx();
  scoped_array double *dense = random_spd(N, 1000, 3);
  ovk_mat *A = distribute(ctx, dense, N, even_share(N, test_rank, test_size));
  spoiler s = {.what = what};
  ovk_solver_opts opts =
      solver_opts(.method = method, .backend = backend, .monitor = spoil, .monitor_arg = &s);
  scoped_system system = new_system(A, NULL);
  s.solver = new_solver(A, NULL, &opts);
  expect(ctx, ovk_solver_solve(s.solver, system.b, system.x, NULL), part);
  ovk_solver_destroy(&s.solver);
}

static const char *const methods[] = {"cg", "single-reduction", "groppcg", "pipecg", "pipelcg:l=2"};
static const char *const backends[] = {"blocking", "iallreduce", "shm", "nbc:alg=tree"};

static void solve_all_spoiled(fault what, const char *part)
{
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    solve_spoiled(methods[m], backends[(m + (size_t)what) % 4], what, part);
  }
}

TEST(a_rank_that_stops_alone_is_found)
{
  solve_all_spoiled(SOONER, "CONVERGED_RTOL");
  solve_all_spoiled(OTHER_NORM, "NOT_RUN");
}

TEST(a_rank_that_counts_otherwise_is_found)
{
  solve_all_spoiled(OTHER_COUNT, "in iteration 4 of ");
  solve_all_spoiled(RESTARTED, " 1 restarts");
}
