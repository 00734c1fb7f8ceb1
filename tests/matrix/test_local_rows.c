/* SPDX-License-Identifier: BSD-2-Clause */
/* This rank's rows, as authors of preconditioners read them. */
#include "support/problem.h"

enum { N = 23 };

/* Symmetric, by diagonals, with couplings over ranks; the last row has its diagonal alone. */
static double entry(ovk_gidx i, ovk_gidx j)
{
  if (i == j) return 10 + (double)i;
  const ovk_gidx low = i < j ? i : j, high = i < j ? j : i;
  if (high == N - 1 || (high - low != 1 && high - low != 8)) return 0;
  return -1.0 / (double)(1 + low + 2 * high);
}

/* Rank 1 has no rows, where there is another. */
static ovk_lidx share(void)
{
  if (test_size == 1) return N;
  return test_rank == 1 ? 0 : even_share(N, test_rank > 1 ? test_rank - 1 : 0, test_size - 1);
}

static ovk_mat *make_matrix(const char *format)
{
  ovk_mat *A = new_mat(share());
  assert_ok(ovk_mat_set_format(A, format));
  const ovk_gidx first = ovk_mat_row_begin(A);
  for (ovk_gidx i = first + ovk_mat_local_size(A) - 1; i >= first; i--) {
    for (ovk_gidx j = 0; j < N; j++) {
      if (entry(i, j) != 0) assert_ok(ovk_mat_add(A, i, j, entry(i, j)));
    }
  }
  return A;
}

/* The rows seen so far, and where to stop. */
typedef struct visit {
  ovk_gidx next;
  int64_t entries;
  ovk_gidx fails_at;
  bool speechless;
} visit;

static ovk_err look(void *arg, ovk_gidx i, ovk_lidx n, const ovk_gidx *col, const double *val)
{
  visit *v = arg;
  if (i == v->fails_at) {
    return v->speechless ? OVK_ERR_USER
                         : ovk_ctx_fail(test_ctx(), OVK_ERR_RANGE, "enough of row %d", (int)i);
  }
  assert_true(i == v->next++);
  ovk_lidx k = 0;
  for (ovk_gidx j = 0; j < N; j++) {
    if (k < n && col[k] == j) {
      assert_true(val[k++] == entry(i, j));
    } else {
      assert_true(entry(i, j) == 0);
    }
  }
  assert_int_equal(k, n);
  v->entries += n;
  return OVK_OK;
}

TEST(rows_come_in_order_with_their_columns_increasing_in_every_format)
{
  ovk_choice format = OVK_CHOICE;
  int visited = 0;
  for (int k = 0; ovk_list_formats(test_ctx(), k, &format); k++) {
    scoped_mat *A = make_matrix(format.name);
    const ovk_err err = ovk_mat_assemble(A);
    if (err == OVK_ERR_UNSUPPORTED) { /* a small block, which that format does not take */
      ovk_mat_destroy(&A);
      continue;
    }
    assert_ok(err);
    visited++;
    visit v = {.next = ovk_mat_row_begin(A), .fails_at = -1};
    assert_ok(ovk_mat_for_each_row(A, look, &v));
    assert_true(v.next == ovk_mat_row_begin(A) + ovk_mat_local_size(A));
    int64_t all;
    MPI_Allreduce(&v.entries, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    assert_true(all == ovk_mat_nnz(A));
  }
  assert_true(visited >= 5);
}

TEST(a_failure_of_the_function_ends_the_iteration)
{
  scoped_mat *A = make_matrix("csr");
  assert_ok(ovk_mat_assemble(A));
  if (ovk_mat_local_size(A) > 2) {
    visit v = {.next = ovk_mat_row_begin(A), .fails_at = ovk_mat_row_begin(A) + 2};
    assert_local_error(ovk_mat_for_each_row(A, look, &v), OVK_ERR_RANGE, "enough of row");
    assert_true(v.next == v.fails_at);
    v = (visit){.next = ovk_mat_row_begin(A), .fails_at = ovk_mat_row_begin(A), .speechless = true};
    assert_local_error(ovk_mat_for_each_row(A, look, &v), OVK_ERR_USER, "the function for rows");
  }
}

TEST(what_has_no_rows_is_refused)
{
  scoped_mat *A = make_matrix("auto"), *shell = NULL;
  visit v = {.fails_at = -1};
  assert_local_error(ovk_mat_for_each_row(A, look, &v), OVK_ERR_STATE, "not assembled");
  assert_ok(ovk_mat_assemble(A));
  assert_local_error(ovk_mat_for_each_row(A, NULL, &v), OVK_ERR_ARG, "row is NULL");
  shell = new_shell(2, NULL, .mult = no_product);
  assert_local_error(ovk_mat_for_each_row(shell, look, &v), OVK_ERR_UNSUPPORTED, "matrix-free");
}
