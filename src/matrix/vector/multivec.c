/* SPDX-License-Identifier: BSD-2-Clause */
/* Several vectors at once: creation, and copies of columns. */
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "matrix/vector/multivec_impl.h"

#include <stdlib.h>

/* The width of the block that begins where `left` columns are left: the highest bit up to 8. */
static int width_of(int left)
{
  int width = OVK__WIDEST;
  while (width > left) width /= 2;
  return width;
}

size_t ovk__panel_size(ovk_lidx rows, int width)
{
  const size_t line = 64 / sizeof(double);
  return ((size_t)rows * (size_t)width + line - 1) / line * line;
}

/* Where block b begins in the array; *first <- its first column. The end counts as a block. */
static size_t block_begin(ovk_lidx rows, int columns, int b, int *first)
{
  const int eights = columns / OVK__WIDEST, whole = b < eights ? b : eights;
  size_t begin = ovk__panel_size(rows, OVK__WIDEST) * (size_t)whole;
  *first = OVK__WIDEST * whole;
  for (int k = whole, width; k < b; k++, *first += width) {
    width = width_of(columns - *first);
    begin += ovk__panel_size(rows, width);
  }
  return begin;
}

int ovk__multivec_panels(int columns)
{
  int blocks = columns / OVK__WIDEST;
  for (int rest = columns % OVK__WIDEST; rest > 0; rest -= width_of(rest)) blocks++;
  return blocks;
}

ovk__panel ovk__multivec_panel(const ovk_multivec *X, int b)
{
  int first;
  double *rows = X->array + block_begin(X->layout.local, X->columns, b, &first);
  return (ovk__panel){first, width_of(X->columns - first), rows};
}

static void multivec_free(void *self)
{
  ovk_multivec *X = self;
  free(X->array);
  free(X);
}

static ovk_err multivec_make(ovk_ctx *ctx, const ovk__layout *layout, int columns,
                             ovk_multivec **out)
{
  ovk_multivec *X = malloc(sizeof *X);
  OVK_CHECK(X, ctx, OVK_ERR_MEMORY, "no memory for a multivector");
  *X = (ovk_multivec){
      .object = ovk__object_new(ctx, multivec_free), .layout = *layout, .columns = columns};
  *out = X;
  int end;
  const size_t size = block_begin(layout->local, columns, ovk__multivec_panels(columns), &end);
  OVK_NEW_ZEROS(ctx, X->array, size);
  return OVK_OK;
}

ovk_err ovk__multivec_create(ovk_ctx *ctx, const ovk__layout *layout, int columns,
                             ovk_multivec **out)
{
  *out = NULL;
  const double each = (double)sizeof(double) * columns;
  OVK_TRY(ovk__layout_check_memory(ctx, layout, each, "%d vectors", columns));
  const ovk_err err = ovk__agree(ctx, multivec_make(ctx, layout, columns, out));
  if (err) ovk_multivec_destroy(out);
  return err;
}

static ovk_err multivec_check_new(ovk_ctx *ctx, ovk_lidx nlocal, int columns, ovk_multivec **out)
{
  OVK_TRY(ovk__layout_check_new(ctx, nlocal, out));
  OVK_CHECK(columns >= 1, ctx, OVK_ERR_ARG, "the number of columns is %d, but must be >= 1",
            columns);
  return OVK_OK;
}

ovk_err ovk__multivec_check_pair(ovk_ctx *ctx, const ovk__layout *of_A, const ovk_multivec *in,
                                 const char *in_name, const ovk_multivec *out, const char *out_name)
{
  OVK_TRY(ovk__layout_check(ctx, of_A, "A", &in->layout, in_name));
  OVK_TRY(ovk__layout_check(ctx, of_A, "A", &out->layout, out_name));
  OVK_CHECK_UNUSED(out, out_name);
  OVK_CHECK(in->columns == out->columns, ctx, OVK_ERR_ARG, "%s has %d columns, %s has %d", in_name,
            in->columns, out_name, out->columns);
  OVK_CHECK(in != out, ctx, OVK_ERR_ARG, "%s and %s are the same", in_name, out_name);
  return OVK_OK;
}

ovk_err ovk__multivec_check_new(ovk_ctx *ctx, ovk_lidx nlocal, int columns, ovk_multivec **out)
{
  OVK_TRY(ovk__agree(ctx, multivec_check_new(ctx, nlocal, columns, out)));
  return ovk__agree_number(ctx, "numbers of columns", columns);
}

