/* SPDX-License-Identifier: BSD-2-Clause */
/* Boxes and their faces. */
#include "bench/poisson/box.h"
#include "bench/support/share.h"
#include "tool.h"

/* The face of direction d at its begin (end = 0) or end (1). */
static face make_face(const box *b, int d, int end, int neighbor)
{
  const int stride[3] = {1, b->n[0], b->n[0] * b->n[1]};
  const int u = d == 0 ? 1 : 0, v = d == 2 ? 1 : 2;
  return (face){.neighbor = neighbor,
                .first = end * (b->n[d] - 1) * stride[d],
                .n = {b->n[u], b->n[v]},
                .stride = {stride[u], stride[v]}};
}

static ovk_err check_size(ovk_ctx *ctx, const box *b, const int points[3])
{
  int64_t most = 1;
  for (int d = 0; d < 3; d++) {
    if (b->ranks[d] > points[d]) {
      return ovk_ctx_fail(ctx, OVK_ERR_ARG, "%d points cannot be dealt out to %d ranks", points[d],
                          b->ranks[d]);
    }
    most *= share_most(points[d], b->ranks[d]);
    if (most > INT32_MAX) {
      return ovk_ctx_fail(ctx, OVK_ERR_RANGE,
                          "a grid of %d x %d x %d points is too large for %d ranks", points[0],
                          points[1], points[2], ovk_ctx_size(ctx));
    }
  }
  return OVK_OK;
}

/* The communicator is used only to find neighbors; its first direction is z, its last one x. */
static ovk_err find_neighbors(ovk_ctx *ctx, const int dims[3], int at[3], int neighbors[3][2])
{
  const int open[3] = {0};
  MPI_Comm grid;
  TRY(tool_mpi(ctx, MPI_Cart_create(MPI_COMM_WORLD, 3, dims, open, 0, &grid), "MPI_Cart_create"));
  int err = MPI_Cart_coords(grid, ovk_ctx_rank(ctx), 3, at);
  for (int d = 0; d < 3 && !err; d++) {
    err = MPI_Cart_shift(grid, 2 - d, 1, &neighbors[d][0], &neighbors[d][1]);
  }
  MPI_Comm_free(&grid);
  return tool_mpi(ctx, err, "MPI_Cart_shift");
}

ovk_err box_create(ovk_ctx *ctx, const int points[3], box *out)
{
  int dims[3] = {0}, at[3], neighbors[3][2] = {{0}};
  TRY(tool_mpi(ctx, MPI_Dims_create(ovk_ctx_size(ctx), 3, dims), "MPI_Dims_create"));
  for (int d = 0; d < 3; d++) out->ranks[d] = dims[2 - d];
  TRY(check_size(ctx, out, points));
  TRY(find_neighbors(ctx, dims, at, neighbors));
  for (int d = 0; d < 3; d++) out->n[d] = share_of(points[d], out->ranks[d], at[2 - d]);
  for (int k = 0; k < FACES; k++)
    out->faces[k] = make_face(out, k / 2, k % 2, neighbors[k / 2][k % 2]);
  return OVK_OK;
}

ovk_lidx box_points(const box *b)
{
  return b->n[0] * b->n[1] * b->n[2];
}

int face_points(const face *f)
{
  return f->n[0] * f->n[1];
}

void face_take(const face *f, const double *x, double *taken)
{
  for (int j = 0; j < f->n[1]; j++) {
    const double *from = x + f->first + j * f->stride[1];
    for (int i = 0; i < f->n[0]; i++) *taken++ = from[i * f->stride[0]];
  }
}

void face_subtract(const face *f, const double *sent, double *y)
{
  for (int j = 0; j < f->n[1]; j++) {
    double *to = y + f->first + j * f->stride[1];
    for (int i = 0; i < f->n[0]; i++) to[i * f->stride[0]] -= *sent++;
  }
}

void face_add(const face *f, double value, double *y)
{
  for (int j = 0; j < f->n[1]; j++) {
    double *to = y + f->first + j * f->stride[1];
    for (int i = 0; i < f->n[0]; i++) to[i * f->stride[0]] += value;
  }
}
