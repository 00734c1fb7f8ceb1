/* SPDX-License-Identifier: BSD-2-Clause */
/* Sparse rows of blocks, which are appended. */
#include "precond/amg/operators/accumulator.h"
#include "core/context/mem.h"

#include <stdlib.h>
#include <string.h>

/* Blocks that a row has room for at first. */
enum { FIRST_ROOM = 16 };

static size_t sums_block_bytes(const ovk__amg_sums *sums)
{
  return (size_t)sums->size * (size_t)sums->size * sizeof(double);
}

/* *val, *col <- the arrays of so many blocks, parts of those of many rows. */
static ovk_err sums_take(ovk__amg_sums *sums, int64_t blocks, double **val, ovk_lidx **col)
{
  const int64_t numbers = (int64_t)sums->size * sums->size;
  ovk__amg_sums_part *part = sums->parts;
  if (!part || part->room - part->n < blocks) {
    const int64_t usual = (int64_t)sums->columns->own * FIRST_ROOM / (part ? 4 : 1);
    const int64_t room = blocks > usual ? blocks : usual;
    OVK_NEW(sums->ctx, part);
    part->next = sums->parts;
    sums->parts = part;
    OVK_NEW_ARRAY(sums->ctx, part->val, room * numbers);
    OVK_NEW_ARRAY(sums->ctx, part->col, room);
    part->room = room;
  }
  *val = part->val + part->n * numbers;
  *col = part->col + part->n;
  part->n += blocks;
  return OVK_OK;
}

/* Gives the rows their parts of the pattern. */
static ovk_err sums_share(ovk__amg_sums *sums, const ovk__amg_sums_pattern *pattern)
{
  const int64_t numbers = (int64_t)sums->size * sums->size;
  int64_t at = 0;
  const ovk_lidx *far = pattern->far;
  double *val = NULL;
  ovk_lidx *cols = NULL;
  OVK_TRY(sums_take(sums, pattern->n, &val, &cols));
  if (pattern->n) memset(val, 0, (size_t)pattern->n * sums_block_bytes(sums));
  for (ovk_lidx i = 0; i < pattern->rows; i++) {
    const int32_t n = pattern->count[i];
    ovk_lidx *col = cols + at, last = sums->columns->first + i;
    for (int32_t k = 0; k < n; k++) {
      const uint16_t distance = pattern->distance[at + k];
      last = col[k] = distance == UINT16_MAX ? *far++ : last + distance;
    }
    sums->row[i] = (ovk__amg_sum_row){.col = col, .val = val + at * numbers, .n = n, .room = n};
    at += n;
  }
  return OVK_OK;
}

ovk_err ovk__amg_sums_create(ovk_ctx *ctx, const ovk__amg_numbering *columns, int size,
                             const ovk__amg_sums_pattern *pattern, ovk__amg_sums *out)
{
  *out = (ovk__amg_sums){.ctx = ctx, .columns = columns, .size = size};
  OVK_NEW_ZEROS(ctx, out->row, columns->own);
  OVK_NEW_ZEROS(ctx, out->place, (int64_t)columns->n + columns->further);
  OVK_NEW_ARRAY(ctx, out->spare, size * size);
  return pattern && pattern->count ? sums_share(out, pattern) : OVK_OK;
}

void ovk__amg_sums_free(ovk__amg_sums *sums)
{
  while (sums->parts) {
    ovk__amg_sums_part *part = sums->parts;
    sums->parts = part->next;
    free(part->val);
    free(part->col);
    free(part);
  }
  free(sums->row);
  free(sums->place);
  free(sums->spare);
  *sums = (ovk__amg_sums){0};
}

void ovk__amg_sums_open(ovk__amg_sums *sums, ovk_lidx i)
{
  const ovk__amg_sum_row *r = sums->open = &sums->row[i];
  for (int32_t k = 0; k < r->n; k++) sums->place[r->col[k]] = k + 1;
}

void ovk__amg_sums_close(ovk__amg_sums *sums)
{
  const ovk__amg_sum_row *r = sums->open;
  for (int32_t k = 0; k < r->n; k++) sums->place[r->col[k]] = 0;
  sums->open = NULL;
}

/* Moves a row to larger arrays. */
static ovk_err sum_row_enlarge(ovk__amg_sums *sums, ovk__amg_sum_row *r)
{
  const int32_t room = r->room ? 2 * r->room : FIRST_ROOM;
  const ovk__amg_sum_row old = *r;
  OVK_TRY(sums_take(sums, room, &r->val, &r->col));
  r->room = room;
  if (old.n) {
    memcpy(r->col, old.col, (size_t)old.n * sizeof *r->col);
    memcpy(r->val, old.val, (size_t)old.n * sums_block_bytes(sums));
  }
  return OVK_OK;
}

