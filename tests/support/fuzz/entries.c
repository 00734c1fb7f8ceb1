/* SPDX-License-Identifier: BSD-2-Clause */
/* An input is a sequence of commands: its first byte determines the number of rows, then each
 * command adds entries. */
#include "support/fuzz/entries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ENTRIES = 20000 };

static void add(entries *list, int64_t i, int64_t j, double value)
{
  if (i < 0 || i >= list->n || j < 0 || j >= list->n || list->count == MOST_ENTRIES) return;
  list->at[list->count++] = (entry){(ovk_lidx)i, (ovk_lidx)j, value};
}

/* Part of a diagonal: the first row, the number of rows and their distance; one value, or its
 * multiples. */
static void add_diagonal(entries *list, fuzz_bytes *in, bool symmetric)
{
  const unsigned n = (unsigned)list->n;
  const int64_t offset = fuzz_below(in, n), first = fuzz_below(in, n);
  const unsigned count = 1 + fuzz_below(in, n), every = 1 + fuzz_byte(in) % 4;
  const bool vary = fuzz_byte(in) % 4 == 0, upper = fuzz_byte(in) % 2;
  const double value = fuzz_double(in);
  for (unsigned k = 0; k < count; k += every) {
    const int64_t i = first + k, j = i + offset;
    const double v = vary ? value * (1 + k) : value;
    if (symmetric || upper) add(list, i, j, v);
    if (symmetric || !upper) add(list, j, i, v);
  }
}

/* Repeats the last few entries some rows further down, as in the matrix of a grid. */
static void repeat(entries *list, fuzz_bytes *in)
{
  const int last = 1 + (int)fuzz_byte(in) % 32, times = 1 + (int)fuzz_byte(in);
  const int step = 1 + (int)fuzz_byte(in) % 8;
  const int first = last < list->count ? list->count - last : 0, end = list->count;
  for (int t = 1; t <= times; t++) {
    for (int k = first; k < end; k++) {
      const entry e = list->at[k];
      add(list, (int64_t)e.i + t * step, (int64_t)e.j + t * step, e.value);
    }
  }
}

static void add_dense(entries *list, fuzz_bytes *in)
{
  const unsigned n = (unsigned)list->n, row = fuzz_below(in, n), first = fuzz_below(in, n);
  const unsigned count = 1 + fuzz_byte(in);
  const bool column = fuzz_byte(in) % 2;
  const double value = fuzz_double(in);
  for (unsigned k = first; k < first + count; k++)
    add(list, column ? k : row, column ? row : k, value);
}

static void run_command(entries *list, fuzz_bytes *in)
{
  const unsigned n = (unsigned)list->n;
  switch (fuzz_byte(in) % 6) {
  case 0: {
    const unsigned i = fuzz_below(in, n), j = fuzz_below(in, n);
    add(list, i, j, fuzz_double(in));
    return;
  }
  case 1: {
    const unsigned i = fuzz_below(in, n), j = fuzz_below(in, n);
    const double value = fuzz_double(in);
    add(list, i, j, value);
    add(list, j, i, value);
    return;
  }
  case 2:
  case 3:
    add_diagonal(list, in, fuzz_byte(in) % 2);
    return;
  case 4:
    repeat(list, in);
    return;
  default:
    add_dense(list, in);
  }
}

entries entries_read(fuzz_bytes *in)
{
  const unsigned size = fuzz_byte(in);
  entries list = {.n = (ovk_lidx)(size < 200 ? size % 80 : (size - 199) * 23)};
  list.at = malloc(MOST_ENTRIES * sizeof *list.at);
  FUZZ_CHECK(list.at, "no memory");
  while (list.n && in->at < in->end) run_command(&list, in);
  return list;
}

void entries_free(entries *list)
{
  free(list->at);
  *list = (entries){0};
}

/* Compares rows, columns, and then positions in memory: the sorted array has pointers to
 * entries. */
static int compare(const void *left, const void *right)
{
  const entry *a = *(const entry *const *)left, *b = *(const entry *const *)right;
  if (a->i != b->i) return a->i < b->i ? -1 : 1;
  if (a->j != b->j) return a->j < b->j ? -1 : 1;
  return (a > b) - (a < b);
}

void entries_merge(entries *list)
{
  const size_t n = (size_t)list->count;
  const entry **order = malloc((n + 1) * sizeof *order);
  entry *merged = malloc((n + 1) * sizeof *merged);
  FUZZ_CHECK(order && merged, "no memory");
  for (size_t k = 0; k < n; k++) order[k] = &list->at[k];
  qsort(order, n, sizeof *order, compare);
  list->count = 0;
  for (size_t k = 0; k < n; k++) {
    entry *last = list->count ? &merged[list->count - 1] : NULL;
    if (last && last->i == order[k]->i && last->j == order[k]->j) {
      last->value += order[k]->value;
    } else {
      merged[list->count++] = *order[k];
    }
  }
  free(order);
  free(list->at);
  list->at = merged;
}

bool entries_same(double a, double b)
{
  return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

bool entries_is_mine(const entry *e)
{
  return ((int64_t)e->i * 7 + e->j * 3) % ovk_ctx_size(fuzz_ctx()) == ovk_ctx_rank(fuzz_ctx());
}

bool entries_moderate(double value)
{
  return value == 0 || (fabs(value) > 1e-20 && fabs(value) < 1e20);
}

/* The index of an entry among the merged ones; -1: not found. */
static int find_entry(const entries *list, ovk_lidx i, ovk_lidx j)
{
  int low = 0, high = list->count;
  while (low < high) {
    const int k = (low + high) / 2;
    const entry *e = &list->at[k];
    if (e->i < i || (e->i == i && e->j < j)) {
      low = k + 1;
    } else {
      high = k;
    }
  }
  return low < list->count && list->at[low].i == i && list->at[low].j == j ? low : -1;
}

bool entries_are_easy(const entries *list)
{
  double least = INFINITY, most = 0, sum = 0;
  for (int k = 0, end; k < list->count; k = end) {
    const ovk_lidx i = list->at[k].i;
    const int diagonal = find_entry(list, i, i);
    if (diagonal < 0) return false;
    const double d = list->at[diagonal].value;
    sum = 0;
    for (end = k; end < list->count && list->at[end].i == i; end++) {
      const int mirror = find_entry(list, list->at[end].j, i);
      if (mirror < 0 || list->at[mirror].value != list->at[end].value) return false;
      if (end != diagonal) sum += fabs(list->at[end].value);
    }
    if (!(d >= 2 * sum) || !entries_moderate(d) || d <= 0) return false;
    least = fmin(least, d);
    most = fmax(most, d);
  }
  for (ovk_lidx i = 0; i < list->n; i++)
    if (find_entry(list, i, i) < 0) return false;
  return most <= 1e6 * least;
}
