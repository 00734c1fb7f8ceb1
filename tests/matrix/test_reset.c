/* SPDX-License-Identifier: BSD-2-Clause */
/* New values on the pattern of an assembled matrix: in every format the same bits as in a new
 * matrix, and errors for entries that the pattern lacks. */
#include "support/problem.h"

/* A rank of three refills two pieces; shares of up to three ranks are in threes. */
enum { ROWS = 2412, NEAR = 7, MOST_ENTRIES = 9 * ROWS };

static bool in_threes; /* whether the pattern is that of 3 x 3 blocks */

static void use_pattern_for(const char *format)
{
  in_threes = strcmp(format, "sym3") == 0;
}

/* The pattern: the diagonal and two diagonals on either side of it, or three diagonals of blocks.
 */
static bool has(ovk_gidx i, ovk_gidx j)
{
  const ovk_gidx distance = i < j ? j - i : i - j;
  if (in_threes) return j >= 0 && j < ROWS && i / 3 - j / 3 <= 1 && j / 3 - i / 3 <= 1;
  return j >= 0 && j < ROWS && (distance <= 1 || distance == NEAR);
}

/* The matrices that a format can hold. */
typedef enum values { ANY, SYMMETRIC, CONSTANT } values;

static values values_for(const char *format)
{
  if (strcmp(format, "pattern") == 0) return CONSTANT;
  return strncmp(format, "sym", 3) == 0 ? SYMMETRIC : ANY;
}

/* Value number `time`: on "pattern" the same in all rows. All but ANY have few bits, so that sums
 * are exact in any order. */
static double value(int time, ovk_gidx i, ovk_gidx j, values kind)
{
  const ovk_gidx low = i < j ? i : j, high = i < j ? j : i;
  const ovk_gidx place = kind == CONSTANT    ? high - low
                         : kind == SYMMETRIC ? ROWS * low + high
                                             : ROWS * i + j;
  const double v = random_number(5 + (uint64_t)time, (uint64_t)place) - 0.5 + (i == j ? 4 : 0);
  return kind == ANY ? v : 0x1p-20 * (double)(int64_t)(0x1p20 * v);
}

/* Adds a part of the entries of this rank's rows, in order: one part of those left of the diagonal,
 * another one of the others. */
static void add_in_order(ovk_mat *A, int time, values kind, double left, double right)
{
  const ovk_gidx first = ovk_mat_row_begin(A);
  for (ovk_gidx i = first; i < first + ovk_mat_local_size(A); i++) {
    for (ovk_gidx j = i - NEAR; j <= i + NEAR; j++) {
      if (has(i, j))
        assert_ok(ovk_mat_add(A, i, j, (j < i ? left : right) * value(time, i, j, kind)));
    }
  }
}

/* Adds the rows of this rank, each entry as a sum of three: one goes around in other rows' order,
 * one is added by another rank. */
static void add_scattered(ovk_mat *A, int time, values kind)
{
  const ovk_gidx first = ovk_mat_row_begin(A), n = ovk_mat_local_size(A);
  for (ovk_gidx i = 0; i < ROWS; i++) {
    for (ovk_gidx j = i - NEAR; j <= i + NEAR; j++) {
      if (!has(i, j)) continue;
      const double v = value(time, i, j, kind);
      if (i >= first && i < first + n) assert_ok(ovk_mat_add(A, i, j, 0.5 * v));
      if (i % test_size == test_rank) assert_ok(ovk_mat_add(A, i, j, 0.25 * v));
    }
  }
  for (ovk_gidx i = first + n; i-- > first;) {
    for (ovk_gidx j = i + NEAR; j >= i - NEAR; j--) {
      if (has(i, j)) assert_ok(ovk_mat_add(A, i, j, 0.125 * value(time, i, j, kind)));
    }
  }
}

