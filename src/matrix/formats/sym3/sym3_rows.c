/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of a block in the format "sym3": their entries, some of them unfolded, and new values. */
#include "core/base/sorted.h"
#include "core/context/mem.h"
#include "matrix/formats/sym/symmetry.h"
#include "matrix/formats/sym3/sym3_block.h"

#include <stdlib.h>

enum { SIZE = OVK__SYM3_SIZE, VALUES = OVK__SYM3_VALUES };

/* A three has n small blocks left of the diagonal. */
static ovk_lidx sym3_left(const ovk__sym3 *b, ovk_lidx three)
{
  return (ovk_lidx)(b->left[three + 1] - b->left[three]);
}

/* The column of small block k of a three. */
static ovk_lidx sym3_column(const ovk__sym3 *b, ovk_lidx three, int64_t k)
{
  return three - three % OVK__SORT_WINDOW +
         ovk__entries_column(&b->blocks, b->blocks.near != NULL, k);
}

/* The small block in a three of rows, right of the diagonal, and a three of columns. */
static int64_t sym3_find(const ovk__sym3 *b, ovk_lidx three, ovk_lidx column)
{
  const ovk__sell_row row = ovk__windows_find(&b->windows, three);
  OVK_BISECT(int64_t, k, row.first, row.first + row.n, sym3_column(b, three, middle) < column);
  return k;
}

ovk_lidx ovk__sym3_row(const void *self, ovk_lidx i, ovk_lidx *col, double *val)
{
  const ovk__sym3 *b = self;
  const ovk_lidx three = i / SIZE, r = i % SIZE;
  const ovk__sell_row right = ovk__windows_find(&b->windows, three);
  ovk_lidx n = 0;
  for (int64_t k = b->left[three]; k < b->left[three + 1]; k++) {
    const int64_t at = val ? sym3_find(b, b->left_col[k], three) : 0;
    for (ovk_lidx c = 0; c < SIZE; c++, n++) {
      if (col) col[n] = SIZE * b->left_col[k] + c;
      if (val) val[n] = b->blocks.val[VALUES * at + (int64_t)SIZE * c + r];
    }
  }
  for (int64_t k = right.first; k < right.first + right.n; k++) {
    for (ovk_lidx c = 0; c < SIZE; c++, n++) {
      if (col) col[n] = SIZE * sym3_column(b, three, k) + c;
      if (val) val[n] = b->blocks.val[VALUES * k + (int64_t)SIZE * r + c];
    }
  }
  return n;
}

/* A block, and where its diagonal goes. */
typedef struct sym3_diagonal {
  const ovk__sym3 *b;
  double *d;
} sym3_diagonal;

static void sym3_give_diagonal(void *arg, ovk_lidx three, ovk__sell_row row)
{
  const sym3_diagonal *p = arg;
  for (ovk_lidx r = 0; r < SIZE; r++) {
    p->d[SIZE * three + r] =
        ovk__entries_value(&p->b->blocks, VALUES * row.first + (int64_t)(SIZE + 1) * r);
  }
}

void ovk__sym3_diagonal(const void *self, double *d)
{
  const ovk__sym3 *b = self;
  ovk__windows_for_each(&b->windows, 0, b->windows.rows, sym3_give_diagonal,
                        &(sym3_diagonal){b, d});
}

/* A block, and rows of it from `first` on: their lengths, or their entries. */
typedef struct sym3_piece {
  ovk__sym3 *b;
  ovk_lidx first;
  int64_t *length;
  const ovk__csr *A;
} sym3_piece;

static void sym3_take_length(void *arg, ovk_lidx three, ovk__sell_row row)
{
  const sym3_piece *p = arg;
  for (ovk_lidx i = SIZE * three; i < SIZE * (three + 1); i++) {
    p->length[i - p->first] = (int64_t)SIZE * (sym3_left(p->b, three) + row.n);
  }
}

void ovk__sym3_lengths(const void *self, ovk_lidx first, ovk_lidx rows, int64_t *length)
{
  const ovk__sym3 *b = self;
  ovk__windows_for_each(&b->windows, first / SIZE, (first + rows) / SIZE, sym3_take_length,
                        &(sym3_piece){(ovk__sym3 *)b, first, length, NULL});
}

/* Writes the small blocks of a three left of the diagonal: those of earlier threes, transposed. */
static void sym3_give_left(const sym3_piece *p, ovk_lidx three)
{
  const ovk__sym3 *b = p->b;
  const ovk__csr *A = p->A;
  for (int64_t k = b->left[three]; k < b->left[three + 1]; k++) {
    const ovk_lidx j = b->left_col[k];
    const double *a = A->val ? b->blocks.val + VALUES * sym3_find(b, j, three) : NULL;
    for (ovk_lidx r = 0; r < SIZE; r++) {
      const int64_t at = A->ptr[SIZE * three + r - p->first] + SIZE * (k - b->left[three]);
      for (ovk_lidx c = 0; c < SIZE; c++) {
        A->col[at + c] = SIZE * j + c;
        if (a) A->val[at + c] = a[SIZE * c + r];
      }
    }
  }
}

