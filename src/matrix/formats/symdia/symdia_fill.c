/* SPDX-License-Identifier: BSD-2-Clause */
/* Fills in the upper half of a symmetric block and compares the lower half with it in one pass: the
 * counterpart of an entry left of the diagonal is in an earlier row. Values overwrite those that
 * have been read if the chunks of slots never get ahead of the rows. */
#include "core/context/mem.h"
#include "matrix/formats/sym/symmetry.h"
#include "matrix/formats/symdia/symdia_mult.h"
#include "matrix/formats/symdia/symdia_rows.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_HEIGHT = OVK__SYMDIA_CHUNK_HEIGHT };

/* The place of the counterparts of entries at `distance` left of the diagonal, for columns of one
 * chunk: the counterpart of column j is in slot base + j. */
typedef struct mirror {
  ovk_lidx distance, end; /* end: of the chunk's rows */
  int64_t base;
} mirror;

typedef struct filler {
  const ovk__csr *A;
  ovk__diagonals *d;
  ovk_lidx *place; /* [offset]: its number in the list of the present chunk */
  double *old;     /* [k]: the values of the chunk's rows, or its slots */
  mirror *mirrors; /* [k]: for the k-th entries of rows */
  int64_t left, right;
} filler;

static void symdia_clear(filler *f)
{
  free(f->place);
  free(f->old);
  free(f->mirrors);
}

static ovk_err symdia_allocate(ovk_ctx *ctx, filler *f)
{
  const ovk__csr *A = f->A;
  const ovk__diagonals *d = f->d;
  int64_t longest = 0, most = 0;
  for (ovk_lidx c = 0, from = 0, end; c < d->nchunks; c++, from = end) {
    end = from + ovk__diagonals_stride(d, c);
    for (ovk_lidx i = from; i < end; i++) {
      if (A->ptr[i + 1] - A->ptr[i] > longest) longest = A->ptr[i + 1] - A->ptr[i];
    }
    if (A->ptr[end] - A->ptr[from] > most) most = A->ptr[end] - A->ptr[from];
    if (d->first[c + 1] - d->first[c] > most) most = d->first[c + 1] - d->first[c];
  }
  OVK_NEW_ARRAY(ctx, f->place, d->rows);
  OVK_NEW_ARRAY(ctx, f->old, most);
  OVK_NEW_ZEROS(ctx, f->mirrors, longest);
  return OVK_OK;
}

/* Whether the slots up to the end of each chunk are at most as many as the entries up to there. */
static bool symdia_fits_in_place(const ovk__csr *A, const ovk__diagonals *d)
{
  for (ovk_lidx c = 0; c < d->nchunks; c++) {
    const ovk_lidx end = c * CHUNK_HEIGHT + ovk__diagonals_stride(d, c);
    if (d->first[c + 1] > A->ptr[end]) return false;
  }
  return true;
}

/* The slot of the entry (j, j + distance) is *base + j for the rows j of chunk c; false if the
 * chunk has none. */
static bool symdia_find_base(const ovk__diagonals *d, ovk_lidx c, ovk_lidx distance, int64_t *base)
{
  const ovk_lidx at = ovk__offset_list_find(&d->lists, d->list[c], distance);
  *base = d->first[c] + (int64_t)at * ovk__diagonals_stride(d, c) - (int64_t)c * CHUNK_HEIGHT;
  return at >= 0;
}

static bool symdia_find_mirror(const ovk__diagonals *d, ovk_lidx distance, ovk_lidx j, mirror *m)
{
  const ovk_lidx c = j / CHUNK_HEIGHT;
  m->distance = distance;
  m->end = c * CHUNK_HEIGHT + ovk__diagonals_stride(d, c);
  return symdia_find_base(d, c, distance, &m->base);
}

/* Whether the value in a slot has the bits of `value`, and is no padding. */
static inline bool symdia_holds(const ovk__diagonals *d, int64_t slot, double value)
{
  static const double zero = 0;
  return ovk__same_bits(&d->val[slot], &value) &&
         (!ovk__same_bits(&value, &zero) || ovk__diagonals_holds(d, slot));
}

/* Row i with n entries, the values `from`, into the slots from `slot` on; false if an entry left of
 * the diagonal has no equal counterpart. */
static inline bool symdia_fill_row(filler *f, ovk_lidx i, int64_t n, const ovk_lidx *restrict col,
                                   const double *restrict from, int64_t slot, ovk_lidx stride)
{
  const ovk__diagonals *d = f->d;
  int64_t k = 0;
  for (; k < n && col[k] < i; k++) {
    const ovk_lidx j = col[k];
    mirror *m = &f->mirrors[k];
    if ((i - j != m->distance || j >= m->end) && !symdia_find_mirror(d, i - j, j, m)) return false;
    if (!symdia_holds(d, m->base + j, from[k])) return false;
  }
  f->left += k;
  f->right += n - k - (k < n && col[k] == i);
  for (; k < n; k++) {
    const int64_t to = slot + (int64_t)f->place[col[k] - i] * stride;
    d->val[to] = from[k];
    d->stored[to / 8] |= (unsigned char)(1 << to % 8);
  }
  return true;
}

