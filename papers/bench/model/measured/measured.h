/* SPDX-License-Identifier: BSD-2-Clause */
/* Model parameters measured on this machine, with calls of the library and of MPI. */
#ifndef OVK_TOOL_MEASURED_H
#define OVK_TOOL_MEASURED_H

#include "bench/model/parameters.h"
#include "bench/support/testbed.h"

/* Links between ranks, by ping-pong: within the node of rank 0 and to another node, if there are
 * such ranks; otherwise the parameters are unchanged. Then as
 * measured_latencies(). Collective. */
ovk_err measured_links(ovk_ctx *ctx, parameters *p);

/* Measures L of these links again while all ranks exchange messages. With other nodes it also
 * measures g of the link to them and calls measured_contention(). Collective. */
ovk_err measured_latencies(ovk_ctx *ctx, parameters *p);

/* MEDIUM, INTERRUPT and FORWARD, while all ranks send; reduces L by the share of MEDIUM in it.
 * peer: the rank at this rank's place of a neighboring node, or -1. Collective. */
ovk_err measured_contention(ovk_ctx *ctx, int peer, parameters *p);

/* The time of work while all ranks compute, over that of one which has a processor. Collective. */
ovk_err measured_share(ovk_ctx *ctx, double *share);

/* Time in begin, poll and combine, for sums over `backend`. Collective. */
ovk_err measured_sums(ovk_ctx *ctx, const char *backend, parameters *p);

/* The time of an agent a message, from reductions over the emulated adapter. Its messages are
 * copies, so the agents take all of the time of a reduction. Unchanged if the ranks do not share a
 * node by the measured RANKS_PER_NODE. Collective. */
ovk_err measured_agent(ovk_ctx *ctx, parameters *p);

/* Time of the computation on the slowest rank. SpMVs and updates alternate, over as many vectors as
 * the method has, so that the caches have the same contents as in a solve. */
typedef struct workbench workbench;

/* The testbed, whose ranks are stacked in z, must outlive it. Collective. Free it with
 * workbench_destroy(), also after a failure. */
ovk_err workbench_create(testbed *bed, const int n[3], workbench **out);
void workbench_destroy(workbench **w);

/* Sets ENTRY to PRECOND of p from medians over `times` of each; the cost of messages is taken from
 * p. Collective. */
ovk_err workbench_measure(workbench *w, int vectors, int times, parameters *p);

#endif
