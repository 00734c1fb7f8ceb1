/* SPDX-License-Identifier: BSD-2-Clause */
/* Trilinear elements on cubes of one material, Young's modulus 1 and Poisson's ratio 1/4, except
 * for a ball in the middle, which is a thousand times as soft. Points are x fastest; those below
 * the first layer do not move, and have no rows. */
#include "elasticity.h"

#include <math.h>
#include <stdlib.h>

enum { DIM = 3, CORNERS = 8, NEIGHBORS = 27 };

static const double SOFT = 1e-3, RADIUS = 0.25; /* of the ball, in edges of the box */
static const double LAMBDA = 0.4, MU = 0.4;

/* stiffness[a][b][i][j]: the force at corner a in direction i, when b moves in direction j. */
typedef double stiffness[CORNERS][CORNERS][DIM][DIM];

/* The gradients of the shape functions at a place in [0,1]^3. Bit d of a corner's number is its
 * coordinate d. */
static void find_gradients(const double at[DIM], double g[CORNERS][DIM])
{
  for (int a = 0; a < CORNERS; a++) {
    for (int i = 0; i < DIM; i++) {
      g[a][i] = a >> i & 1 ? 1 : -1;
      for (int d = 0; d < DIM; d++) {
        if (d != i) g[a][i] *= a >> d & 1 ? at[d] : 1 - at[d];
      }
    }
  }
}

/* Adds one Gauss point of weight 1/8. */
static void add_point(const double g[CORNERS][DIM], stiffness K)
{
  for (int a = 0; a < CORNERS; a++) {
    for (int b = 0; b < CORNERS; b++) {
      const double shear = g[a][0] * g[b][0] + g[a][1] * g[b][1] + g[a][2] * g[b][2];
      for (int i = 0; i < DIM; i++) {
        for (int j = 0; j < DIM; j++) {
          const double sum = LAMBDA * (g[a][i] * g[b][j]) + MU * (g[a][j] * g[b][i]);
          K[a][b][i][j] += (sum + (i == j ? MU * shear : 0)) / 8;
        }
      }
    }
  }
}

static void integrate(stiffness K)
{
  const double gauss[2] = {0.5 - sqrt(1.0 / 12), 0.5 + sqrt(1.0 / 12)};
  for (int a = 0; a < CORNERS; a++) {
    for (int b = 0; b < CORNERS; b++) {
      for (int k = 0; k < DIM * DIM; k++) K[a][b][k / DIM][k % DIM] = 0;
    }
  }
  for (int k = 0; k < CORNERS; k++) {
    const double at[DIM] = {gauss[k & 1], gauss[k >> 1 & 1], gauss[k >> 2 & 1]};
    double g[CORNERS][DIM];
    find_gradients(at, g);
    add_point((const double(*)[DIM])g, K);
  }
}

typedef struct body {
  ovk_gidx n[DIM]; /* points of all ranks */
  stiffness K;
} body;

/* Of the element whose lowest corner this is; 0: there is none. */
static double modulus(const body *b, const ovk_gidx e[DIM])
{
  double square = 0;
  for (int d = 0; d < DIM; d++) {
    const ovk_gidx first = d == 2 ? -1 : 0, cells = b->n[d] - 1 - first;
    if (e[d] < first || e[d] >= first + cells) return 0;
    const double from_middle = ((double)(e[d] - first) + 0.5) / (double)cells - 0.5;
    square += from_middle * from_middle;
  }
  return square < RADIUS * RADIUS ? SOFT : 1;
}

/* The rows of a point: force[q] <- those of its neighbor q. Elements are added in the order of
 * their places, whichever of their points it is: so the matrix is symmetric bit for bit. */
static void add_elements(const body *b, const ovk_gidx at[DIM], double force[NEIGHBORS][DIM][DIM])
{
  for (int k = CORNERS - 1; k >= 0; k--) { /* at is corner k of the element */
    const ovk_gidx e[DIM] = {at[0] - (k & 1), at[1] - (k >> 1 & 1), at[2] - (k >> 2 & 1)};
    const double E = modulus(b, e);
    for (int c = 0; c < CORNERS && E > 0; c++) {
      const int x = (c & 1) - (k & 1) + 1, y = (c >> 1 & 1) - (k >> 1 & 1) + 1;
      const int z = (c >> 2 & 1) - (k >> 2 & 1) + 1;
      for (int ij = 0; ij < DIM * DIM; ij++) {
        const int i = ij / DIM, j = ij % DIM;
        force[x + 3 * y + 9 * z][i][j] += E * b->K[k][c][i][j];
      }
    }
  }
}

static bool is_free(const body *b, const ovk_gidx at[DIM])
{
  for (int d = 0; d < DIM; d++) {
    if (at[d] < 0 || at[d] >= b->n[d]) return false;
  }
  return true;
}

static void add_rows(const body *b, ovk_gidx point, ovk_lidx first_row, block *out)
{
  const ovk_gidx at[DIM] = {point % b->n[0], point / b->n[0] % b->n[1], point / b->n[0] / b->n[1]};
  double force[NEIGHBORS][DIM][DIM] = {{{0}}};
  add_elements(b, at, force);
  for (int i = 0; i < DIM; i++) {
    block_begin_rows(out, first_row + i + 1);
    for (int q = 0; q < NEIGHBORS; q++) {
      const ovk_gidx to[DIM] = {at[0] + q % 3 - 1, at[1] + q / 3 % 3 - 1, at[2] + q / 9 - 1};
      if (!is_free(b, to)) continue;
      const ovk_gidx other = to[0] + b->n[0] * (to[1] + b->n[1] * to[2]);
      for (int j = 0; j < DIM; j++) block_add(out, DIM * other + j, force[q][i][j]);
    }
  }
}

ovk_err elasticity_rows(ovk_ctx *ctx, const int n[3], block *out)
{
  const double most = 0x1p31 / (NEIGHBORS * DIM * DIM); /* others count entries in 32 bits */
  if ((double)n[0] * n[1] * n[2] >= most || n[0] < 2 || n[1] < 2) {
    return ovk_ctx_fail(ctx, OVK_ERR_RANGE, "%d x %d x %d points on a rank are too %s", n[0], n[1],
                        n[2], n[0] < 2 || n[1] < 2 ? "few for elements" : "many");
  }
  body *b = malloc(sizeof *b);
  if (!b) return ovk_ctx_fail(ctx, OVK_ERR_MEMORY, "no memory for an element");
  *b = (body){.n = {n[0], n[1], (ovk_gidx)n[2] * ovk_ctx_size(ctx)}};
  integrate(b->K);
  const ovk_lidx points = n[0] * n[1] * n[2], rows = DIM * points;
  const ovk_gidx first = (ovk_gidx)points * ovk_ctx_rank(ctx);
  const ovk_err err = block_create(ctx, DIM * first, (ovk_gidx)rows * ovk_ctx_size(ctx), rows,
                                   NEIGHBORS * DIM, out);
  for (ovk_lidx k = 0; k < points && !err; k++) add_rows(b, first + k, DIM * k, out);
  free(b);
  return err;
}

void elasticity_place(const int n[3], const block *rows, ovk_lidx k, double place[3])
{
  const ovk_gidx point = rows->first / DIM + k, layer = (ovk_gidx)n[0] * n[1];
  place[0] = (double)(point % n[0]);
  place[1] = (double)(point / n[0] % n[1]);
  place[2] = (double)(point / layer);
}
