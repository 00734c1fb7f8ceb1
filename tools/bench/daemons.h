/* SPDX-License-Identifier: BSD-2-Clause */
/* Noise: on each core that ranks may run on, a daemon that multiplies small matrices for so long,
 * so often. The daemons are threads, not processes: an MPI program must not fork where an adapter
 * has registered its memory, and a thread cannot outlive the program, however that ends. Each is
 * bound to its core; to the scheduler it is what a process would be. They never call MPI. */
#ifndef OVK_TOOL_DAEMONS_H
#define OVK_TOOL_DAEMONS_H

#include <ovkrylov/ovkrylov.h>

typedef struct daemons daemons;

/* Finds out which cores are this rank's to disturb: each core of a node is one rank's. Collective.
 * Free it with daemons_destroy(), also after a failure. */
ovk_err daemons_create(ovk_ctx *ctx, daemons **out);

/* Stops the daemons first if they run. */
void daemons_destroy(daemons **d);

/* Starts them: `microseconds` of work, `hertz` times a second, not at the same time on all cores.
 * Collective. */
ovk_err daemons_start(daemons *d, int microseconds, int hertz);

/* Ends them; *share <- the part of the cores' time that they got. Collective. */
ovk_err daemons_stop(daemons *d, double *share);

#endif
