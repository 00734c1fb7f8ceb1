/* SPDX-License-Identifier: BSD-2-Clause */
/* Sorts rows by length within windows, and finds the place of a row. */
#include "matrix/formats/sell/sell_windows.h"
#include "core/context/mem.h"
#include "matrix/formats/narrow.h"

#include <stdlib.h>
#include <string.h>

enum { BYTE = 256 };

/* Sorts n rows of a window from `from` to `to` by byte `shift` / 8 of their lengths; stable. */
static void sell_sort_by_byte(ovk_lidx n, const ovk_lidx *length, int shift, const uint8_t *from,
                              uint8_t *to)
{
  int start[BYTE + 1] = {0};
  for (ovk_lidx k = 0; k < n; k++) start[((uint32_t)length[from[k]] >> shift) % BYTE + 1]++;
  for (int b = 1; b < BYTE; b++) start[b] += start[b - 1];
  for (ovk_lidx k = 0; k < n; k++)
    to[start[((uint32_t)length[from[k]] >> shift) % BYTE]++] = from[k];
}

/* Radix sort of the n rows of a window: as many passes as the largest length has bytes. */
static void sell_windows_sort(ovk_lidx n, const ovk_lidx *length, uint8_t *row)
{
  uint8_t other[OVK__SORT_WINDOW];
  ovk_lidx longest = 0;
  for (ovk_lidx k = 0; k < n; k++) {
    row[k] = (uint8_t)k;
    if (length[k] > longest) longest = length[k];
  }
  for (int shift = 0; shift < 32 && longest >> shift; shift += 8) {
    sell_sort_by_byte(n, length, shift, row, other);
    memcpy(row, other, (size_t)n);
  }
}

/* The number of runs of a window of n places; they are written to `runs` unless that is NULL. */
static ovk_lidx sell_windows_cut(ovk_lidx n, const ovk_lidx *length, const uint8_t *row,
                                 ovk__sell_run *runs)
{
  ovk_lidx nruns = 0;
  for (ovk_lidx k = 0, end; k < n; k = end) {
    const ovk_lidx l = length[row[k]];
    for (end = k + 1; end < n && length[row[end]] == l; end++) continue;
    if (runs) runs[nruns] = (ovk__sell_run){end - k, l};
    nruns++;
  }
  return nruns;
}

ovk_err ovk__windows_make(ovk_ctx *ctx, ovk_lidx rows, const ovk_lidx *length,
                          ovk_lidx chunk_height, ovk__windows *out)
{
  ovk__windows *w = out;
  *w = (ovk__windows){.rows = rows, .chunk_height = chunk_height};
  w->n = rows / OVK__SORT_WINDOW + (rows % OVK__SORT_WINDOW > 0);
  OVK_NEW_ARRAY(ctx, w->row, rows);
  OVK_NEW_ARRAY(ctx, w->run, (size_t)w->n + 1);
  OVK_NEW_ARRAY(ctx, w->entry, (size_t)w->n + 1);
  w->run[0] = 0;
  w->entry[0] = 0;
  for (ovk_lidx k = 0; k < w->n; k++) {
    const ovk_lidx first = ovk__window_first(k), n = ovk__window_end(w, k) - first;
    sell_windows_sort(n, length + first, w->row + first);
    w->run[k + 1] = w->run[k] + sell_windows_cut(n, length + first, w->row + first, NULL);
    w->entry[k + 1] = w->entry[k];
    for (ovk_lidx i = first; i < first + n; i++) w->entry[k + 1] += length[i];
  }
  OVK_NEW_ARRAY(ctx, w->runs, w->run[w->n]);
  for (ovk_lidx k = 0; k < w->n; k++) {
    const ovk_lidx first = ovk__window_first(k);
    sell_windows_cut(ovk__window_end(w, k) - first, length + first, w->row + first,
                     w->runs + w->run[k]);
  }
  return OVK_OK;
}

ovk_err ovk__windows_copy(ovk_ctx *ctx, const ovk__windows *w, ovk__windows *out)
{
  *out = (ovk__windows){.rows = w->rows, .n = w->n, .chunk_height = w->chunk_height};
  OVK_NEW_COPY(ctx, out->row, w->row, w->rows);
  OVK_NEW_COPY(ctx, out->run, w->run, (size_t)w->n + 1);
  OVK_NEW_COPY(ctx, out->entry, w->entry, (size_t)w->n + 1);
  OVK_NEW_COPY(ctx, out->runs, w->runs, w->run[w->n]);
  return OVK_OK;
}

void ovk__windows_free(ovk__windows *w)
{
  free(w->row);
  free(w->run);
  free(w->entry);
  free(w->runs);
  *w = (ovk__windows){0};
}

/* Row k of a run whose entries start at `first`. */
static ovk__sell_row sell_row_of_run(const ovk__windows *w, const ovk__sell_run *run, int64_t first,
                                     ovk_lidx k)
{
  const bool in_chunk = k < ovk__run_in_chunks(run, w->chunk_height);
  const ovk_lidx lane = in_chunk ? k % w->chunk_height : 0, step = in_chunk ? w->chunk_height : 1;
  return (ovk__sell_row){first + (int64_t)(k - lane) * run->length + lane, run->length, step};
}

ovk__sell_row ovk__windows_find(const ovk__windows *w, ovk_lidx i)
{
  const ovk_lidx window = i / OVK__SORT_WINDOW, first = ovk__window_first(window);
  const uint8_t *row = w->row + first;
  const uint8_t *found = memchr(row, i - first, (size_t)(ovk__window_end(w, window) - first));
  ovk_lidx place = (ovk_lidx)(found - row);
  const ovk__sell_run *run = w->runs + w->run[window];
  int64_t entry = w->entry[window];
  for (; place >= run->rows; run++) {
    entry += (int64_t)run->rows * run->length;
    place -= run->rows;
  }
  return sell_row_of_run(w, run, entry, place);
}

int64_t ovk__windows_bytes(const ovk__windows *w)
{
  const size_t windows = (size_t)w->n + 1, runs = w->n ? (size_t)w->run[w->n] : 0;
  return (int64_t)((size_t)w->rows * sizeof *w->row +
                   windows * (sizeof *w->run + sizeof *w->entry) + runs * sizeof *w->runs);
}

void ovk__windows_for_each(const ovk__windows *w, ovk_lidx first, ovk_lidx end,
                           ovk__window_row_fn *take, void *arg)
{
  ovk_lidx window = first / OVK__SORT_WINDOW;
  for (; first < end; first = ovk__window_end(w, window++)) {
    const uint8_t *row = w->row + first;
    int64_t entry = w->entry[window];
    for (int64_t r = w->run[window]; r < w->run[window + 1]; r++) {
      const ovk__sell_run *run = w->runs + r;
      for (ovk_lidx k = 0; k < run->rows; k++) {
        take(arg, first + row[k], sell_row_of_run(w, run, entry, k));
      }
      row += run->rows;
      entry += (int64_t)run->rows * run->length;
    }
  }
}

/* The lengths of the rows from `first` on. */
typedef struct row_lengths {
  ovk_lidx first;
  int64_t *length;
} row_lengths;

static void sell_take_length(void *arg, ovk_lidx i, ovk__sell_row row)
{
  const row_lengths *r = arg;
  r->length[i - r->first] = row.n;
}

void ovk__windows_lengths(const ovk__windows *w, ovk_lidx first, ovk_lidx rows, int64_t *length)
{
  ovk__windows_for_each(w, first, first + rows, sell_take_length, &(row_lengths){first, length});
}