/* Adds the rows of this rank, each time in another way. */
static void add_all(ovk_mat *A, int time, values kind)
{
  if (time % 3 == 2) {
    add_in_order(A, time, kind, 1, 1);
  } else if (time % 3 == 0) {
    add_in_order(A, time, kind, 0.25, 0.5); /* not symmetric up to here */
    add_in_order(A, time, kind, 0.75, 0.5);
  } else {
    add_scattered(A, time, kind);
  }
}

static ovk_mat *create_matrix(const char *format)
{
  ovk_mat *A = new_mat(even_share(ROWS, test_rank, test_size));
  assert_ok(ovk_mat_set_format(A, format));
  return A;
}

static ovk_mat *make_matrix(const char *format, int time, values kind)
{
  ovk_mat *A = create_matrix(format);
  add_all(A, time, kind);
  return assembled(A);
}

static void refill(ovk_mat *A, int time, values kind)
{
  assert_ok(ovk_mat_reset_values(A));
  add_all(A, time, kind);
  assert_ok(ovk_mat_assemble(A));
}

/* This rank's entries, in order. */
typedef struct entries {
  int n;
  ovk_gidx row[MOST_ENTRIES], col[MOST_ENTRIES];
  double val[MOST_ENTRIES];
} entries;

static ovk_err take_row(void *arg, ovk_gidx i, ovk_lidx n, const ovk_gidx *col, const double *val)
{
  entries *e = arg;
  for (ovk_lidx k = 0; k < n; k++, e->n++) {
    e->row[e->n] = i;
    e->col[e->n] = col[k];
    e->val[e->n] = val[k];
  }
  return OVK_OK;
}

static void assert_same_bits(const ovk_mat *A, const ovk_mat *B)
{
  static entries a, b;
  a.n = b.n = 0;
  assert_ok(ovk_mat_for_each_row(A, take_row, &a));
  assert_ok(ovk_mat_for_each_row(B, take_row, &b));
  assert_int_equal(a.n, b.n);
  assert_memory_equal(a.row, b.row, (size_t)(b.n + 1) * sizeof *b.row);
  assert_memory_equal(a.col, b.col, (size_t)(b.n + 1) * sizeof *b.col);
  assert_memory_equal(a.val, b.val, (size_t)(b.n + 1) * sizeof *b.val);
  assert_string_equal(ovk_mat_format(A), ovk_mat_format(B));
  assert_true(ovk_mat_nnz(A) == ovk_mat_nnz(B) && ovk_mat_bytes(A) == ovk_mat_bytes(B));
  assert_same_product(A, B);
}

TEST(every_format_takes_new_values_bit_for_bit)
{
  FOR_EACH_CHOICE(ovk_list_formats, format) {
    const values kind = values_for(format.name);
    use_pattern_for(format.name);
    scoped_mat *A = make_matrix(format.name, 0, kind);
    for (int time = 1; time < 5; time++) {
      scoped_mat *fresh = make_matrix(format.name, time, kind);
      refill(A, time, kind);
      assert_same_bits(A, fresh);
    }
  }
}

/* The rows of this rank as arrays in CSR, columns decreasing at even times. */
typedef struct csr {
  int64_t ptr[ROWS + 1];
  ovk_gidx col[MOST_ENTRIES];
  int32_t ptr32[ROWS + 1], col32[MOST_ENTRIES];
  double val[MOST_ENTRIES];
} csr;

static void fill_csr(const ovk_mat *A, int time, values kind, csr *c)
{
  const ovk_gidx first = ovk_mat_row_begin(A);
  int64_t at = 0;
  c->ptr[0] = 0;
  for (ovk_gidx i = first; i < first + ovk_mat_local_size(A); i++) {
    for (ovk_gidx d = -NEAR; d <= NEAR; d++) {
      const ovk_gidx j = time % 2 ? i + d : i - d;
      if (!has(i, j)) continue;
      c->col[at] = j;
      c->val[at++] = value(time, i, j, kind);
    }
    c->ptr[i - first + 1] = at;
  }
  for (int64_t k = 0; k < at; k++) c->col32[k] = (int32_t)c->col[k];
  for (ovk_lidx k = 0; k <= ovk_mat_local_size(A); k++) c->ptr32[k] = (int32_t)c->ptr[k];
}

