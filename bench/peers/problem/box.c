/* SPDX-License-Identifier: BSD-2-Clause */
/* Model problems on a box of points. Values depend only on the indices of points, so that the
 * matrix does not depend on the number of ranks. */
#include "box.h"
#include "hash.h"
#include "shuffle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The fraction of the edges that irregular27 omits. */
static const double DROPPED = 0.3;

static double weigh_equally(uint64_t p, uint64_t q)
{
  (void)p;
  (void)q;
  return 1;
}

static uint64_t hash_edge(uint64_t p, uint64_t q)
{
  return p < q ? hash_pair(p, q) : hash_pair(q, p);
}

static double weigh_edge(uint64_t p, uint64_t q)
{
  return 0.5 + hash_unit(hash_edge(p, q));
}

static double weigh_or_drop(uint64_t p, uint64_t q)
{
  const uint64_t hash = hash_edge(p, q);
  return hash_unit(hash) < DROPPED ? 0 : 0.5 + hash_unit(hash_index(hash));
}

/* In x, the direction in which indices of neighbours differ by 1, a hundred times as strong. */
static double weigh_direction(uint64_t p, uint64_t q)
{
  return p + 1 == q || q + 1 == p ? 100 : 1;
}

/* Of a point: half of them are 1e6. */
static double coefficient(uint64_t p)
{
  return hash_unit(hash_index(p)) < 0.5 ? 1 : 1e6;
}

/* The harmonic mean of the coefficients of both points. */
static double weigh_jumps(uint64_t p, uint64_t q)
{
  const double a = coefficient(p), b = coefficient(q);
  return 2 * a * b / (a + b);
}

/* Diffusion with upwind convection; the velocity on an edge is a hash value. */
static double weigh_upwind(uint64_t p, uint64_t q)
{
  const double velocity = 2 * hash_unit(hash_edge(p, q)) - 1; /* from the smaller index */
  return 1 + fmax(0, p < q ? -velocity : velocity);
}

static const box_kind kinds[] = {
    {"laplace27", weigh_equally, .corners = true, .symmetric = true},
    {"laplace7", weigh_equally, .corners = false, .symmetric = true},
    {"varsym27", weigh_edge, .corners = true, .symmetric = true},
    {"irregular27", weigh_or_drop, .corners = true, .shuffled = true, .symmetric = true},
    {"aniso7", weigh_direction, .corners = false, .symmetric = true},
    {"jumps7", weigh_jumps, .corners = false, .symmetric = true},
    {"convdiff7", weigh_upwind, .corners = false, .symmetric = false},
};

const box_kind *box_find(const char *name)
{
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    if (strcmp(kinds[k].name, name) == 0) return &kinds[k];
  }
  return NULL;
}

typedef struct box {
  const box_kind *kind;
  ovk_gidx n[3], points; /* of all ranks */
} box;

/* Hashes use the index in a box with one more layer of points all around. */
static uint64_t padded_index(const box *b, const ovk_gidx at[3])
{
  return (uint64_t)(at[0] + 1 + (b->n[0] + 2) * (at[1] + 1 + (b->n[1] + 2) * (at[2] + 1)));
}

static bool is_inside(const box *b, const ovk_gidx at[3])
{
  for (int d = 0; d < 3; d++) {
    if (at[d] < 0 || at[d] >= b->n[d]) return false;
  }
  return true;
}

static ovk_gidx row_of(const box *b, const ovk_gidx at[3])
{
  const ovk_gidx point = at[0] + b->n[0] * (at[1] + b->n[1] * at[2]);
  return b->kind->shuffled ? shuffle_row(point, b->points) : point;
}

static void add_row(const box *b, block *out, ovk_lidx i)
{
  const ovk_gidx row = out->first + i;
  const ovk_gidx point = b->kind->shuffled ? shuffle_point(row, b->points) : row;
  const ovk_gidx at[3] = {point % b->n[0], point / b->n[0] % b->n[1], point / b->n[0] / b->n[1]};
  const uint64_t p = padded_index(b, at);
  double diagonal = 0;
  block_begin_rows(out, i + 1);
  for (int k = 0; k < 27; k++) {
    const int step[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
    const int distance = abs(step[0]) + abs(step[1]) + abs(step[2]);
    if (distance == 0 || (distance > 1 && !b->kind->corners)) continue;
    const ovk_gidx to[3] = {at[0] + step[0], at[1] + step[1], at[2] + step[2]};
    const double w = b->kind->weight(p, padded_index(b, to));
    diagonal += w;
    if (w > 0 && is_inside(b, to)) block_add(out, row_of(b, to), -w);
  }
  block_add(out, row, diagonal);
}

ovk_err box_rows(ovk_ctx *ctx, const box_kind *kind, const int n[3], block *out)
{
  const int ranks = ovk_ctx_size(ctx);
  const double most = 0x1p31 / 27; /* others count a rank's entries in 32 bits */
  if ((double)n[0] * n[1] * n[2] >= most) {
    return ovk_ctx_fail(ctx, OVK_ERR_RANGE, "%d x %d x %d points on a rank are too many", n[0],
                        n[1], n[2]);
  }
  const ovk_lidx rows = n[0] * n[1] * n[2];
  box b = {.kind = kind, .n = {n[0], n[1], (ovk_gidx)n[2] * ranks}};
  b.points = (ovk_gidx)rows * ranks;
  const ovk_err err = block_create(ctx, (ovk_gidx)rows * ovk_ctx_rank(ctx), b.points, rows,
                                   kind->corners ? 27 : 7, out);
  for (ovk_lidx i = 0; i < rows && !err; i++) add_row(&b, out, i);
  return err;
}
