/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls of the MPI against those of a preloaded libovk_mpi.so. */
#ifndef OVK_TOOL_DROP_IN_H
#define OVK_TOOL_DROP_IN_H

#include <ovkrylov/ovkrylov.h>

/* Measures and prints all sizes. Collective. `json`: a file, "-", or NULL. */
ovk_err drop_in_run(ovk_ctx *ctx, int iterations, int rounds, const char *json);

#endif