TEST(arrays_of_32_and_of_64_bits_are_entries)
{
  static csr c;
  FOR_EACH_CHOICE(ovk_list_formats, format) {
    const values kind = values_for(format.name);
    use_pattern_for(format.name);
    scoped_mat *A = create_matrix(format.name), *B = create_matrix(format.name);
    for (int time = 0; time < 3; time++) {
      scoped_mat *fresh = create_matrix(format.name);
      if (time) assert_ok(ovk_mat_reset_values(A));
      if (time) assert_ok(ovk_mat_reset_values(B));
      fill_csr(A, time, kind, &c);
      assert_ok(ovk_mat_add_csr(A, c.ptr, c.col, c.val));
      assert_ok(ovk_mat_add_csr32(B, c.ptr32, c.col32, c.val));
      add_in_order(fresh, time, kind, 1, 1);
      assert_ok(ovk_mat_assemble(A));
      assert_ok(ovk_mat_assemble(B));
      assert_ok(ovk_mat_assemble(fresh));
      assert_same_bits(A, B);
      assert_same_bits(A, fresh);
    }
    assert_local_error(ovk_mat_add_csr32(B, c.ptr32, c.col32, c.val), OVK_ERR_STATE, "before");
  }
}

TEST(arrays_of_32_bits_are_checked)
{
  static csr c;
  scoped_mat *A = create_matrix("csr");
  fill_csr(A, 0, ANY, &c);
  assert_local_error(ovk_mat_add_csr32(A, NULL, c.col32, c.val), OVK_ERR_ARG, "ptr is NULL");
  assert_local_error(ovk_mat_add_csr32(A, c.ptr32, NULL, c.val), OVK_ERR_ARG, "col is NULL");
  c.ptr32[1] = -4;
  assert_local_error(ovk_mat_add_csr32(A, c.ptr32, c.col32, c.val), OVK_ERR_ARG, "ptr[1] = -4");
}

TEST(what_is_not_added_again_is_zero)
{
  static entries e;
  FOR_EACH_CHOICE(ovk_list_formats, format) {
    use_pattern_for(format.name);
    scoped_mat *A = make_matrix(format.name, 0, values_for(format.name));
    e.n = 0;
    assert_ok(ovk_mat_reset_values(A));
    if (test_rank == 0) assert_ok(ovk_mat_add(A, 3, 3, 2.5));
    if (test_rank == 0) assert_ok(ovk_mat_add(A, ROWS - 3, ROWS - 3, 2.5));
    assert_ok(ovk_mat_assemble(A));
    assert_ok(ovk_mat_for_each_row(A, take_row, &e));
    for (int k = 0; k < e.n; k++) {
      const bool added = e.row[k] == e.col[k] && (e.row[k] == 3 || e.row[k] == ROWS - 3);
      assert_true(e.val[k] == (added ? 2.5 : 0));
    }
  }
}

/* After a failed assembly A can be reset, and only that. */
static void assert_takes_values_again(ovk_mat *A, const char *format, values kind)
{
  scoped_mat *fresh = make_matrix(format, 1, kind);
  assert_local_error(ovk_mat_add(A, 0, 0, 1), OVK_ERR_STATE, "after ovk_mat_reset_values()");
  assert_error(ovk_mat_assemble(A), OVK_ERR_STATE, "again after ovk_mat_reset_values()");
  scoped_vec *x = new_vec(fresh), *y = new_vec(fresh);
  assert_error(ovk_mat_mult(A, x, y), OVK_ERR_STATE, "not assembled");
  refill(A, 1, kind);
  assert_same_bits(A, fresh);
}

