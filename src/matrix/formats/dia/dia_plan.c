/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries by diagonals: finds the offsets of each chunk. Filling is separate (diagonals.c), because
 * the choice of a format needs the plan only. */
#include "core/base/hash64.h"
#include "core/base/sorted.h"
#include "core/context/mem.h"
#include "matrix/formats/dia/diagonals.h"

#include <math.h>
#include <stdlib.h>

/* The offsets of the current chunk, in the order of first occurrence. */
typedef struct chunk_offsets {
  ovk_lidx *offset;
  int64_t n, room;
  ovk_lidx *seen; /* [offset]: 1 + the last chunk that has it; negative indices are valid */
} chunk_offsets;

static ovk_err dia_plan_make_room(ovk_ctx *ctx, chunk_offsets *t, int64_t more)
{
  if (t->n + more <= t->room) return OVK_OK;
  const int64_t room = 2 * (t->n + more);
  OVK_RESIZE(ctx, t->offset, room);
  t->room = room;
  return OVK_OK;
}

/* Adds those of row i's n offsets that are new in chunk c. */
static void dia_plan_add_row(chunk_offsets *t, ovk_lidx c, ovk_lidx i, int64_t n,
                             const ovk_lidx *col)
{
  if (n == 0) return; /* the array may not be allocated yet */
  ovk_lidx *seen = t->seen, *end = t->offset + t->n;
  for (int64_t k = 0; k < n; k++) {
    const ovk_lidx offset = col[k] - i;
    if (seen[offset] == c + 1) continue;
    seen[offset] = c + 1;
    *end++ = offset;
  }
  t->n = end - t->offset;
}

/* Whether row i has the offsets of the row before, as most have. */
static bool dia_is_like_before(const ovk__csr *A, ovk_lidx i)
{
  const int64_t n = A->ptr[i + 1] - A->ptr[i];
  const ovk_lidx *col = A->col + A->ptr[i], *before = col - n;
  ovk_lidx unlike = 0;
  if (A->ptr[i] - A->ptr[i - 1] != n) return false;
  for (int64_t k = 0; k < n; k++) unlike |= col[k] ^ (before[k] + 1);
  return unlike == 0;
}

/* Collects the offsets of chunk c; *slots <- the number of slots needed, or some number larger than
 * `most`. */
static ovk_err plan_chunk(ovk_ctx *ctx, const ovk__csr *A, const ovk__diagonals *d, ovk_lidx c,
                          int64_t most, chunk_offsets *t, int64_t *slots)
{
  const ovk_lidx from = c * d->chunk_height, stride = ovk__diagonals_stride(d, c);
  t->n = 0;
  *slots = 0;
  for (ovk_lidx i = from; i < from + stride && *slots <= most; i++) {
    int64_t k = A->ptr[i];
    if (i > from && dia_is_like_before(A, i)) continue;
    while (d->upper && k < A->ptr[i + 1] && A->col[k] < i) k++;
    OVK_TRY(dia_plan_make_room(ctx, t, A->ptr[i + 1] - k));
    dia_plan_add_row(t, c, i, A->ptr[i + 1] - k, A->col + k);
    *slots = t->n * stride;
  }
  return OVK_OK;
}

/* Whether chunk c has the same offsets as the chunk before; most do. */
static bool dia_is_like_last(const ovk__diagonals *d, ovk_lidx c, const chunk_offsets *t)
{
  if (c == 0) return false;
  ovk_lidx n;
  const ovk_lidx *last = ovk__offset_list(&d->lists, d->list[c - 1], &n);
  if (n != t->n) return false;
  for (ovk_lidx k = 0; k < n; k++) {
    if (t->seen[last[k]] != c + 1) return false;
  }
  return true;
}

static ovk_err plan_chunks(ovk_ctx *ctx, const ovk__csr *A, int64_t most, ovk__diagonals *d,
                           chunk_offsets *t, bool *fits)
{
  d->first[0] = 0;
  for (ovk_lidx c = 0; c < d->nchunks; c++) {
    int64_t slots;
    OVK_TRY(plan_chunk(ctx, A, d, c, most - d->first[c], t, &slots));
    d->first[c + 1] = d->first[c] + slots;
    *fits = d->first[c + 1] <= most;
    if (!*fits) return OVK_OK;
    if (dia_is_like_last(d, c, t)) {
      d->list[c] = d->list[c - 1];
      continue;
    }
    ovk__sort_lidx(t->offset, (size_t)t->n);
    OVK_TRY(ovk__offset_lists_enter(ctx, &d->lists, t->offset, (ovk_lidx)t->n, &d->list[c]));
  }
  return OVK_OK;
}

