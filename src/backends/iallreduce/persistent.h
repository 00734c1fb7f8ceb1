/* SPDX-License-Identifier: BSD-2-Clause */
/* Persistent all-reduces, which came with MPI 4.0. CMake chooses persistent.c or
 * persistent_missing.c. */
#ifndef OVK_BACKENDS_IALLREDUCE_PERSISTENT_H
#define OVK_BACKENDS_IALLREDUCE_PERSISTENT_H

#include <ovkrylov/plugin/backend.h>

/* OVK_ERR_UNSUPPORTED in builds without them. */
ovk_err ovk__persistent_check(ovk_ctx *ctx);

/* Creates the request that MPI_Start begins. Collective. */
ovk_err ovk__persistent_init(ovk_sum *sum, MPI_Request *request);

#endif
