/* SPDX-License-Identifier: BSD-2-Clause */
/* A network whose link is disconnected while it is used. OVK_TEST_PULL_LINK and OVK_TEST_MEND_LINK
 * are the shell commands for that, run on rank 0. Without them the test is skipped. */
#include "fault_world.h"
#include "support/problem.h"
#include "support/specs/verbs_spec.h"

#include <ovkrylov/comm/reduction.h>

#define TIMEOUT ",timeout_ms=4000"

static void run_command(const char *variable)
{
  if (test_rank == 0) assert_int_equal(system(getenv(variable)), 0);
}

/* To be called with no traffic on the network. */
static void mend(void)
{
  MPI_Barrier(MPI_COMM_WORLD);
  run_command("OVK_TEST_MEND_LINK");
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Repeated sums, during which the link is disconnected; until one fails, or a few more. */
static ovk_err sum_up(ovk_reduction *red, double *slowest)
{
  enum { BEFORE = 5, ALL = 10 };
  ovk_err err = OVK_OK;
  *slowest = 0;
  for (int k = 0; k < ALL && !err; k++) {
    if (k == BEFORE) run_command("OVK_TEST_PULL_LINK");
    const double start = MPI_Wtime();
    ovk_reduction_values(red)[0] = test_rank + k;
    assert_int_equal(ovk_reduction_begin(red), OVK_OK);
    err = ovk_reduction_wait(red);
    const double total = test_size * (test_size - 1) / 2 + k * test_size;
    if (!err) assert_true(ovk_reduction_values(red)[0] == total);
    if (MPI_Wtime() - start > *slowest) *slowest = MPI_Wtime() - start;
  }
  return err;
}

TEST(sums_fail_on_all_ranks_in_time)
{
  static const char *const keys[] = {"alg=flat" TIMEOUT, "alg=doubling,levels=node" TIMEOUT,
                                     "mode=atomic" TIMEOUT};
  for (int k = 0; k < 3; k++) {
    char spec[VERBS_SPEC_SIZE];
    double slowest;
    world w;
    world_open(&w);
    ovk_reduction *red = NULL;
    const ovk_err err = ovk_reduction_create(w.ctx, verbs_spec(spec, keys[k]), 1, &red);
    if (err) fail_msg("%s: %s", spec, ovk_ctx_error(w.ctx));
    assert_true(has_failed(&w, sum_up(red, &slowest), "rank"));
    assert_true(slowest < 10); /* detected after 4 s at most; then the ranks inform each other */
    ovk_reduction_destroy(&red);
    world_close(&w);
    mend();
  }
}

/* Disconnects the link after a few iterations. */
static int pull(void *arg, const ovk_progress *progress)
{
  if (progress->iteration == 4) run_command("OVK_TEST_PULL_LINK");
  return 0;
}

enum { EDGE = 4, ROWS = EDGE * EDGE * EDGE };

typedef struct outcome {
  int iterations;
  double x[ROWS];
} outcome;

static outcome solve(const world *w, const char *backend, ovk_monitor_fn monitor)
{
  const int n[3] = {EDGE, EDGE, EDGE}, grid[3] = {1, 1, test_size};
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  ovk_result res = OVK_RESULT;
  outcome o;
  ovk_mat *A = NULL;
  opts.method = "cg"; /* "auto" may choose differently from run to run */
  opts.backend = backend;
  opts.monitor = monitor;
  assert_int_equal(ovk_gallery_laplace27(w->ctx, n, grid, NULL, &A), OVK_OK);
  scoped_system s = new_system(A, NULL);
  const ovk_err err = ovk_pcg_solve(A, NULL, s.b, s.x, &opts, &res);
  if (err) fail_msg("%s: %s", backend, ovk_ctx_error(w->ctx));
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  o.iterations = res.iterations;
  memcpy(o.x, ovk_vec_array(s.x), sizeof o.x);
  return o;
}

TEST(with_a_fallback_a_solve_goes_on)
{
  char spec[VERBS_SPEC_SIZE];
  world w;
  world_open(&w);
  const outcome sound = solve(&w, "nbc:alg=flat", NULL);
  const outcome o = solve(&w, verbs_spec(spec, "alg=flat,fallback=nbc:alg=flat" TIMEOUT), pull);
  assert_int_equal(o.iterations, sound.iterations);
  assert_memory_equal(o.x, sound.x, sizeof o.x);
  world_close(&w);
  assert_int_equal(w.notices, 1);
  mend();
}

static int skip_without_links(void **state)
{
  int able = getenv("OVK_TEST_PULL_LINK") && getenv("OVK_TEST_MEND_LINK");
  MPI_Bcast(&able, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (!able) skip_all("nothing here pulls links");
  return 0;
}

TEST_GROUP(skip_without_links, NULL)
