/* SPDX-License-Identifier: BSD-2-Clause */
/* Model problems that are generated in parallel. */
#ifndef OVKRYLOV_GALLERY_H
#define OVKRYLOV_GALLERY_H

#include <ovkrylov/matrix.h>
#include <stdbool.h>

OVK_BEGIN_DECLS

/**
 * Create the 27-point Laplace-like operator. Collective. The diagonal is 26, and the entries of the
 * up to 26 neighbors are -1. The diagonal is 8 if the whole box has one point in one direction, and
 * 2 if it has one point in two or three directions.
 *
 * The numbering is that of the driver `ij -27pt` of hypre: rank p + grid[0] (q + grid[1] r) owns
 * the block (p,q,r) of n[0] x n[1] x n[2] points. x is the fastest index of a block.
 *
 * @param n       points per process in x, y, z, each >= 1, the same on all ranks
 * @param grid    processes in x, y, z, the same on all ranks; their product must be the number of
 *                ranks
 * @param format  spec of the storage format, see `ovk list formats`; NULL: "auto"
 * @param out     an assembled matrix, to be freed with ovk_mat_destroy()
 * @return OVK_ERR_ARG; OVK_ERR_UNKNOWN with the closest match for the format; OVK_ERR_RANGE for
 *         2^31 or more rows on a rank; OVK_ERR_MEMORY, also if 12 bytes an entry exceed the
 *         available memory of a node, see ovk_mat_create()
 */
OVK_API ovk_err ovk_gallery_laplace27(ovk_ctx *ctx, const int n[3], const int grid[3],
                                      const char *format, ovk_mat **out);

/**
 * Create the 7-point Laplace operator. Collective. Off-diagonal entries are -1. The diagonal is 6,
 * less 2 for each direction in which the box has one point, at least 2. All else is as for
 * ovk_gallery_laplace27().
 *
 * @param out  an assembled matrix, to be freed with ovk_mat_destroy()
 * @return as ovk_gallery_laplace27()
 */
OVK_API ovk_err ovk_gallery_laplace7(ovk_ctx *ctx, const int n[3], const int grid[3],
                                     const char *format, ovk_mat **out);

/**
 * Create an unsymmetric convection-diffusion operator on 7 points: -laplace u + v . grad u, times
 * the square of the mesh width h. Collective. The velocity v is the same in x, y and z. All else is
 * as for ovk_gallery_laplace27().
 *
 * With the Peclet number P and upwind differences the diagonal is 6 + 3 P, the entries of upstream
 * neighbors are -1 - P, and those of downstream neighbors -1. With central differences they are 6,
 * -1 - P / 2 and -1 + P / 2, which is no M-matrix for P > 2. Directions with one point do not count
 * in the diagonal.
 *
 * @param peclet   P = |v_x| h / diffusivity, finite and >= 0, the same on all ranks
 * @param central  true: central differences; false: upwind differences. The same on all ranks
 * @param out      an assembled matrix, to be freed with ovk_mat_destroy()
 * @return as ovk_gallery_laplace27(); OVK_ERR_ARG for another P
 */
OVK_API ovk_err ovk_gallery_convdiff7(ovk_ctx *ctx, const int n[3], const int grid[3],
                                      double peclet, bool central, const char *format,
                                      ovk_mat **out);

/**
 * Create the symmetric shifted Laplace operator on 7 points: ovk_gallery_laplace7() minus `shift`
 * times the identity. Collective. All else is as for ovk_gallery_laplace27().
 *
 * It is indefinite if the shift lies between eigenvalues. These are the sums of
 * 2 - 2 cos(pi k / (m + 1)), 1 <= k <= m, over the directions with m > 1 points.
 *
 * @param shift  finite, the same on all ranks
 * @param out    an assembled matrix, to be freed with ovk_mat_destroy()
 * @return as ovk_gallery_laplace27(); OVK_ERR_ARG for another shift
 */
OVK_API ovk_err ovk_gallery_helmholtz7(ovk_ctx *ctx, const int n[3], const int grid[3],
                                       double shift, const char *format, ovk_mat **out);

OVK_END_DECLS

#endif
