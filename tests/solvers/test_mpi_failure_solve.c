/* SPDX-License-Identifier: BSD-2-Clause */
/* A solve that breaks down verifies that with sums of MPI, which are the same on all ranks whatever
 * the MPI: a failure there is an error, and not reported as a property of A or M. */
#include "support/methods.h"
#include "support/problem.h"

static int fails_in; /* the number of the sum from now on that fails on this rank; 0: none */
static int unequal;  /* sums whose bits may differ from rank to rank */

int MPI_Reduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm)
{
  const int code = PMPI_Reduce(in, out, n, type, op, root, comm);
  return fails_in > 0 && --fails_in == 0 ? MPI_ERR_OTHER : code;
}

int MPI_Allreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
  unequal += type == MPI_DOUBLE;
  return PMPI_Allreduce(in, out, n, type, op, comm);
}

/* No ranks share memory, as sums over shared memory need no MPI. */
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out)
{
  return PMPI_Comm_split(comm, test_rank, key, out);
}

enum { EACH = 10 };

/* A solve's k-th sum of MPI fails on the last rank only, or on all, for k = 1, 2, ... until there
 * is no k-th; that solve ends normally. It also does if the last sum fails, which only looks
 * for a hint. Returns the number of errors. */
static int fail_each(ovk_solver *S, const ovk_vec *b, ovk_vec *x, ovk_reason reason, bool on_all)
{
  for (int k = 1, errors = 0;; k++) {
    ovk_result res = OVK_RESULT;
    assert_ok(ovk_vec_fill(x, 0));
    fails_in = on_all || is_last() ? k : 0;
    const ovk_err err = ovk_solver_solve(S, b, x, &res);
    int never = fails_in > 0;
    fails_in = 0;
    MPI_Allreduce(MPI_IN_PLACE, &never, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (err) {
      assert_false(never);
      assert_error(err, OVK_ERR_MPI, "MPI_Reduce");
      assert_int_equal(++errors, k);
    } else {
      assert_error(err, OVK_OK, ""); /* the same message on all ranks */
      assert_int_equal(res.reason, reason);
    }
    if (never) return errors;
  }
}

static int fail_with_all_methods(double diagonal, double b0, const char *precond, ovk_reason reason)
{
  int failed = 0;
  ovk_choice method = OVK_CHOICE;
  scoped_system s = new_system(new_tridiagonal(EACH, diagonal), precond);
  for (int i = 0; i < EACH; i++) ovk_vec_array(s.b)[i] = i % 2 ? 1 : -0.5;
  ovk_vec_array(s.b)[0] = b0;
  for (int k = 0; list_definite_methods(test_ctx(), k, &method); k++) {
    ovk_solver_opts opts = with_method(method.name);
    opts.backend = "nbc"; /* uses no sum of MPI */
    scoped_solver *S = new_solver(s.A, s.M, &opts);
    failed += fail_each(S, s.b, s.x, reason, false);
    failed += fail_each(S, s.b, s.x, reason, true);
  }
  return failed;
}

TEST(an_mpi_failure_does_not_make_A_indefinite)
{
  assert_true(fail_with_all_methods(0.5, 1, "none", OVK_REASON_BREAKDOWN_INDEFINITE_A) >= 10);
}

TEST(an_mpi_failure_does_not_make_C_indefinite)
{
  assert_true(fail_with_all_methods(-4, 1, "jacobi", OVK_REASON_BREAKDOWN_INDEFINITE_M) >= 4);
}

TEST(an_mpi_failure_while_a_culprit_is_looked_for_is_an_error)
{
  assert_true(fail_with_all_methods(4, NAN, "none", OVK_REASON_NAN) >= 32);
}

/* Ranks with other bits would decide otherwise, and wait for each other for ever. */
TEST(diagnoses_take_no_total_from_an_all_reduce)
{
  unequal = 0;
  assert_true(fail_with_all_methods(0.5, 1, "none", OVK_REASON_BREAKDOWN_INDEFINITE_A) > 0);
  assert_true(fail_with_all_methods(-4, 1, "jacobi", OVK_REASON_BREAKDOWN_INDEFINITE_M) > 0);
  assert_true(fail_with_all_methods(4, NAN, "none", OVK_REASON_NAN) > 0);
  assert_int_equal(unequal, 0);
}
