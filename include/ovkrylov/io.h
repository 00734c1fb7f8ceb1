/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrix Market files, read and written by all ranks in parallel through MPI-IO. */
#ifndef OVKRYLOV_IO_H
#define OVKRYLOV_IO_H

#include <ovkrylov/matrix.h>

OVK_BEGIN_DECLS

/**
 * Reads a square matrix and assembles it. Collective. Source: Boisvert, Pozo, Remington, "The
 * Matrix Market Exchange Formats", NISTIR 5935 (1996).
 *
 * Coordinate and array format; real (or double), integer and pattern fields (a pattern's entries
 * are 1), integers of up to 64 bits; general, and symmetric and skew-symmetric, of which the file
 * holds the lower triangle alone. Comments, blank lines, any white space, CRLF line ends. Repeated
 * entries sum. Each rank parses its share of the file: memory is O(nonzeros /
 * ranks). Rows are dealt out evenly, the first ranks holding one more where the division leaves a
 * rest.
 *
 * @param path  the same on all ranks
 * @param out   an assembled matrix, to be freed with ovk_mat_destroy()
 * @return OVK_ERR_IO; OVK_ERR_FORMAT with file, line and fault; OVK_ERR_UNSUPPORTED for complex and
 *         Hermitian files; OVK_ERR_ARG if it is not square; OVK_ERR_RANGE; OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_mat_read_mm(ovk_ctx *ctx, const char *path, ovk_mat **out);

/**
 * As ovk_mat_read_mm(), with the storage format given by spec; NULL for "auto". Collective.
 */
OVK_API ovk_err ovk_mat_read_mm_format(ovk_ctx *ctx, const char *path, const char *format,
                                       ovk_mat **out);

/**
 * Reads a vector into `v`, whose size must be that of the file. Collective. Takes a `vector` or a
 * `matrix` with one column, in array or coordinate format (rows not named are 0). After an error
 * `v` is as it was.
 */
OVK_API ovk_err ovk_vec_read_mm(ovk_vec *v, const char *path);

/**
 * Writes an assembled matrix as `matrix coordinate real general`, 17 digits, so that reading it
 * back gives the same bits. Collective. A file of that name is replaced.
 *
 * @return OVK_ERR_IO, OVK_ERR_UNSUPPORTED for a shell, OVK_ERR_STATE before assembly
 */
OVK_API ovk_err ovk_mat_write_mm(const ovk_mat *A, const char *path);

/** Writes a vector as `matrix array real general` with one column, 17 digits. Collective. */
OVK_API ovk_err ovk_vec_write_mm(const ovk_vec *v, const char *path);

OVK_END_DECLS

#endif
