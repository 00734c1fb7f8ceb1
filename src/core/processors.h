/* SPDX-License-Identifier: BSD-2-Clause */
/* The number of processors for the ranks of a node. */
#ifndef OVK_CORE_PROCESSORS_H
#define OVK_CORE_PROCESSORS_H

#include "core/context/check.h"

/* *n <- the number of distinct processors that the ranks of comm may run on, since launchers may
 * bind each rank to a few of them; at most the number that the CPU quota of a control group allows.
 * At least 1. Collective. */
ovk_err ovk__processors(ovk_ctx *ctx, MPI_Comm comm, int *n);

/* A quota of time in whole processors, from the text of a file: "max 100000" or "150000 100000"
 * (cgroup version 2, `period` NULL), or "-1" or "150000" with a separate period (version 1). 0: no
 * limit. */
int ovk__quota(const char *quota, const char *period);

#endif
