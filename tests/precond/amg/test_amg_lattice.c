/* SPDX-License-Identifier: BSD-2-Clause */
/* Lattices of "amg": which matrices have one, and the levels that it gives. */
#include "precond/amg/aggregation/aggregates.h"
#include "precond/amg/aggregation/lattice.h"
#include "support/problem.h"

typedef struct box {
  int n[3];     /* points */
  bool corners; /* coupled to all neighbors, not only to those along the axes */
} box;

static bool box_has(const box *b, const int at[3])
{
  for (int d = 0; d < 3; d++) {
    if (at[d] < 0 || at[d] >= b->n[d]) return false;
  }
  return true;
}

static void add_point(ovk_mat *A, const box *b, const int at[3])
{
  const int row = at[0] + b->n[0] * (at[1] + b->n[1] * at[2]);
  for (int k = 0; k < 27; k++) {
    const int step[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
    const int other[3] = {at[0] + step[0], at[1] + step[1], at[2] + step[2]};
    const int axes = abs(step[0]) + abs(step[1]) + abs(step[2]);
    if (!box_has(b, other) || (axes > 1 && !b->corners)) continue;
    assert_ok(
        ovk_mat_add(A, row, other[0] + b->n[0] * (other[1] + b->n[1] * other[2]), axes ? -1 : 27));
  }
}

/* An open matrix with the entries of the box. Rank 1 of more than two has no rows; those of the
 * others end in the middle of a line. */
static ovk_mat *open_box(const box *b)
{
  const int rows = b->n[0] * b->n[1] * b->n[2];
  const bool gap = test_size > 2;
  const int rank = test_rank - (gap && test_rank > 1), size = test_size - gap;
  ovk_mat *A;
  assert_ok(
      ovk_mat_create(test_ctx(), gap && test_rank == 1 ? 0 : even_share(rows, rank, size), &A));
  for (int i = 0; i < rows && test_rank == 0; i++) {
    add_point(A, b, (int[3]){i % b->n[0], i / b->n[0] % b->n[1], i / b->n[0] / b->n[1]});
  }
  return A;
}

static ovk_mat *new_box(const box *b)
{
  ovk_mat *A = open_box(b);
  return assembled(A);
}

static ovk__amg_lattice lattice_of(const ovk_mat *A)
{
  SCOPED(ovk__amg_rows_free) ovk__amg_rows rows;
  ovk__amg_distances distances = {0};
  ovk__amg_lattice lattice;
  ovk__amg_rows_begin(A, &rows);
  assert_ok(ovk__amg_rows_read(&rows, 0, rows.n));
  ovk__amg_distances_add(&rows, &distances);
  assert_ok(ovk__amg_lattice_find(test_ctx(), rows.global, &distances, &lattice));
  return lattice;
}

TEST(boxes_are_lattices)
{
  (void)state;
  const box boxes[] = {
      {{7, 5, 6}, true}, {{7, 5, 6}, false}, {{4, 9, 3}, true}, {{8, 6, 4}, false}};
  for (size_t k = 0; k < sizeof boxes / sizeof *boxes; k++) {
    scoped_mat *A = new_box(&boxes[k]);
    const ovk__amg_lattice lattice = lattice_of(A);
    assert_int_equal(lattice.line, boxes[k].n[0]);
    assert_int_equal(lattice.plane, boxes[k].n[0] * boxes[k].n[1]);
  }
}

/* A plane has lines only. */
TEST(planes_are_lattices)
{
  (void)state;
  const box boxes[] = {{{7, 9, 1}, true}, {{7, 9, 1}, false}};
  for (size_t k = 0; k < sizeof boxes / sizeof *boxes; k++) {
    scoped_mat *A = new_box(&boxes[k]);
    const ovk__amg_lattice lattice = lattice_of(A);
    assert_int_equal(lattice.line, 7);
    assert_int_equal(lattice.plane, 7);
  }
}

TEST(a_box_with_one_more_coupling_is_no_lattice)
{
  (void)state;
  const box b = {{7, 5, 6}, true};
  scoped_mat *A = open_box(&b);
  if (test_rank == test_size - 1) {
    assert_ok(ovk_mat_add(A, 200, 204, -1));
    assert_ok(ovk_mat_add(A, 204, 200, -1));
  }
  assert_ok(ovk_mat_assemble(A));
  assert_int_equal(lattice_of(A).line, 0);
}

/* The number of the cube of coordinate x, of n: those at both ends are cut to two points if one
 * point would be left. */
static int cube_of(int x, int n)
{
  return (n % 3 == 1 ? x + 1 : x) / 3;
}

/* The roots of a box with all neighbors are the centers of its cubes, so no aggregate is longer
 * than three points and the next level is a box. */
static void check_cubes(const box *b)
{
  const int *n = b->n, cubes[3] = {(n[0] + 2) / 3, (n[1] + 2) / 3, (n[2] + 2) / 3};
  scoped_mat *A = new_box(b);
  SCOPED(ovk__amg_rows_free) ovk__amg_rows rows;
  SCOPED(ovk__amg_strength_free) ovk__amg_strength strength;
  SCOPED(ovk__amg_aggregates_free) ovk__amg_aggregates aggregates;
  assert_ok(ovk__amg_rows_create(A, &rows));
  assert_ok(ovk__amg_strength_create(&rows, 0.35, &strength));
  assert_ok(ovk__amg_aggregates_create(&rows, &strength, &aggregates));
  assert_int_equal(aggregates.coarse.global, cubes[0] * cubes[1] * cubes[2]);
  for (ovk_lidx k = 0; k < rows.n; k++) {
    const int i = (int)(A->layout.first + k);
    const int x = i % n[0], y = i / n[0] % n[1], z = i / n[0] / n[1];
    assert_int_equal((int)aggregates.of[k],
                     cube_of(x, n[0]) +
                         cubes[0] * (cube_of(y, n[1]) + cubes[1] * cube_of(z, n[2])));
  }
}

TEST(cubes_are_aggregates)
{
  (void)state;
  const box boxes[] = {{{9, 6, 12}, true}, {{10, 8, 9}, true}, {{9, 7, 4}, true}};
  for (size_t k = 0; k < sizeof boxes / sizeof *boxes; k++) check_cubes(&boxes[k]);
}
