/* SPDX-License-Identifier: BSD-2-Clause */
/* A barrier that can be abandoned and that also reports whether any rank has news of a failure.
 * MPI_Ibarrier cannot be cancelled if a rank never enters it. */
#ifndef OVK_BACKENDS_VERBS_RECOVERY_SHUTDOWN_H
#define OVK_BACKENDS_VERBS_RECOVERY_SHUTDOWN_H

#include "comm/engine/tags.h"

#include <stdbool.h>

typedef struct ovk__shutdown {
  MPI_Comm comm;
  ovk__tags *tags; /* NULL: not opened */
  ovk__tag tag;
  int used_tag, rank, size;
  int distance;        /* distance of this round: 1, 2, 4, ... */
  MPI_Request request; /* from the rank at this distance before; MPI_REQUEST_NULL: not started */
  char mark;           /* receive buffer */
  bool news;           /* this rank, or one that it has heard from, knows of a failure */
} ovk__shutdown;

/* Collective over comm; errors are not agreed. ovk__shutdown_free() must be called also after an
 * error. */
ovk_err ovk__shutdown_open(ovk_ctx *ctx, MPI_Comm comm, ovk__tags *tags, ovk__shutdown *out);
void ovk__shutdown_free(ovk__shutdown *shutdown);

/* Notifies other ranks that this one has entered, and whether it has `news`; *all: all ranks have
 * entered, and shutdown->news is final. Does not block; returns the MPI error code. */
int ovk__shutdown_move_on(ovk__shutdown *shutdown, bool news, bool *all);

#endif
