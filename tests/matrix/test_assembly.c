/* SPDX-License-Identifier: BSD-2-Clause */
/* For any order and any source rank of entries, a matrix has the bits of sums made one by one: this
 * rank's entries first, then those of the others by rank. */
#include "matrix/mat_impl.h"
#include "support/problem.h"

enum { N = 211, ENTRIES = 3000 };

typedef struct entry {
  int i, j, at;
  double value;
} entry;

/* Orders of adding. */
typedef enum order {
  BY_ROW_AND_COLUMN,
  BY_ROW,
  NEARLY_BY_ROW, /* some are swapped with others */
  BACKWARDS,
  BY_COLUMN,
  RANDOM,
  ORDERS
} order;

/* The entries that a rank adds. */
typedef struct plan {
  order order;
  int rows, columns; /* of so many, at most N, chosen evenly: few have many duplicates; */
  bool any_rank;     /* of all ranks, or of this one */
} plan;

static ovk_gidx first_row, last_row; /* of this rank; last_row is one past the last */

static int by_row_and_column(const void *a, const void *b)
{
  const entry *x = a, *y = b;
  return x->i != y->i ? x->i - y->i : x->j != y->j ? x->j - y->j : x->at - y->at;
}

static int by_row(const void *a, const void *b)
{
  const entry *x = a, *y = b;
  return x->i != y->i ? x->i - y->i : x->at - y->at;
}

static int backwards(const void *a, const void *b)
{
  return by_row_and_column(b, a);
}

static int by_column(const void *a, const void *b)
{
  const entry *x = a, *y = b;
  return x->j != y->j ? x->j - y->j : by_row(a, b);
}

static void swap_some(entry *list, int n, uint64_t seed)
{
  for (int k = 0; k < n; k += 40) {
    const int other = (int)(random_number(seed, (uint64_t)k) * n);
    const entry moving = list[k];
    list[k] = list[other];
    list[other] = moving;
  }
}

/* The entries that `rank` adds, the same on any calling rank; some rows have many more than
 * others. */
static void make_list(const plan *p, int rank, entry *list)
{
  const uint64_t seed = 1000 * (uint64_t)(rank + 1);
  for (int k = 0; k < ENTRIES; k++) {
    const uint64_t at = (uint64_t)k;
    const double r = random_number(seed, at);
    const int i = (int)(r * r * p->rows) * (N / p->rows);
    const int j = (int)(random_number(seed + 1, at) * p->columns) * (N / p->columns);
    const double value = (random_number(seed + 2, at) - 0.5) * (k % 5 ? 1 : 1e17);
    list[k] = (entry){i, j, k, value};
  }
  static int (*const compare[ORDERS])(const void *,
                                      const void *) = {[BY_ROW_AND_COLUMN] = by_row_and_column,
                                                       [BY_ROW] = by_row,
                                                       [NEARLY_BY_ROW] = by_row,
                                                       [BACKWARDS] = backwards,
                                                       [BY_COLUMN] = by_column};
  if (compare[p->order]) qsort(list, ENTRIES, sizeof *list, compare[p->order]);
  if (p->order == NEARLY_BY_ROW) swap_some(list, ENTRIES, seed + 3);
}

static bool is_own(int i)
{
  return i >= first_row && i < last_row;
}

/* The entries of this rank's rows, summed one by one. */
typedef struct dense {
  double value[N][N];
  bool stored[N][N];
  int64_t count;
} dense;

static void add_to_dense(dense *d, const entry *e)
{
  if (!is_own(e->i)) return;
  d->value[e->i][e->j] = d->stored[e->i][e->j] ? d->value[e->i][e->j] + e->value : e->value;
  d->count += !d->stored[e->i][e->j];
  d->stored[e->i][e->j] = true;
}

/* Iterates over the assembled entries. */
typedef struct walk {
  const dense *expected;
  int i, j;
  int64_t count;
} walk;

static ovk_err compare_entry(void *arg, ovk_gidx i, ovk_gidx j, double value)
{
  walk *w = arg;
  assert_true(i > w->i || (i == w->i && j > w->j));
  assert_true(w->expected->stored[i][j]);
  assert_memory_equal(&value, &w->expected->value[i][j], sizeof value);
  w->i = (int)i;
  w->j = (int)j;
  w->count++;
  return OVK_OK;
}

static void assert_has(const ovk_mat *A, const dense *expected)
{
  walk w = {.expected = expected, .i = -1};
  assert_ok(ovk__mat_for_each_entry(A, compare_entry, &w));
  assert_int_equal(w.count, expected->count);
}

static ovk_mat *create_matrix(bool uneven)
{
  const ovk_lidx nlocal = uneven ? N * is_last() : even_share(N, test_rank, test_size);
  ovk_mat *A = new_mat(nlocal);
  assert_ok(ovk_mat_set_format(A, "csr"));
  first_row = ovk_mat_row_begin(A);
  last_row = first_row + nlocal;
  return A;
}

