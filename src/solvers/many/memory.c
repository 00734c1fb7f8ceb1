/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory of blocks of columns, and their rows in other places. */
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "matrix/many.h"
#include "solvers/many/columns.h"
#include "solvers/ops/dots.h"

#include <string.h>

static bool many_fit(const ovk_solver *S, const ovk__many_form *form, ovk__many_form *out)
{
  *out = *form;
  return !form->fit || form->fit(S, out);
}

const ovk__many_form *ovk__many_form_of(const ovk_solver *S)
{
  ovk__many_form ignored;
  const ovk__many_form *form = S->method->many;
  return form && many_fit(S, form, &ignored) ? form : NULL;
}

static ovk_err many_allocate(ovk_solver *S, const ovk__many_form *form, int widest)
{
  ovk__many *B;
  const int64_t values = (int64_t)S->A->layout.local * widest;
  OVK_NEW(S->ctx, B);
  S->columns.block = B;
  B->S = S;
  B->form = form;
  (void)many_fit(S, form, &B->size);
  B->widest = widest;
  OVK_NEW_ARRAY(S->ctx, B->x, values);
  OVK_NEW_ZEROS(S->ctx, B->work, B->size.vectors);
  for (int k = 0; k < B->size.vectors; k++) OVK_NEW_ARRAY(S->ctx, B->work[k], values);
  OVK_NEW_ZEROS(S->ctx, B->scalar, B->size.scalars);
  for (int c = 0; c < widest && B->size.own; c++) {
    B->columns[c].own = calloc(1, B->size.own);
    OVK_CHECK(B->columns[c].own, S->ctx, OVK_ERR_MEMORY, "no memory for the scalars of a column");
  }
  return OVK_OK;
}

static ovk_err many_create_sums(ovk__many *B)
{
  for (int k = 0; k < OVK__MANY_SUMS; k++) {
    const int count = k == OVK__MANY_SQUARES ? SQUARES : B->size.sums[k];
    if (count) OVK_TRY(ovk__dots_create(B->S, count * B->widest, true, &B->sums[k]));
  }
  return OVK_OK;
}

static ovk_err many_create(ovk_solver *S, const ovk__many_form *form, int widest)
{
  ovk__many_form size;
  (void)many_fit(S, form, &size);
  const double each = (1.0 + size.vectors) * widest * sizeof(double);
  OVK_TRY(ovk__layout_check_memory(S->ctx, &S->A->layout, each, "%d blocks of %d columns",
                                   1 + size.vectors, widest));
  OVK_TRY(ovk__agree(S->ctx, many_allocate(S, form, widest)));
  return many_create_sums(S->columns.block);
}

ovk_err ovk__many_open(ovk_solver *S, const ovk__many_form *form, int columns)
{
  const int widest = ovk__many_width(columns);
  if (S->columns.block && (S->columns.block->form != form || S->columns.block->widest < widest))
    ovk__many_close(S);
  if (!S->columns.block) {
    const ovk_err err = many_create(S, form, widest);
    if (err) ovk__many_close(S);
    OVK_TRY(err);
  }
  for (int w = widest; w > 0; w /= 2) {
    OVK_TRY(ovk__mat_prepare_many(S->A, w));
    if (S->M_kind == OVK__M_OTHER) OVK_TRY(ovk__precond_prepare_many(S->M, w));
  }
  return OVK_OK;
}

void ovk__many_close(ovk_solver *S)
{
  ovk__many *B = S->columns.block;
  if (!B) return;
  for (int k = 0; k < OVK__MANY_SUMS; k++) ovk__dots_destroy(&B->sums[k]);
  for (int k = 0; B->work && k < B->size.vectors; k++) free(B->work[k]);
  for (int c = 0; c < OVK__WIDEST; c++) free(B->columns[c].own);
  free(B->work);
  free(B->scalar);
  free(B->x);
  free(B);
  S->columns.block = NULL;
}

int ovk__many_width(int columns)
{
  int width = 1;
  while (width < columns && width < OVK__WIDEST) width *= 2;
  return width;
}

ovk__strided ovk__many_column(const ovk_multivec *X, int index)
{
  int b = 0;
  ovk__panel block = ovk__multivec_panel(X, b);
  while (index >= block.first + block.width) block = ovk__multivec_panel(X, ++b);
  return (ovk__strided){block.rows + (index - block.first), block.width};
}

