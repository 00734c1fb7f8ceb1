/* SPDX-License-Identifier: BSD-2-Clause */
/* Sorting matrix entries by row and column. Entries that were added in order, as most programs do,
 * are recognised and not moved. */
#include "matrix/rows.h"
#include "core/mem.h"

#include <stdlib.h>
#include <string.h>

void ovk__rows_free(ovk__rows *rows)
{
  free(rows->ptr);
  free(rows->length);
  free(rows->entries);
  *rows = (ovk__rows){0};
}

/* ptr <- where each row starts; returns whether the entries already lie row after row. */
static bool count_rows(ovk_gidx first, const ovk__stash *own, ovk__rows *rows)
{
  bool in_order = true;
  memset(rows->ptr, 0, ((size_t)rows->n + 1) * sizeof *rows->ptr);
  for (size_t k = 0; k < own->count; k++) {
    rows->ptr[own->entries[k].row - first + 1]++;
    in_order = in_order && (k == 0 || own->entries[k - 1].row <= own->entries[k].row);
  }
  for (ovk_lidx i = 0; i < rows->n; i++) rows->ptr[i + 1] += rows->ptr[i];
  return in_order;
}

/* Moves the entries to their rows, keeping the order within a row. */
static ovk_err scatter(ovk_ctx *ctx, ovk_gidx first, ovk__stash *own, ovk__rows *rows)
{
  OVK_NEW_ARRAY(ctx, rows->entries, own->count);
  int64_t *next = rows->length; /* not needed for lengths yet */
  memcpy(next, rows->ptr, (size_t)rows->n * sizeof *next);
  for (size_t k = 0; k < own->count; k++) {
    rows->entries[next[own->entries[k].row - first]++] = own->entries[k];
  }
  ovk__stash_clear(own);
  return OVK_OK;
}

static bool is_sorted(const ovk__entry *row, int64_t n)
{
  for (int64_t k = 1; k < n; k++) {
    if (row[k - 1].col > row[k].col) return false;
  }
  return true;
}

static void insertion_sort(ovk__entry *row, int64_t n)
{
  for (int64_t k = 1; k < n; k++) {
    const ovk__entry moving = row[k];
    int64_t at = k;
    for (; at > 0 && row[at - 1].col > moving.col; at--) row[at] = row[at - 1];
    row[at] = moving;
  }
}

/* Merge sort by column; stable, so that duplicates keep their order. `spare` has room for n
 * entries. */
static void sort_row(ovk__entry *row, int64_t n, ovk__entry *spare)
{
  enum { SHORT = 32 };
  if (is_sorted(row, n)) return;
  if (n <= SHORT) {
    insertion_sort(row, n);
    return;
  }
  const int64_t half = n / 2;
  sort_row(row, half, spare);
  sort_row(row + half, n - half, spare);
  memcpy(spare, row, (size_t)half * sizeof *row);
  for (int64_t to = 0, a = 0, b = half; a < half; to++) {
    row[to] = b < n && row[b].col < spare[a].col ? row[b++] : spare[a++];
  }
}

/* Sums neighbours with equal columns; returns how many entries are left. */
static int64_t merge_row(ovk__entry *row, int64_t n)
{
  int64_t left = 0;
  for (int64_t k = 0; k < n; k++) {
    if (left && row[left - 1].col == row[k].col) {
      row[left - 1].value += row[k].value;
    } else {
      row[left++] = row[k];
    }
  }
  return left;
}

ovk_err ovk__rows_sort(ovk_ctx *ctx, const ovk__layout *layout, ovk__stash *own, ovk__rows *out)
{
  *out = (ovk__rows){.n = layout->local};
  OVK_NEW_ARRAY(ctx, out->ptr, (size_t)out->n + 1);
  OVK_NEW_ARRAY(ctx, out->length, out->n);
  if (count_rows(layout->first, own, out)) {
    out->entries = own->entries;
    *own = (ovk__stash){0};
  } else {
    OVK_TRY(scatter(ctx, layout->first, own, out));
  }
  int64_t longest = 0;
  for (ovk_lidx i = 0; i < out->n; i++) {
    const int64_t n = out->ptr[i + 1] - out->ptr[i];
    if (n > longest) longest = n;
  }
  ovk__entry *spare;
  OVK_NEW_ARRAY(ctx, spare, longest / 2 + 1);
  for (ovk_lidx i = 0; i < out->n; i++) {
    ovk__entry *row = out->entries + out->ptr[i];
    const int64_t n = out->ptr[i + 1] - out->ptr[i];
    sort_row(row, n, spare);
    out->length[i] = merge_row(row, n);
  }
  free(spare);
  return OVK_OK;
}
