/* SPDX-License-Identifier: BSD-2-Clause */
/* Pencil decomposition of a box. */
#include "bench/fft/pencils.h"
#include "bench/support/share.h"
#include "tool.h"

#include <limits.h>

/* Rows are the shorter dimension, so that most of them lie within a node. */
static ovk_err choose_grid(ovk_ctx *ctx, int grid[2])
{
  const int nranks = ovk_ctx_size(ctx);
  if (grid[0] == 0) {
    int dims[2] = {0, 0};
    TRY(tool_mpi(ctx, MPI_Dims_create(nranks, 2, dims), "MPI_Dims_create"));
    grid[0] = dims[1];
    grid[1] = dims[0];
  }
  if ((int64_t)grid[0] * grid[1] == nranks) return OVK_OK;
  return ovk_ctx_fail(ctx, OVK_ERR_ARG, "a grid of %d x %d is not one of %d ranks", grid[0],
                      grid[1], nranks);
}

/* Every rank must have some of the box, and no more than an MPI count can express. */
static ovk_err check_sizes(ovk_ctx *ctx, const pencils *p)
{
  const int *n = p->n, rows = p->grid[0], columns = p->grid[1];
  if (n[X] < rows || n[Y] < rows || n[Y] < columns || n[Z] < columns) {
    return ovk_ctx_fail(ctx, OVK_ERR_ARG,
                        "lines of %d (half of x), %d and %d numbers cannot be split up by a grid "
                        "of %d x %d ranks",
                        n[X], n[Y], n[Z], rows, columns);
  }
  const double in_y = (double)n[Y] * share_most(n[X], rows) * share_most(n[Z], columns);
  if (in_y * 2 < INT_MAX) return OVK_OK;
  return ovk_ctx_fail(ctx, OVK_ERR_RANGE, "too many points for %d ranks", ovk_ctx_size(ctx));
}

static void deal_out(pencils *p, int in_row, int in_column)
{
  /* The direction that is split within a row, and the one that is split within a column. */
  static const direction splits[3][2] = {[X] = {Y, Z}, [Y] = {X, Z}, [Z] = {X, Y}};
  const int at[2] = {in_row, in_column};
  for (direction d = X; d <= Z; d++) {
    pencil *along = &p->along[d];
    along->first[d] = 0;
    along->n[d] = p->n[d];
    for (int k = 0; k < 2; k++) {
      const direction s = splits[d][k];
      along->first[s] = share_begin(p->n[s], p->grid[k], at[k]);
      along->n[s] = share_of(p->n[s], p->grid[k], at[k]);
    }
  }
}

static void set_up_transposes(pencils *p, int in_row, int in_column)
{
  const int nz = p->along[Y].n[Z], nx = p->along[Y].n[X], ny = p->along[Z].n[Y];
  p->xy = (transpose){.nranks = p->grid[0],
                      .rank = in_row,
                      .parts = 1,
                      .split = p->n[X],
                      .gathered = p->n[Y],
                      .layers = nz,
                      .layer_stride = p->n[Y],
                      .line_stride = (ptrdiff_t)nz * p->n[Y]};
  p->yz = (transpose){.nranks = p->grid[1],
                      .rank = in_column,
                      .parts = 1,
                      .split = p->n[Y],
                      .gathered = p->n[Z],
                      .layers = nx,
                      .layer_stride = (ptrdiff_t)ny * p->n[Z],
                      .line_stride = p->n[Z]};
}

ovk_err pencils_create(ovk_ctx *ctx, const int points[3], const int grid[2], pencils *out)
{
  *out = (pencils){.points = {points[X], points[Y], points[Z]},
                   .n = {points[X] / 2 + 1, points[Y], points[Z]},
                   .grid = {grid[0], grid[1]},
                   .row = MPI_COMM_NULL,
                   .column = MPI_COMM_NULL};
  TRY(choose_grid(ctx, out->grid));
  TRY(check_sizes(ctx, out));
  const int rank = ovk_ctx_rank(ctx), in_row = rank % out->grid[0], in_column = rank / out->grid[0];
  deal_out(out, in_row, in_column);
  set_up_transposes(out, in_row, in_column);
  TRY(tool_mpi(ctx, MPI_Comm_split(MPI_COMM_WORLD, in_column, in_row, &out->row),
               "MPI_Comm_split"));
  return tool_mpi(ctx, MPI_Comm_split(MPI_COMM_WORLD, in_row, in_column, &out->column),
                  "MPI_Comm_split");
}

void pencils_destroy(pencils *p)
{
  if (p->row != MPI_COMM_NULL) MPI_Comm_free(&p->row);
  if (p->column != MPI_COMM_NULL) MPI_Comm_free(&p->column);
}

transpose pencils_yz(const pencils *p, int part, int parts)
{
  transpose t = p->yz;
  t.part = part;
  t.parts = parts;
  return t;
}

transpose pencils_xy(const pencils *p, int part, int parts)
{
  const transpose yz = pencils_yz(p, part, parts);
  transpose t = p->xy;
  t.layers = transpose_length(&yz, yz.rank);
  t.line_stride = (ptrdiff_t)t.layers * t.gathered;
  return t;
}

int pencils_lines(const pencils *p, direction d)
{
  const int *n = p->along[d].n;
  return d == X ? n[Y] * n[Z] : d == Y ? n[X] * n[Z] : n[X] * n[Y];
}

size_t pencils_numbers(const pencils *p, direction d)
{
  return (size_t)pencils_lines(p, d) * (size_t)p->n[d];
}
