/* SPDX-License-Identifier: BSD-2-Clause */
/* The format "sym3": a symmetric block whose rows and columns come in threes, as the displacements
 * of the points of a body do. The small 3 x 3 blocks from the diagonal on are stored, in threes of
 * rows sorted by length within windows, see sell_windows.h. Columns are counted from the window's
 * first three, in 16 bits if all of them fit. Compared with "sym", nine entries share a column, and
 * their sums are vectors. */
#include "core/context/mem.h"
#include "matrix/formats/cost.h"
#include "matrix/formats/narrow.h"
#include "matrix/formats/sym/symmetry.h"
#include "matrix/formats/sym3/sym3_block.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE = OVK__SYM3_SIZE, VALUES = OVK__SYM3_VALUES };

static void sym3_destroy(void *self)
{
  ovk__sym3 *b = self;
  if (!b) return;
  ovk__windows_free(&b->windows);
  free(b->reach);
  ovk__entries_free(&b->blocks);
  free(b->left);
  free(b->left_col);
  free(b->next);
  free(b);
}

static bool sym3_is_block(const ovk_lidx *col)
{
  return col[0] % SIZE == 0 && col[1] == col[0] + 1 && col[2] == col[0] + 2;
}

/* Whether the three rows from i on consist of small blocks, and one is on the diagonal. */
static bool sym3_is_three(const ovk__csr *A, ovk_lidx i)
{
  const ovk_lidx *col = A->col + A->ptr[i];
  const int64_t n = A->ptr[i + 1] - A->ptr[i];
  bool diagonal = false;
  if (n % SIZE || A->ptr[i + 2] - A->ptr[i + 1] != n || A->ptr[i + 3] - A->ptr[i + 2] != n) {
    return false;
  }
  for (int64_t k = 0; k < n; k += SIZE) {
    if (!sym3_is_block(col + k)) return false;
    diagonal = diagonal || col[k] == i;
  }
  const size_t bytes = (size_t)n * sizeof *col;
  return diagonal && memcmp(col + n, col, bytes) == 0 && memcmp(col + 2 * n, col, bytes) == 0;
}

/* The first row of A that is in no three of rows with the same small blocks; A->rows: there is
 * none. */
static ovk_lidx sym3_find_odd(const ovk__csr *A)
{
  ovk_lidx i = 0;
  while (i <= A->rows - SIZE && sym3_is_three(A, i)) i += SIZE;
  return i;
}

/* Whether columns fit in 16 bits; sets `reach` of the windows unless it is NULL. */
static bool sym3_is_near(const ovk__csr *A, ovk_lidx *reach)
{
  ovk_lidx last = 0, widest = 0;
  for (ovk_lidx three = 0; three < A->rows / SIZE; three++) {
    const ovk_lidx window = three / OVK__SORT_WINDOW, first = ovk__window_first(window);
    const ovk_lidx col = A->col[A->ptr[SIZE * three + 1] - 1] / SIZE;
    if (col > last) last = col;
    if (col - first > widest) widest = col - first;
    if (reach) reach[window] = last;
  }
  return widest <= UINT16_MAX;
}

/* Splits the small blocks of each three of rows: those left of the diagonal go to b->left_col,
 * length[three] <- the number of others. */
static ovk_err sym3_split(ovk_ctx *ctx, const ovk__csr *A, ovk_lidx *length, ovk__sym3 *b)
{
  const ovk_lidx threes = A->rows / SIZE;
  const int64_t blocks = ovk__csr_nnz(A) / VALUES;
  int64_t n = 0;
  OVK_NEW_ARRAY(ctx, b->left, (size_t)threes + 1);
  OVK_NEW_ARRAY(ctx, b->left_col, (blocks - threes) / 2);
  for (ovk_lidx three = 0; three < threes; three++) {
    const ovk_lidx i = SIZE * three;
    int64_t k = A->ptr[i];
    b->left[three] = n;
    for (; A->col[k] < i; k += SIZE) b->left_col[n++] = A->col[k] / SIZE;
    length[three] = (ovk_lidx)((A->ptr[i + 1] - k) / SIZE);
  }
  b->left[threes] = n;
  return OVK_OK;
}

/* A block, and the rows whose small blocks from the diagonal on it gets. */
typedef struct sym3_filling {
  const ovk__csr *A;
  ovk__sym3 *b;
} sym3_filling;

static void sym3_take_columns(void *arg, ovk_lidx three, ovk__sell_row row)
{
  const sym3_filling *f = arg;
  const ovk__entries *e = &f->b->blocks;
  const ovk_lidx origin = three - three % OVK__SORT_WINDOW;
  const ovk_lidx *col = f->A->col + (f->A->ptr[SIZE * three + 1] - SIZE * (int64_t)row.n);
  for (ovk_lidx k = 0; k < row.n; k++) {
    const ovk_lidx column = col[(ptrdiff_t)SIZE * k] / SIZE - origin;
    if (e->near) {
      e->near[row.first + k] = (uint16_t)column;
    } else {
      e->far[row.first + k] = column;
    }
  }
}

