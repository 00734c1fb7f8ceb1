/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the ranks run: nodes are found with MPI, sockets, NUMA domains and cores with hwloc. */
#ifndef OVK_ENGINE_TOPOLOGY_H
#define OVK_ENGINE_TOPOLOGY_H

#include "engine/schedule/shape.h"

/* The hierarchy that a shape asks for. Collective over comm, which has the context's ranks; errors
 * are not agreed, but no rank hangs. Whatever happens, ovk__hierarchy_free() is due. */
ovk_err ovk__topology_hierarchy(ovk_ctx *ctx, MPI_Comm comm, const ovk__shape *shape,
                                ovk__hierarchy *out);

/* How many ranks of comm share memory with this one. Collective. */
ovk_err ovk__topology_node_size(ovk_ctx *ctx, MPI_Comm comm, int *size);

/* From here on a file with hwloc, or one that says that it is missing. hwloc looks at the whole
 * machine, which takes milliseconds: only for those who ask. Not collective. */

/* numbers[k] <- the number on this node of the domain that the calling thread is bound to, or else
 * runs in at the moment; 0 where the machine tells of no such domains, and for OVK__NODE. */
ovk_err ovk__topology_locate(ovk_ctx *ctx, const ovk__grouping *groupings, int n, int *numbers);

/* Binds the calling thread to a core (a hardware thread, numbered as the system does). */
ovk_err ovk__pin_thread(ovk_ctx *ctx, int core);

#endif
