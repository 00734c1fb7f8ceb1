/* SPDX-License-Identifier: BSD-2-Clause */
/* A barrier that can be given up, and that says whether some rank has news to tell: MPI's own
 * cannot be taken back where a rank does not come. */
#ifndef OVK_BACKENDS_VERBS_RECOVERY_FAREWELL_H
#define OVK_BACKENDS_VERBS_RECOVERY_FAREWELL_H

#include "engine/tags.h"

#include <stdbool.h>

typedef struct ovk__farewell {
  MPI_Comm comm;
  ovk__tags *tags; /* NULL: it was not opened */
  ovk__tag tag;
  int used_tag, rank, size;
  int distance;        /* of this round: 1, 2, 4, ... */
  MPI_Request request; /* from the rank that far before this one; MPI_REQUEST_NULL: not begun */
  char mark;           /* where it is received */
  bool news;           /* here, or at a rank that this one has heard of */
} ovk__farewell;

/* Collective over comm; errors are not agreed. ovk__farewell_free() is due whatever happens. */
ovk_err ovk__farewell_open(ovk_ctx *ctx, MPI_Comm comm, ovk__tags *tags, ovk__farewell *out);
void ovk__farewell_free(ovk__farewell *farewell);

/* Tells others that this rank is there, and whether it has `news`; *all: all ranks are there, and
 * farewell->news is known. Does not block; returns MPI's code. */
int ovk__farewell_move_on(ovk__farewell *farewell, bool news, bool *all);

#endif
