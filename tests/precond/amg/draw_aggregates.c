/* SPDX-License-Identifier: BSD-2-Clause */
/* Draws the aggregates of `amg` for a diffusion problem on a square mesh:
 * docs/figures/aggregates.svg. Not a test. A disk has a coefficient of 1000, and in the right third
 * couplings along x are 100 times those along y. Usage: draw_aggregates > FILE */
#include "precond/amg/aggregation/aggregates.h"

#include <math.h>
#include <mpi.h>
#include <ovkrylov/ovkrylov.h>
#include <stdio.h>

enum { N = 36, CELL = 14, COLORS = 5 };

static const double THETA = 0.35;

static void check(ovk_err err)
{
  if (!err) return;
  fprintf(stderr, "draw_aggregates: %s\n", ovk_err_text(err));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static double coefficient(int x, int y)
{
  const int dx = x - N / 3, dy = y - N / 2;
  return dx * dx + dy * dy < N * N / 25 ? 1000 : 1;
}

/* The coupling of a point and the next one, across or along the rows. */
static double coupling(int x, int y, int dx, int dy)
{
  const double harmonic = 2 / (1 / coefficient(x, y) + 1 / coefficient(x + dx, y + dy));
  return harmonic * (dx != 0 && x >= 2 * N / 3 ? 100 : 1);
}

/* Adds the coupling of two points, or of a point and the boundary. */
static void add_edge(ovk_mat *A, int x, int y, int dx, int dy)
{
  const ovk_gidx i = y * N + x, j = (ovk_gidx)(y + dy) * N + x + dx;
  const double a = coupling(x, y, dx, dy);
  check(ovk_mat_add(A, i, i, a));
  if (x + dx >= N || y + dy >= N) return;
  check(ovk_mat_add(A, j, j, a));
  check(ovk_mat_add(A, i, j, -a));
  check(ovk_mat_add(A, j, i, -a));
}

static ovk_mat *create_matrix(ovk_ctx *ctx)
{
  ovk_mat *A;
  check(ovk_mat_create(ctx, N * N, &A));
  for (int y = 0; y < N; y++) {
    for (int x = 0; x < N; x++) {
      add_edge(A, x, y, 1, 0);
      add_edge(A, x, y, 0, 1);
    }
  }
  check(ovk_mat_assemble(A));
  return A;
}

/* The cells of one color. */
static void draw_cells(const double *of, int color)
{
  static const char *const colors[] = {"#cfe3f3", "#fde2c4", "#d5ead0", "#ecd7ea", "#f6f0bf"};
  printf("<path fill='%s' d='", colors[color]);
  for (int i = 0; i < N * N; i++) {
    if (of[i] >= 0 && (int)of[i] % COLORS == color) printf("M%d %dh1v1h-1z", i % N, i / N);
  }
  printf("'/>\n");
}

/* The lines between cells with different values. */
static void draw_borders(const double *value, const char *style)
{
  printf("<path fill='none' %s d='", style);
  for (int i = 0; i < N * N; i++) {
    const int x = i % N, y = i / N;
    if (x + 1 < N && value[i] != value[i + 1]) printf("M%d %dv1", x + 1, y);
    if (y + 1 < N && value[i] != value[i + N]) printf("M%d %dh1", x, y + 1);
  }
  printf("'/>\n");
}

static void draw(const double *of)
{
  static double soft[N * N];
  const int side = N * CELL;
  for (int i = 0; i < N * N; i++) soft[i] = coefficient(i % N, i / N);
  printf("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d'>\n", N,
         N, side, side);
  printf("<title>Aggregates of a square mesh</title>\n<rect width='%d' height='%d' fill='#fff'/>\n",
         N, N);
  for (int color = 0; color < COLORS; color++) draw_cells(of, color);
  draw_borders(of, "stroke='#444' stroke-width='.08'");
  draw_borders(soft, "stroke='#a50f15' stroke-width='.2'");
  printf("</svg>\n");
}

int main(int argc, char **argv)
{
  ovk_ctx *ctx;
  ovk__amg_rows rows;
  ovk__amg_strength strength;
  ovk__amg_aggregates aggregates;
  MPI_Init(&argc, &argv);
  check(ovk_ctx_create(MPI_COMM_SELF, &ctx));
  ovk_mat *A = create_matrix(ctx);
  check(ovk__amg_rows_create(A, &rows));
  check(ovk__amg_strength_create(&rows, THETA, &strength));
  check(ovk__amg_strength_omit(&rows, &strength));
  check(ovk__amg_aggregates_create(&rows, &strength, &aggregates));
  draw(aggregates.of);
  ovk__amg_aggregates_free(&aggregates);
  ovk__amg_strength_free(&strength);
  ovk__amg_rows_free(&rows);
  ovk_mat_destroy(&A);
  ovk_ctx_destroy(&ctx);
  MPI_Finalize();
  return 0;
}
