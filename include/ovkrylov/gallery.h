/* SPDX-License-Identifier: BSD-2-Clause */
/* Model problems that are generated in parallel. */
#ifndef OVKRYLOV_GALLERY_H
#define OVKRYLOV_GALLERY_H

#include <ovkrylov/matrix.h>
#include <stdbool.h>

OVK_BEGIN_DECLS

/**
 * The 27-point Laplace-like operator: diagonal 26, -1 for each of the up to 26 neighbours, cut at
 * the boundary; diagonal 8 where all the box has one point in one direction, 2 where it has in two
 * or three. Collective. Source: hypre's `ij -27pt` driver, whose numbering this is: rank
 * p + grid[0] (q + grid[1] r) owns the block (p,q,r) of n[0] x n[1] x n[2] points, x fastest in a
 * block.
 *
 * @param n       points of one process in x, y, z, each >= 1
 * @param grid    processes in x, y, z; their product must be the number of ranks. All ranks give
 *                the same n and grid
 * @param format  spec of the storage format, see `ovk list formats`; NULL: "auto"
 * @param out     an assembled matrix, to be freed with ovk_mat_destroy()
 * @return OVK_ERR_ARG; OVK_ERR_UNKNOWN with the closest match for the format; OVK_ERR_RANGE (2^31
 *         or more rows on a rank); OVK_ERR_MEMORY, also if 12 bytes an entry are more than the
 *         ranks of a node can still have, see ovk_mat_create()
 */
OVK_API ovk_err ovk_gallery_laplace27(ovk_ctx *ctx, const int n[3], const int grid[3],
                                      const char *format, ovk_mat **out);

/**
 * The 7-point Laplace operator, off-diagonals -1, diagonal 6 or, where the box has one point in
 * one direction or more, 4 or 2; else as ovk_gallery_laplace27(). Collective.
 *
 * @param out  an assembled matrix, to be freed with ovk_mat_destroy()
 * @return as ovk_gallery_laplace27()
 */
OVK_API ovk_err ovk_gallery_laplace7(ovk_ctx *ctx, const int n[3], const int grid[3],
                                     const char *format, ovk_mat **out);

/**
 * Convection and diffusion on 7 points, not symmetric: -laplace u + v . grad u times the square of
 * the mesh width, with the same velocity v in x, y and z; else as ovk_gallery_laplace27().
 * Collective. With upwind differences the diagonal is 6 + 3 P and the neighbours upstream -1 - P,
 * those downstream -1, for the Peclet number P; with central ones 6, -1 - P / 2 and -1 + P / 2,
 * which is no M-matrix for P > 2. In the diagonal only directions of more than one point count.
 *
 * @param peclet   P of one mesh width, |v_x| h over the diffusivity, finite and >= 0; the same on
 *                 all ranks, as `central`
 * @param central  central differences instead of upwind ones
 * @param out      an assembled matrix, to be freed with ovk_mat_destroy()
 * @return as ovk_gallery_laplace27(); OVK_ERR_ARG for another P
 */
OVK_API ovk_err ovk_gallery_convdiff7(ovk_ctx *ctx, const int n[3], const int grid[3],
                                      double peclet, bool central, const char *format,
                                      ovk_mat **out);

/**
 * The shifted Laplace operator on 7 points, symmetric: ovk_gallery_laplace7() minus `shift` times
 * the identity; else as ovk_gallery_laplace27(). Collective. Indefinite for a shift between the
 * eigenvalues, which are the sums of 2 - 2 cos(pi k / (m + 1)) over the directions of m > 1 points,
 * with k = 1 to m.
 *
 * @param shift  finite; the same on all ranks
 * @param out    an assembled matrix, to be freed with ovk_mat_destroy()
 * @return as ovk_gallery_laplace27(); OVK_ERR_ARG for another shift
 */
OVK_API ovk_err ovk_gallery_helmholtz7(ovk_ctx *ctx, const int n[3], const int grid[3],
                                       double shift, const char *format, ovk_mat **out);

OVK_END_DECLS

#endif
