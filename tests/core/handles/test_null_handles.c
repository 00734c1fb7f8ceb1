/* SPDX-License-Identifier: BSD-2-Clause */
/* NULL in place of a handle or a result, on one rank only: the same error on all ranks, and no rank
 * waits. And handles of two contexts. All handles NULL: test_no_handle.c. */
#include "support/test_main.h"

#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/comm/reduction.h>
#include <ovkrylov/comm/schedule.h>

enum { ROWS = 3, MOST_ARGS = 5 };

/* One of each kind, sound. */
typedef struct fixture {
  ovk_ctx *ctx;
  ovk_mat *A;
  ovk_precond *M;
  ovk_vec *b, *x;
  ovk_solver *solver;
} fixture;

static ovk_err identity(void *user, const double *x, double *y, ovk_poll poll)
{
  memcpy(y, x, ROWS * sizeof *y);
  return OVK_OK;
}

static ovk_err ones(void *user, double *d)
{
  for (int i = 0; i < ROWS; i++) d[i] = 1;
  return OVK_OK;
}

static fixture make_fixture(ovk_ctx *ctx)
{
  const ovk_shell_ops ops = {.mult = identity, .diagonal = ones};
  fixture f = {.ctx = ctx};
  assert_ok(ovk_mat_create_shell(ctx, ROWS, &ops, NULL, &f.A));
  assert_ok(ovk_precond_create(f.A, "jacobi", &f.M));
  assert_ok(ovk_precond_factor(f.M));
  assert_ok(ovk_mat_create_vec(f.A, &f.b));
  assert_ok(ovk_mat_create_vec(f.A, &f.x));
  assert_ok(ovk_vec_fill(f.b, 1));
  assert_ok(ovk_solver_create(f.A, f.M, NULL, &f.solver));
  return f;
}

static void free_fixture(fixture *f)
{
  ovk_solver_destroy(&f->solver);
  ovk_vec_destroy(&f->x);
  ovk_vec_destroy(&f->b);
  ovk_precond_destroy(&f->M);
  ovk_mat_destroy(&f->A);
}

/* The objects that the calls create. */
static struct {
  ovk_mat *A;
  ovk_vec *v;
  ovk_precond *M;
  ovk_solver *solver;
  ovk_reduction *sum;
  ovk_collective *collective;
  ovk_schedule *schedule;
} made;

static void destroy_made(void)
{
  ovk_collective_destroy(&made.collective);
  ovk_schedule_destroy(&made.schedule);
  ovk_reduction_destroy(&made.sum);
  ovk_solver_destroy(&made.solver);
  ovk_precond_destroy(&made.M);
  ovk_vec_destroy(&made.v);
  ovk_mat_destroy(&made.A);
}

/* The call with NULL for its argument number `missing`; -1: with all of them. */
typedef ovk_err function(const fixture *f, int missing);

#define ARG(number, value) (missing == (number) ? NULL : (value))
#define CALL(name, call)                                                                           \
  static ovk_err name(const fixture *f, int missing)                                               \
  {                                                                                                \
    return call;                                                                                   \
  }

CALL(mat_diagonal, ovk_mat_diagonal(ARG(0, f->A), ARG(1, f->x)))
CALL(shell_mult, ovk_mat_mult(f->A, ARG(0, f->b), ARG(1, f->x)))
CALL(precond_apply, ovk_precond_apply(ARG(0, f->M), ARG(1, f->b), ARG(2, f->x), ovk_poll_none()))
CALL(precond_apply_left,
     ovk_precond_apply_left(ARG(0, f->M), ARG(1, f->b), ARG(2, f->x), ovk_poll_none()))
CALL(precond_apply_right,
     ovk_precond_apply_right(ARG(0, f->M), ARG(1, f->b), ARG(2, f->x), ovk_poll_none()))
CALL(solver_create, ovk_solver_create(ARG(0, f->A), ARG(1, f->M), NULL, ARG(2, &made.solver)))
CALL(solver_solve, ovk_solver_solve(ARG(0, f->solver), ARG(1, f->b), ARG(2, f->x), NULL))
CALL(pcg_solve, ovk_pcg_solve(ARG(0, f->A), ARG(1, f->M), ARG(2, f->b), ARG(3, f->x), NULL, NULL))
CALL(mat_create, ovk_mat_create(f->ctx, ROWS, ARG(0, &made.A)))
CALL(mat_create_shell,
     ovk_mat_create_shell(f->ctx, ROWS, ARG(0, &(ovk_shell_ops){.mult = identity}), NULL,
                          ARG(1, &made.A)))
