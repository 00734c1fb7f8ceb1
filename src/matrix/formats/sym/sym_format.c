/* SPDX-License-Identifier: BSD-2-Clause */
/* The format "sym": the half of a symmetric block right of the diagonal, in rows sorted by length
 * within windows, see sell_windows.h, and the diagonal separately. Columns are counted from the
 * window's first row, in 16 bits if all of them fit. Only the columns of the other half are
 * stored. */
#include "matrix/formats/cost.h"
#include "matrix/formats/format.h"
#include "matrix/formats/narrow.h"
#include "matrix/formats/sym/sym_block.h"
#include "matrix/formats/sym/symmetry.h"

#include <stdlib.h>

static void sym_destroy(void *self)
{
  ovk__sym *b = self;
  if (!b) return;
  ovk__windows_free(&b->windows);
  free(b->reach);
  free(b->diagonal);
  free(b->narrow);
  free(b->missing);
  ovk__entries_free(&b->entries);
  free(b->left);
  free(b->left_col);
  free(b->next);
  free(b);
}

/* length[i] <- entries right of the diagonal in row i; *diagonals <- rows that have a diagonal
 * entry. */
static void sym_measure(const ovk__csr *A, ovk_lidx *length, ovk_lidx *diagonals)
{
  *diagonals = 0;
  for (ovk_lidx i = 0; i < A->rows; i++) {
    int64_t k = A->ptr[i + 1];
    while (k > A->ptr[i] && A->col[k - 1] > i) k--;
    length[i] = (ovk_lidx)(A->ptr[i + 1] - k);
    *diagonals += k > A->ptr[i] && A->col[k - 1] == i;
  }
}

/* Whether columns fit in 16 bits; sets `reach` of the windows unless it is NULL. */
static bool sym_is_near(const ovk__csr *A, ovk_lidx *reach)
{
  ovk_lidx last = 0, widest = 0;
  for (ovk_lidx first = 0, end, k = 0; first < A->rows; first = end, k++) {
    end = A->rows - first < OVK__SORT_WINDOW ? A->rows : first + OVK__SORT_WINDOW;
    if (last < end - 1) last = end - 1;
    for (ovk_lidx i = first; i < end; i++) {
      if (A->ptr[i] == A->ptr[i + 1]) continue;
      const ovk_lidx col = A->col[A->ptr[i + 1] - 1];
      if (col > last) last = col;
      if (col - first > widest) widest = col - first;
    }
    if (reach) reach[k] = last;
  }
  return widest <= UINT16_MAX;
}

static ovk_err sym_fill_diagonal(ovk_ctx *ctx, const ovk__csr *A, const ovk_lidx *length,
                                 ovk_lidx diagonals, ovk__sym *b)
{
  if (diagonals == 0) return OVK_OK;
  OVK_NEW_ARRAY(ctx, b->diagonal, A->rows);
  if (diagonals < A->rows) OVK_NEW_ARRAY(ctx, b->missing, A->rows);
  for (ovk_lidx i = 0; i < A->rows; i++) {
    const int64_t k = A->ptr[i + 1] - length[i] - 1;
    const bool there = k >= A->ptr[i] && A->col[k] == i;
    b->diagonal[i] = there ? A->val[k] : 0;
    if (b->missing) b->missing[i] = !there;
  }
  return OVK_OK;
}

static ovk_err sym_fill_left(ovk_ctx *ctx, const ovk__csr *A, ovk__sym *b)
{
  OVK_NEW_ARRAY(ctx, b->left, (size_t)A->rows + 1);
  OVK_NEW_ARRAY(ctx, b->left_col,
                b->windows.entry[b->windows.n]); /* as many as right of the diagonal */
  int64_t n = 0;
  for (ovk_lidx i = 0; i < A->rows; i++) {
    b->left[i] = n;
    for (int64_t k = A->ptr[i]; k < A->ptr[i + 1] && A->col[k] < i; k++)
      b->left_col[n++] = A->col[k];
  }
  b->left[A->rows] = n;
  return OVK_OK;
}