TEST(an_entry_outside_of_the_pattern_is_named)
{
  static const ovk_gidx places[][2] = {{0, 2}, {0, ROWS - 1}, {ROWS - 1, 3}, {44, 41}};
  for (int k = 0; k < 4; k++) {
    scoped_mat *A = make_matrix("auto", 0, ANY);
    char name[80];
    snprintf(name, sizeof name, "entry (%lld,%lld) is not in the pattern", (long long)places[k][0],
             (long long)places[k][1]);
    assert_ok(ovk_mat_reset_values(A));
    add_all(A, 1, ANY);
    if (is_last()) (void)ovk_mat_add(A, places[k][0], places[k][1], 1);
    assert_error(ovk_mat_assemble(A), OVK_ERR_RANGE, name);
    assert_takes_values_again(A, "auto", ANY);
  }
}

/* Values that are symmetric except for the first `n` rows or, if n < 0, for the last -n rows of
 * each rank. */
static void add_unsymmetric(ovk_mat *A, ovk_lidx n)
{
  const ovk_gidx first = ovk_mat_row_begin(A), end = first + ovk_mat_local_size(A);
  for (ovk_gidx i = first; i < end; i++) {
    const bool odd = n > 0 ? i < first + n : i >= end + n;
    for (ovk_gidx j = i - NEAR; j <= i + NEAR; j++) {
      if (has(i, j)) assert_ok(ovk_mat_add(A, i, j, (double)(i + j + (odd && j < i))));
    }
  }
}

TEST(a_format_that_cannot_hold_the_values_is_replaced_or_told)
{
  static const char *const symmetric[] = {"sym", "symdia", "sym3"};
  static const ovk_lidx places[] = {2, -1, ROWS};
  for (int k = 0; k < 3; k++) {
    for (int f = 0; f < 3; f++) {
      use_pattern_for(symmetric[f]);
      scoped_mat *A = make_matrix(symmetric[f], 0, SYMMETRIC);
      assert_ok(ovk_mat_reset_values(A));
      add_unsymmetric(A, places[k]);
      assert_error(ovk_mat_assemble(A), OVK_ERR_UNSUPPORTED, "is not symmetric");
      assert_takes_values_again(A, symmetric[f], SYMMETRIC);
    }
    use_pattern_for("auto");
    scoped_mat *A = make_matrix("auto", 0, SYMMETRIC), *fresh = create_matrix("auto");
    assert_ok(ovk_mat_reset_values(A));
    add_unsymmetric(A, places[k]);
    add_unsymmetric(fresh, places[k]);
    assert_ok(ovk_mat_assemble(A));
    assert_ok(ovk_mat_assemble(fresh));
    assert_same_bits(A, fresh);
  }
}

TEST(only_an_assembled_matrix_has_values_to_reset)
{
  const char *const said = "only an assembled matrix has values to reset";
  scoped_mat *A = create_matrix("csr"), *shell = new_shell(1, NULL, .mult = no_product);
  assert_error(ovk_mat_reset_values(A), OVK_ERR_STATE, said);
  add_all(A, 0, ANY);
  assert_ok(ovk_mat_assemble(A));
  assert_error(ovk_mat_assemble(A), OVK_ERR_STATE, "ovk_mat_reset_values()");
  assert_ok(ovk_mat_reset_values(A));
  assert_error(ovk_mat_reset_values(A), OVK_ERR_STATE, said);
  scoped_vec *x = new_vec(A), *y = new_vec(A);
  assert_error(ovk_mat_mult(A, x, y), OVK_ERR_STATE, "not assembled");
  assert_ok(ovk_mat_assemble(A));
  assert_ok(ovk_mat_mult(A, x, y));
  assert_error(ovk_mat_reset_values(shell), OVK_ERR_STATE, said);
}

TEST(a_rank_may_have_no_rows)
{
  scoped_mat *A = new_mat(test_rank == 0 ? ROWS : 0), *fresh = new_mat(test_rank == 0 ? ROWS : 0);
  add_all(A, 0, ANY);
  assert_ok(ovk_mat_assemble(A));
  add_all(fresh, 1, ANY);
  assert_ok(ovk_mat_assemble(fresh));
  refill(A, 1, ANY);
  assert_same_bits(A, fresh);
}