ovk_err ovk_multivec_create(ovk_ctx *ctx, ovk_lidx nlocal, int columns, ovk_multivec **out)
{
  if (!ctx) return OVK_ERR_ARG;
  ovk__layout layout;
  OVK_TRY(ovk__multivec_check_new(ctx, nlocal, columns, out));
  OVK_TRY(ovk__layout_create(ctx, nlocal, &layout));
  return ovk__multivec_create(ctx, &layout, columns, out);
}

void ovk_multivec_destroy(ovk_multivec **X)
{
  OVK_GIVE_UP(X);
}

enum { TILE = 64 }; /* rows whose part of a block stays in the nearest cache */

void ovk__panel_set(ovk_lidx rows, int width, double *block, int first, int n,
                    const double *columns, int64_t ld)
{
  for (int64_t i = 0, end; i < rows; i = end) {
    end = rows - i > TILE ? i + TILE : rows;
    for (int c = 0; c < n; c++) {
      const double *column = columns + c * ld;
      for (int64_t k = i; k < end; k++) block[k * width + first + c] = column[k];
    }
  }
}

void ovk__panel_get(ovk_lidx rows, int width, const double *block, int first, int n,
                    double *columns, int64_t ld)
{
  for (int64_t i = 0, end; i < rows; i = end) {
    end = rows - i > TILE ? i + TILE : rows;
    for (int c = 0; c < n; c++) {
      double *column = columns + c * ld;
      for (int64_t k = i; k < end; k++) column[k] = block[k * width + first + c];
    }
  }
}

static ovk_err multivec_check_copy(const ovk_multivec *X, int first, int n, const double *columns,
                                   int64_t ld)
{
  const ovk_lidx rows = X->layout.local;
  OVK_CHECK(first >= 0 && n >= 0 && n <= X->columns && first <= X->columns - n, X->ctx, OVK_ERR_ARG,
            "%d columns from column %d on are not among %d", n, first, X->columns);
  OVK_CHECK(ld >= rows, X->ctx, OVK_ERR_ARG,
            "ld is %lld, but each of the arrays has %d rows on this rank", (long long)ld, rows);
  OVK_CHECK(columns || rows == 0 || n == 0, X->ctx, OVK_ERR_ARG,
            "the array for %d columns of %d rows is NULL", n, rows);
  return OVK_OK;
}

/* The columns of block b that are among the n from `first` on: *from of the block, *count of them;
 * returns which of the n is the first. */
static int columns_within(ovk__panel block, int first, int n, int *from, int *count)
{
  const int begin = block.first > first ? block.first : first;
  const int end = block.first + block.width < first + n ? block.first + block.width : first + n;
  *from = begin - block.first;
  *count = end > begin ? end - begin : 0;
  return begin - first;
}

/* Copies n columns from `first` on: from `in`, or else to `out`. */
static void multivec_copy(const ovk_multivec *X, int first, int n, const double *in, double *out,
                          int64_t ld)
{
  const ovk_lidx rows = X->layout.local;
  const int blocks = rows > 0 ? ovk__multivec_panels(X->columns) : 0;
  for (int b = 0; b < blocks; b++) {
    const ovk__panel block = ovk__multivec_panel(X, b);
    int from, count;
    const int k = columns_within(block, first, n, &from, &count);
    if (count && in) ovk__panel_set(rows, block.width, block.rows, from, count, in + k * ld, ld);
    if (count && out) ovk__panel_get(rows, block.width, block.rows, from, count, out + k * ld, ld);
  }
}

ovk_err ovk_multivec_set(ovk_multivec *X, int first, int n, const double *columns, int64_t ld)
{
  if (!X) return OVK_ERR_ARG;
  OVK_TRY(multivec_check_copy(X, first, n, columns, ld));
  OVK_CHECK_UNUSED(X, "X");
  multivec_copy(X, first, n, columns, NULL, ld);
  return OVK_OK;
}

ovk_err ovk_multivec_get(const ovk_multivec *X, int first, int n, double *columns, int64_t ld)
{
  if (!X) return OVK_ERR_ARG;
  OVK_TRY(multivec_check_copy(X, first, n, columns, ld));
  multivec_copy(X, first, n, NULL, columns, ld);
  return OVK_OK;
}

ovk_ctx *ovk_multivec_ctx(const ovk_multivec *X)
{
  return ovk__ctx_of(X);
}

int ovk_multivec_columns(const ovk_multivec *X)
{
  return X ? X->columns : 0;
}

ovk_lidx ovk_multivec_local_size(const ovk_multivec *X)
{
  return X ? X->layout.local : 0;
}

ovk_gidx ovk_multivec_size(const ovk_multivec *X)
{
  return X ? X->layout.global : 0;
}
