/* SPDX-License-Identifier: BSD-2-Clause */
/* Buckets of matrix entries. */
#include "matrix/assembly/buckets.h"
#include "core/context/mem.h"

#include <stdlib.h>

/* At most 256 buckets: as many pages as the TLB holds. */
static ovk_err make_buckets(ovk_ctx *ctx, ovk__buckets *buckets, ovk_lidx rows)
{
  enum { MIN_BITS = 5, MAX_BUCKETS = 256 };
  buckets->row_bits = MIN_BITS;
  while ((rows - 1) >> buckets->row_bits >= MAX_BUCKETS) buckets->row_bits++;
  buckets->n = ((rows - 1) >> buckets->row_bits) + 1;
  OVK_NEW_ZEROS(ctx, buckets->list, buckets->n);
  return OVK_OK;
}

/* Blocks double in size up to 1 MB: allocators return blocks of that size to the system when they
 * are freed, so that the memory is available to the rows into which the entries move. */
static ovk_err append_block(ovk_ctx *ctx, ovk__bucket *bucket)
{
  enum { MIN_ROOM = 16, MAX_ROOM = 1 << 16 };
  const int before = bucket->last ? bucket->last->room : MIN_ROOM / 2;
  const int room = before < MAX_ROOM ? 2 * before : MAX_ROOM;
  ovk__item_block *block = malloc(sizeof *block + (size_t)room * sizeof *block->items);
  OVK_CHECK(block, ctx, OVK_ERR_MEMORY, "no memory for %d matrix entries", room);
  block->next = NULL;
  block->count = 0;
  block->room = room;
  if (bucket->last) {
    bucket->last->next = block;
  } else {
    bucket->first = block;
  }
  bucket->last = block;
  return OVK_OK;
}

ovk_err ovk__buckets_add(ovk_ctx *ctx, ovk__buckets *buckets, ovk_lidx rows, ovk__item item)
{
  if (!buckets->list) OVK_TRY(make_buckets(ctx, buckets, rows));
  ovk__bucket *bucket = &buckets->list[item.row >> buckets->row_bits];
  if (!bucket->last || bucket->last->count == bucket->last->room) {
    OVK_TRY(append_block(ctx, bucket));
  }
  bucket->last->items[bucket->last->count++] = item;
  buckets->count++;
  return OVK_OK;
}

void ovk__bucket_clear(ovk__bucket *bucket)
{
  for (ovk__item_block *block = bucket->first, *next; block; block = next) {
    next = block->next;
    free(block);
  }
  *bucket = (ovk__bucket){0};
}

void ovk__buckets_clear(ovk__buckets *buckets)
{
  for (int d = 0; buckets->list && d < buckets->n; d++) ovk__bucket_clear(&buckets->list[d]);
  free(buckets->list);
  *buckets = (ovk__buckets){0};
}