bool ovk__many_is_zero(const ovk_multivec *X)
{
  enum { SOME = 4096 };
  for (int b = 0; b < ovk__multivec_panels(X->columns); b++) {
    const ovk__panel part = ovk__multivec_panel(X, b);
    const int64_t values = (int64_t)X->layout.local * part.width;
    for (int64_t i = 0, end; i < values; i = end) {
      int64_t nonzero = 0;
      end = values - i < SOME ? values : i + SOME;
      for (int64_t k = i; k < end; k++) nonzero += part.rows[k] != 0;
      if (nonzero) return false;
    }
  }
  return true;
}

/* Whether the w columns are all of a block of that width, in its order. */
static bool many_are_a_block(int w, const ovk__strided *column)
{
  for (int c = 0; c < w; c++) {
    if (column[c].step != w || column[c].first != column[0].first + c) return false;
  }
  return w > 0;
}

/* Row by row, as the numbers of a row are next to each other here and there. */
void ovk__many_gather(const ovk__many *B, const ovk_multivec *from, double *block)
{
  const ovk_lidx n = B->S->A->layout.local;
  const int w = B->width;
  ovk__strided column[OVK__WIDEST] = {{NULL, 0}};
  for (int c = 0; c < w; c++) {
    if (B->lane[c]) column[c] = ovk__many_column(from, B->lane[c]->index);
  }
  if (many_are_a_block(w, column)) {
    memcpy(block, column[0].first, (size_t)w * (size_t)n * sizeof *block);
    return;
  }
  for (int64_t i = 0; i < n; i++) {
    for (int c = 0; c < w; c++) {
      block[i * w + c] = B->lane[c] ? column[c].first[i * column[c].step] : 0;
    }
  }
}

/* Row by row, as ovk__many_gather(). */
void ovk__many_store(const ovk__many *B, const bool which[OVK__WIDEST], ovk_multivec *X)
{
  const ovk_lidx rows = B->S->A->layout.local;
  ovk__strided to[OVK__WIDEST] = {0};
  int lane[OVK__WIDEST], n = 0;
  for (int c = 0; c < B->width; c++) {
    if (!which[c]) continue;
    to[n] = ovk__many_column(X, B->lane[c]->index);
    lane[n++] = c;
  }
  if (n == B->width && many_are_a_block(n, to)) {
    memcpy(to[0].first, B->x, (size_t)n * (size_t)rows * sizeof *B->x);
    return;
  }
  for (int64_t i = 0; i < rows && n > 0; i++) {
    for (int k = 0; k < n; k++) to[k].first[i * to[k].step] = B->x[i * B->width + lane[k]];
  }
}

/* All blocks, x first. */
static double *many_block(const ovk__many *B, int k)
{
  return k == 0 ? B->x : B->work[k - 1];
}

void ovk__many_clear(ovk__many *B, const bool which[OVK__WIDEST])
{
  const ovk_lidx rows = B->S->A->layout.local;
  int lane[OVK__WIDEST], n = 0;
  for (int c = 0; c < B->width; c++) {
    if (which[c]) lane[n++] = c;
  }
  for (int k = 0; k <= B->size.vectors && n > 0; k++) {
    double *block = many_block(B, k);
    for (int64_t i = 0; i < rows; i++) {
      for (int l = 0; l < n; l++) block[i * B->width + lane[l]] = 0;
    }
  }
  for (int k = 0; k < B->size.scalars; k++) {
    for (int l = 0; l < n; l++) B->scalar[k][lane[l]] = 0;
  }
}

/* In place: row i of the narrow block begins no later than that of the wide one, and `from`
 * increases. */
static void many_pack_block(ovk_lidx rows, int wide, int narrow, int n, const int *from,
                            double *block)
{
  for (int64_t i = 0; i < rows; i++) {
    for (int c = 0; c < narrow; c++) block[i * narrow + c] = c < n ? block[i * wide + from[c]] : 0;
  }
}

void ovk__many_pack(ovk__many *B, int narrow)
{
  int from[OVK__WIDEST] = {0}, n = 0;
  for (int c = 0; c < B->width; c++) {
    if (B->lane[c]) from[n++] = c;
  }
  for (int k = 0; k <= B->size.vectors; k++) {
    many_pack_block(B->S->A->layout.local, B->width, narrow, n, from, many_block(B, k));
  }
  for (int c = 0; c < B->width; c++) {
    for (int k = 0; k < B->size.scalars; k++) {
      B->scalar[k][c] = c < n ? B->scalar[k][from[c]] : 0;
    }
    B->lane[c] = c < n ? B->lane[from[c]] : NULL;
  }
  B->width = narrow;
}