static ovk_err sym_fill(ovk_ctx *ctx, ovk__csr *A, ovk_lidx *length, ovk__sym *b)
{
  ovk__windows *w = &b->windows;
  ovk_lidx diagonals;
  sym_measure(A, length, &diagonals);
  OVK_TRY(ovk__windows_make(ctx, A->rows, length, 1, w));
  OVK_TRY(sym_fill_diagonal(ctx, A, length, diagonals, b));
  OVK_TRY(sym_fill_left(ctx, A, b));
  OVK_NEW_ARRAY(ctx, b->reach, w->n);
  const bool near = sym_is_near(A, b->reach);
  return ovk__entries_make(ctx, A, w, NULL, near, &b->entries);
}

static ovk_err sym_build(ovk_ctx *ctx, ovk__csr *A, bool exact, void **out)
{
  OVK_TRY(ovk__symmetry_require(ctx, A, exact));
  ovk_lidx *length;
  OVK_NEW_ARRAY(ctx, length, A->rows);
  ovk__sym *b = *out = calloc(1, sizeof *b);
  const ovk_err err = b ? sym_fill(ctx, A, length, b)
                        : OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for a matrix block");
  free(length);
  return ovk__format_finish(err, A, sym_destroy, out);
}

/* An entry right of the diagonal is added to y in memory, too. */
static ovk_err sym_estimate(ovk_ctx *ctx, const ovk__csr *A, int64_t limit, int64_t *cost,
                            void **out)
{
  (void)ctx;
  (void)out;
  enum { ENTRY = 30, ROW = 55 };
  const int64_t nnz = ovk__csr_nnz(A), half = nnz > A->rows ? (nnz - A->rows) / 2 : 0;
  const int64_t work = half * ENTRY + A->rows * (int64_t)ROW;
  const int64_t rows = A->rows * ((int64_t)sizeof *A->val + 1);
  *cost = -1;
  if (work >= limit) return OVK_OK;
  *cost = ovk__cost(A, half * ovk__entries_size(sym_is_near(A, NULL)) + rows, work);
  return OVK_OK;
}

static int64_t sym_bytes(const void *self)
{
  const ovk__sym *b = self;
  const ovk__windows *w = &b->windows;
  const size_t per_row = (b->diagonal ? sizeof *b->diagonal : 0) +
                         (b->narrow ? sizeof *b->narrow : 0) +
                         (b->missing ? sizeof *b->missing : 0);
  return ovk__entries_bytes(&b->entries, w->entry[w->n]) + w->rows * (int64_t)per_row +
         w->n * (int64_t)sizeof *b->reach + ovk__windows_bytes(w);
}

static ovk_err sym_copy_narrow(ovk_ctx *ctx, const void *self, void *out)
{
  const ovk__sym *from = self;
  ovk__sym *b = out;
  const ovk__windows *w = &from->windows;
  OVK_TRY(ovk__windows_copy(ctx, w, &b->windows));
  OVK_NEW_COPY(ctx, b->reach, from->reach, w->n);
  if (from->missing) OVK_NEW_COPY(ctx, b->missing, from->missing, w->rows);
  if (from->diagonal) {
    OVK_TRY(ovk__narrow_values(ctx, from->diagonal, (size_t)w->rows, &b->narrow));
  }
  return ovk__entries_copy_narrow(ctx, &from->entries, w->entry[w->n], &b->entries);
}

static const ovk__format sym_float = {.symmetric = true,
                                      OVK__FLOAT_FORMAT("sym", ovk__sym, &ovk__sym_products_float,
                                                        sym_destroy, ovk__sym_diagonal, sym_bytes)};

static const ovk_option options[] = {OVK__EXACT_OPTION, OVK_OPTIONS_END};

const ovk__format ovk__format_sym = {
    .name = "sym",
    .summary = "upper half of a symmetric matrix; 5 or 6 bytes an entry, 9 bytes a row",
    .keys = options,
    .symmetric = true,
    .mirrors = true,
    .estimate = sym_estimate,
    .build = sym_build,
    .lengths = ovk__sym_lengths,
    .unfold = ovk__sym_unfold,
    .refill = ovk__sym_refill,
    .narrow = &sym_float,
    .copy_narrow = sym_copy_narrow,
    .destroy = sym_destroy,
    .products = &ovk__sym_products,
    .diagonal = ovk__sym_diagonal,
    .row = ovk__sym_row,
    .bytes = sym_bytes,
};
