/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of grids, of bands, and with patterns that repeat. */
#include "format_rows.h"

/* The entry between two points of the grid. */
typedef double (*coupling)(const row *r, ovk_gidx j);

static void grid(row *r, int farthest, coupling value)
{
  const int x = (int)(r->i % GRID_X), y = (int)(r->i / GRID_X % GRID_Y),
            z = (int)(r->i / GRID_X / GRID_Y);
  for (int k = 0; k < 27; k++) {
    const int dx = k % 3 - 1, dy = k / 3 % 3 - 1, dz = k / 9 - 1;
    if (abs(dx) + abs(dy) + abs(dz) > farthest) continue;
    if (x + dx < 0 || x + dx >= GRID_X || y + dy < 0 || y + dy >= GRID_Y || z + dz < 0 ||
        z + dz >= GRID_Z)
      continue;
    const ovk_gidx j = r->i + dx + GRID_X * (dy + (ovk_gidx)GRID_Y * dz);
    put(r, j, value(r, j));
  }
}

static double laplace(const row *r, ovk_gidx j)
{
  return r->i == j ? 26 : -1;
}

static double variable(const row *r, ovk_gidx j)
{
  return r->i == j ? 3 : -at_both(r, 1, r->i, j);
}

/* Coefficients that are all the same, but that one in 20 is larger in its last bit. */
static double nearly_laplace(const row *r, ovk_gidx j)
{
  const double value = laplace(r, j);
  return at_both(r, 1, r->i, j) < 0.05 ? nextafter(value, 100) : value;
}

void row_grid27(row *r)
{
  grid(r, 3, laplace);
}

void row_grid7(row *r)
{
  grid(r, 1, laplace);
}

void row_variable_grid27(row *r)
{
  grid(r, 3, variable);
}

void row_nearly_equal_rows(row *r)
{
  grid(r, 3, nearly_laplace);
}

/* Two and three unknowns a point, each with different rows. */
void row_interleaved2(row *r)
{
  const ovk_gidx first = (r->i / 2 - 1) * 2;
  for (ovk_gidx k = 0; k < 6; k++) put(r, first + k, (double)(k - r->i % 2));
}

void row_interleaved3(row *r)
{
  const ovk_gidx first = (r->i / 3 - 1) * 3;
  for (ovk_gidx k = 0; k < 9; k++) put(r, first + k, (double)(2 + k * (r->i % 3)));
}

/* A small block for each pair of points that are coupled. */
void row_symmetric_threes(row *r)
{
  const ovk_gidx p = r->i / 3;
  for (ovk_gidx q = 0; q < r->n / 3; q++) {
    if (p != q && at_both(r, 2, p, q) > 0.03) continue;
    for (ovk_gidx j = 3 * q; j < 3 * q + 3; j++) put(r, j, at_both(r, 1, r->i, j) - 0.5);
  }
}

/* A row whose offsets and values depend on `pattern` alone. */
static void put_pattern(row *r, uint64_t pattern)
{
  for (ovk_gidx d = -20; d <= 20; d++) {
    const uint64_t place = pattern * 64 + (uint64_t)(d + 32);
    if (random_number(r->seed, place) < 0.2) {
      put(r, r->i + d, random_number(r->seed + 1, place) - 0.5);
    }
  }
}

void row_duplicated_rows(row *r)
{
  put_pattern(r, (uint64_t)(5 * random_number(r->seed + 2, (uint64_t)r->i)));
}

/* Runs of equal rows of all lengths from 1 to 41. */
void row_runs_of_rows(row *r)
{
  const ovk_gidx section = r->i / 97, within = r->i % 97, length = 1 + section % 41;
  put_pattern(r, (uint64_t)((section + within / length) % 7));
}

void row_long_run(row *r)
{
  for (ovk_gidx d = -2; d <= 2; d++) put(r, r->i + d, (double)d + 0.1);
}

void row_band(row *r)
{
  for (ovk_gidx j = r->i - 9; j <= r->i + 4; j++) put(r, j, at(r, 1, r->i, j) - 0.5);
}

void row_band_with_holes(row *r)
{
  for (ovk_gidx j = r->i - 5; j <= r->i + 5; j++) {
    if (at(r, 1, r->i, j) < 0.7) put(r, j, at(r, 2, r->i, j) - 0.5);
  }
}

void row_symmetric_band(row *r)
{
  for (ovk_gidx j = r->i - 6; j <= r->i + 6; j++) put(r, j, at_both(r, 1, r->i, j) - 0.5);
}
