/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrix Market files, read and written by all ranks in parallel through MPI-IO. */
#ifndef OVKRYLOV_IO_H
#define OVKRYLOV_IO_H

#include <ovkrylov/matrix.h>
#include <ovkrylov/multivec.h>

OVK_BEGIN_DECLS

/**
 * Read a square matrix from a Matrix Market file and assemble it. Collective. The format is that of
 * Boisvert, Pozo, Remington, "The Matrix Market Exchange Formats", NISTIR 5935 (1996).
 *
 * Accepted are the coordinate and the array format, the fields real (or double), integer and
 * pattern, and the symmetries general, symmetric and skew-symmetric. The entries of a pattern are
 * 1. Integers must be representable as a double. Symmetric and skew-symmetric files hold only the
 * lower triangle. Comments, blank lines, any white space and CRLF line ends are allowed. A
 * decimal exponent follows an E or, as in Fortran, a D. Repeated entries are summed. Each rank
 * parses its share of the file, so memory is O(nonzeros / ranks). Rows are distributed evenly; the
 * first ranks get one extra row if there is a remainder.
 *
 * @param path    the file, the same on all ranks
 * @param format  spec of the storage format, see `ovk list formats`; NULL: "auto"
 * @param out     an assembled matrix, to be freed with ovk_mat_destroy()
 * @return OVK_ERR_IO; OVK_ERR_FORMAT with file, line and fault; OVK_ERR_UNSUPPORTED for complex and
 *         Hermitian files, and for compressed ones with the program that unpacks them; OVK_ERR_ARG
 *         if the matrix is not square, or if it has so few entries that it is singular;
 *         OVK_ERR_RANGE for a number that fits no double or no index; OVK_ERR_UNKNOWN with the
 *         closest match for the format; OVK_ERR_MEMORY, also if 8 bytes a row and 12 an entry
 *         exceed the available memory of a node, see ovk_mat_create()
 */
OVK_API ovk_err ovk_mat_read_mm(ovk_ctx *ctx, const char *path, const char *format, ovk_mat **out);

/**
 * Read a vector from a Matrix Market file into `v`. Collective. The file has a `vector`, or a
 * `matrix` with one column, in array or coordinate format. Rows absent from the file are 0. After
 * an error `v` is unchanged.
 *
 * @param v  a vector with the size in the file
 * @return as ovk_mat_read_mm(); OVK_ERR_ARG if the sizes differ or the file has more columns
 */
OVK_API ovk_err ovk_vec_read_mm(ovk_vec *v, const char *path);

/**
 * Read the columns of a Matrix Market file as vectors with the rows of A. Collective. The file has
 * a `matrix` or a `vector`, in array or coordinate format. Entries absent from the file are 0.
 *
 * @param out  as many columns as the file has, to be freed with ovk_multivec_destroy(); NULL after
 *             an error
 * @return as ovk_mat_read_mm(); OVK_ERR_ARG if the file does not have the rows of A
 */
OVK_API ovk_err ovk_multivec_read_mm(const ovk_mat *A, const char *path, ovk_multivec **out);

/**
 * Write an assembled matrix as `matrix coordinate real general` with 17 digits. Collective. Reading
 * the file gives the same bits, but ovk_mat_read_mm() refuses a file with fewer entries than rows.
 *
 * The file is written under a temporary name in the folder of `path`, and replaces an older file
 * when it is complete. After a failure the older file is unchanged. The new file gets the
 * permissions of the older one. If `path` is a symbolic link, its target is replaced.
 *
 * @return OVK_ERR_IO; OVK_ERR_UNSUPPORTED for a shell; OVK_ERR_STATE before assembly
 */
OVK_API ovk_err ovk_mat_write_mm(const ovk_mat *A, const char *path);

/**
 * Write a vector as `matrix array real general` with one column and 17 digits. Collective. An older
 * file is replaced as by ovk_mat_write_mm().
 *
 * @return OVK_ERR_IO, OVK_ERR_ARG, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_vec_write_mm(const ovk_vec *v, const char *path);

/**
 * Write vectors as the columns of a `matrix array real general` with 17 digits. Collective. An
 * older file is replaced as by ovk_mat_write_mm().
 *
 * @return OVK_ERR_IO, OVK_ERR_ARG, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_multivec_write_mm(const ovk_multivec *X, const char *path);

OVK_END_DECLS

#endif
