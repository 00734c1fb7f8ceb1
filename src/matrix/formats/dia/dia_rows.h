/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of a block by diagonals in compressed form, and new values for them. A group of rows is gone
 * through diagonal by diagonal, in runs of rows that all have the entry: they are in consecutive
 * slots. Each row has a cursor. */
#ifndef OVK_MATRIX_FORMATS_DIA_DIA_ROWS_H
#define OVK_MATRIX_FORMATS_DIA_DIA_ROWS_H

#include "core/base/cpu_dispatch.h"
#include "matrix/formats/dia/diagonals.h"

/* Takes a run: the entries (i + l, j + l), l < n, in slots slot + l. */
typedef void ovk__take_run(void *arg, ovk_lidx i, ovk_lidx j, ovk_lidx n, int64_t slot);

/* The number of zeros after the lowest 1 in x, which is not 0. */
OVK_ALWAYS_INLINE ovk_lidx ovk__trailing_zeros(uint32_t x)
{
  return __builtin_ctz(x);
}

/* The runs among the n entries (i + l, j + l) in slots slot + l, all of one chunk. */
OVK_ALWAYS_INLINE void ovk__diagonals_runs(const ovk__diagonals *d, ovk_lidx i, ovk_lidx j,
                                           ovk_lidx n, int64_t slot, ovk__take_run *take, void *arg)
{
  const unsigned char *s = d->stored + slot / 8;
  const uint32_t some = s[0] | (uint32_t)s[1] << 8 | (uint32_t)s[2] << 16 | (uint32_t)s[3] << 24;
  uint32_t held = some >> slot % 8 & ((UINT32_C(1) << n) - 1); /* a bit for each entry */
  for (ovk_lidx l = 0; held;) {
    const ovk_lidx skip = ovk__trailing_zeros(held), run = ovk__trailing_zeros(~(held >> skip));
    l += skip;
    take(arg, i + l, j + l, run, slot + l);
    l += run;
    held = held >> skip >> run;
  }
}

/* Compressed rows from `first` on; next[k] is the cursor of row first + k. */
typedef struct ovk__cursors {
  ovk_lidx first;
  int64_t *next;
  ovk_lidx *col;
  double *val;  /* NULL: columns only */
  double *slot; /* the values of the block, from slot `begin` on */
  int64_t begin;
} ovk__cursors;

/* next[i - first] <- itself + 1, for each row */
OVK_ALWAYS_INLINE void ovk__count_run(void *arg, ovk_lidx i, ovk_lidx j, ovk_lidx n, int64_t slot)
{
  const ovk__cursors *r = arg;
  int64_t *next = r->next + (i - r->first);
  (void)j;
  (void)slot;
  for (ovk_lidx l = 0; l < n; l++) next[l]++;
}

/* Entries of the block to compressed rows, from left to right. */
OVK_ALWAYS_INLINE void ovk__give_run(void *arg, ovk_lidx i, ovk_lidx j, ovk_lidx n, int64_t slot)
{
  const ovk__cursors *r = arg;
  int64_t *next = r->next + (i - r->first);
  ovk_lidx *restrict col = r->col;
  for (ovk_lidx l = 0; r->val && l < n; l++) r->val[next[l]] = r->slot[slot - r->begin + l];
  for (ovk_lidx l = 0; l < n; l++) col[next[l]++] = j + l;
}

/* Values of compressed rows to the block, from right to left. */
OVK_ALWAYS_INLINE void ovk__put_run(void *arg, ovk_lidx i, ovk_lidx j, ovk_lidx n, int64_t slot)
{
  const ovk__cursors *r = arg;
  int64_t *next = r->next + (i - r->first);
  const double *restrict val = r->val;
  double *restrict to = r->slot + (slot - r->begin);
  (void)j;
  ovk__prefetch_entries(to, sizeof *to, n);
  for (ovk_lidx l = 0; l < n; l++) to[l] = val[--next[l]];
}

/* As ovk__format.lengths, .unfold and .refill, with the entries that are stored: `first` is the
 * first row of a chunk. If new values are not few, slices become slots. */
void ovk__diagonals_lengths(const void *block, ovk_lidx first, ovk_lidx rows, int64_t *length);
ovk_err ovk__diagonals_unfold(ovk_ctx *ctx, const void *block, ovk_lidx first, ovk__csr *out);
ovk_err ovk__diagonals_refill(ovk_ctx *ctx, const ovk__csr *A, ovk_lidx first, void *block);

#endif
