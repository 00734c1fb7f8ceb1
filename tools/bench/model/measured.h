/* SPDX-License-Identifier: BSD-2-Clause */
/* Parameters measured on this machine, with calls of the library and of MPI. */
#ifndef OVK_TOOL_MEASURED_H
#define OVK_TOOL_MEASURED_H

#include "bench/model/parameters.h"
#include "bench/testbed.h"

/* The ways between ranks, by ping-pong: within rank 0's node and to another one, as far as there
 * are such ranks; what there is not stays as it was. Collective. */
ovk_err measured_links(ovk_ctx *ctx, parameters *p);

/* begin, poll and combine, of sums over `backend`. Collective. */
ovk_err measured_sums(ovk_ctx *ctx, const char *backend, parameters *p);

/* What work takes on the slowest rank: products and updates in turn, over as many vectors as
 * methods have, so that caches hold what they hold in a solve. */
typedef struct workbench workbench;

/* The testbed, with its ranks one above the other in z, must outlive it. Collective. Free it with
 * workbench_destroy(), also after a failure. */
ovk_err workbench_create(testbed *bed, const int n[3], workbench **out);
void workbench_destroy(workbench **w);

/* Sets ENTRY to PRECOND of p, from medians over `times` of each; messages are taken to
 * cost what p says. Collective. */
ovk_err workbench_measure(workbench *w, int times, parameters *p);

#endif