/* Allocates the array `seen` and plans all chunks. */
static ovk_err dia_plan_rows(ovk_ctx *ctx, const ovk__csr *A, int64_t most, ovk__diagonals *d,
                             bool *fits)
{
  ovk_lidx *seen;
  const size_t below = d->upper ? 0 : (size_t)d->rows;
  OVK_NEW_ZEROS(ctx, seen, below + (size_t)d->rows);
  chunk_offsets t = {.seen = seen + below};
  const ovk_err err = plan_chunks(ctx, A, most, d, &t, fits);
  free(t.offset);
  free(seen);
  return err ? err : ovk__offset_lists_close(ctx, &d->lists);
}

/* The memory limit for the format: 5 % more than that of A, plus a cache line. */
static int64_t dia_max_bytes(const ovk__csr *A)
{
  enum { LINE = 64 };
  const int64_t bytes = ovk__csr_bytes(A);
  return bytes + bytes / 20 + LINE;
}

/* How many slots fit in the memory limit, and in `limit` bytes. */
static int64_t dia_most_slots(const ovk__csr *A, int64_t limit)
{
  const int64_t room = dia_max_bytes(A);
  return (room < limit ? room : limit) / (int64_t)sizeof *A->val;
}

/* The slots of the chunk whose first row is `from`, by sorting its offsets; -1: no memory. */
static int64_t slots_of_chunk(const ovk__csr *A, bool upper, ovk_lidx from, ovk_lidx height)
{
  const int64_t begin = A->ptr[from], end = A->ptr[from + height];
  ovk_lidx *offset = ovk__array((size_t)(end - begin), sizeof *offset);
  size_t n = 0;
  if (!offset) return -1;
  for (ovk_lidx i = from; i < from + height; i++) {
    if (i > from && dia_is_like_before(A, i)) continue;
    for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
      if (!upper || A->col[k] >= i) offset[n++] = A->col[k] - i;
    }
  }
  ovk__sort_lidx(offset, n);
  int64_t distinct = 0;
  for (size_t k = 0; k < n; k++) distinct += k == 0 || offset[k] != offset[k - 1];
  free(offset);
  return distinct * height;
}

/* Chunks at random distances: all those at even ones may be on a boundary of the grid. Their mean
 * must be over the limit by three standard errors: a few irregular chunks are not all of A. */
bool ovk__diagonals_are_hopeless(const ovk__csr *A, bool upper, ovk_lidx chunk_height,
                                 int64_t limit)
{
  enum { SAMPLE = 256, WORTH = 4, ERRORS = 3 };
  const ovk_lidx nchunks = A->rows / chunk_height, each = nchunks / SAMPLE;
  double sum = 0, squares = 0;
  if (each < WORTH) return false;
  for (ovk_lidx s = 0; s < SAMPLE; s++) {
    const ovk_lidx c = s * each + (ovk_lidx)(ovk__mix((uint64_t)s) % (uint64_t)each);
    const double slots = (double)slots_of_chunk(A, upper, c * chunk_height, chunk_height);
    if (slots < 0) return false;
    sum += slots;
    squares += slots * slots;
  }
  const double mean = sum / SAMPLE, variance = fmax(squares / SAMPLE - mean * mean, 0);
  return mean - ERRORS * sqrt(variance / SAMPLE) > (double)dia_most_slots(A, limit) / nchunks;
}

ovk_err ovk__diagonals_plan(ovk_ctx *ctx, const ovk__csr *A, bool upper, ovk_lidx chunk_height,
                            int64_t limit, ovk__diagonals *out, int64_t *bytes)
{
  const ovk_lidx nchunks = A->rows / chunk_height + (A->rows % chunk_height != 0);
  const int64_t room = dia_max_bytes(A);
  *bytes = -1;
  *out = (ovk__diagonals){
      .upper = upper, .rows = A->rows, .chunk_height = chunk_height, .nchunks = nchunks};
  OVK_NEW_ARRAY(ctx, out->list, nchunks);
  OVK_NEW_ARRAY(ctx, out->first, (size_t)nchunks + 1);
  bool fits = true;
  OVK_TRY(dia_plan_rows(ctx, A, dia_most_slots(A, limit), out, &fits));
  if (!fits) return OVK_OK;
  const int64_t read = ovk__diagonals_bytes(out), bits = out->first[nchunks] / 8;
  if (read < limit && read + bits <= room) *bytes = read;
  return OVK_OK;
}

ovk_err ovk__diagonals_check(ovk_ctx *ctx, const ovk__csr *A, int64_t bytes)
{
  OVK_CHECK(
      bytes >= 0, ctx, OVK_ERR_UNSUPPORTED,
      "the local block would take more room by diagonals than the %lld bytes that it takes by "
      "rows",
      (long long)ovk__csr_bytes(A));
  return OVK_OK;
}
