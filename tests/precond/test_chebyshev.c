/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioner chebyshev, compared with the polynomial that defines it. */
#include "precond_case.h"
#include "support/problem.h"

enum { N = 24 };

/* Blocks s (1, c; c, 1): D^-1 A has the eigenvalues 1 - c and 1 + c only, which two Lanczos steps
 * find. */
static const double c = 0.75;

static double scale_of(int i)
{
  return 1 + i / 2;
}

static double *make_pairs(void)
{
  double *dense = new_zeros(N * N, sizeof *dense);
  for (int i = 0; i < N; i++) {
    dense[i * N + i] = scale_of(i);
    dense[i * N + (i ^ 1)] = c * scale_of(i);
  }
  return dense;
}

/* The Chebyshev polynomial T_m */
static double chebyshev(int m, double y)
{
  double last = 1, now = y;
  for (int k = 1; k < m; k++) {
    const double next = 2 * y * now - last;
    last = now;
    now = next;
  }
  return now;
}

/* p(t), where 1 - t p(t) is T_K+1 on [b / ratio, b], divided by its value at 0 */
static double polynomial(int degree, double ratio, double t)
{
  const double b = 1.1 * (1 + c), a = b / ratio, center = (b + a) / 2, half = (b - a) / 2;
  return (1 - chebyshev(degree + 1, (center - t) / half) / chebyshev(degree + 1, center / half)) /
         t;
}

TEST(an_application_is_the_polynomial)
{
  const struct {
    const char *spec;
    int degree;
    double ratio;
  } cases[] = {{"chebyshev", 4, 30},
               {"chebyshev:degree=1", 1, 30},
               {"chebyshev:degree=2,ratio=5", 2, 5},
               {"chebyshev:degree=7,ratio=100", 7, 100}};
  for (int k = 0; k < 4; k++) {
    scoped_precond_case P = case_make(make_pairs(), N, cases[k].spec);
    const double high = polynomial(cases[k].degree, cases[k].ratio, 1 + c);
    const double low = polynomial(cases[k].degree, cases[k].ratio, 1 - c);
    assert_ok(ovk_precond_apply(P.M, P.r, P.z, ovk_poll_none()));
    for (int i = 0; i < P.local; i++) {
      const double own = random_number(21, (uint64_t)(P.first + i)) - 0.5;
      const double other = random_number(21, (uint64_t)((P.first + i) ^ 1)) - 0.5;
      const double z = 0.5 * (high * (own + other) + low * (own - other));
      assert_close(ovk_vec_array(P.z)[i], z / scale_of(P.first + i), 1e-12);
    }
    case_check_polls(&P, cases[k].degree * P.local, false);
  }
}

/* The same operator for any distribution of rows, up to rounding; and a symmetric positive one. */
TEST(the_distribution_of_rows_does_not_matter)
{
  double all[2][N] = {{0}}, rz, sz, rw;
  for (int k = 0; k < 2; k++) {
    scoped_precond_case P = case_make(random_spd(N, 100, 8), N, "chebyshev:degree=5");
    scoped_mat *A = distribute(test_ctx(), P.dense, N, even_share(N, test_rank, test_size));
    ovk_mat *dealt = k ? A : P.A;
    scoped_precond *M = new_precond(dealt, "chebyshev:degree=5");
    scoped_vec *r = new_vec(dealt), *z = new_vec(dealt), *s = new_vec(dealt), *w = new_vec(dealt);
    const int first = (int)ovk_vec_first(r), local = ovk_vec_local_size(r);
    fill_random(r, 3);
    fill_random(s, 5);
    assert_ok(ovk_precond_apply(M, r, z, ovk_poll_none()));
    assert_ok(ovk_precond_apply(M, s, w, ovk_poll_none()));
    assert_ok(ovk_vec_dot(r, z, &rz));
    assert_ok(ovk_vec_dot(s, z, &sz));
    assert_ok(ovk_vec_dot(r, w, &rw));
    assert_true(rz > 0);
    assert_close(sz, rw, 1e-13);
    memcpy(all[k] + first, ovk_vec_array(z), (size_t)local * sizeof(double));
  }
  MPI_Allreduce(MPI_IN_PLACE, all, 2 * N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++) assert_close(all[0][i], all[1][i], 1e-12);
}

TEST(bad_matrices_and_keys_are_refused)
{
  const double bad[] = {0, -1};
  for (int k = 0; k < 2; k++) {
    scoped_array double *dense = make_pairs();
    dense[(N - 1) * (N + 1)] = bad[k];
    scoped_mat *A = distribute(test_ctx(), dense, N, even_share(N, test_rank, test_size));
    assert_no_precond(A, "chebyshev", OVK_ERR_INDEFINITE, "row 23 has ");
  }
  const char *const specs[] = {"chebyshev:degree=0", "chebyshev:ratio=1", "chebyshev:degree=x"};
  scoped_array double *dense = make_pairs();
  scoped_mat *A = distribute(test_ctx(), dense, N, even_share(N, test_rank, test_size));
  for (int k = 0; k < 3; k++) {
    assert_no_precond(A, specs[k], OVK_ERR_ARG, "but must be a");
  }
  scoped_precond *M = new_precond(A, "chebyshev");
  assert_error(ovk_precond_factor(M), OVK_ERR_UNSUPPORTED, "no factors");
}

TEST(an_entry_that_is_not_finite_is_named)
{
  const int places[] = {(N - 1) * (N + 1), (N - 1) * (N + 1) - 1};
  for (int k = 0; k < 2; k++) {
    scoped_array double *dense = make_pairs();
    dense[places[k]] = NAN;
    scoped_mat *A = distribute(test_ctx(), dense, N, even_share(N, test_rank, test_size));
    assert_no_precond(A, "chebyshev", OVK_ERR_ARG,
                      k ? "row 23, column 22 of A is nan" : "row 23, column 23 of A is nan");
  }
}

/* The identity times 3 as a user's operator; the product that is counted down to 0 fails. */
static int until_failure;

static ovk_err triple(void *user, const double *x, double *y, ovk_poll poll)
{
  for (int i = 0; i < 2; i++) y[i] = 3 * x[i];
  if (--until_failure == 0 && is_last()) {
    return ovk_ctx_fail(test_ctx(), OVK_ERR_USER, "no product today");
  }
  return OVK_OK;
}

static ovk_err threes(void *user, double *d)
{
  d[0] = d[1] = 3;
  return OVK_OK;
}

TEST(a_product_that_fails_on_one_rank_fails_on_all)
{
  scoped_mat *A = new_shell(2, NULL, .mult = triple, .diagonal = threes);
  until_failure = 1;
  assert_no_precond(A, "chebyshev", OVK_ERR_USER, "no product today");
  scoped_precond *M = new_precond(A, "chebyshev");
  scoped_vec *r = new_filled(A, 1), *z = new_vec(A);
  until_failure = 2;
  assert_error(ovk_precond_apply(M, r, z, ovk_poll_none()), OVK_ERR_USER, "no product today");
  assert_true(until_failure < 0); /* the products after it were made */
  assert_ok(ovk_precond_apply(M, r, z, ovk_poll_none()));
}

TEST(no_rows_at_all_are_fine)
{
  scoped_mat *A = new_mat(0);
  assert_ok(ovk_mat_assemble(A));
  scoped_precond *M = new_precond(A, "chebyshev");
  scoped_vec *r = new_vec(A), *z = new_vec(A);
  assert_ok(ovk_precond_apply(M, r, z, ovk_poll_none()));
}