static void symdia_set_places(const filler *f, ovk_lidx c)
{
  ovk_lidx n;
  const ovk_lidx *offset = ovk__offset_list(&f->d->lists, f->d->list[c], &n);
  for (ovk_lidx k = 0; k < n; k++) f->place[offset[k]] = k;
}

static bool symdia_fill_chunk(filler *f, ovk_lidx c)
{
  const ovk__csr *A = f->A;
  ovk__diagonals *d = f->d;
  const ovk_lidx from = c * CHUNK_HEIGHT, stride = ovk__diagonals_stride(d, c);
  const int64_t begin = A->ptr[from], entries = A->ptr[from + stride] - begin;
  const int64_t slots = d->first[c + 1] - d->first[c];
  symdia_set_places(f, c);
  if (entries) memcpy(f->old, A->val + begin, (size_t)entries * sizeof *f->old);
  if (slots) memset(d->val + d->first[c], 0, (size_t)slots * sizeof *d->val);
  for (ovk_lidx l = 0; l < stride; l++) {
    const int64_t k = A->ptr[from + l], n = A->ptr[from + l + 1] - k;
    if (!symdia_fill_row(f, from + l, n, A->col + k, f->old + (k - begin), d->first[c] + l,
                         stride)) {
      if (d->val == A->val) memcpy(A->val + begin, f->old, (size_t)entries * sizeof *f->old);
      return false;
    }
  }
  return true;
}

/* The rows of chunk c, which has been filled in place, while the slots before it are as they were
 * filled. */
static void symdia_restore_chunk(filler *f, ovk_lidx c)
{
  const ovk__csr *A = f->A;
  const ovk__diagonals *d = f->d;
  const ovk_lidx from = c * CHUNK_HEIGHT, stride = ovk__diagonals_stride(d, c);
  const int64_t slots = d->first[c + 1] - d->first[c];
  symdia_set_places(f, c);
  if (slots) memcpy(f->old, d->val + d->first[c], (size_t)slots * sizeof *f->old);
  for (ovk_lidx i = from; i < from + stride; i++) {
    for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
      const ovk_lidx j = A->col[k], low = j < i ? j : i, distance = j < i ? i - j : j - i;
      int64_t base;
      if (low >= from) {
        A->val[k] = f->old[(int64_t)f->place[distance] * stride + (low - from)];
      } else if (symdia_find_base(d, low / CHUNK_HEIGHT, distance, &base)) {
        A->val[k] = d->val[base + low];
      }
    }
  }
}

/* Fills all chunks; if A is not symmetric, its values are restored. */
static bool fill_all(filler *f)
{
  ovk_lidx c = 0;
  while (c < f->d->nchunks && symdia_fill_chunk(f, c)) c++;
  if (c == f->d->nchunks && f->left == f->right) return true;
  while (f->d->val == f->A->val && c-- > 0) symdia_restore_chunk(f, c);
  return false;
}

/* The array for the slots: A's, or a new one. */
static ovk_err symdia_make_room(ovk_ctx *ctx, const ovk__csr *A, ovk__diagonals *d)
{
  const int64_t slots = d->first[d->nchunks];
  OVK_NEW_ZEROS(ctx, d->stored, slots / 8 + OVK__STORED_PADDING);
  if (symdia_fits_in_place(A, d)) {
    d->val = A->val;
  } else {
    OVK_NEW_ARRAY(ctx, d->val, slots);
  }
  return OVK_OK;
}

/* The array is d's, or A's alone, if that is not symmetric; the part that d does not need is freed.
 */
static ovk_err symdia_settle(ovk_ctx *ctx, bool symmetric, ovk__csr *A, ovk__diagonals *d)
{
  if (d->val != A->val) return OVK_OK;
  if (!symmetric) {
    d->val = NULL;
    return OVK_OK;
  }
  A->val = NULL;
  const size_t slots = (size_t)d->first[d->nchunks];
  OVK_RESIZE(ctx, d->val, slots ? slots : 1);
  return OVK_OK;
}

ovk_err ovk__symdia_fill(ovk_ctx *ctx, ovk__csr *A, ovk__diagonals *d, bool *symmetric)
{
  filler f = {.A = A, .d = d};
  *symmetric = false;
  ovk_err err = symdia_allocate(ctx, &f);
  if (!err) err = symdia_make_room(ctx, A, d);
  if (!err) {
    *symmetric = fill_all(&f);
    err = symdia_settle(ctx, *symmetric, A, d);
  }
  symdia_clear(&f);
  return err;
}
