/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the lower half of A into diagonals, row by row, in two passes: first the diagonals, then
 * their values. An entry (i,j) above the diagonal is put where (j,i) belongs, and compared with
 * that in row j. */
#include "precond/incomplete/ic_diagonals.h"
#include "core/context/mem.h"
#include "matrix/mat_impl.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With at least so many rows, the first search for diagonals reads only each STEPth. */
enum { MANY = 5000, STEP = 61 };

/* Reads rows. */
typedef struct reader {
  ovk__block_rows from;
  ovk_lidx *col; /* room for a row that is read from A */
  double *val;
} reader;

typedef struct row {
  ovk_lidx n;
  const ovk_lidx *col;
  const double *val;
} row;

static row ic_diagonals_read_row(const reader *R, ovk_lidx i, bool values)
{
  const ovk_mat *A = R->from.A;
  const ovk__block *B = R->from.B;
  if (!B) return (row){A->format->row(A->local, i, R->col, values ? R->val : NULL), R->col, R->val};
  const int64_t k = B->ptr[i];
  return (row){(ovk_lidx)(B->ptr[i + 1] - k), B->col + k, B->val + k};
}

/* The distances in each `step`th row; whether T fits, according to these rows. */
static bool ic_diagonals_find_distances(const reader *R, ovk_lidx step, unsigned char *seen,
                                        ovk__dia_triangle *T)
{
  int64_t entries = 0;
  for (int64_t i = 0; i < T->n; i += step) {
    const row r = ic_diagonals_read_row(R, (ovk_lidx)i, false);
    for (ovk_lidx k = 0; k < r.n && r.col[k] < i; k++, entries++) {
      if (!ovk__dia_triangle_add_distance(T, seen, (ovk_lidx)i - r.col[k])) return false;
    }
  }
  ovk__dia_triangle_order(T);
  return ovk__dia_triangle_fits(T, step * entries);
}

/* Row i of the lower half, whose entries are in the diagonals from `first` on. The slots have the
 * entries above the diagonal of earlier rows; *equal <- whether those of this row equal them and
 * are finite. Returns the place after the last one. */
static ovk_lidx ic_diagonals_compare_lower(const row *r, ovk_lidx i, int first,
                                           const ovk__dia_triangle *T, const ovk__dia_gaps *gaps,
                                           bool *equal)
{
  const double *a = (const double *)T->value + i;
  ovk_lidx k = 0;
  bool same = true;
  for (int e = first; e <= T->count && i > 0; e++) {
    const bool nearest = e == T->count;
    const bool is_there = k < r->n && r->col[k] == i - (nearest ? 1 : T->distance[e]);
    const double value = is_there ? r->val[k++] : 0;
    const double mirrored = nearest ? ((const double *)T->near)[i] : a[e * T->stride];
    if (!is_there) *ovk__dia_gap_byte(gaps, e, i) |= (unsigned char)(1 << i % 8);
    same &= (value == mirrored) & (fabs(value) <= DBL_MAX);
  }
  *equal = same;
  return k;
}

/* The entries of row i from r->col[k] on, which are above the diagonal; false for one that is in no
 * diagonal of T. */
static bool ic_diagonals_put_upper(const row *r, ovk_lidx i, ovk_lidx k, const ovk__dia_triangle *T)
{
  int e = T->count - 1;
  if (k < r->n && r->col[k] == i + 1) ((double *)T->near)[i + 1] = r->val[k++];
  for (; k < r->n; k++, e--) {
    const ovk_lidx d = r->col[k] - i;
    while (e >= 0 && T->distance[e] != d) e--;
    if (e < 0) return false;
    ((double *)T->value)[e * T->stride + r->col[k]] = r->val[k];
  }
  return true;
}

static bool ic_diagonals_fill(const reader *R, const ovk__dia_gaps *gaps,
                              const ovk__dia_triangle *T)
{
  int64_t entries = 0;
  int first = T->count;
  for (ovk_lidx i = 0; i < T->n; i++) {
    const row r = ic_diagonals_read_row(R, i, true);
    bool equal;
    while (first > 0 && T->distance[first - 1] <= i) first--;
    ovk_lidx k = ic_diagonals_compare_lower(&r, i, first, T, gaps, &equal);
    entries += k;
    const bool has_diagonal = k < r.n && r.col[k] == i;
    ((double *)T->inverse)[i] = has_diagonal ? r.val[k++] : 0;
    if (!equal || !ic_diagonals_put_upper(&r, i, k, T)) return false;
  }
  return ovk__dia_triangle_fits(T, entries);
}

static ovk_err ic_fill_and_factorize(ovk_ctx *ctx, const reader *R, double shift,
                                     ovk__dia_triangle *T, bool *done)
{
  ovk__dia_gaps gaps = {.stride = T->n / 8 + 1};
  OVK_NEW_ZEROS(ctx, gaps.bits, (T->count + 1) * gaps.stride);
  *done = ic_diagonals_fill(R, &gaps, T) && ovk__dia_triangle_factorise(T, &gaps, shift);
  free(gaps.bits);
  return OVK_OK;
}