CALL(mat_create_vec, ovk_mat_create_vec(f->A, ARG(0, &made.v)))
CALL(vec_create, ovk_vec_create(f->ctx, ROWS, ARG(0, &made.v)))
CALL(vec_wrap, ovk_vec_wrap(f->ctx, ROWS, ARG(0, (double[ROWS]){0}), ARG(1, &made.v)))
CALL(vec_duplicate, ovk_vec_duplicate(f->x, ARG(0, &made.v)))
CALL(vec_norm, ovk_vec_norm(f->b, ARG(0, &(double){0})))
CALL(vec_dot, ovk_vec_dot(ARG(0, f->b), ARG(1, f->x), ARG(2, &(double){0})))
CALL(precond_create, ovk_precond_create(f->A, ARG(0, "jacobi"), ARG(1, &made.M)))
CALL(reduction_create, ovk_reduction_create(f->ctx, "nbc", 2, ARG(0, &made.sum)))
CALL(ireduce_create,
     ovk_collective_create_allreduce(f->ctx, NULL, ARG(0, &(double){0}), ARG(1, &(double){0}), 1,
                                     OVK_TYPE_DOUBLE, OVK_OP_SUM, ARG(2, &made.collective)))
CALL(reduce_mpi_create,
     ovk_collective_create_allreduce_mpi(f->ctx, NULL, ARG(0, &(double){0}), ARG(1, &(double){0}),
                                         1, missing == 2 ? MPI_DATATYPE_NULL : MPI_DOUBLE,
                                         missing == 3 ? MPI_OP_NULL : MPI_SUM,
                                         ARG(4, &made.collective)))
CALL(vec_write, ovk_vec_write_mm(f->b, ARG(0, "/dev/null/none")))
CALL(vec_read, ovk_vec_read_mm(f->b, ARG(0, "/dev/null/none")))
CALL(mat_read, ovk_mat_read_mm(f->ctx, ARG(0, "/dev/null/none"), NULL, ARG(1, &made.A)))
CALL(columns_read,
     ovk_multivec_read_mm(f->A, ARG(0, "/dev/null/none"), ARG(1, &(ovk_multivec *){NULL})))
CALL(log_stats, ovk_log_stats(f->ctx, ARG(0, (ovk_event_stats[OVK_EVENT_COUNT]){0})))
CALL(log_write, ovk_log_write(f->ctx, ARG(0, "/dev/null")))

static ovk_err mat_set_format(const fixture *f, int missing)
{
  assert_ok(ovk_mat_create(f->ctx, ROWS, &made.A));
  return ovk_mat_set_format(made.A, ARG(0, "csr"));
}

static ovk_err ialltoallv_create(const fixture *f, int missing)
{
  const int counts[2] = {1, 1};
  double out[2] = {0}, in[2];
  return ovk_collective_create_alltoallv(f->ctx, NULL, ARG(0, out), ARG(1, counts), NULL,
                                         ARG(2, in), ARG(3, counts), NULL, sizeof(double),
                                         ARG(4, &made.collective));
}

static ovk_err scheduled_create(const fixture *f, int missing)
{
  double from = 0, to = 0;
  assert_ok(ovk_schedule_create(f->ctx, &made.schedule));
  return ovk_collective_create_scheduled(
      f->ctx, NULL, ARG(0, made.schedule), ARG(1, &from), 1, ARG(2, &to), 1,
      missing == 3 ? MPI_DATATYPE_NULL : MPI_DOUBLE, MPI_OP_NULL, ARG(4, &made.collective));
}

static ovk_err schedule_check(const fixture *f, int missing)
{
  assert_ok(ovk_schedule_create(f->ctx, &made.schedule));
  return ovk_schedule_check(f->ctx, ARG(0, made.schedule), 1, 1);
}

static ovk_err gallery(const fixture *f, int missing)
{
  const int n[3] = {2, 2, 2}, grid[3] = {test_size, 1, 1};
  return ovk_gallery_laplace7(f->ctx, ARG(0, n), ARG(1, grid), NULL, ARG(2, &made.A));
}

