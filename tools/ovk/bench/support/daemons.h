/* SPDX-License-Identifier: BSD-2-Clause */
/* Noise: on each core that ranks may run on, a daemon that periodically multiplies small matrices
 * for a given time. Daemons are threads, not processes: an MPI program must not fork once a network
 * adapter has registered its memory, and a thread cannot outlive the program. Each is bound to its
 * core; the scheduler treats it like a process. They never call MPI. */
#ifndef OVK_TOOL_DAEMONS_H
#define OVK_TOOL_DAEMONS_H

#include <ovkrylov/ovkrylov.h>

typedef struct daemons daemons;

/* Finds the cores that this rank starts daemons on: each core of a node belongs to one rank.
 * Collective. Free it with daemons_destroy(), also after a failure. */
ovk_err daemons_create(ovk_ctx *ctx, daemons **out);

/* Stops the daemons first if they run. */
void daemons_destroy(daemons **d);

/* Starts the daemons: `microseconds` of work, `hertz` times a second, at different times on
 * different cores. Collective. */
ovk_err daemons_start(daemons *d, int microseconds, int hertz);

/* Stops the daemons; *share <- the fraction of the cores' time that they used. Collective. */
ovk_err daemons_stop(daemons *d, double *share);

#endif
