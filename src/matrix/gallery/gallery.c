/* SPDX-License-Identifier: BSD-2-Clause */
/* Model problems on a box of points that is divided into equal blocks, one per process. */
#include "core/context/agree.h"
#include "core/memory_limit.h"

#include <float.h>
#include <math.h>
#include <ovkrylov/gallery.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* The box and this process's block; direction 0 is x. */
typedef struct box {
  int n[3];    /* points of one block */
  int grid[3]; /* blocks */
  int at[3];   /* this process's block */
} box;

/* The entries of a row: for neighbors at lower and at higher coordinates, with `corners` for all
 * 26 of them, which then have the same value; and on the diagonal, see gallery_diagonal_of(). */
typedef struct stencil {
  double lower, upper, shift;
  bool corners;
} stencil;

static ovk_err gallery_check(ovk_ctx *ctx, const int *n, const int *grid, ovk_mat **out)
{
  OVK_CHECK(out && n && grid, ctx, OVK_ERR_ARG, "%s is NULL", !out ? "out" : n ? "grid" : "n");
  int64_t rows = 1, ranks = 1;
  for (int d = 0; d < 3; d++) {
    OVK_CHECK(
        n[d] >= 1 && grid[d] >= 1, ctx, OVK_ERR_ARG,
        "%d x %d x %d points on a grid of %d x %d x %d processes: each number must be at least 1",
        n[0], n[1], n[2], grid[0], grid[1], grid[2]);
    rows *= n[d]; /* at most 2^31 * 2^31 before the check */
    ranks *= grid[d];
    OVK_CHECK(rows <= INT32_MAX, ctx, OVK_ERR_RANGE,
              "%d x %d x %d points on a process are more than 2^31 - 1", n[0], n[1], n[2]);
    OVK_CHECK(ranks <= INT32_MAX, ctx, OVK_ERR_ARG, "a grid of %d x %d x %d processes is too large",
              grid[0], grid[1], grid[2]);
  }
  OVK_CHECK(ranks == ovk_ctx_size(ctx), ctx, OVK_ERR_ARG,
            "a grid of %d x %d x %d processes has %lld, but there are %d ranks", grid[0], grid[1],
            grid[2], (long long)ranks, ovk_ctx_size(ctx));
  return OVK_OK;
}

/* The contribution of coordinate `i` of this block to the global row number in one direction; i may
 * be one step outside of the block. The row number of a point is the sum over the directions. -1
 * outside of the box. */
static ovk_gidx gallery_term(const box *b, int direction, int i)
{
  const int n = b->n[direction];
  const int step = i < 0 ? -1 : i == n ? 1 : 0;
  const int block = b->at[direction] + step, offset = i - step * n;
  if (block < 0 || block == b->grid[direction]) return -1;
  ovk_gidx points = (ovk_gidx)b->n[0] * b->n[1] * b->n[2], blocks = 1, inside = 1;
  for (int d = 0; d < direction; d++) {
    blocks *= b->grid[d];
    inside *= b->n[d];
  }
  return points * blocks * block + inside * offset;
}

/* The diagonal entry, with which the entries of an inner point's row add up to the shift, as in
 * hypre. A direction of one point has no neighbors and does not count; a single point counts as a
 * line. */
static double gallery_diagonal_of(const box *b, const stencil *s)
{
  int directions = 0;
  for (int d = 0; d < 3; d++) directions += (ovk_gidx)b->n[d] * b->grid[d] > 1;
  directions = directions ? directions : 1;
  const double pairs = s->corners ? (pow(3, directions) - 1) / 2 : directions; /* of neighbors */
  return -pairs * (s->lower + s->upper) - s->shift;
}

/* Adds the row of point (i[0], i[1], i[2]). */
static ovk_err gallery_add_row(ovk_mat *A, const box *b, const int i[3], const stencil *s,
                               double diagonal)
{
  ovk_gidx terms[3][3];
  for (int d = 0; d < 3; d++) {
    for (int k = 0; k < 3; k++) terms[d][k] = gallery_term(b, d, i[d] + k - 1);
  }
  const ovk_gidx row = terms[0][1] + terms[1][1] + terms[2][1];
  for (int z = 0; z < 3; z++) {
    for (int y = 0; y < 3; y++) {
      for (int x = 0; x < 3; x++) {
        const int steps = abs(x - 1) + abs(y - 1) + abs(z - 1);
        if (!s->corners && steps > 1) continue;
        if (terms[0][x] < 0 || terms[1][y] < 0 || terms[2][z] < 0) continue;
        const ovk_gidx col = terms[0][x] + terms[1][y] + terms[2][z];
        const double neighbor = x + y + z < 3 ? s->lower : s->upper;
        OVK_TRY(ovk_mat_add(A, row, col, steps ? neighbor : diagonal));
      }
    }
  }
  return OVK_OK;
}