/* Every collective function, and the words that its message must have for each missing argument. */
static const struct {
  const char *name;
  function *call;
  const char *said[MOST_ARGS];
} table[] = {
    {"ovk_mat_diagonal", mat_diagonal, {"A is NULL", "d is NULL"}},
    {"ovk_mat_mult of a shell", shell_mult, {"x is NULL", "y is NULL"}},
    {"ovk_precond_apply", precond_apply, {"M is NULL", "input is NULL", "output is NULL"}},
    {"ovk_precond_apply_left", precond_apply_left, {"M is NULL", "input is NULL", "output"}},
    {"ovk_precond_apply_right", precond_apply_right, {"M is NULL", "input is NULL", "output"}},
    {"ovk_solver_create", solver_create, {"A is NULL", "solver options", "out is NULL"}},
    {"ovk_solver_solve", solver_solve, {"solver is NULL", "b is NULL", "x is NULL"}},
    {"ovk_pcg_solve", pcg_solve, {"A is NULL", "solver options", "b is NULL", "x is NULL"}},
    {"ovk_mat_create", mat_create, {"out is NULL"}},
    {"ovk_mat_create_shell", mat_create_shell, {"needs a mult function", "out is NULL"}},
    {"ovk_mat_create_vec", mat_create_vec, {"out is NULL"}},
    {"ovk_mat_set_format", mat_set_format, {"spec is NULL"}},
    {"ovk_vec_create", vec_create, {"out is NULL"}},
    {"ovk_vec_wrap", vec_wrap, {"the array for 3 rows is NULL", "out is NULL"}},
    {"ovk_vec_duplicate", vec_duplicate, {"out is NULL"}},
    {"ovk_vec_norm", vec_norm, {"value is NULL"}},
    {"ovk_vec_dot", vec_dot, {"x is NULL", "y is NULL", "dot is NULL"}},
    {"ovk_precond_create", precond_create, {"spec is NULL", "out is NULL"}},
    {"ovk_reduction_create", reduction_create, {"out is NULL"}},
    {"ovk_collective_create_allreduce", ireduce_create, {"is NULL", "is NULL", "out is NULL"}},
    {"ovk_collective_create_alltoallv",
     ialltoallv_create,
     {"send", "counts", "receive", "counts", "out"}},
    {"ovk_collective_create_allreduce_mpi",
     reduce_mpi_create,
     {"send", "receive", "MPI_DATATYPE_NULL", "MPI_OP_NULL", "out"}},
    {"ovk_collective_create_scheduled",
     scheduled_create,
     {"schedule is NULL", "send", "receive", "MPI_DATATYPE_NULL", "out"}},
    {"ovk_schedule_check", schedule_check, {"schedule is NULL"}},
    {"ovk_gallery_laplace7", gallery, {"n is NULL", "grid is NULL", "out is NULL"}},
    {"ovk_vec_write_mm", vec_write, {"path is NULL"}},
    {"ovk_vec_read_mm", vec_read, {"path is NULL"}},
    {"ovk_multivec_read_mm", columns_read, {"path is NULL", "out is NULL"}},
    {"ovk_mat_read_mm", mat_read, {"path is NULL", "out is NULL"}},
    {"ovk_log_stats", log_stats, {"stats is NULL"}},
    {"ovk_log_write", log_write, {"path is NULL"}},
};

TEST(null_on_one_rank_is_the_same_error_on_all)
{
  fixture f = make_fixture(test_ctx());
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    for (int arg = 0; arg < MOST_ARGS && table[k].said[arg]; arg++) {
      const ovk_err err = table[k].call(&f, test_rank == 1 ? arg : -1);
      destroy_made();
      if (err != OVK_ERR_ARG) print_error("%s without argument %d\n", table[k].name, arg);
      assert_error(err, OVK_ERR_ARG, table[k].said[arg]);
    }
  }
  free_fixture(&f);
}

TEST(a_local_operation_tells_which_vector_is_null)
{
  fixture f = make_fixture(test_ctx());
  assert_error(ovk_vec_copy(NULL, f.x), OVK_ERR_ARG, "x is NULL");
  assert_error(ovk_vec_axpy(1, f.x, NULL), OVK_ERR_ARG, "y is NULL");
  if (test_rank == 1) { /* an assembled product makes no agreement, so no rank waits here */
    assert_local_error(ovk_mat_mult(NULL, f.b, f.x), OVK_ERR_ARG, "A is NULL");
  }
  free_fixture(&f);
}

TEST(handles_of_two_contexts_do_not_mix)
{
  scoped_ctx *other = NULL;
  assert_ok(ovk_ctx_create(MPI_COMM_WORLD, &other));
  fixture f = make_fixture(test_ctx()), g = make_fixture(other);
  const char *part = "another context";
  ovk_solver *solver = NULL;
  assert_error(ovk_mat_diagonal(f.A, g.x), OVK_ERR_ARG, part);
  assert_error(ovk_mat_mult(f.A, f.b, g.x), OVK_ERR_ARG, part);
  assert_error(ovk_precond_apply(f.M, g.b, f.x, ovk_poll_none()), OVK_ERR_ARG, part);
  assert_error(ovk_solver_create(f.A, g.M, NULL, &solver), OVK_ERR_ARG, part);
  assert_error(ovk_solver_solve(f.solver, f.b, g.x, NULL), OVK_ERR_ARG, part);
  assert_error(ovk_pcg_solve(f.A, f.M, g.b, f.x, NULL, NULL), OVK_ERR_ARG, part);
  assert_null(solver);
  free_fixture(&g);
  free_fixture(&f);
}
