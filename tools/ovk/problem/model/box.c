/* SPDX-License-Identifier: BSD-2-Clause */
/* Model problems on a box of points. Values depend only on the indices of points, so that the
 * matrix does not depend on the number of ranks. */
#include "box.h"
#include "elasticity.h"
#include "splitmix64.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The fraction of the edges that irregular27 omits. */
static const double DROPPED = 0.3;

/* graph27 keeps an edge with the product of two such numbers of its points as the probability. */
static double density(const box_point *p)
{
  return 0.1 + 0.9 * hash_unit(splitmix64(p->index));
}

static double weigh_equally(const box_point *p, const box_point *q)
{
  (void)p;
  (void)q;
  return 1;
}

static uint64_t hash_edge(const box_point *p, const box_point *q)
{
  return p->index < q->index ? hash_pair(p->index, q->index) : hash_pair(q->index, p->index);
}

static double weigh_edge(const box_point *p, const box_point *q)
{
  return 0.5 + hash_unit(hash_edge(p, q));
}

static double weigh_or_drop(const box_point *p, const box_point *q)
{
  const uint64_t hash = hash_edge(p, q);
  return hash_unit(hash) < DROPPED ? 0 : 0.5 + hash_unit(splitmix64(hash));
}

static double weigh_or_drop_most(const box_point *p, const box_point *q)
{
  const uint64_t hash = hash_edge(p, q);
  return hash_unit(hash) < density(p) * density(q) ? 0.5 + hash_unit(splitmix64(hash)) : 0;
}

/* In x a hundred times as strong. */
static double weigh_direction(const box_point *p, const box_point *q)
{
  return p->at[0] != q->at[0] ? 100 : 1;
}

/* 1, or for half of all points or cubes 1e6. */
static double coefficient(uint64_t hash)
{
  return hash_unit(hash) < 0.5 ? 1 : 1e6;
}

static double harmonic_mean(double a, double b)
{
  return 2 * a * b / (a + b);
}

static double weigh_jumps(const box_point *p, const box_point *q)
{
  return harmonic_mean(coefficient(splitmix64(p->index)), coefficient(splitmix64(q->index)));
}

/* Of the cube that a point is in. */
static double cube_coefficient(const box_point *p)
{
  enum { EDGE = 8 };
  uint64_t hash = 0;
  for (int d = 0; d < 3; d++) hash = hash_pair(hash, (uint64_t)(p->at[d] + EDGE) / EDGE);
  return coefficient(hash);
}

static double weigh_cubes(const box_point *p, const box_point *q)
{
  return harmonic_mean(cube_coefficient(p), cube_coefficient(q));
}

/* Diffusion with upwind convection; the velocity on an edge is a hash value. */
static double weigh_upwind(const box_point *p, const box_point *q)
{
  const double velocity = 2 * hash_unit(hash_edge(p, q)) - 1; /* from the smaller index */
  return 1 + fmax(0, p->index < q->index ? -velocity : velocity);
}

/* A fixed reordering of 0 to size - 1 that moves numbers only within windows of 4096, by a formula
 * rather than a table: a Feistel network permutes the 12 bits of the position in a window, and is
 * applied again where the result lies beyond the end of the last window. */
enum { HALF_BITS = 6, HALF = 1 << HALF_BITS, WINDOW = HALF * HALF, ROUNDS = 4 };

static unsigned round_key(uint64_t window, int round, unsigned half)
{
  return (unsigned)(hash_pair(window * ROUNDS + (unsigned)round, half) % HALF);
}

static unsigned permute(uint64_t window, unsigned place)
{
  unsigned left = place / HALF, right = place % HALF;
  for (int round = 0; round < ROUNDS; round++) {
    const unsigned next = left ^ round_key(window, round, right);
    left = right;
    right = next;
  }
  return left * HALF + right;
}

static unsigned permute_back(uint64_t window, unsigned place)
{
  unsigned left = place / HALF, right = place % HALF;
  for (int round = ROUNDS - 1; round >= 0; round--) {
    const unsigned before = right ^ round_key(window, round, left);
    right = left;
    left = before;
  }
  return left * HALF + right;
}

static ovk_gidx move(ovk_gidx i, ovk_gidx size, unsigned (*step)(uint64_t, unsigned))
{
  const ovk_gidx window = i / WINDOW, start = window * WINDOW;
  unsigned place = (unsigned)(i - start);
  do {
    place = step((uint64_t)window, place);
  } while (start + place >= size);
  return start + place;
}

/* The row that point i of `size` is moved to. */
static ovk_gidx shuffle_row(ovk_gidx i, ovk_gidx size)
{
  return move(i, size, permute);
}

/* The point that is in a row: the inverse. */
static ovk_gidx shuffle_point(ovk_gidx row, ovk_gidx size)
{
  return move(row, size, permute_back);
}

static const box_kind kinds[] = {
    {"laplace27", 1, weigh_equally, .corners = true, .symmetric = true},
    {"laplace7", 1, weigh_equally, .corners = false, .symmetric = true},
    {"varsym27", 1, weigh_edge, .corners = true, .symmetric = true},
    {"irregular27", 1, weigh_or_drop, .corners = true, .shuffled = true, .symmetric = true},
    {"aniso7", 1, weigh_direction, .corners = false, .symmetric = true},
    {"jumps7", 1, weigh_jumps, .corners = false, .symmetric = true},
    {"cubes7", 1, weigh_cubes, .corners = false, .symmetric = true},
    {"graph27", 1, weigh_or_drop_most, .shift = 1e-3, .corners = true, .shuffled = true,
     .symmetric = true},
    {"elasticity", ELASTICITY_UNKNOWNS, .symmetric = true},
    {"convdiff7", 1, weigh_upwind, .corners = false, .symmetric = false},
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

static box_point point_at(const box *b, ovk_gidx x, ovk_gidx y, ovk_gidx z)
{
  const ovk_gidx index = x + 1 + (b->n[0] + 2) * (y + 1 + (b->n[1] + 2) * (z + 1));
  return (box_point){.at = {x, y, z}, .index = (uint64_t)index};
}

static bool is_inside(const box *b, const box_point *p)
{
  for (int d = 0; d < 3; d++) {
    if (p->at[d] < 0 || p->at[d] >= b->n[d]) return false;
  }
  return true;
}

static ovk_gidx row_of(const box *b, const box_point *p)
{
  const ovk_gidx point = p->at[0] + b->n[0] * (p->at[1] + b->n[1] * p->at[2]);
  return b->kind->shuffled ? shuffle_row(point, b->points) : point;
}

static void add_row(const box *b, block *out, ovk_lidx i)
{
  const ovk_gidx row = out->first + i;
  const ovk_gidx point = b->kind->shuffled ? shuffle_point(row, b->points) : row;
  const box_point p =
      point_at(b, point % b->n[0], point / b->n[0] % b->n[1], point / b->n[0] / b->n[1]);
  double diagonal = b->kind->shift;
  block_begin_rows(out, i + 1);
  for (int k = 0; k < 27; k++) {
    const int step[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
    const int distance = abs(step[0]) + abs(step[1]) + abs(step[2]);
    if (distance == 0 || (distance > 1 && !b->kind->corners)) continue;
    const box_point q = point_at(b, p.at[0] + step[0], p.at[1] + step[1], p.at[2] + step[2]);
    const bool inside = is_inside(b, &q);
    const double w = b->kind->weight(&p, &q);
    if (inside || b->kind->shift == 0) diagonal += w;
    if (w > 0 && inside) block_add(out, row_of(b, &q), -w);
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
