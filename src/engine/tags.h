/* SPDX-License-Identifier: BSD-2-Clause */
/* Message tags of an engine's runs: those that there are at a time have different ones. Tags are
 * few and runs many, so tags are dealt out in turn, and those in use are left out. */
#ifndef OVK_ENGINE_TAGS_H
#define OVK_ENGINE_TAGS_H

#include "core/check.h"

#include <stdint.h>

/* A tag in use, a part of whose it is. */
typedef struct ovk__tag {
  int64_t number; /* counts on; the tag is its remainder */
  struct ovk__tag *next;
} ovk__tag;

typedef struct ovk__tags {
  int64_t next; /* the same on all ranks */
  ovk__tag *used;
} ovk__tags;

/* *number <- that of a tag which no rank uses. Collective over comm; errors are not agreed. */
ovk_err ovk__tags_deal(ovk_ctx *ctx, MPI_Comm comm, ovk__tags *tags, int64_t *number);

/* Puts a tag with this number into use, and takes it out; returns what MPI is given. Not
 * collective. */
int ovk__tag_use(ovk__tags *tags, ovk__tag *tag, int64_t number);
void ovk__tag_free(ovk__tags *tags, ovk__tag *tag);

#endif
