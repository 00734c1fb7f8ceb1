/* SPDX-License-Identifier: BSD-2-Clause */
/* Message tags of the requests of an engine: requests that exist at the same time have different
 * tags. There are few tags and many requests, so tags are assigned cyclically, except those in use.
 */
#ifndef OVK_COMM_ENGINE_TAGS_H
#define OVK_COMM_ENGINE_TAGS_H

#include "core/context/check.h"

#include <stdint.h>

/* A tag in use; a member of the object that uses it. */
typedef struct ovk__tag {
  int64_t number; /* never decreases; the tag is number mod 32768 */
  struct ovk__tag *next;
} ovk__tag;

typedef struct ovk__tags {
  int64_t next; /* the same on all ranks */
  ovk__tag *used;
} ovk__tags;

/* *number <- the number of a tag that no rank uses. Collective over comm; errors are not agreed. */
ovk_err ovk__tags_deal(ovk_ctx *ctx, MPI_Comm comm, ovk__tags *tags, int64_t *number);

/* Marks the tag with this number as used and returns the MPI tag; ovk__tag_free() releases it. Not
 * collective. */
int ovk__tag_use(ovk__tags *tags, ovk__tag *tag, int64_t number);
void ovk__tag_free(ovk__tags *tags, ovk__tag *tag);

#endif
