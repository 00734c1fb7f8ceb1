/* SPDX-License-Identifier: BSD-2-Clause */
/* Symbolic factorization by levels of fill, row by row: the columns of the working row are a linked
 * list in increasing order, into which the rows above insert theirs (Saad, Iterative Methods for
 * Sparse Linear Systems, section 10.3.3). */
#include "precond/incomplete/triangle/sparsity.h"
#include "core/context/mem.h"
#include "core/memory_limit.h"

#include <stdlib.h>

/* Rows of a factor that grow. */
typedef struct rows {
  int64_t *ptr;
  ovk_lidx *col, *level;
  int64_t count, room;
} rows;

/* The working row. next[j] is the column after j, or n; next[n] is the first one. */
typedef struct linked_row {
  ovk_lidx *next;
  ovk_lidx *level; /* of a column in the row; -1: not in the row */
} linked_row;

typedef struct symbolic {
  const ovk__block *B;
  ovk_lidx most; /* the greatest level that is kept */
  linked_row row;
  rows L, U;
} symbolic;

static ovk_err sparsity_grow(const symbolic *S, rows *R)
{
  const size_t room = (size_t)R->room + (size_t)R->room / 2 + 1024, each = sizeof *R->col;
  ovk_lidx *col = NULL, *level = NULL;
  if (!ovk__memory_never(2 * room * each)) {
    col = realloc(R->col, room * each);
    if (col) R->col = col;
    level = realloc(R->level, room * each);
    if (level) R->level = level;
  }
  OVK_CHECK(col && level, S->B->ctx, OVK_ERR_MEMORY,
            "no memory for a factor with fill of level %d: more than %lld entries", S->most,
            (long long)R->count);
  R->room = (int64_t)room;
  return OVK_OK;
}

static ovk_err sparsity_push(const symbolic *S, rows *R, ovk_lidx j)
{
  if (R->count == R->room) OVK_TRY(sparsity_grow(S, R));
  R->col[R->count] = j;
  R->level[R->count++] = S->row.level[j];
  return OVK_OK;
}

/* The working row <- row i of B and the diagonal. */
static void sparsity_start_row(symbolic *S, ovk_lidx i)
{
  const ovk__block *B = S->B;
  const ovk_lidx n = B->n;
  ovk_lidx last = n, *next = S->row.next, *level = S->row.level;
  int64_t k = B->ptr[i];
  for (; k < B->ptr[i + 1] && B->col[k] < i; k++) {
    level[last = next[last] = B->col[k]] = 0;
  }
  level[last = next[last] = i] = 0;
  if (k < B->ptr[i + 1] && B->col[k] == i) k++;
  for (; k < B->ptr[i + 1]; k++) level[last = next[last] = B->col[k]] = 0;
  next[last] = n;
}

/* Gives the working row the fill of its column j: the columns of row j of U. */
static void sparsity_add_fill(symbolic *S, ovk_lidx j)
{
  ovk_lidx before = j, *next = S->row.next, *level = S->row.level;
  for (int64_t k = S->U.ptr[j]; k < S->U.ptr[j + 1]; k++) {
    const ovk_lidx c = S->U.col[k], fill = level[j] + S->U.level[k] + 1;
    if (fill > S->most) continue;
    if (level[c] < 0) {
      while (next[before] < c) before = next[before];
      next[c] = next[before];
      next[before] = c;
      level[c] = fill;
    } else if (fill < level[c]) {
      level[c] = fill;
    }
  }
}

/* Appends the working row to L and U, and clears it. */
static ovk_err sparsity_store_row(symbolic *S, ovk_lidx i)
{
  const ovk_lidx n = S->B->n;
  ovk_err err = OVK_OK;
  for (ovk_lidx j = S->row.next[n]; j < n; j = S->row.next[j]) {
    if (!err && j < i) err = sparsity_push(S, &S->L, j);
    if (!err && j > i) err = sparsity_push(S, &S->U, j);
    S->row.level[j] = -1;
  }
  S->L.ptr[i + 1] = S->L.count;
  S->U.ptr[i + 1] = S->U.count;
  return err;
}