/* Writes the small blocks of a three. */
static void sym3_give_three(void *arg, ovk_lidx three, ovk__sell_row row)
{
  const sym3_piece *p = arg;
  const ovk__csr *A = p->A;
  sym3_give_left(p, three);
  for (ovk_lidx r = 0; r < SIZE; r++) {
    int64_t at = A->ptr[SIZE * three + r - p->first] + SIZE * (int64_t)sym3_left(p->b, three);
    for (int64_t k = row.first; k < row.first + row.n; k++) {
      for (ovk_lidx c = 0; c < SIZE; c++, at++) {
        A->col[at] = SIZE * sym3_column(p->b, three, k) + c;
        if (A->val) A->val[at] = p->b->blocks.val[VALUES * k + (int64_t)SIZE * r + c];
      }
    }
  }
}

ovk_err ovk__sym3_unfold(ovk_ctx *ctx, const void *self, ovk_lidx first, ovk__csr *out)
{
  (void)ctx;
  const ovk__sym3 *b = self;
  ovk__windows_for_each(&b->windows, first / SIZE, (first + out->rows) / SIZE, sym3_give_three,
                        &(sym3_piece){(ovk__sym3 *)b, first, NULL, out});
  return OVK_OK;
}

static void sym3_take_three(void *arg, ovk_lidx three, ovk__sell_row row)
{
  const sym3_piece *p = arg;
  double *to = p->b->blocks.val + VALUES * row.first;
  const double *from[SIZE];
  for (ovk_lidx r = 0; r < SIZE; r++) {
    const int64_t end = p->A->ptr[SIZE * three + r - p->first + 1];
    from[r] = p->A->val + (end - SIZE * (int64_t)row.n);
  }
  for (ovk_lidx k = 0; k < row.n; k++) {
    for (ovk_lidx r = 0; r < SIZE; r++) {
      for (ovk_lidx c = 0; c < SIZE; c++) *to++ = from[r][SIZE * k + c];
    }
  }
}

void ovk__sym3_take_values(const ovk__csr *A, ovk_lidx first, ovk__sym3 *b)
{
  ovk__windows_for_each(&b->windows, first / SIZE, (first + A->rows) / SIZE, sym3_take_three,
                        &(sym3_piece){b, first, NULL, A});
}

static void sym3_set_next(void *self, ovk_lidx three, ovk__sell_row row)
{
  ((ovk__sym3 *)self)->next[three] = row.first + 1;
}

/* Compares a value of row i with its counterpart, that of the row of column j. */
static ovk_err sym3_compare(ovk_ctx *ctx, const double *value, const double *other, ovk_lidx i,
                            ovk_lidx j)
{
  return ovk__same_bits(value, other) ? OVK_OK : ovk__symmetry_refuse(ctx, i, j);
}

/* Compares the values of row i of A up to the diagonal with their counterparts in small blocks. */
static ovk_err sym3_compare_row(ovk_ctx *ctx, const ovk__sym3 *b, ovk_lidx i, const int64_t *places,
                                const double *val)
{
  const ovk_lidx three = i / SIZE, r = i % SIZE, n = sym3_left(b, three);
  for (ovk_lidx k = 0; k <= n; k++) {
    const double *other = b->blocks.val + VALUES * places[k];
    const ovk_lidx column = k < n ? b->left_col[b->left[three] + k] : three;
    for (ovk_lidx c = 0; c < SIZE; c++) {
      OVK_TRY(sym3_compare(ctx, val++, other + (ptrdiff_t)SIZE * c + r, i, SIZE * column + c));
    }
  }
  return OVK_OK;
}

/* The small blocks of the counterparts of a three's values, one after the other as in the rows
 * before, each the first one there that has not been compared, and its own on the diagonal. */
static void sym3_counterparts(ovk__sym3 *b, ovk_lidx three, int64_t *places)
{
  const ovk_lidx n = sym3_left(b, three);
  for (ovk_lidx k = 0; k < n; k++) places[k] = b->next[b->left_col[b->left[three] + k]]++;
  places[n] = b->next[three] - 1;
}

static ovk_err sym3_compare_piece(ovk_ctx *ctx, const ovk__csr *A, ovk_lidx first, ovk__sym3 *b,
                                  int64_t *places)
{
  for (ovk_lidx k = 0; k < A->rows; k++) {
    if (k % SIZE == 0) sym3_counterparts(b, (first + k) / SIZE, places);
    OVK_TRY(sym3_compare_row(ctx, b, first + k, places, A->val + A->ptr[k]));
  }
  return OVK_OK;
}

ovk_err ovk__sym3_refill(ovk_ctx *ctx, const ovk__csr *A, ovk_lidx first, void *self)
{
  ovk__sym3 *b = self;
  int64_t *places;
  if (!b->next) OVK_NEW_ARRAY(ctx, b->next, b->windows.rows);
  OVK_NEW_ARRAY(ctx, places, b->windows.rows);
  ovk__sym3_take_values(A, first, b);
  ovk__windows_for_each(&b->windows, first / SIZE, (first + A->rows) / SIZE, sym3_set_next, b);
  const ovk_err err = sym3_compare_piece(ctx, A, first, b, places);
  free(places);
  OVK_TRY(err);
  if (first + A->rows < SIZE * b->windows.rows) return OVK_OK;
  free(b->next);
  b->next = NULL;
  return OVK_OK;
}
