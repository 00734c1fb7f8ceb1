/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by reading and writing of Matrix Market files: a check before the file is opened, and the
 * messages for MPI-IO's errors. */
#ifndef OVK_MATRIX_IO_MM_FILE_H
#define OVK_MATRIX_IO_MM_FILE_H

#include "core/context/check.h"

/* Opens `path` for reading on rank 0 and closes it again, to find errors without MPI-IO: MPI
 * libraries report failures to open with different texts, and some hang or print. Refuses
 * compressed files and archives. Collective; errors are agreed. */
ovk_err ovk__mm_probe(ovk_ctx *ctx, const char *path);

/* Records "path: cannot `what` the file: text of MPI" as OVK_ERR_IO. */
ovk_err ovk__mm_fail_io(ovk_ctx *ctx, const char *path, const char *what, int mpi_code);

/* Fails on all ranks unless all have the same path, not NULL. Collective. */
ovk_err ovk__mm_check_path(ovk_ctx *ctx, const char *path);

#endif
