/* SPDX-License-Identifier: BSD-2-Clause */
/* How orthogonal the bases of the gmres methods are, and the reductions that this takes. */
#include "solvers/state/state.h"
#include "spectra.h"
#include "support/problem.h"

#include <ovkrylov/log.h>

enum { N = 30, FEW = 6 };

/* Looks at the basis of a solver while it iterates. */
typedef struct observer {
  ovk_solver *S;
  double loss; /* the largest entry of V^T V - I so far */
} observer;

/* Before the test of iteration k, v_0 to v_k-1 are final. */
static int observe(void *arg, const ovk_progress *progress)
{
  observer *o = arg;
  const int k = progress->iteration;
  for (int i = 0; i < k; i++) {
    for (int j = 0; j <= i; j++) {
      double dot;
      assert_ok(ovk_vec_dot(o->S->work[i], o->S->work[j], &dot));
      o->loss = fmax(o->loss, fabs(dot - (i == j)));
    }
  }
  return 0;
}

static double find_loss(const dense_system *P, const char *spec, int steps)
{
  observer o = {0};
  ovk_solver_opts opts = with_method(spec);
  opts.rtol = 0;
  opts.maxit = steps;
  opts.monitor = observe;
  opts.monitor_arg = &o;
  o.S = new_solver(P->A, NULL, &opts);
  (void)solve_from_zero(o.S, P->b, P->x);
  ovk_solver_destroy(&o.S);
  return o.loss;
}

/* Modified Gram-Schmidt loses orthogonality in proportion to the condition number. */
TEST(one_sum_keeps_the_basis_as_orthogonal_as_two)
{
  static const double conditions[] = {1e2, 1e7, 1e12};
  for (int c = 0; c < 3; c++) {
    double *A = random_of(FAR_FROM_NORMAL, N, conditions[c], 21);
    dense_system S = new_dense_system(A, N, 22, 1, 1);
    const double two = find_loss(&S, "gmres:ortho=cgs2", N - 2);
    const double one = find_loss(&S, "gmres", N - 2);
    const double hidden = find_loss(&S, "pgmres", N - 2);
    if (test_rank == 0) {
      print_message("condition %.0e: loss of orthogonality %.1e (cgs2), %.1e (dcgs2), %.1e "
                    "(pipelined), %.1e (mgs)\n",
                    conditions[c], two, one, hidden, find_loss(&S, "gmres:ortho=mgs", N - 2));
    } else {
      (void)find_loss(&S, "gmres:ortho=mgs", N - 2);
    }
    assert_true(two < 1e-14);
    assert_true(one < 10 * two);
    assert_true(hidden < 10 * two);
    clear_dense_system(&S);
  }
}

/* The reductions that the solves of a context have begun. */
static int64_t count_reductions(const ovk_mat *A)
{
  ovk_event_stats stats[OVK_EVENT_COUNT];
  assert_ok(ovk_log_stats(ovk_mat_ctx(A), stats));
  return stats[OVK_EVENT_REDUCTION_BEGIN].calls;
}

/* Columns of a matrix far from the identity lose little in one pass. Those of one that is close to
 * it nearly cancel. */
TEST(a_second_pass_is_made_only_where_the_basis_needs_it)
{
  static const struct {
    double distance; /* of A from the identity */
    bool few;        /* fewer than half of the second passes are made */
  } cases[] = {{1, true}, {1e-2, false}};
  for (int c = 0; c < 2; c++) {
    double *A = random_of(FAR_FROM_NORMAL, N, 10, 23);
    for (int i = 0; i < N * N; i++) A[i] = cases[c].distance * A[i] + (i % (N + 1) == 0);
    dense_system S = new_dense_system(A, N, 24, 1, 1);
    const int64_t start = count_reductions(S.A);
    const double always = find_loss(&S, "gmres:ortho=cgs2", FEW);
    const int64_t middle = count_reductions(S.A);
    const double needed = find_loss(&S, "gmres:ortho=cgs", FEW);
    const int64_t end = count_reductions(S.A);
    if (test_rank == 0) {
      print_message("distance %g: loss %.1e in %d reductions, %.1e in %d\n", cases[c].distance,
                    always, (int)(middle - start), needed, (int)(end - middle));
    }
    assert_true(needed < 1e-4);
    assert_true(end - middle <= middle - start);
    if (cases[c].few) assert_true(end - middle < middle - start - FEW / 2);
    clear_dense_system(&S);
  }
}

/* As many columns as there are rows, of matrices whose Krylov spaces are nearly dependent. */
TEST(second_passes_where_needed_keep_any_basis)
{
  static const double conditions[] = {1e2, 1e7, 1e12};
  for (int c = 0; c < 3; c++) {
    dense_system S =
        new_dense_system(random_of(FAR_FROM_NORMAL, N, conditions[c], 21), N, 22, 1, 1);
    assert_true(find_loss(&S, "gmres:ortho=cgs", N - 2) < 1e-4);
    clear_dense_system(&S);
  }
}
