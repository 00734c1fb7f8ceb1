/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioner ssor, compared with its definition by dense matrices. */
#include "precond/precond_impl.h"
#include "precond_case.h"

enum { N = 23 };

/* (C z)_i for C = (D/w + L) E^-1 (D/w + U), E = (2 - w)/w D, of this rank's block */
static double multiply(const precond_case *P, double omega, const double *z, int i)
{
  double sum = 0;
  for (int k = P->first; k <= i; k++) {
    const double d = case_entry(P, k, k);
    double y = d / omega * z[k - P->first];
    for (int j = k + 1; j < P->first + P->local; j++) y += case_entry(P, k, j) * z[j - P->first];
    y /= (2 - omega) / omega * d;
    sum += (k == i ? d / omega : case_entry(P, i, k)) * y;
  }
  return sum;
}

TEST(an_application_inverts_the_definition)
{
  const struct {
    const char *spec;
    double omega;
  } cases[] = {{"ssor", 1}, {"ssor:omega=0.6", 0.6}, {"ssor:omega=1.7", 1.7}};
  for (int k = 0; k < 3; k++) {
    scoped_precond_case P = case_make(random_spd(N, 30, 4), N, cases[k].spec);
    assert_ok(ovk_precond_apply(P.M, P.r, P.z, ovk_poll_none()));
    for (int i = 0; i < P.local; i++) {
      const double r = multiply(&P, cases[k].omega, ovk_vec_array(P.z), P.first + i);
      assert_close(r, ovk_vec_array(P.r)[i], 1e-13);
    }
    case_check_factors(&P);
    case_check_polls(&P, 2 * (P.local / 3), true); /* rows with the same columns are a group */
  }
}

/* p = L^-T u, s = A p, q = L^-1 s for a random A that couples ranks, whether L holds its values or
 * not: as floats, and where two values differ by rounding. */
TEST(products_of_the_split_operator_are_their_three_parts)
{
  const struct {
    const char *spec;
    double asymmetry;
  } cases[] = {{"ssor", 0}, {"ssor:omega=1.7", 0}, {"ssor:store=float", 0}, {"ssor", 1e-12}};
  const ovk_poll none = ovk_poll_none();
  for (int k = 0; k < 4; k++) {
    double *dense = random_spd(N, 30, 4);
    dense[(N - 1) * N + N - 2] += cases[k].asymmetry;
    scoped_precond_case P = case_make(dense, N, cases[k].spec);
    ovk_vec *v[5] = {NULL}; /* p, s, q; and A p, L^-1 s */
    for (int i = 0; i < 5; i++) assert_ok(ovk_mat_create_vec(P.A, &v[i]));
    assert_ok(ovk_precond_factor(P.M));
    assert_true(P.M->splits);
    assert_ok(ovk__precond_apply_split(P.M, P.r, v[0], v[1], v[2], none));
    assert_ok(ovk_precond_apply_right(P.M, P.r, P.z, none));
    assert_ok(ovk_mat_mult(P.A, v[0], v[3]));
    assert_ok(ovk_precond_apply_left(P.M, v[1], v[4], none));
    for (int i = 0; i < P.local; i++) {
      assert_true(ovk_vec_array(v[0])[i] == ovk_vec_array(P.z)[i]);
      assert_close(ovk_vec_array(v[1])[i], ovk_vec_array(v[3])[i], 1e-12);
      assert_true(ovk_vec_array(v[2])[i] == ovk_vec_array(v[4])[i]);
    }
    for (int i = 0; i < 5; i++) ovk_vec_destroy(&v[i]);
  }
}

/* The diagonal 2, except for `value` in the last row, and `above` and `below` next to it. */
static ovk_err create_ssor(double value, double above, double below, const char *spec, ovk_mat **A,
                           ovk_precond **M)
{
  scoped_array double *dense = new_zeros(N * N, sizeof *dense);
  for (int i = 0; i < N; i++) dense[i * N + i] = 2;
  dense[N * N - 1] = value;
  dense[(N - 1) * N - 1] = above;
  dense[N * N - 2] = below;
  *A = distribute(test_ctx(), dense, N, even_share(N, test_rank, test_size));
  return ovk_precond_create(*A, spec, M);
}

TEST(bad_diagonals_name_their_row)
{
  const double bad[] = {0, NAN, INFINITY, 1e-320};
  scoped_mat *A = NULL;
  scoped_precond *M = NULL;
  for (int k = 0; k < 4; k++) {
    assert_error(create_ssor(bad[k], 1, 1, "ssor", &A, &M), OVK_ERR_ARG, "row 22");
    assert_null(M);
    ovk_mat_destroy(&A);
  }
  assert_ok(create_ssor(-3, 1, 1, "ssor", &A, &M));
  assert_error(ovk_precond_factor(M), OVK_ERR_INDEFINITE, "row 22 has diagonal -3");
}

TEST(factors_need_symmetric_values)
{
  scoped_mat *A = NULL;
  scoped_precond *M = NULL;
  assert_ok(create_ssor(2, 1, 0.5, "ssor", &A, &M));
  assert_error(ovk_precond_factor(M), OVK_ERR_ARG, "row 22, column 21 is 0.5");
}

TEST(omega_lies_between_0_and_2)
{
  ovk_mat *A;
  ovk_precond *M;
  const char *const specs[] = {"ssor:omega=0", "ssor:omega=2", "ssor:omega=-1", "ssor:omega=2.1"};
  for (int k = 0; k < 4; k++) {
    assert_error(create_ssor(2, 1, 1, specs[k], &A, &M), OVK_ERR_ARG,
                 k < 2 ? "but must be above 0 and below 2" : "omega");
    ovk_mat_destroy(&A);
  }
}

TEST(a_shell_has_no_entries)
{
  scoped_mat *A = new_shell(2, NULL, .mult = no_product);
  assert_no_precond(A, "ssor", OVK_ERR_UNSUPPORTED, "'ssor' needs the entries");
}
