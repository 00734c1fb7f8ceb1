/* SPDX-License-Identifier: BSD-2-Clause */
/* What reading and writing Matrix Market files share: a first look at the file, and how MPI-IO's
 * errors are worded. */
#ifndef OVK_MATRIX_MM_FILE_H
#define OVK_MATRIX_MM_FILE_H

#include "core/check.h"

/* Rank 0 opens `path` with the flags of open(2) and closes it again. MPI libraries word failures to
 * open differently, some hang or print; the system does not. Collective; errors are agreed. */
ovk_err ovk__mm_probe(ovk_ctx *ctx, const char *path, int flags);

/* Records "path: cannot `what` the file: MPI's text" as OVK_ERR_IO. */
ovk_err ovk__mm_fail_io(ovk_ctx *ctx, const char *path, const char *what, int mpi_code);

/* Fails on all ranks unless all have a path, the same one. Collective. */
ovk_err ovk__mm_check_path(ovk_ctx *ctx, const char *path);

#endif