ovk_err ovk__amg_sums_append(ovk__amg_sums *sums, ovk_lidx col)
{
  ovk__amg_sum_row *r = sums->open;
  if (r->n == r->room) OVK_TRY(sum_row_enlarge(sums, r));
  memset((char *)r->val + (size_t)r->n * sums_block_bytes(sums), 0, sums_block_bytes(sums));
  r->col[r->n++] = col;
  sums->place[col] = r->n;
  return OVK_OK;
}

/* Moves block k of a row, and its column, before block `to` < k. */
static void sum_row_move(const ovk__amg_sums *sums, ovk__amg_sum_row *r, int32_t k, int32_t to)
{
  const size_t bytes = sums_block_bytes(sums), n = (size_t)(k - to);
  char *val = (char *)r->val + (size_t)to * bytes;
  const ovk_lidx col = r->col[k];
  memcpy(sums->spare, val + n * bytes, bytes);
  memmove(val + bytes, val, n * bytes);
  memcpy(val, sums->spare, bytes);
  memmove(r->col + to + 1, r->col + to, n * sizeof *r->col);
  r->col[to] = col;
}

/* The same for blocks of one number each. */
static void sum_row_move_number(ovk__amg_sum_row *r, int32_t k, int32_t to)
{
  const ovk_lidx col = r->col[k];
  const double val = r->val[k];
  for (; k > to; k--) {
    r->col[k] = r->col[k - 1];
    r->val[k] = r->val[k - 1];
  }
  r->col[to] = col;
  r->val[to] = val;
}

/* Insertion sort: rows are short. */
void ovk__amg_sums_sort(ovk__amg_sums *sums, ovk_lidx i)
{
  const ovk_gidx *global = sums->columns->global;
  ovk__amg_sum_row *r = &sums->row[i];
  for (int32_t k = 1; k < r->n; k++) {
    const ovk_gidx col = global[r->col[k]];
    int32_t to = k;
    while (to > 0 && global[r->col[to - 1]] > col) to--;
    if (to == k) continue;
    if (sums->size == 1) {
      sum_row_move_number(r, k, to);
    } else {
      sum_row_move(sums, r, k, to);
    }
  }
}

/* The distance of a column from the last one, UINT16_MAX if it needs more bits. */
static uint16_t pattern_distance(ovk_lidx last, ovk_lidx col)
{
  const int64_t distance = (int64_t)col - last;
  return (uint16_t)(distance >= 0 && distance < UINT16_MAX ? distance : UINT16_MAX);
}

/* Counts the columns of all rows; false if a row has too many. */
static bool pattern_count(const ovk__amg_sums *sums, ovk__amg_sums_pattern *pattern)
{
  const ovk__amg_numbering *columns = sums->columns;
  for (ovk_lidx i = 0; i < columns->own; i++) {
    const ovk__amg_sum_row *r = &sums->row[i];
    ovk_lidx last = columns->first + i;
    if (r->n > UINT16_MAX) return false;
    pattern->n += r->n;
    for (int32_t k = 0; k < r->n; last = r->col[k++]) {
      pattern->nfar += pattern_distance(last, r->col[k]) == UINT16_MAX;
    }
  }
  return true;
}

static void pattern_fill(const ovk__amg_sums *sums, ovk__amg_sums_pattern *pattern)
{
  uint16_t *next = pattern->distance;
  ovk_lidx *far = pattern->far;
  for (ovk_lidx i = 0; i < pattern->rows; i++) {
    const ovk__amg_sum_row *r = &sums->row[i];
    ovk_lidx last = sums->columns->first + i;
    pattern->count[i] = (uint16_t)r->n;
    for (int32_t k = 0; k < r->n; last = r->col[k++]) {
      *next = pattern_distance(last, r->col[k]);
      if (*next++ == UINT16_MAX) *far++ = r->col[k];
    }
  }
}

ovk_err ovk__amg_sums_pattern_create(const ovk__amg_sums *sums, ovk__amg_sums_pattern *out)
{
  *out = (ovk__amg_sums_pattern){.rows = sums->columns->own};
  if (!pattern_count(sums, out)) {
    *out = (ovk__amg_sums_pattern){0};
    return OVK_OK;
  }
  OVK_NEW_ARRAY(sums->ctx, out->count, out->rows);
  OVK_NEW_ARRAY(sums->ctx, out->distance, out->n);
  OVK_NEW_ARRAY(sums->ctx, out->far, out->nfar);
  pattern_fill(sums, out);
  return OVK_OK;
}

void ovk__amg_sums_pattern_free(ovk__amg_sums_pattern *pattern)
{
  free(pattern->count);
  free(pattern->distance);
  free(pattern->far);
  *pattern = (ovk__amg_sums_pattern){0};
}

int64_t ovk__amg_sums_pattern_bytes(const ovk__amg_sums_pattern *pattern)
{
  return (pattern->rows + pattern->n) * (int64_t)sizeof *pattern->count +
         pattern->nfar * (int64_t)sizeof *pattern->far;
}
