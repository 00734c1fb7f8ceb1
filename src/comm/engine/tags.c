/* SPDX-License-Identifier: BSD-2-Clause */
/* Assignment of tags. Ranks free tags at different times, so each new tag is agreed on. */
#include "comm/engine/tags.h"

#include <stdbool.h>
#include <stddef.h>

enum { TAGS = 32768 }; /* MPI guarantees 0 to 32767 */

static bool is_used(const ovk__tags *tags, int64_t number)
{
  const ovk__tag *tag = tags->used;
  while (tag && tag->number % TAGS != number % TAGS) tag = tag->next;
  return tag != NULL;
}

ovk_err ovk__tags_deal(ovk_ctx *ctx, MPI_Comm comm, ovk__tags *tags, int64_t *number)
{
  const int64_t end = tags->next + TAGS;
  while (tags->next < end) {
    int64_t first = tags->next;
    while (first < end && is_used(tags, first)) first++;
    int64_t highest_and_lowest[2] = {first, -first};
    OVK_TRY_MPI(ctx,
                MPI_Allreduce(MPI_IN_PLACE, highest_and_lowest, 2, MPI_INT64_T, MPI_MAX, comm));
    tags->next = *number = highest_and_lowest[0];
    if (*number < end && *number == -highest_and_lowest[1]) {
      tags->next++;
      return OVK_OK;
    }
  }
  return OVK_FAIL(ctx, OVK_ERR_RANGE, "more than %d operations exist at a time", TAGS);
}

int ovk__tag_use(ovk__tags *tags, ovk__tag *tag, int64_t number)
{
  *tag = (ovk__tag){number, tags->used};
  tags->used = tag;
  return (int)(number % TAGS);
}

void ovk__tag_free(ovk__tags *tags, ovk__tag *tag)
{
  ovk__tag **link = &tags->used;
  while (*link != tag) link = &(*link)->next;
  *link = tag->next;
}
