/* SPDX-License-Identifier: BSD-2-Clause */
/* How many calls of MPI, and how many meetings of ranks that share memory, it takes to create a
 * solver and to give it new values. They are counted through the profiling interface. */
#include "support/problem.h"

static int collectives; /* of MPI */
static int copies;      /* communicators made */
static int additions;   /* of meetings: one for each of the other ranks */

int MPI_Allreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
  collectives++;
  return PMPI_Allreduce(in, out, n, type, op, comm);
}

int MPI_Iallreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request)
{
  collectives++;
  return PMPI_Iallreduce(in, out, n, type, op, comm, request);
}

int MPI_Bcast(void *values, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
  collectives++;
  return PMPI_Bcast(values, n, type, root, comm);
}

int MPI_Allgather(const void *in, int n, MPI_Datatype type, void *out, int m, MPI_Datatype to,
                  MPI_Comm comm)
{
  collectives++;
  return PMPI_Allgather(in, n, type, out, m, to, comm);
}

int MPI_Scan(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
  collectives++;
  return PMPI_Scan(in, out, n, type, op, comm);
}

int MPI_Reduce_scatter_block(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm)
{
  collectives++;
  return PMPI_Reduce_scatter_block(in, out, n, type, op, comm);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *out)
{
  copies++;
  return PMPI_Comm_dup(comm, out);
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out)
{
  copies++;
  return PMPI_Comm_split_type(comm, type, key, info, out);
}

int MPI_Reduce_local(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op)
{
  additions++;
  return PMPI_Reduce_local(in, out, n, type, op);
}

static void start_counting(void)
{
  collectives = copies = additions = 0;
}

static int count_meetings(void)
{
  return test_size > 1 ? additions / (test_size - 1) : 0;
}

enum { ROWS = 20 };

static void set_values(ovk_mat *A, double diagonal)
{
  for (ovk_gidx i = ovk_mat_row_begin(A); i < ovk_mat_row_end(A); i++) {
    add_tridiagonal_row(A, i, -1, diagonal, -1);
  }
  assert_ok(ovk_mat_assemble(A));
}

/* A matrix and its solver of `auto`, which with exact sums makes no trial: the method, and with it
 * the number of meetings, depends on no times. */
static ovk_solver *new_solver_of(ovk_ctx *ctx, const char *precond, ovk_mat **A, ovk_precond **M)
{
  ovk_solver_opts opts = ovk_solver_opts_default();
  opts.exact = "sums";
  *A = NULL;
  *M = NULL;
  assert_ok(ovk_mat_create(ctx, ROWS, A));
  set_values(*A, 2.5);
  assert_ok(ovk_precond_create(*A, precond, M));
  ovk_solver *S = new_solver(*A, *M, &opts);
  return S;
}

/* The second solver finds the node, its memory and the backend of the first. */
TEST(a_second_solver_makes_no_communicator_and_few_calls_of_mpi)
{
  ovk_mat *A[2];
  ovk_precond *M[2];
  ovk_solver *S[2];
  start_counting();
  scoped_ctx *ctx = new_ctx();
  S[0] = new_solver_of(ctx, "jacobi", &A[0], &M[0]);
  assert_true(copies <= 2); /* that of the context, and one to find the node */
  start_counting();
  S[1] = new_solver_of(ctx, "jacobi", &A[1], &M[1]);
  assert_int_equal(copies, 0);
  assert_true(collectives <= 4);
  for (int k = 0; k < 2; k++) {
    ovk_solver_destroy(&S[k]);
    ovk_precond_destroy(&M[k]);
    ovk_mat_destroy(&A[k]);
  }
}

TEST(new_values_make_no_call_of_mpi_and_few_meetings)
{
  enum { MOST = 15 };
  scoped_mat *A = NULL;
  scoped_precond *M = NULL;
  scoped_ctx *ctx = new_ctx();
  scoped_solver *S = new_solver_of(ctx, "jacobi", &A, &M);
  start_counting();
  assert_ok(ovk_mat_reset_values(A));
  set_values(A, 3);
  assert_ok(ovk_solver_update(S));
  assert_int_equal(collectives + copies, 0);
  assert_true(count_meetings() <= MOST);
  assert_int_equal(count_meetings() > 0, test_size > 1);
}

TEST(a_vector_is_wrapped_in_one_meeting_without_a_call_of_mpi)
{
  double array[ROWS] = {0};
  scoped_mat *A = NULL;
  scoped_vec *v = NULL;
  scoped_ctx *ctx = new_ctx();
  assert_ok(ovk_mat_create(ctx, ROWS, &A)); /* finds the node */
  start_counting();
  assert_ok(ovk_vec_wrap(ctx, ROWS, array, &v));
  assert_int_equal(collectives + copies, 0);
  assert_int_equal(count_meetings(), test_size > 1);
  assert_int_equal(ovk_vec_first(v), ROWS * test_rank);
}

/* The meetings in which a solver of this method is created. */
static int meetings_of(ovk_mat *A, const char *method)
{
  ovk_solver_opts opts = ovk_solver_opts_default();
  opts.method = method;
  start_counting();
  scoped_solver *S = new_solver(A, NULL, &opts);
  return count_meetings();
}

TEST(more_work_vectors_make_no_more_meetings)
{
  scoped_ctx *ctx = new_ctx();
  scoped_mat *A = NULL;
  assert_ok(ovk_mat_create(ctx, ROWS, &A));
  set_values(A, 2.5);
  (void)meetings_of(A, "gmres:ortho=cgs2,restart=10"); /* makes room for reductions */
  const int few = meetings_of(A, "gmres:ortho=mgs,restart=10");
  assert_int_equal(meetings_of(A, "gmres:ortho=mgs,restart=20"), few);
}