static ovk_err sym3_fill(ovk_ctx *ctx, const ovk__csr *A, ovk_lidx *length, ovk__sym3 *b)
{
  ovk__windows *w = &b->windows;
  OVK_TRY(sym3_split(ctx, A, length, b));
  OVK_TRY(ovk__windows_make(ctx, A->rows / SIZE, length, 1, w));
  const int64_t n = w->entry[w->n];
  OVK_NEW_ARRAY(ctx, b->reach, w->n);
  if (sym3_is_near(A, b->reach)) {
    OVK_NEW_ARRAY(ctx, b->blocks.near, n);
  } else {
    OVK_NEW_ARRAY(ctx, b->blocks.far, n);
  }
  OVK_NEW_ARRAY(ctx, b->blocks.val, VALUES * n + 1);
  b->blocks.val[VALUES * n] = 0;
  ovk__windows_for_each(w, 0, w->rows, sym3_take_columns, &(sym3_filling){A, b});
  ovk__sym3_take_values(A, 0, b);
  return OVK_OK;
}

static ovk_err sym3_build(ovk_ctx *ctx, ovk__csr *A, bool exact, void **out)
{
  const ovk_lidx odd = sym3_find_odd(A);
  OVK_CHECK(odd == A->rows, ctx, OVK_ERR_UNSUPPORTED,
            "the local block does not consist of 3 x 3 blocks with one on the diagonal: rows %d, "
            "row %d",
            A->rows, odd);
  OVK_TRY(ovk__symmetry_require(ctx, A, exact));
  ovk_lidx *length;
  OVK_NEW_ARRAY(ctx, length, A->rows / SIZE);
  ovk__sym3 *b = *out = calloc(1, sizeof *b);
  const ovk_err err = b ? sym3_fill(ctx, A, length, b)
                        : OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for a matrix block");
  free(length);
  return ovk__format_finish(err, A, sym3_destroy, out);
}

/* Bytes of n small blocks, with values in double. */
static int64_t sym3_blocks_size(int64_t n, bool near)
{
  return n *
         (VALUES * (int64_t)sizeof(double) + (int64_t)(near ? sizeof(uint16_t) : sizeof(ovk_lidx)));
}

static ovk_err sym3_estimate(ovk_ctx *ctx, const ovk__csr *A, int64_t limit, int64_t *cost,
                             void **out)
{
  (void)ctx;
  (void)out;
  enum { BLOCK = 112, THREE = 240 };
  const int64_t threes = A->rows / SIZE, blocks = ovk__csr_nnz(A) / VALUES;
  const int64_t half = blocks > threes ? (blocks - threes) / 2 : 0;
  const int64_t work = half * BLOCK + threes * THREE;
  *cost = -1;
  if (threes == 0 || work >= limit || sym3_find_odd(A) < A->rows) return OVK_OK;
  *cost = ovk__cost(A, sym3_blocks_size(half + threes, sym3_is_near(A, NULL)) + threes, work);
  return OVK_OK;
}

static int64_t sym3_bytes(const void *self)
{
  const ovk__sym3 *b = self;
  const ovk__windows *w = &b->windows;
  const int64_t n = w->entry[w->n];
  const int64_t saved = b->blocks.narrow ? (int64_t)(sizeof(double) - sizeof(float)) : 0;
  return sym3_blocks_size(n, b->blocks.near != NULL) - VALUES * n * saved +
         w->n * (int64_t)sizeof *b->reach + ovk__windows_bytes(w);
}

static ovk_err sym3_copy_narrow(ovk_ctx *ctx, const void *self, void *out)
{
  const ovk__sym3 *from = self;
  ovk__sym3 *b = out;
  const ovk__windows *w = &from->windows;
  const ovk__entries *e = &from->blocks;
  const int64_t n = w->entry[w->n];
  OVK_TRY(ovk__windows_copy(ctx, w, &b->windows));
  OVK_NEW_COPY(ctx, b->reach, from->reach, w->n);
  if (e->near) OVK_NEW_COPY(ctx, b->blocks.near, e->near, n);
  if (e->far) OVK_NEW_COPY(ctx, b->blocks.far, e->far, n);
  return ovk__narrow_values(ctx, e->val, (size_t)(VALUES * n + 1), &b->blocks.narrow);
}

static const ovk__format sym3_float = {.symmetric = true,
                                       OVK__FLOAT_FORMAT("sym3", ovk__sym3,
                                                         &ovk__sym3_products_float, sym3_destroy,
                                                         ovk__sym3_diagonal, sym3_bytes)};

static const ovk_option options[] = {OVK__EXACT_OPTION, OVK_OPTIONS_END};

const ovk__format ovk__format_sym3 = {
    .name = "sym3",
    .summary = "upper half of a symmetric matrix of 3 x 3 blocks; about 4.2 bytes an entry",
    .keys = options,
    .symmetric = true,
    .estimate = sym3_estimate,
    .build = sym3_build,
    .lengths = ovk__sym3_lengths,
    .unfold = ovk__sym3_unfold,
    .refill = ovk__sym3_refill,
    .narrow = &sym3_float,
    .copy_narrow = sym3_copy_narrow,
    .destroy = sym3_destroy,
    .products = &ovk__sym3_products,
    .diagonal = ovk__sym3_diagonal,
    .row = ovk__sym3_row,
    .bytes = sym3_bytes,
};
