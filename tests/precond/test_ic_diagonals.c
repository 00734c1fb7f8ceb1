/* SPDX-License-Identifier: BSD-2-Clause */
/* ic of level 0, factored by diagonals, compared with the factor by rows, bit for bit; and the
 * matrices that are left to the latter. */
#include "precond/incomplete/factor.h"
#include "precond/incomplete/ic_diagonals.h"
#include "precond/incomplete/triangle/triangle.h"
#include "support/problem.h"

enum { SIDE = 11, N = SIDE * SIDE * 9 + 5 }; /* the last line is cut off */

/* Neighbors in space. Some of them are no entries. Values depend on the seed. */
typedef struct problem {
  int points; /* 7 or 27 */
  double holes, diagonal;
  uint64_t seed;
} problem;

static bool neighbors(const problem *p, int i, int j)
{
  const int x = abs(i % SIDE - j % SIDE), y = abs(i / SIDE % SIDE - j / SIDE % SIDE);
  const int z = abs(i / (SIDE * SIDE) - j / (SIDE * SIDE));
  if (x > 1 || y > 1 || z > 1 || (p->points == 7 && x + y + z > 1)) return false;
  return i == j || random_number(1, (uint64_t)(i < j ? i * N + j : j * N + i)) >= p->holes;
}

static double entry(const problem *p, int i, int j)
{
  if (i == j) return p->diagonal;
  return -random_number(p->seed, (uint64_t)(i < j ? i * N + j : j * N + i));
}

static void add_entries(const problem *p, ovk_mat *A)
{
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      if (neighbors(p, i, j)) assert_ok(ovk_mat_add(A, i, j, entry(p, i, j)));
    }
  }
  assert_ok(ovk_mat_assemble(A));
}

static ovk_mat *make_matrix(const problem *p, const char *format)
{
  ovk_mat *A = new_mat(N);
  assert_ok(ovk_mat_set_format(A, format));
  add_entries(p, A);
  return A;
}

/* By rows, then packed. */
static void make_by_rows(const ovk_mat *A, double shift, bool single, ovk__triangle *T)
{
  SCOPED(ovk__block_free) ovk__block B;
  ovk__factor F = {0};
  char info[OVK__FACTOR_INFO];
  assert_ok(ovk__block_copy(A, "test", &B));
  assert_ok(ovk__sparsity_make(&B, 0, &F.L, NULL));
  assert_ok(ovk__factor_make(&B, "test", ovk__factorise_ic, shift, &F, info));
  assert_string_equal(info, "");
  assert_ok(ovk__triangle_pack(&B, "test", &F.L, F.lower, F.inverse, false, single, T));
  assert_true(T->by_diagonals);
  ovk__factor_free(&F);
}

static void check_equal(const ovk__dia_triangle *a, const ovk__dia_triangle *b)
{
  const size_t each = a->single ? sizeof(float) : sizeof(double), n = (size_t)a->n;
  assert_int_equal(a->n, b->n);
  assert_int_equal(a->count, b->count);
  assert_int_equal(a->stride, b->stride);
  assert_int_equal(a->single, b->single);
  assert_memory_equal(a->distance, b->distance, (size_t)a->count * sizeof *a->distance);
  for (int e = 0; e < a->count; e++) {
    const size_t at = (size_t)e * (size_t)a->stride * each;
    assert_memory_equal((char *)a->value + at, (char *)b->value + at, n * each);
  }
  assert_memory_equal(a->near, b->near, (n + 1) * each);
  assert_memory_equal(a->inverse, b->inverse, n * each);
}

static void check_factor(const ovk_mat *A, ovk__block_rows rows, double shift, bool single)
{
  SCOPED(ovk__dia_triangle_free) ovk__dia_triangle made;
  SCOPED(ovk__triangle_free) ovk__triangle expected;
  bool done;
  make_by_rows(A, shift, single, &expected);
  assert_ok(ovk__ic_diagonals_make(test_ctx(), rows, shift, single, &made, &done));
  assert_true(done);
  check_equal(&made, &expected.dia);
}

TEST(the_factor_by_diagonals_has_the_bits_of_that_by_rows)
{
  const problem problems[] = {{7, 0, 6, 3}, {7, 0.1, 5, 3}, {27, 0, 26, 3}, {27, 0.05, 20, 4}};
  for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
    scoped_mat *A = make_matrix(&problems[k], "csr");
    SCOPED(ovk__block_free) ovk__block B;
    assert_ok(ovk__block_copy(A, "test", &B));
    check_factor(A, (ovk__block_rows){.A = A}, 0, false);
    check_factor(A, (ovk__block_rows){.A = A}, 0.25, false);
    check_factor(A, (ovk__block_rows){.A = A}, 0, true);
    check_factor(A, (ovk__block_rows){.B = &B}, 0, false);
  }
}

/* A tridiagonal matrix with some entries at two more distances: in no row that is looked at first,
 * or in each. */
static ovk_mat *make_sparse_diagonals(int n, bool few)
{
  ovk_mat *A = new_mat(n);
  assert_ok(ovk_mat_set_format(A, "csr"));
  for (int i = 0; i < n; i++) {
    assert_ok(ovk_mat_add(A, i, i, 6));
    for (int d = 1; d <= 41; d += 20) {
      if (i < d || (d > 1 && few && i % 61 == 0)) continue;
      assert_ok(ovk_mat_add(A, i, i - d, -1));
      assert_ok(ovk_mat_add(A, i - d, i, -1));
    }
  }
  return assembled(A);
}

