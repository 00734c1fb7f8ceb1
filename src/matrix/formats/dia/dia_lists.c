/* SPDX-License-Identifier: BSD-2-Clause */
/* The dictionary of offset lists: a hash table while lists are added, plain arrays afterwards. */
#include "matrix/formats/dia/dia_lists.h"
#include "core/base/sorted.h"
#include "core/context/mem.h"
#include "matrix/formats/narrow.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a over whole offsets. */
static uint64_t dia_lists_hash(const ovk_lidx *offset, ovk_lidx n)
{
  uint64_t h = 14695981039346656037u;
  for (ovk_lidx k = 0; k < n; k++) h = (h ^ (uint32_t)offset[k]) * 1099511628211u;
  return h ^ h >> 32;
}

static bool dia_is_list(const ovk__offset_lists *lists, int32_t number, const ovk_lidx *offset,
                        ovk_lidx n)
{
  ovk_lidx m;
  const ovk_lidx *there = ovk__offset_list(lists, number, &m);
  return m == n && (n == 0 || memcmp(there, offset, (size_t)n * sizeof *offset) == 0);
}

/* The slot of a list, or the free slot where it would be inserted. */
static int32_t *dia_lists_find_slot(const ovk__offset_lists *lists, const ovk_lidx *offset,
                                    ovk_lidx n)
{
  size_t at = (size_t)dia_lists_hash(offset, n) & (lists->nslots - 1);
  while (lists->slots[at] && !dia_is_list(lists, lists->slots[at] - 1, offset, n)) {
    at = (at + 1) & (lists->nslots - 1);
  }
  return &lists->slots[at];
}

/* Keeps the table at most half full. */
static ovk_err dia_widen_table(ovk_ctx *ctx, ovk__offset_lists *lists)
{
  enum { FIRST_SLOTS = 64 };
  if (2 * ((size_t)lists->n + 1) <= lists->nslots) return OVK_OK;
  int32_t *slots;
  const size_t nslots = lists->nslots ? 2 * lists->nslots : FIRST_SLOTS;
  OVK_NEW_ZEROS(ctx, slots, nslots);
  free(lists->slots);
  lists->slots = slots;
  lists->nslots = nslots;
  for (int32_t k = 0; k < lists->n; k++) {
    ovk_lidx n;
    const ovk_lidx *offset = ovk__offset_list(lists, k, &n);
    *dia_lists_find_slot(lists, offset, n) = k + 1;
  }
  return OVK_OK;
}

/* The number of elements of an array that has room for at least `need`, and for twice as many as
 * before if it must be extended. */
static size_t dia_lists_room(size_t room, size_t need)
{
  return need <= room ? room : need > 2 * room ? need : 2 * room;
}

static ovk_err dia_lists_make_room(ovk_ctx *ctx, ovk__offset_lists *lists, ovk_lidx n)
{
  const bool first = lists->begin == NULL;
  const size_t begins = dia_lists_room(lists->room_begin, (size_t)lists->n + 2);
  if (begins > lists->room_begin) OVK_RESIZE(ctx, lists->begin, begins);
  lists->room_begin = begins;
  if (first) lists->begin[lists->n = 0] = 0;
  const size_t offsets =
      dia_lists_room(lists->room_offset, (size_t)lists->begin[lists->n] + (size_t)n + 1);
  if (offsets > lists->room_offset) OVK_RESIZE(ctx, lists->offset, offsets);
  lists->room_offset = offsets;
  return dia_widen_table(ctx, lists);
}

ovk_err ovk__offset_lists_enter(ovk_ctx *ctx, ovk__offset_lists *lists, const ovk_lidx *offset,
                                ovk_lidx n, int32_t *number)
{
  OVK_TRY(dia_lists_make_room(ctx, lists, n));
  int32_t *slot = dia_lists_find_slot(lists, offset, n);
  if (*slot == 0) {
    const int64_t begin = lists->begin[lists->n];
    if (n) memcpy(lists->offset + begin, offset, (size_t)n * sizeof *offset);
    lists->begin[++lists->n] = begin + n;
    *slot = lists->n;
  }
  *number = *slot - 1;
  return OVK_OK;
}

ovk_err ovk__offset_lists_close(ovk_ctx *ctx, ovk__offset_lists *lists)
{
  free(lists->slots);
  lists->slots = NULL;
  lists->nslots = 0;
  if (!lists->begin) return OVK_OK;
  lists->room_begin = (size_t)lists->n + 1;
  lists->room_offset = (size_t)lists->begin[lists->n] + 1;
  OVK_RESIZE(ctx, lists->begin, lists->room_begin);
  OVK_RESIZE(ctx, lists->offset, lists->room_offset);
  return OVK_OK;
}

ovk_err ovk__offset_lists_copy(ovk_ctx *ctx, const ovk__offset_lists *lists, ovk__offset_lists *out)
{
  *out = (ovk__offset_lists){.n = lists->n};
  if (!lists->begin) return OVK_OK;
  OVK_NEW_COPY(ctx, out->begin, lists->begin, (size_t)lists->n + 1);
  OVK_NEW_COPY(ctx, out->offset, lists->offset, lists->begin[lists->n]);
  return OVK_OK;
}

void ovk__offset_lists_free(ovk__offset_lists *lists)
{
  free(lists->begin);
  free(lists->offset);
  free(lists->slots);
  *lists = (ovk__offset_lists){0};
}

int64_t ovk__offset_lists_bytes(const ovk__offset_lists *lists)
{
  if (lists->n == 0) return 0;
  return lists->begin[lists->n] * (int64_t)sizeof *lists->offset +
         (lists->n + 1) * (int64_t)sizeof *lists->begin;
}

ovk_lidx ovk__offset_list_find(const ovk__offset_lists *lists, int32_t number, ovk_lidx d)
{
  ovk_lidx n;
  const ovk_lidx *offset = ovk__offset_list(lists, number, &n);
  const bool down = n > 1 && offset[0] > offset[1];
  OVK_BISECT(ovk_lidx, low, 0, n, down ? offset[middle] > d : offset[middle] < d);
  return low < n && offset[low] == d ? low : -1;
}
