/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves with every configuration of sums: the same number of iterations, and the same bits if the
 * order of summation is the same. */
#include "support/problem.h"
#include "support/specs/reduction_specs.h"

enum { MAX_ORDERS = 64 };

/* A reference solution: the first one computed with this order of summation. */
typedef struct reference {
  char order[REDUCTION_SPEC_SIZE];
  double *x;
} reference;

typedef struct problem {
  linear_system s;
  int iterations; /* with MPI_Allreduce */
  int norders;
  reference references[MAX_ORDERS];
} problem;

static int solve(problem *P, const char *backend)
{
  ovk_solver_opts opts =
      solver_opts(.method = "overlap", .spd = true, .backend = backend, .poll_rows = 16);
  const ovk_result res = solve_system(&P->s, &opts);
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  return res.iterations;
}

static problem make_problem(ovk_mat *A)
{
  problem P = {.s = new_system_of_ones(A, "jacobi")};
  P.iterations = solve(&P, "blocking");
  return P;
}

static void clear(problem *P)
{
  for (int k = 0; k < P->norders; k++) free(P->references[k].x);
  clear_system(&P->s);
}

/* Compares x with the reference of the same order, or stores it as the reference. */
static void check_bits(problem *P, const char *order)
{
  const size_t bytes = (size_t)ovk_vec_local_size(P->s.x) * sizeof(double);
  for (int k = 0; k < P->norders; k++) {
    if (strcmp(P->references[k].order, order) != 0) continue;
    assert_memory_equal(P->references[k].x, ovk_vec_array(P->s.x), bytes);
    return;
  }
  assert_in_range(P->norders, 0, MAX_ORDERS - 1);
  reference *r = &P->references[P->norders++];
  strcpy(r->order, order);
  r->x = new_memory(bytes + 1);
  memcpy(r->x, ovk_vec_array(P->s.x), bytes);
}

/* Removes an item "key=value" and the ',' before it from a spec. */
static void cut_out(char *spec, const char *item)
{
  char *start = strstr(spec, item);
  if (!start) return;
  char *end = strchr(start, ',');
  memmove(start - 1, end ? end : start + strlen(start), end ? strlen(end) + 1 : 1);
}

/* The order of summation: does not depend on channels and fragments. */
static void order_of(const char *spec, char order[REDUCTION_SPEC_SIZE])
{
  strcpy(order, spec);
  cut_out(order, "channel=");
  cut_out(order, "fragment=");
  cut_out(order, "window=");
  if (strcmp(order, "shm") == 0) strcpy(order, "nbc:alg=flat"); /* both add in rank order */
  if (strcmp(order, "nbc") == 0) strcpy(order, "nbc:alg=doubling");
}

static void check(problem *P, const char *spec)
{
  char order[REDUCTION_SPEC_SIZE];
  assert_int_equal(solve(P, spec), P->iterations);
  order_of(spec, order);
  check_bits(P, order);
}

static void check_all(problem *P)
{
  char spec[REDUCTION_SPEC_SIZE];
  check(P, "shm");
  for (int k = 0; reduction_spec(k, spec); k++) check(P, spec);
  clear(P);
}

TEST(the_27_point_problem_is_solved_alike_with_every_spec)
{
  problem P = make_problem(new_laplace27(8, 8, 8));
  check_all(&P);
}

TEST(real_matrices_are_solved_alike_with_every_spec)
{
  const char *const files[] = {"spd/gr_30_30.mtx", "spd/bar.mtx"};
  if (!matrix_path("")) skip();
  for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
    ovk_mat *A = new_mat_of_file(matrix_path(files[k]), NULL);
    problem P = make_problem(A);
    check_all(&P);
  }
}
