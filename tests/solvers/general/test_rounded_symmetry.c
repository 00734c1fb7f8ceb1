/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrices that are symmetric up to the rounding of their assembly, as finite element programs make
 * them: symmetric formats, factors and conjugate gradients take them, and no others. */
#include "support/methods.h"
#include "support/problem.h"

enum { SIDE = 50, ROWS = SIDE * SIDE, FACTOR_AT = ROWS / 2 };

/* How a matrix differs from the symmetric one. */
typedef struct flaw {
  double rounding; /* of random entries, in units of eps sqrt(a_ii a_jj) */
  double entry; /* added to the entry right of the diagonal in the middle row, in that unit / eps */
  bool one_sided;   /* the middle row is that of the identity, its column is not */
  double row_scale; /* rows and columns from the middle on have this unit */
} flaw;

static const flaw none = {0, 0, false, 1}, rounded = {0.9, 0, false, 1};

/* Rows on all ranks but the middle one of three. */
static ovk_lidx my_share(void)
{
  if (test_size < 3) return even_share(ROWS, test_rank, test_size);
  if (test_rank == 1) return 0;
  return even_share(ROWS, test_rank > 1 ? test_rank - 1 : 0, test_size - 1);
}

static double unit(const flaw *f, ovk_gidx i)
{
  return i < FACTOR_AT ? 1 : f->row_scale;
}

static void add_entry(ovk_mat *A, const flaw *f, ovk_gidx i, ovk_gidx j, double value)
{
  const double random = 2 * random_number(7, (uint64_t)(i * ROWS + j)) - 1;
  double entry = value * (i == j ? 1 : 1 + f->rounding * DBL_EPSILON * random);
  if (f->one_sided && i == FACTOR_AT) entry = i == j ? 4 : 0;
  if (i == FACTOR_AT && j == i + 1) entry += f->entry * 4;
  assert_ok(ovk_mat_add(A, i, j, entry * unit(f, i) * unit(f, j)));
}

/* The 5-point Laplacian of a square, plus a little. */
static void add_values(ovk_mat *A, const flaw *f)
{
  const ovk_gidx first = ovk_mat_row_begin(A);
  for (ovk_gidx i = first; i < first + ovk_mat_local_size(A); i++) {
    add_entry(A, f, i, i, 4.01 + 0.1 * random_number(3, (uint64_t)i));
    if (i >= SIDE) add_entry(A, f, i, i - SIDE, -1);
    if (i % SIDE > 0) add_entry(A, f, i, i - 1, -1);
    if (i % SIDE < SIDE - 1) add_entry(A, f, i, i + 1, -1);
    if (i < ROWS - SIDE) add_entry(A, f, i, i + SIDE, -1);
  }
}

static ovk_mat *open_mat(const flaw *f, const char *format)
{
  ovk_mat *A = new_mat(my_share());
  assert_ok(ovk_mat_set_format(A, format));
  add_values(A, f);
  return A;
}

static ovk_mat *make_mat(const flaw *f, const char *format)
{
  ovk_mat *A = open_mat(f, format);
  return assembled(A);
}

static const char *const symmetric_formats[] = {"sym", "symdia"};

/* Their entries are at most two units off; A is symmetric on each rank then. */
TEST(symmetric_formats_hold_rounded_entries)
{
  for (int k = 0; k < 2; k++) {
    scoped_mat *A = make_mat(&rounded, symmetric_formats[k]), *exact = make_mat(&rounded, "csr");
    assert_string_equal(ovk_mat_format(A), symmetric_formats[k]);
    scoped_vec *x = new_vec(A), *y = new_vec(A), *z = new_vec(A);
    fill_random(x, 4);
    assert_ok(ovk_mat_mult(A, x, y));
    assert_ok(ovk_mat_mult(exact, x, z));
    for (ovk_lidx i = 0; i < ovk_vec_local_size(y); i++) {
      assert_close(ovk_vec_array(y)[i], ovk_vec_array(z)[i], 16 * DBL_EPSILON);
    }
  }
}

static void check_refused(const flaw *f, const char *format)
{
  scoped_mat *A = open_mat(f, format);
  assert_error(ovk_mat_assemble(A), OVK_ERR_UNSUPPORTED, "is not symmetric");
}

TEST(a_larger_difference_is_refused)
{
  const flaw large = {0.9, 100 * DBL_EPSILON, false, 1};
  for (int k = 0; k < 2; k++) check_refused(&large, symmetric_formats[k]);
}

TEST(entries_are_not_rounded_with_the_key_exact)
{
  check_refused(&rounded, "sym:exact");
  check_refused(&rounded, "symdia:exact");
  scoped_mat *A = make_mat(&rounded, "auto:exact"), *B = make_mat(&none, "symdia:exact");
  assert_null(strstr(ovk_mat_format(A), "sym"));
}

TEST(new_values_are_rounded_too)
{
  for (int k = 0; k < 2; k++) {
    scoped_mat *A = make_mat(&none, symmetric_formats[k]);
    for (int again = 0; again < 2; again++) {
      assert_ok(ovk_mat_reset_values(A));
      add_values(A, &rounded);
      assert_ok(ovk_mat_assemble(A));
      assert_string_equal(ovk_mat_format(A), symmetric_formats[k]);
    }
  }
}

static bool takes_conjugate_gradients(const linear_system *s)
{
  const ovk_solver_opts opts = with_method("auto");
  scoped_solver *solver = new_solver(s->A, s->M, &opts);
  return !is_general_method(ovk_solver_method(solver));
}

static int iterations_of(const flaw *f, const char *format, const char *precond)
{
  scoped_system s = new_system(make_mat(f, format), precond);
  const ovk_solver_opts opts = with_method("auto");
  assert_true(takes_conjugate_gradients(&s));
  const ovk_result res = solve_system(&s, &opts);
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  return res.iterations;
}

TEST(conjugate_gradients_take_as_many_iterations)
{
  static const char *const formats[] = {"csr", "sym", "auto"}, *const preconds[] = {"jacobi", "ic"};
  for (int k = 0; k < 6; k++) {
    const char *format = formats[k % 3], *precond = preconds[k / 3];
    const int expected = iterations_of(&none, format, precond);
    const int iterations = iterations_of(&rounded, format, precond);
    assert_in_range(iterations, expected - 1, expected + 1);
  }
}

/* One flaw, also in rows that are small compared with the others, or on another rank than its
 * mirror. */
TEST(one_entry_makes_a_matrix_unsymmetric)
{
  static const flaw flaws[] = {
      {0.9, 1e-9, false, 1}, {0.9, 0, true, 1}, {0.9, 1e-9, false, 1e-8}, {0, 0, true, 1e-8}};
  for (int k = 0; k < 4; k++) {
    scoped_system s = new_system(make_mat(&flaws[k], "auto"), NULL);
    assert_false(takes_conjugate_gradients(&s));
  }
}

TEST(rows_of_different_sizes_may_be_rounded)
{
  const flaw small = {0.9, 0, false, 1e-8};
  scoped_system s = new_system(make_mat(&small, "auto"), "jacobi");
  assert_true(takes_conjugate_gradients(&s));
}