static bool ic_diagonals_fits_float(double value)
{
  return fabs(value) <= FLT_MAX;
}

/* T <- T in floats, if these can hold it, which *fits says. */
static ovk_err ic_diagonals_round_values(ovk_ctx *ctx, ovk__dia_triangle *T, bool *fits)
{
  ovk__dia_triangle F = {.n = T->n, .count = T->count};
  const double *value = T->value, *near = T->near, *inverse = T->inverse;
  bool all = true;
  memcpy(F.distance, T->distance, sizeof F.distance);
  ovk_err err = ovk__dia_triangle_allocate(ctx, true, true, &F);
  for (ovk_lidx i = 0; !err && i < T->n; i++) {
    all &= inverse[i] >= FLT_MIN && ic_diagonals_fits_float(inverse[i]) &&
           ic_diagonals_fits_float(near[i]);
    ((float *)F.inverse)[i] = (float)inverse[i];
    ((float *)F.near)[i] = (float)near[i];
  }
  for (int e = 0; !err && e < T->count; e++) {
    for (ovk_lidx i = 0; i < T->n; i++) {
      const double l = value[e * T->stride + i];
      all &= ic_diagonals_fits_float(l);
      ((float *)F.value)[e * F.stride + i] = (float)l;
    }
  }
  *fits = all;
  ovk__dia_triangle swap = *T;
  if (!err && all) {
    *T = F;
    F = swap;
  }
  ovk__dia_triangle_free(&F);
  return err;
}

static ovk_err ic_diagonals_plan(ovk_ctx *ctx, const reader *R, ovk_lidx step, ovk__dia_triangle *T,
                                 bool *fits)
{
  unsigned char *seen;
  OVK_NEW_ZEROS(ctx, seen, T->n);
  *fits = ic_diagonals_find_distances(R, step, seen, T);
  free(seen);
  return OVK_OK;
}

/* Tries the diagonals found in each `step`th row, unless these are as many as have been tried. */
static ovk_err ic_diagonals_try(ovk_ctx *ctx, const reader *R, ovk_lidx step, double shift,
                                int tried, ovk__dia_triangle *T, bool *done)
{
  OVK_TRY(ic_diagonals_plan(ctx, R, step, T, done));
  *done &= T->count != tried;
  if (!*done) return OVK_OK;
  OVK_TRY(ovk__dia_triangle_allocate(ctx, false, true, T));
  return ic_fill_and_factorize(ctx, R, shift, T, done);
}

static ovk_err ic_diagonals_make(ovk_ctx *ctx, const reader *R, double shift, bool single,
                                 ovk__dia_triangle *T, bool *done)
{
  const ovk_lidx n = T->n;
  OVK_TRY(ic_diagonals_try(ctx, R, n < MANY ? 1 : STEP, shift, -1, T, done));
  if (!*done && n >= MANY) {
    const int tried = T->value ? T->count : -1;
    ovk__dia_triangle_free(T);
    T->n = n;
    OVK_TRY(ic_diagonals_try(ctx, R, 1, shift, tried, T, done));
  }
  return *done && single ? ic_diagonals_round_values(ctx, T, done) : OVK_OK;
}

static ovk_err ic_diagonals_open_reader(ovk_ctx *ctx, ovk__block_rows from, ovk_lidx n, reader *R)
{
  *R = (reader){.from = from};
  if (from.B) return OVK_OK;
  OVK_NEW_ARRAY(ctx, R->col, n);
  OVK_NEW_ARRAY(ctx, R->val, n);
  return OVK_OK;
}

static void ic_diagonals_close_reader(reader *R)
{
  free(R->col);
  free(R->val);
}

ovk_err ovk__ic_diagonals_make(ovk_ctx *ctx, ovk__block_rows rows, double shift, bool single,
                               ovk__dia_triangle *T, bool *done)
{
  reader R;
  *done = false;
  *T = (ovk__dia_triangle){.n = rows.B ? rows.B->n : rows.A->layout.local};
  ovk_err err = ic_diagonals_open_reader(ctx, rows, T->n, &R);
  if (!err) err = ic_diagonals_make(ctx, &R, shift, single, T, done);
  ic_diagonals_close_reader(&R);
  if (err || !*done) ovk__dia_triangle_free(T);
  return err;
}

ovk_err ovk__ic_diagonals_update(ovk_ctx *ctx, ovk__block_rows rows, double shift,
                                 ovk__dia_triangle *T, bool *done)
{
  reader R;
  *done = false;
  ovk_err err = ic_diagonals_open_reader(ctx, rows, T->n, &R);
  if (!err) err = ic_fill_and_factorize(ctx, &R, shift, T, done);
  ic_diagonals_close_reader(&R);
  return err;
}
