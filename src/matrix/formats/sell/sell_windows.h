/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows sorted by length within windows, shared by "sell", "sym" and "sym3": consecutive rows of
 * equal length avoid branch mispredictions at row ends. A window is so short that the data of its
 * rows stay in cache. After SELL-C-sigma of Kreutzer, Hager, Wellein, Fehske and Bishop (2014),
 * with sigma = 256. Chunks are cut from rows of equal length, so that they need no padding: "sell"
 * has C = 8, and rows that do not fill a chunk are stored one by one; the others have C = 1. */
#ifndef OVK_MATRIX_FORMATS_SELL_SELL_WINDOWS_H
#define OVK_MATRIX_FORMATS_SELL_SELL_WINDOWS_H

#include "core/context/check.h"

#include <ovkrylov/plugin/poll.h>

enum { OVK__SORT_WINDOW = 256 /* sigma */, OVK__SELL_CHUNK_HEIGHT = 8 /* C */ };

/* Consecutive rows of equal length in a window's order. */
typedef struct ovk__sell_run {
  ovk_lidx rows, length;
} ovk__sell_run;

/* How many rows of a run, the first ones, are stored in chunks of so many. */
static inline ovk_lidx ovk__run_in_chunks(const ovk__sell_run *run, ovk_lidx chunk_height)
{
  return run->rows - run->rows % chunk_height;
}

/* The entries of a row: the first one, and the distance from one to the next. */
typedef struct ovk__sell_row {
  int64_t first;
  ovk_lidx n, step;
} ovk__sell_row;

/* All zero: no arrays. A place is a row's position in the order of its window, shortest rows first;
 * rows of equal length keep their order. */
typedef struct ovk__windows {
  ovk_lidx rows, n;      /* n windows */
  ovk_lidx chunk_height; /* rows of a chunk: OVK__SELL_CHUNK_HEIGHT or 1 */
  uint8_t *row;          /* [place]: the row, counted from the first of its window */
  ovk_lidx *run;         /* [window]: its first run; one more for the end */
  int64_t *entry;        /* [window]: its first entry; one more for the end */
  ovk__sell_run *runs;
} ovk__windows;

/* Sorts `rows` rows by length, for chunks of so many rows. After a failure ovk__windows_free() must
 * be called. */
ovk_err ovk__windows_make(ovk_ctx *ctx, ovk_lidx rows, const ovk_lidx *length,
                          ovk_lidx chunk_height, ovk__windows *out);

/* *out <- the same windows; to be freed also after a failure. */
ovk_err ovk__windows_copy(ovk_ctx *ctx, const ovk__windows *w, ovk__windows *out);
void ovk__windows_free(ovk__windows *w);

/* The entries of row i. */
ovk__sell_row ovk__windows_find(const ovk__windows *w, ovk_lidx i);

/* Calls `take` for the rows of the windows from row `first` on up to row `end` - 1, in the order of
 * windows. */
typedef void ovk__window_row_fn(void *arg, ovk_lidx i, ovk__sell_row row);
void ovk__windows_for_each(const ovk__windows *w, ovk_lidx first, ovk_lidx end,
                           ovk__window_row_fn *take, void *arg);

/* length[k] <- the number of entries of row first + k, for whole windows */
void ovk__windows_lengths(const ovk__windows *w, ovk_lidx first, ovk_lidx rows, int64_t *length);

/* Bytes of storage. */
int64_t ovk__windows_bytes(const ovk__windows *w);

/* The first row of a window, and the end. */
static inline ovk_lidx ovk__window_first(ovk_lidx window)
{
  return window * OVK__SORT_WINDOW;
}

static inline ovk_lidx ovk__window_end(const ovk__windows *w, ovk_lidx window)
{
  const ovk_lidx first = ovk__window_first(window);
  return w->rows - first < OVK__SORT_WINDOW ? w->rows : first + OVK__SORT_WINDOW;
}

/* row[l] <- the entries of row l of a window, for windows with chunks of one row. */
static inline void ovk__window_rows(const ovk__windows *w, ovk_lidx window,
                                    ovk__sell_row row[OVK__SORT_WINDOW])
{
  const uint8_t *place = w->row + ovk__window_first(window);
  int64_t k = w->entry[window];
  for (ovk_lidx r = w->run[window]; r < w->run[window + 1]; r++) {
    const ovk__sell_run *run = w->runs + r;
    for (ovk_lidx l = 0; l < run->rows; l++, k += run->length) {
      row[*place++] = (ovk__sell_row){k, run->length, 1};
    }
  }
}

/* Counts rows to the next poll, for loops over rows in pieces of any size. */
typedef struct ovk__pace {
  ovk_poll poll;
  ovk_lidx left;
} ovk__pace;

static inline ovk__pace ovk__pace_start(ovk_poll poll)
{
  return (ovk__pace){poll, poll.progress ? poll.every : INT32_MAX};
}

/* How many of `rows` rows may be processed before the next poll. */
static inline ovk_lidx ovk__pace_until(const ovk__pace *p, ovk_lidx rows)
{
  return rows < p->left ? rows : p->left;
}

/* Counts `rows` processed rows, and polls once for each time that so many are due. */
static inline void ovk__pace_done(ovk__pace *p, ovk_lidx rows)
{
  for (p->left -= rows; p->left <= 0; p->left += ovk__pace_start(p->poll).left) {
    ovk_poll_call(p->poll);
  }
}

#endif
