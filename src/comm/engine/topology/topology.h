/* SPDX-License-Identifier: BSD-2-Clause */
/* The location of ranks: nodes are found by MPI; sockets, NUMA domains and cores by hwloc. */
#ifndef OVK_COMM_ENGINE_TOPOLOGY_TOPOLOGY_H
#define OVK_COMM_ENGINE_TOPOLOGY_TOPOLOGY_H

#include "comm/engine/schedule/algorithm_spec.h"

/* The hierarchy for the groupings of `algorithms`. Collective over comm, which has the context's
 * ranks; errors are not agreed, but no rank hangs. ovk__hierarchy_free() must be called also after
 * an error. */
ovk_err ovk__topology_hierarchy(ovk_ctx *ctx, MPI_Comm comm, const ovk__algorithm_spec *algorithms,
                                ovk__hierarchy *out);

/* *size <- the number of ranks of comm that share memory with this one, itself included.
 * Collective. */
ovk_err ovk__topology_node_size(ovk_ctx *ctx, MPI_Comm comm, int *size);

/* *n <- the number of processors that these ranks may run on. Collective. */
ovk_err ovk__topology_node_processors(ovk_ctx *ctx, MPI_Comm comm, int *n);

/* The following are in topology_hwloc.c, or return an error in builds without hwloc
 * (topology_missing.c). hwloc reads the topology of the whole machine, which takes milliseconds, so
 * they are called only if a spec needs them. Not collective. */

/* numbers[k] <- the number on this node of the domain to which the calling thread is bound or, if
 * it is unbound, in which it runs now; 0 for OVK__NODE and if the machine reports no such domains.
 */
ovk_err ovk__topology_locate(ovk_ctx *ctx, const ovk__grouping *groupings, int n, int *numbers);

/* Bind the calling thread to a hardware thread, in the numbering of the system. */
ovk_err ovk__pin_thread(ovk_ctx *ctx, int core);

#endif