TEST(many_rows_may_have_diagonals_that_the_first_look_misses)
{
  enum { MANY = 6000 };
  for (int few = 0; few < 2; few++) {
    scoped_mat *A = make_sparse_diagonals(MANY, few);
    SCOPED(ovk__dia_triangle_free) ovk__dia_triangle made;
    SCOPED(ovk__triangle_free) ovk__triangle expected;
    bool done;
    make_by_rows(A, 0, false, &expected);
    assert_ok(
        ovk__ic_diagonals_make(test_ctx(), (ovk__block_rows){.A = A}, 0, false, &made, &done));
    assert_true(done);
    check_equal(&made, &expected.dia);
  }
}

static void check_update(const ovk_mat *A, ovk__dia_triangle *T, bool usable)
{
  SCOPED(ovk__dia_triangle_free) ovk__dia_triangle fresh;
  bool updated, made;
  const ovk__block_rows rows = {.A = A};
  assert_ok(ovk__ic_diagonals_update(test_ctx(), rows, 0, T, &updated));
  assert_ok(ovk__ic_diagonals_make(test_ctx(), rows, 0, false, &fresh, &made));
  assert_int_equal(updated, usable);
  assert_int_equal(made, usable);
  if (made) check_equal(T, &fresh);
}

TEST(new_values_give_the_bits_of_a_fresh_factor)
{
  problem p = {27, 0.05, 20, 5};
  SCOPED(ovk__dia_triangle_free) ovk__dia_triangle T;
  bool done;
  scoped_mat *A = make_matrix(&p, "csr");
  assert_ok(ovk__ic_diagonals_make(test_ctx(), (ovk__block_rows){.A = A}, 0, false, &T, &done));
  assert_true(done);
  for (int k = 0; k < 3; k++) {
    p.seed++;
    p.diagonal = k == 1 ? 1 : 20; /* 1: no pivot to be used */
    assert_ok(ovk_mat_reset_values(A));
    add_entries(&p, A);
    check_update(A, &T, k != 1);
  }
}

static void apply_twice(const ovk_precond *M, const ovk_mat *A, ovk_vec **z)
{
  scoped_vec *r = new_vec(A);
  assert_ok(ovk_mat_create_vec(A, z));
  for (int i = 0; i < N; i++) ovk_vec_array(r)[i] = random_number(9, (uint64_t)i) - 0.5;
  assert_ok(ovk_precond_apply(M, r, *z, ovk_poll_none()));
}

static void check_same(const ovk_precond *M, const char *spec, ovk_mat *A)
{
  scoped_vec *z = NULL, *expected = NULL;
  scoped_precond *fresh = new_precond(A, spec);
  apply_twice(M, A, &z);
  apply_twice(fresh, A, &expected);
  assert_same_vec(z, expected);
  assert_string_equal(ovk_precond_info(M), ovk_precond_info(fresh));
}

/* In place or not, also after a shift and before one. */
TEST(an_updated_preconditioner_is_as_a_fresh_one)
{
  static const char *const formats[] = {"csr", "symdia"};
  static const char *const specs[] = {"ic", "ic:store=float", "ic:level=1", "ic:order=rcm"};
  for (size_t k = 0; k < 8; k++) {
    problem p = {7, 0.05, 6, 7};
    scoped_mat *A = make_matrix(&p, formats[k % 2]);
    scoped_precond *M = new_precond(A, specs[k / 2]);
    for (int value = 0; value < 3; value++) {
      p.seed++;
      p.diagonal = value == 1 ? 1 : 6;
      assert_ok(ovk_mat_reset_values(A));
      add_entries(&p, A);
      assert_ok(ovk_precond_update(M));
      assert_true((ovk_precond_info(M)[0] != '\0') == (value == 1));
      check_same(M, specs[k / 2], A);
    }
  }
}

/* An entry of A, or its mirror image only, is changed. */
static void check_left_to_rows(int row, int column, double by)
{
  const problem p = {7, 0, 6, 3};
  ovk__dia_triangle T;
  bool done;
  scoped_mat *A = new_mat(N);
  assert_ok(ovk_mat_set_format(A, "csr"));
  assert_ok(ovk_mat_add(A, row, column, by));
  add_entries(&p, A);
  assert_ok(ovk__ic_diagonals_make(test_ctx(), (ovk__block_rows){.A = A}, 0, false, &T, &done));
  assert_false(done);
  assert_null(T.value);
}

TEST(what_needs_a_judgement_is_left_to_the_other_way)
{
  const int i = 5 * SIDE + 4;
  check_left_to_rows(i, i - SIDE, 1e-12);   /* not symmetric */
  check_left_to_rows(i - SIDE, i, 1e-12);   /* likewise */
  check_left_to_rows(i, i - 2 * SIDE, 0.5); /* an entry without its mirror image */
  check_left_to_rows(i - 2 * SIDE, i, 0.5); /* likewise */
  check_left_to_rows(i, i - 3, 0.5);        /* too near */
  check_left_to_rows(i, i, -7);             /* a negative pivot */
  check_left_to_rows(i, i, INFINITY);
}
