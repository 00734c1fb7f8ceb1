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
 * are 1), integers that a double can hold; general, and symmetric and skew-symmetric, of which the
 * file holds the lower triangle alone. Comments, blank lines, any white space, CRLF line ends.
 * Repeated entries sum. Each rank parses its share of the file: memory is O(nonzeros / ranks). Rows
 * are dealt out evenly, the first ranks holding one more where the division leaves a rest.
 *
 * @param path    the same on all ranks
 * @param format  spec of the storage format, see `ovk list formats`; NULL: "auto"
 * @param out     an assembled matrix, to be freed with ovk_mat_destroy()
 * @return OVK_ERR_IO; OVK_ERR_FORMAT with file, line and fault; OVK_ERR_UNSUPPORTED for complex and
 *         Hermitian files; OVK_ERR_ARG if it is not square, or names fewer entries than a matrix of
 *         so many rows needs not to be singular; OVK_ERR_RANGE for a number that fits no double or
 *         no index; OVK_ERR_UNKNOWN with the closest match for the format; OVK_ERR_MEMORY, also if
 * 8 bytes a row and 12 an entry are more than the ranks of a node can still have, see
 *         ovk_mat_create()
 */
OVK_API ovk_err ovk_mat_read_mm(ovk_ctx *ctx, const char *path, const char *format, ovk_mat **out);

/**
 * Reads a vector into `v`, whose size must be that of the file. Collective. Takes a `vector` or a
 * `matrix` with one column, in array or coordinate format (rows not named are 0). After an error
 * `v` is as it was.
 *
 * @return as ovk_mat_read_mm(); OVK_ERR_ARG if the sizes differ or it has more columns
 */
OVK_API ovk_err ovk_vec_read_mm(ovk_vec *v, const char *path);

/**
 * Writes an assembled matrix as `matrix coordinate real general`, 17 digits, so that reading it
 * back gives the same bits (but if there are fewer entries than rows, ovk_mat_read_mm() refuses
 * it). Collective. The file is written beside `path`, under another name, and takes the place of an
 * older one when it is complete: after a failure that is as it was. It gets its permissions. If
 * `path` is a symbolic link, what it points to is replaced.
 *
 * @return OVK_ERR_IO, OVK_ERR_UNSUPPORTED for a shell, OVK_ERR_STATE before assembly
 */
OVK_API ovk_err ovk_mat_write_mm(const ovk_mat *A, const char *path);

/**
 * Writes a vector as `matrix array real general` with one column, 17 digits. Collective. How the
 * file takes its place: ovk_mat_write_mm().
 *
 * @return OVK_ERR_IO, OVK_ERR_ARG, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_vec_write_mm(const ovk_vec *v, const char *path);

OVK_END_DECLS

#endif
