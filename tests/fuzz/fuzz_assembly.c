/* SPDX-License-Identifier: BSD-2-Clause */
/* Assembly: entries added one by one in any order, or as compressed rows with unsorted columns,
 * give the matrix obtained by sorting them, with duplicates summed in the order of addition; and so
 * do other values for the same entries, in an assembled matrix. */
#include "matrix/mat_impl.h"
#include "support/fuzz/entries.h"

#include <stdlib.h>

/* Iterates over the merged entries of this rank's rows while a matrix lists its own. */
typedef struct walk {
  const entries *expected;
  int k, end;
} walk;

static ovk_err compare_entry(void *arg, ovk_gidx i, ovk_gidx j, double value)
{
  walk *w = arg;
  FUZZ_CHECK(w->k < w->end, "an entry too many: (%d, %d)", (int)i, (int)j);
  const entry *e = &w->expected->at[w->k++];
  FUZZ_CHECK(i == e->i && j == e->j, "(%d, %d) instead of (%d, %d)", (int)i, (int)j, e->i, e->j);
  FUZZ_CHECK(entries_same(value, e->value), "(%d, %d) is %.17g, not %.17g", e->i, e->j, value,
             e->value);
  return OVK_OK;
}

static bool is_own(const ovk_mat *A, ovk_gidx i)
{
  return i >= ovk_mat_row_begin(A) && i - ovk_mat_row_begin(A) < ovk_mat_local_size(A);
}

static void check_matrix(ovk_mat *A, const entries *expected)
{
  walk w = {expected, 0, 0};
  FUZZ_CHECK(ovk_mat_assemble(A) == OVK_OK, "not assembled");
  FUZZ_CHECK(ovk_mat_nnz(A) == expected->count, "%lld entries", (long long)ovk_mat_nnz(A));
  while (w.k < expected->count && expected->at[w.k].i < ovk_mat_row_begin(A)) w.k++;
  for (w.end = w.k; w.end < expected->count && is_own(A, expected->at[w.end].i);) w.end++;
  FUZZ_CHECK(ovk__mat_for_each_entry(A, compare_entry, &w) == OVK_OK, "no entries");
  FUZZ_CHECK(w.k == w.end, "%d of %d entries", w.k, w.end);
}

/* The entries among the first `end` that are in rows of this rank, as compressed rows in which they
 * keep their order. */
static void add_as_rows(ovk_mat *A, const entries *list, int end)
{
  const size_t n = (size_t)ovk_mat_local_size(A), count = (size_t)end;
  const ovk_gidx top = ovk_mat_row_begin(A);
  scoped_array int64_t *ptr = calloc(n + 2, sizeof *ptr);
  scoped_array ovk_gidx *col = malloc((count + 1) * sizeof *col);
  scoped_array double *val = malloc((count + 1) * sizeof *val);
  FUZZ_CHECK(ptr && col && val, "no memory");
  for (int k = 0; k < end; k++)
    if (is_own(A, list->at[k].i)) ptr[list->at[k].i - top + 2]++;
  for (size_t i = 0; i < n; i++) ptr[i + 2] += ptr[i + 1]; /* ptr[i + 1]: begin of row i */
  for (int k = 0; k < end; k++) {
    const entry *e = &list->at[k];
    if (!is_own(A, e->i)) continue;
    col[ptr[e->i - top + 1]] = e->j;
    val[ptr[e->i - top + 1]++] = e->value;
  }
  FUZZ_CHECK(ovk_mat_add_csr(A, ptr, col, val) == OVK_OK, "rows not added");
}

/* The first entries as rows, a share of `quarters`, and the rest one by one. */
static void add_all(ovk_mat *A, const entries *list, unsigned quarters)
{
  const int as_rows = (int)((int64_t)list->count * quarters / 4);
  if (as_rows) add_as_rows(A, list, as_rows);
  for (int k = as_rows; k < list->count; k++) {
    const entry *e = &list->at[k];
    if (!entries_is_mine(e)) continue;
    FUZZ_CHECK(ovk_mat_add(A, e->i, e->j, e->value) == OVK_OK, "entry %d", k);
  }
}

/* A copy with other values, which are no more symmetric if `skew`. */
static entries change(const entries *list, bool skew)
{
  entries other = *list;
  other.at = calloc((size_t)list->count + 1, sizeof *other.at);
  FUZZ_CHECK(other.at, "no memory");
  for (int k = 0; k < list->count; k++) {
    other.at[k] = list->at[k];
    other.at[k].value *= skew && list->at[k].i % 2 ? -0.5 : -1;
  }
  return other;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_bytes in = {data, data + size};
  const unsigned share = fuzz_byte(&in);
  SCOPED(entries_free) entries list = entries_read(&in), other = change(&list, share / 10 % 2);
  scoped_mat *A = NULL;
  FUZZ_CHECK(ovk_mat_create(fuzz_ctx(), fuzz_share(list.n), &A) == OVK_OK, "no matrix");
  FUZZ_CHECK(ovk_mat_set_format(A, share % 2 ? "auto" : "csr") == OVK_OK, "no format");
  add_all(A, &list, share % 5);
  entries_merge(&list);
  check_matrix(A, &list);
  FUZZ_CHECK(ovk_mat_reset_values(A) == OVK_OK, "no reset");
  add_all(A, &other, share / 20 % 5);
  entries_merge(&other);
  check_matrix(A, &other);
  return 0;
}
