/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves repeatedly until a file `stop` appears, while test_signals.sh stops, continues or kills
 * ranks: each solve must end with the bits of the first. Writes this rank's process id to a file
 * `pid.RANK` after the first solves. The environment has OVK_TEST_BACKEND and OVK_TEST_FOLDER. */
#include "support/problem.h"

enum { NMETHODS = 3, MOST_ROWS = 512 };

static const char *const methods[NMETHODS] = {"cg", "pipecg", "pipelcg:l=2"};
static const char *backend, *folder;

/* How a solve ended, to the last bit. */
typedef struct outcome {
  int iterations, reason;
  double x[MOST_ROWS];
} outcome;

static void leave_pid(void)
{
  char path[1024], temporary[1024];
  snprintf(path, sizeof path, "%s/pid.%d", folder, test_rank);
  snprintf(temporary, sizeof temporary, "%s/new.%d", folder, test_rank);
  FILE *file = fopen(temporary, "w");
  assert_non_null(file);
  fprintf(file, "%ld\n", (long)getpid());
  fclose(file);
  assert_int_equal(rename(temporary, path), 0); /* atomic, so that readers see the whole file */
}

/* Whether the script has requested the end, as seen by rank 0. */
static bool is_over(void)
{
  char path[1024];
  snprintf(path, sizeof path, "%s/stop", folder);
  int over = access(path, F_OK) == 0;
  MPI_Bcast(&over, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return over;
}

static outcome solve(ovk_solver *solver, const ovk_vec *b, ovk_vec *x)
{
  outcome o = {.iterations = 0};
  const ovk_result res = solve_from_zero(solver, b, x);
  o.iterations = res.iterations;
  o.reason = res.reason;
  memcpy(o.x, ovk_vec_array(x), (size_t)ovk_vec_local_size(x) * sizeof *o.x);
  return o;
}

TEST(solves_are_not_disturbed)
{
  static outcome first[NMETHODS];
  ovk_solver *solvers[NMETHODS] = {NULL};
  scoped_system s = new_system(new_laplace27(6, 6, 6), "jacobi");
  assert_true(ovk_vec_local_size(s.x) <= MOST_ROWS);
  for (ovk_lidx i = 0; i < ovk_vec_local_size(s.b); i++) {
    ovk_vec_array(s.b)[i] = 1.0 / (double)(1 + (ovk_vec_first(s.b) + i) * 7 % 31);
  }
  for (int m = 0; m < NMETHODS; m++) {
    ovk_solver_opts opts = solver_opts(.method = methods[m], .backend = backend);
    solvers[m] = new_solver(s.A, s.M, &opts);
    first[m] = solve(solvers[m], s.b, s.x);
    assert_true(first[m].reason > 0);
  }
  leave_pid();
  for (int k = 0; !is_over(); k++) {
    const outcome o = solve(solvers[k % NMETHODS], s.b, s.x);
    assert_memory_equal(&o, &first[k % NMETHODS], sizeof o);
  }
  for (int m = 0; m < NMETHODS; m++) ovk_solver_destroy(&solvers[m]);
}

static int read_settings(void **state)
{
  backend = getenv("OVK_TEST_BACKEND");
  folder = getenv("OVK_TEST_FOLDER");
  if (backend && folder) return 0;
  print_error("OVK_TEST_BACKEND and OVK_TEST_FOLDER are needed: test_signals.sh sets them\n");
  return -1;
}

TEST_GROUP(read_settings, NULL)
