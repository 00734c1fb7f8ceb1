/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory that all ranks of a communicator share. It is not an MPI window: Open MPI 4.1 names the
 * file of a window after the context id of its communicator. Disjoint communicators of a node share
 * that id, so windows created at the same time would get each other's memory. */
#ifndef OVK_CORE_NODE_SHARED_MEMORY_H
#define OVK_CORE_NODE_SHARED_MEMORY_H

#include "core/context/check.h"

#include <stddef.h>

typedef struct ovk__shared_memory {
  char *start; /* NULL: none */
  size_t bytes;
} ovk__shared_memory;

/* parts[rank] <- the start of that rank's part, aligned to pages; this rank's has `bytes` bytes or
 * more, which are zero and take memory when they are first written. Collective; errors are not
 * agreed, and no rank waits for one that fails. */
ovk_err ovk__shared_memory_map(ovk_ctx *ctx, MPI_Comm comm, size_t bytes, char *parts[],
                               ovk__shared_memory *out);

/* Not collective: other ranks may continue to use it. None is allowed. */
void ovk__shared_memory_unmap(ovk__shared_memory *memory);

#endif