static ovk_err sparsity_make_rows(symbolic *S)
{
  const ovk_lidx n = S->B->n;
  for (ovk_lidx j = 0; j < n; j++) S->row.level[j] = -1;
  S->L.ptr[0] = S->U.ptr[0] = 0;
  for (ovk_lidx i = 0; i < n; i++) {
    sparsity_start_row(S, i);
    for (ovk_lidx j = S->row.next[n]; j < i; j = S->row.next[j]) sparsity_add_fill(S, j);
    OVK_TRY(sparsity_store_row(S, i));
  }
  return OVK_OK;
}

/* The entries of B left of the diagonal. */
static int64_t sparsity_count_lower(const ovk__block *B)
{
  int64_t n = 0;
  for (ovk_lidx i = 0; i < B->n; i++) {
    for (int64_t k = B->ptr[i]; k < B->ptr[i + 1] && B->col[k] < i; k++) n++;
  }
  return n;
}

/* Room for the entries of B, which is all at level 0. */
static ovk_err sparsity_start_rows(symbolic *S)
{
  ovk_ctx *ctx = S->B->ctx;
  const ovk_lidx n = S->B->n;
  S->L.room = sparsity_count_lower(S->B);
  S->U.room = S->B->ptr[n] - S->L.room;
  for (int k = 0; k < 2; k++) {
    rows *R = k ? &S->U : &S->L;
    OVK_NEW_ARRAY(ctx, R->ptr, n + (int64_t)1);
    OVK_NEW_ARRAY(ctx, R->col, R->room);
    OVK_NEW_ARRAY(ctx, R->level, R->room);
  }
  OVK_NEW_ARRAY(ctx, S->row.next, n + (int64_t)1);
  OVK_NEW_ARRAY(ctx, S->row.level, n);
  return OVK_OK;
}

/* Gives unused room back. */
static ovk_err sparsity_fit(const symbolic *S, rows *R)
{
  if (R->count == R->room) return OVK_OK;
  OVK_RESIZE(S->B->ctx, R->col, R->count + 1);
  return OVK_OK;
}

static ovk_err sparsity_make_with_fill(const ovk__block *B, ovk_lidx level, ovk__sparsity *L,
                                       ovk__sparsity *U)
{
  symbolic S = {.B = B, .most = level};
  ovk__sparsity unwanted = {0};
  ovk_err err = sparsity_start_rows(&S);
  if (!err) err = sparsity_make_rows(&S);
  free(S.row.next);
  free(S.row.level);
  free(S.L.level);
  free(S.U.level);
  if (!err) err = sparsity_fit(&S, &S.L);
  if (!err && U) err = sparsity_fit(&S, &S.U);
  *L = (ovk__sparsity){S.L.ptr, S.L.col};
  *(U ? U : &unwanted) = (ovk__sparsity){S.U.ptr, S.U.col};
  ovk__sparsity_free(&unwanted);
  return err;
}

/* The entries of B on one side of the diagonal, `room` at most. */
static ovk_err sparsity_copy_side(const ovk__block *B, bool upper, int64_t room, ovk__sparsity *S)
{
  int64_t count = 0;
  OVK_NEW_ARRAY(B->ctx, S->ptr, B->n + (int64_t)1);
  OVK_NEW_ARRAY(B->ctx, S->col, room);
  for (ovk_lidx i = 0; i < B->n; i++) {
    S->ptr[i] = count;
    for (int64_t k = B->ptr[i]; k < B->ptr[i + 1]; k++) {
      if (upper ? B->col[k] > i : B->col[k] < i) S->col[count++] = B->col[k];
    }
  }
  S->ptr[B->n] = count;
  return OVK_OK;
}

ovk_err ovk__sparsity_make(const ovk__block *B, ovk_lidx level, ovk__sparsity *L, ovk__sparsity *U)
{
  if (level > 0) return sparsity_make_with_fill(B, level, L, U);
  const int64_t lower = sparsity_count_lower(B);
  OVK_TRY(sparsity_copy_side(B, false, lower, L));
  return U ? sparsity_copy_side(B, true, B->ptr[B->n] - lower, U) : OVK_OK;
}

void ovk__sparsity_free(ovk__sparsity *S)
{
  free(S->ptr);
  free(S->col);
  *S = (ovk__sparsity){0};
}
