/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds rows with equal patterns. Nothing is copied: a pattern is represented by the first row that
 * has it. Most rows have the pattern of the row before, or the one that last followed it; a hash is
 * computed only for the others. */
#include "matrix/formats/pattern/pattern_rows.h"
#include "core/context/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void ovk__patterns_free(ovk__patterns *f)
{
  free(f->list);
  free(f->slots);
  *f = (ovk__patterns){0};
}

/* Whether rows i and k have the same values, bit for bit, at the same distances from the diagonal.
 */
static bool pattern_rows_is_same(const ovk__csr *A, ovk_lidx i, ovk_lidx k)
{
  const int64_t n = A->ptr[i + 1] - A->ptr[i];
  if (A->ptr[k + 1] - A->ptr[k] != n) return false;
  if (n == 0) return true;
  const double *val_i = A->val + A->ptr[i], *val_k = A->val + A->ptr[k];
  if (memcmp(val_i, val_k, (size_t)n * sizeof *val_i) != 0) return false;
  const ovk_lidx *col_i = A->col + A->ptr[i], *col_k = A->col + A->ptr[k];
  const ovk_lidx distance = i - k;
  ovk_lidx unlike = 0;
  for (int64_t e = 0; e < n; e++) unlike |= (col_i[e] - col_k[e]) ^ distance;
  return unlike == 0;
}

static uint64_t pattern_rows_hash(uint64_t hash, uint64_t more)
{
  hash = (hash ^ more) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

/* The hash input of an entry: the bits of its value plus a multiple of its distance from the
 * diagonal. */
static uint64_t entry_bits(const ovk__csr *A, int64_t e, ovk_lidx i)
{
  uint64_t bits;
  memcpy(&bits, &A->val[e], sizeof bits);
  return bits + (uint64_t)(int64_t)(A->col[e] - i) * 0xd1342543de82ef95u;
}

/* Hashes in two chains, to overlap the latencies of the multiplications. */
static uint32_t hash_row(const ovk__csr *A, ovk_lidx i)
{
  uint64_t even = 0, odd = 1;
  int64_t e = A->ptr[i];
  const int64_t end = A->ptr[i + 1];
  for (; e < end - 1; e += 2) {
    even = pattern_rows_hash(even, entry_bits(A, e, i));
    odd = pattern_rows_hash(odd, entry_bits(A, e + 1, i));
  }
  if (e < end) even = pattern_rows_hash(even, entry_bits(A, e, i));
  return (uint32_t)(pattern_rows_hash(even, odd) >> 16);
}

/* The slot of the pattern with this hash and the entries of row i, or the free slot where it would
 * be inserted. */
static int32_t *pattern_rows_find_slot(const ovk__patterns *f, ovk_lidx i, uint32_t hash)
{
  size_t at = hash & (f->nslots - 1);
  for (; f->slots[at]; at = (at + 1) & (f->nslots - 1)) {
    const ovk__pattern *known = &f->list[f->slots[at] - 1];
    if (known->hash == hash && pattern_rows_is_same(f->A, known->row, i)) break;
  }
  return &f->slots[at];
}

/* Doubles the room and rehashes the patterns into a table that is at most half full. */
static ovk_err pattern_rows_grow(ovk_ctx *ctx, ovk__patterns *f)
{
  enum { FIRST_ROOM = 64, SLOTS_PER_PATTERN = 2 };
  const int64_t rows = f->A->rows, twice = f->room ? 2 * (int64_t)f->room : FIRST_ROOM;
  const int32_t room = (int32_t)(twice < rows ? twice : rows);
  ovk__pattern *list;
  OVK_NEW_ARRAY(ctx, list, room);
  if (f->count) memcpy(list, f->list, (size_t)f->count * sizeof *list);
  free(f->list);
  f->list = list;
  f->room = room;
  free(f->slots);
  f->nslots = SLOTS_PER_PATTERN * (size_t)twice;
  OVK_NEW_ZEROS(ctx, f->slots, f->nslots);
  for (int32_t p = 0; p < f->count; p++) {
    size_t at = list[p].hash & (f->nslots - 1);
    while (f->slots[at]) at = (at + 1) & (f->nslots - 1);
    f->slots[at] = p + 1;
  }
  return OVK_OK;
}

/* *pattern <- the pattern of row i, from the hash table. */
static ovk_err pattern_look_up(ovk_ctx *ctx, ovk__patterns *f, ovk_lidx i, int32_t *pattern)
{
  if (f->count == f->room) OVK_TRY(pattern_rows_grow(ctx, f));
  const uint32_t hash = hash_row(f->A, i);
  int32_t *slot = pattern_rows_find_slot(f, i, hash);
  if (!*slot) {
    f->list[f->count++] = (ovk__pattern){i, -1, hash};
    f->entries += f->A->ptr[i + 1] - f->A->ptr[i];
    *slot = f->count;
  }
  *pattern = *slot - 1;
  return OVK_OK;
}

/* *pattern <- the pattern of row i: the one that last followed the previous row's pattern, or from
 * the hash table. */
static ovk_err pattern_rows_find(ovk_ctx *ctx, ovk__patterns *f, ovk_lidx i, int32_t *pattern)
{
  const int32_t before = i ? f->last : -1, guess = i ? f->list[before].next : -1;
  if (guess >= 0 && pattern_rows_is_same(f->A, f->list[guess].row, i)) {
    *pattern = guess;
    return OVK_OK;
  }
  OVK_TRY(pattern_look_up(ctx, f, i, pattern));
  if (i) f->list[before].next = *pattern;
  return OVK_OK;
}

ovk_err ovk__patterns_next_run(ovk_ctx *ctx, ovk__patterns *f, ovk_lidx first, ovk_lidx *end)
{
  int32_t pattern = -1;
  OVK_TRY(pattern_rows_find(ctx, f, first, &pattern));
  f->last = pattern;
  const ovk_lidx row = f->list[pattern].row;
  ovk_lidx i = first + 1;
  while (i < f->A->rows && pattern_rows_is_same(f->A, row, i)) i++;
  *end = i;
  return OVK_OK;
}