static ovk_err gallery_add_rows(ovk_mat *A, const box *b, const stencil *s)
{
  const double diagonal = gallery_diagonal_of(b, s);
  for (int z = 0; z < b->n[2]; z++) {
    for (int y = 0; y < b->n[1]; y++) {
      for (int x = 0; x < b->n[0]; x++) {
        OVK_TRY(gallery_add_row(A, b, (const int[3]){x, y, z}, s, diagonal));
      }
    }
  }
  return OVK_OK;
}

/* Checks the memory for the entries within a block, 12 bytes each while they are added; `text` is
 * the box. */
static ovk_err gallery_check_room(ovk_ctx *ctx, const int n[3], bool corners, const char *text)
{
  const double x = n[0], y = n[1], z = n[2];
  const double entries = corners ? (3 * x - 2) * (3 * y - 2) * (3 * z - 2)
                                 : 7 * x * y * z - 2 * (x * y + y * z + z * x);
  const double mine = entries * (sizeof(ovk_lidx) + sizeof(double));
  return ovk__memory_check(ctx, text, mine, mine * ovk_ctx_size(ctx));
}

static ovk_err gallery_make(ovk_ctx *ctx, const int n[3], const int grid[3], const char *format,
                            const stencil *s, ovk_mat **out)
{
  if (!ctx) return OVK_ERR_ARG;
  if (out) *out = NULL;
  OVK_TRY(ovk__agree(ctx, gallery_check(ctx, n, grid, out)));
  char text[128], entries[128];
  snprintf(entries, sizeof entries, "%.17g, %.17g, %.17g, %d", s->lower, s->upper, s->shift,
           s->corners);
  OVK_TRY(ovk__agree_same(ctx, "stencils", entries));
  snprintf(text, sizeof text, "%d x %d x %d points, %d x %d x %d processes", n[0], n[1], n[2],
           grid[0], grid[1], grid[2]);
  OVK_TRY(ovk__agree_same(ctx, "boxes", text));
  OVK_TRY(gallery_check_room(ctx, n, s->corners, text));
  const int rank = ovk_ctx_rank(ctx);
  const box b = {{n[0], n[1], n[2]},
                 {grid[0], grid[1], grid[2]},
                 {rank % grid[0], rank / grid[0] % grid[1], rank / grid[0] / grid[1]}};
  ovk_mat *A = NULL;
  OVK_TRY(ovk_mat_create(ctx, n[0] * n[1] * n[2], &A));
  ovk_err err = ovk_mat_set_format(A, format ? format : "auto");
  if (!err) {
    (void)gallery_add_rows(A, &b, s); /* a failure is kept for assembly to agree on */
    err = ovk_mat_assemble(A);
  }
  if (err) {
    ovk_mat_destroy(&A);
  } else {
    *out = A;
  }
  return err;
}

ovk_err ovk_gallery_laplace27(ovk_ctx *ctx, const int n[3], const int grid[3], const char *format,
                              ovk_mat **out)
{
  return gallery_make(ctx, n, grid, format, &(stencil){-1, -1, 0, true}, out);
}

ovk_err ovk_gallery_laplace7(ovk_ctx *ctx, const int n[3], const int grid[3], const char *format,
                             ovk_mat **out)
{
  return gallery_make(ctx, n, grid, format, &(stencil){-1, -1, 0, false}, out);
}

/* Checks an argument of this rank; the ranks need not agree. */
static ovk_err check_number(ovk_ctx *ctx, const char *name, double value, double least)
{
  if (!ctx) return OVK_ERR_ARG;
  const bool valid = isfinite(value) && value >= least;
  return ovk__agree(ctx, valid ? OVK_OK : OVK_FAIL(ctx, OVK_ERR_ARG, "%s is %g", name, value));
}

ovk_err ovk_gallery_convdiff7(ovk_ctx *ctx, const int n[3], const int grid[3], double peclet,
                              bool central, const char *format, ovk_mat **out)
{
  if (out) *out = NULL;
  OVK_TRY(check_number(ctx, "the Peclet number", peclet, 0));
  const stencil upwind = {-1 - peclet, -1, 0, false};
  const stencil centered = {-1 - peclet / 2, -1 + peclet / 2, 0, false};
  return gallery_make(ctx, n, grid, format, central ? &centered : &upwind, out);
}

ovk_err ovk_gallery_helmholtz7(ovk_ctx *ctx, const int n[3], const int grid[3], double shift,
                               const char *format, ovk_mat **out)
{
  if (out) *out = NULL;
  OVK_TRY(check_number(ctx, "the shift", shift, -DBL_MAX));
  return gallery_make(ctx, n, grid, format, &(stencil){-1, -1, shift, false}, out);
}
