/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of a block in the format "sym": their entries, all of them unfolded, and new values. */
#include "core/context/mem.h"
#include "matrix/formats/sym/sym_block.h"
#include "matrix/formats/sym/symmetry.h"

#include <stdlib.h>

static bool sym_has_diagonal(const ovk__sym *b, ovk_lidx i)
{
  return b->diagonal && !(b->missing && b->missing[i]);
}

static void sym_set_next(void *self, ovk_lidx i, ovk__sell_row row)
{
  ((ovk__sym *)self)->next[i] = row.first;
}

/* Compares the `n` values of row i left of the diagonal with their counterparts, which are in the
 * rows before, each the first one there that has not been compared. */
static ovk_err sym_compare_left(ovk_ctx *ctx, ovk__sym *b, ovk_lidx i, int64_t n, const double *val)
{
  const ovk_lidx *col = b->left_col + b->left[i];
  for (int64_t k = 0; k < n; k++) {
    const int64_t at = b->next[col[k]]++;
    if (!ovk__same_bits(&val[k], &b->entries.val[at])) {
      return ovk__symmetry_refuse(ctx, i, col[k]);
    }
  }
  return OVK_OK;
}

ovk_err ovk__sym_refill(ovk_ctx *ctx, const ovk__csr *A, ovk_lidx first, void *self)
{
  ovk__sym *b = self;
  if (!b->next) OVK_NEW_ARRAY(ctx, b->next, b->windows.rows);
  ovk__entries_refill(A, first, &b->windows, &b->entries);
  ovk__windows_for_each(&b->windows, first, first + A->rows, sym_set_next, b);
  for (ovk_lidx k = 0; k < A->rows; k++) {
    const ovk_lidx i = first + k;
    const int64_t n = b->left[i + 1] - b->left[i];
    const double *val = A->val + A->ptr[k];
    OVK_TRY(sym_compare_left(ctx, b, i, n, val));
    if (sym_has_diagonal(b, i)) b->diagonal[i] = val[n];
  }
  if (first + A->rows < b->windows.rows) return OVK_OK;
  free(b->next);
  b->next = NULL;
  return OVK_OK;
}

/* The value of the entry of row i, right of the diagonal, in column j. */
static double sym_value_at(const ovk__sym *b, ovk_lidx i, ovk_lidx j)
{
  const ovk__entries *e = &b->entries;
  const ovk_lidx first = i - i % OVK__SORT_WINDOW;
  int64_t k = ovk__windows_find(&b->windows, i).first;
  while (first + ovk__entries_column(e, e->near, k) != j) k++;
  return e->val[k];
}

ovk_lidx ovk__sym_row(const void *self, ovk_lidx i, ovk_lidx *col, double *val)
{
  const ovk__sym *b = self;
  const ovk__entries *e = &b->entries;
  const ovk_lidx first = i - i % OVK__SORT_WINDOW;
  const ovk__sell_row right = ovk__windows_find(&b->windows, i);
  ovk_lidx n = 0;
  for (int64_t k = b->left[i]; k < b->left[i + 1]; k++, n++) {
    if (col) col[n] = b->left_col[k];
    if (val) val[n] = sym_value_at(b, b->left_col[k], i);
  }
  if (sym_has_diagonal(b, i)) {
    if (col) col[n] = i;
    if (val) val[n] = b->diagonal[i];
    n++;
  }
  for (int64_t k = right.first; k < right.first + right.n; k++, n++) {
    if (col) col[n] = first + ovk__entries_column(e, e->near, k);
    if (val) val[n] = e->val[k];
  }
  return n;
}

void ovk__sym_lengths(const void *self, ovk_lidx first, ovk_lidx rows, int64_t *length)
{
  const ovk__sym *b = self;
  ovk__windows_lengths(&b->windows, first, rows, length);
  for (ovk_lidx k = 0, i = first; k < rows; k++, i++) {
    length[k] += b->left[i + 1] - b->left[i] + sym_has_diagonal(b, i);
  }
}

ovk_err ovk__sym_unfold(ovk_ctx *ctx, const void *self, ovk_lidx first, ovk__csr *out)
{
  const ovk__sym *b = self;
  for (ovk_lidx l = 0, i = first; l < out->rows; l++, i++) {
    int64_t at = out->ptr[l];
    for (int64_t k = b->left[i]; k < b->left[i + 1]; k++) out->col[at++] = b->left_col[k];
    if (!sym_has_diagonal(b, i)) continue;
    if (out->val) out->val[at] = b->diagonal[i];
    out->col[at] = i;
  }
  ovk__entries_unfold(&b->entries, &b->windows, NULL, first, out);
  return out->val ? ovk__symmetry_mirror(ctx, out) : OVK_OK;
}

void ovk__sym_diagonal(const void *self, double *d)
{
  const ovk__sym *b = self;
  for (ovk_lidx i = 0; i < b->windows.rows; i++) {
    d[i] = b->diagonal ? b->diagonal[i] : b->narrow ? b->narrow[i] : 0;
  }
}
