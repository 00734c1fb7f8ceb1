/* SPDX-License-Identifier: BSD-2-Clause */
/* Model parameters measured on this machine, with calls of the library and of MPI. */
#ifndef OVK_TOOL_MEASURED_H
#define OVK_TOOL_MEASURED_H

#include "bench/model/parameters.h"
#include "bench/support/testbed.h"

/* Links between ranks, by ping-pong: within rank 0's node and to another node, if there are such
 * ranks; otherwise the parameters are unchanged. Collective. */
ovk_err measured_links(ovk_ctx *ctx, parameters *p);

/* Time in begin, poll and combine, for sums over `backend`. Collective. */
ovk_err measured_sums(ovk_ctx *ctx, const char *backend, parameters *p);

/* An agent's time a message, from sums over the emulated adapter, whose messages are copies, so
 * that all of a sum's time is the agents'; unchanged where RANKS_PER_NODE, as measured, says that
 * the ranks do not share a node. Collective. */
ovk_err measured_agent(ovk_ctx *ctx, parameters *p);

/* Time of the computation on the slowest rank: products and updates alternate, over as many vectors
 * as the method has, so that the caches hold what they hold in a solve. */
typedef struct workbench workbench;

/* The testbed, whose ranks are stacked in z, must outlive it. Collective. Free it with
 * workbench_destroy(), also after a failure. */
ovk_err workbench_create(testbed *bed, const int n[3], workbench **out);
void workbench_destroy(workbench **w);

/* Sets ENTRY to PRECOND of p from medians over `times` of each; the cost of messages is taken from
 * p. Collective. */
ovk_err workbench_measure(workbench *w, int vectors, int times, parameters *p);

#endif