static void check_plan(const plan *p, bool uneven)
{
  scoped_mat *A = create_matrix(uneven);
  scoped_array entry *list = new_memory(ENTRIES * sizeof *list);
  scoped_array dense *expected = new_zeros(1, sizeof *expected);
  make_list(p, test_rank, list);
  for (int k = 0; k < ENTRIES; k++) {
    if (!p->any_rank && !is_own(list[k].i)) continue;
    assert_ok(ovk_mat_add(A, list[k].i, list[k].j, list[k].value));
    add_to_dense(expected, &list[k]);
  }
  for (int rank = 0; rank < test_size && p->any_rank; rank++) {
    if (rank == test_rank) continue;
    make_list(p, rank, list);
    for (int k = 0; k < ENTRIES; k++) add_to_dense(expected, &list[k]);
  }
  assert_ok(ovk_mat_assemble(A));
  assert_has(A, expected);
}

TEST(every_order_gives_the_bits_of_sums_one_by_one)
{
  static const int numbers[][2] = {{N, N}, {5, N}, {N, 1}, {40, 3}, {1, 1}};
  for (int o = 0; o < ORDERS; o++) {
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
      for (int variant = 0; variant < 4; variant++) {
        const plan p = {(order)o, numbers[k][0], numbers[k][1], variant % 2};
        check_plan(&p, variant / 2);
      }
    }
  }
}

/* This rank's part of a list by rows, as compressed rows. */
static void add_compressed(ovk_mat *A, const plan *p, int which, dense *expected)
{
  scoped_array entry *list = new_memory(ENTRIES * sizeof *list);
  int64_t ptr[N + 1] = {0};
  scoped_array ovk_gidx *col = new_memory(ENTRIES * sizeof *col);
  scoped_array double *val = new_memory(ENTRIES * sizeof *val);
  make_list(p, which, list);
  int64_t n = 0;
  for (int k = 0; k < ENTRIES; k++) {
    if (!is_own(list[k].i)) continue;
    col[n] = list[k].j;
    val[n++] = list[k].value;
    ptr[list[k].i - first_row + 1] = n;
    add_to_dense(expected, &list[k]);
  }
  for (ovk_lidx i = 0; i < ovk_mat_local_size(A); i++) {
    if (ptr[i + 1] < ptr[i]) ptr[i + 1] = ptr[i];
  }
  assert_ok(ovk_mat_add_csr(A, ptr, col, val));
}

TEST(compressed_rows_may_come_again_and_between_single_entries)
{
  for (int o = BY_ROW_AND_COLUMN; o <= BY_ROW; o++) {
    for (int before = 0; before < 2; before++) {
      scoped_mat *A = create_matrix(false);
      scoped_array dense *expected = new_zeros(1, sizeof *expected);
      const plan p = {(order)o, N, N, false};
      if (before && first_row < last_row) {
        const entry e = {(int)(first_row + last_row) / 2, N / 2, 0, 1e17};
        assert_ok(ovk_mat_add(A, e.i, e.j, e.value));
        add_to_dense(expected, &e);
      }
      add_compressed(A, &p, 0, expected);
      for (int i = (int)first_row; i < last_row; i++) {
        const entry e = {i, N - 1 - i, 0, 0.3};
        assert_ok(ovk_mat_add(A, e.i, e.j, e.value));
        add_to_dense(expected, &e);
      }
      add_compressed(A, &p, 1, expected);
      assert_ok(ovk_mat_assemble(A));
      assert_has(A, expected);
    }
  }
}

/* This rank's entries in blocks of one row, each as long as the list stays in that row. */
static void add_in_blocks(ovk_mat *A, const entry *list, dense *expected)
{
  ovk_gidx col[ENTRIES];
  double val[ENTRIES];
  for (int k = 0, n = 0; k < ENTRIES; k++) {
    const ovk_gidx row = list[k].i;
    col[n] = list[k].j;
    val[n++] = list[k].value;
    if (k + 1 < ENTRIES && list[k + 1].i == list[k].i) continue;
    if (is_own(list[k].i)) assert_ok(ovk_mat_add_block(A, 1, &row, n, col, val));
    n = 0;
  }
  for (int k = 0; k < ENTRIES; k++) add_to_dense(expected, &list[k]);
}

TEST(blocks_of_rows_in_every_order_give_these_bits_whatever_was_reserved)
{
  for (int o = 0; o < ORDERS; o++) {
    for (int reserved = 0; reserved <= 2 * ENTRIES; reserved += ENTRIES / 2) {
      scoped_mat *A = create_matrix(false);
      scoped_array entry *list = new_memory(ENTRIES * sizeof *list);
      scoped_array dense *expected = new_zeros(1, sizeof *expected);
      make_list(&(plan){(order)o, N, N, false}, test_rank, list);
      assert_ok(ovk_mat_reserve(A, reserved));
      add_in_blocks(A, list, expected);
      assert_ok(ovk_mat_reserve(A, reserved));
      assert_ok(ovk_mat_assemble(A));
      assert_has(A, expected);
    }
  }
}

TEST(a_reservation_that_cannot_be_is_an_error_of_assembly_on_all_ranks)
{
  ovk_mat *A = create_matrix(false);
  const ovk_err err = is_last() ? OVK_ERR_ARG : OVK_OK;
  assert_int_equal(ovk_mat_reserve(A, is_last() ? -1 : 10), err);
  assert_int_equal(ovk_mat_assemble(A), OVK_ERR_ARG);
  assert_non_null(strstr(ovk_ctx_error(ovk_mat_ctx(A)), "-1 entries"));
  ovk_mat_destroy(&A);
}
