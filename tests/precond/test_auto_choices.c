/* SPDX-License-Identifier: BSD-2-Clause */
/* Choices of "auto" that a change of its model should not lose. They depend on no time. */
#include "diffusion.h"
#include "precond/auto/cost.h"
#include "support/problem.h"

#include <mpi.h>

/* A lattice of WIDTH x HEIGHT points, each with six neighbors, in blocks of rows. */
enum { WIDTH = 100, HEIGHT = 60, BLOCKS = 12, BLOCK = WIDTH * HEIGHT / BLOCKS };

/* The row of a point: blocks keep their places, and points of a block are shuffled. */
static ovk_gidx row_of(int x, int y)
{
  enum { STEP = 187, START = 41 };
  const int point = x + WIDTH * y, k = point % BLOCK;
  return point - k + (k * STEP + START) % BLOCK;
}

/* 1 or 1e4, at random. */
static double conductivity(int x, int y)
{
  return random_number(11, (uint64_t)(x + WIDTH * y)) < 0.5 ? 1 : 1e4;
}

/* Adds the coupling of two points to the row of the first one; zeros surround the lattice. */
static void add_coupling(ovk_mat *A, int x, int y, int to_x, int to_y)
{
  const bool inside = to_x >= 0 && to_x < WIDTH && to_y >= 0 && to_y < HEIGHT;
  const double a = conductivity(x, y), b = inside ? conductivity(to_x, to_y) : a;
  const double harmonic = 2 * a * b / (a + b);
  assert_ok(ovk_mat_add(A, row_of(x, y), row_of(x, y), harmonic));
  if (inside) assert_ok(ovk_mat_add(A, row_of(x, y), row_of(to_x, to_y), -harmonic));
}

static ovk_mat *new_lattice(void)
{
  static const int step[6][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}};
  ovk_mat *A = new_mat(BLOCK * even_share(BLOCKS, test_rank, test_size));
  const ovk_gidx end = ovk_mat_row_end(A);
  for (ovk_gidx point = ovk_mat_row_begin(A); point < end; point++) {
    const int x = (int)(point % WIDTH), y = (int)(point / WIDTH);
    for (int k = 0; k < 6; k++) add_coupling(A, x, y, x + step[k][0], y + step[k][1]);
  }
  return assembled(A);
}

/* Fails unless all ranks have the same text. */
static void assert_same_text(const char *text)
{
  char first[300];
  snprintf(first, sizeof first, "%s", text);
  MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
  assert_string_equal(text, first);
}

TEST(shuffled_networks_with_jumps_do_not_get_jacobi)
{
  scoped_mat *A = new_lattice();
  for (int k = 0; k < 2; k++) {
    scoped_precond *M = new_precond(A, k ? "auto:solves=20" : "auto");
    const char *info = ovk_precond_info(M);
    if (strncmp(info, "ic,", 3) != 0 && strncmp(info, "amg,", 4) != 0) fail_msg("%s", info);
    assert_same_text(info);
  }
}

/* The 5-point diffusion on SIDE x SIDE points whose coefficients jump by 1e6, rows in order. */
enum { SIDE = 130 };

static ovk_mat *new_plane(void)
{
  static const int step[4][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  ovk_mat *A = new_mat(even_share(SIDE * SIDE, test_rank, test_size));
  for (ovk_gidx i = ovk_mat_row_begin(A), end = ovk_mat_row_end(A); i < end; i++) {
    const int at[3] = {(int)(i % SIDE), (int)(i / SIDE), 0};
    for (int k = 0; k < 4; k++) {
      const int to[3] = {at[0] + step[k][0], at[1] + step[k][1], 0};
      const int direction = k / 2;
      const double a = jumping(direction, k % 2 ? to : at);
      const bool inside = to[0] >= 0 && to[0] < SIDE && to[1] >= 0 && to[1] < SIDE;
      assert_ok(ovk_mat_add(A, i, i, a));
      if (inside) assert_ok(ovk_mat_add(A, i, to[0] + (ovk_gidx)SIDE * to[1], -a));
    }
  }
  return assembled(A);
}

/* With ic it has thousands of iterations. */
TEST(planes_with_jumps_get_amg)
{
  scoped_mat *A = new_plane();
  scoped_precond *M = new_precond(A, "auto");
  if (strncmp(ovk_precond_info(M), "amg,", 4) != 0) fail_msg("%s", ovk_precond_info(M));
  assert_same_text(ovk_precond_info(M));
}

/* The 7-point Laplacian of a grid. This rank has `mine` of its rows. */
static ovk_mat *new_grid(const int n[3], int mine)
{
  const int stride[3] = {1, n[0], n[0] * n[1]};
  ovk_mat *A = new_mat(mine);
  for (ovk_gidx i = ovk_mat_row_begin(A), end = ovk_mat_row_end(A); i < end; i++) {
    assert_ok(ovk_mat_add(A, i, i, 6));
    for (int d = 0; d < 3; d++) {
      const int at = (int)(i / stride[d] % n[d]);
      if (at > 0) assert_ok(ovk_mat_add(A, i, i - stride[d], -1));
      if (at + 1 < n[d]) assert_ok(ovk_mat_add(A, i, i + stride[d], -1));
    }
  }
  return assembled(A);
}

static bool is_planar(const int n[3], int mine)
{
  scoped_mat *A = new_grid(n, mine);
  ovk__auto_features features;
  assert_ok(ovk__auto_features_read(A, &features));
  return features.planar;
}

/* Also where a rank has one plane or line, whose neighbors are all of other ranks. */
TEST(the_partition_does_not_decide_whether_a_grid_is_planar)
{
  const int thin = 12 * 12 * (is_last() ? 1 : 2), all = is_last() ? test_size : 0;
  assert_int_equal(is_planar((int[]){12, 12, test_size}, 12 * 12), test_size == 1);
  assert_int_equal(is_planar((int[]){12, 12, test_size}, 12 * 12 * all), test_size == 1);
  if (test_size > 1) assert_false(is_planar((int[]){12, 12, 2 * test_size - 1}, thin));
  assert_int_equal(is_planar((int[]){50, test_size, 1}, 50), test_size > 1);
  if (test_size > 2) assert_true(is_planar((int[]){50, test_size, 1}, 50 * all));
  assert_true(is_planar((int[]){50, 3 * test_size, 1}, 50 * 3));
}

/* Each rank has a full block, with more diagonals than are noted. */
TEST(full_blocks_are_not_planar)
{
  enum { ROWS = 100 };
  scoped_mat *A = new_mat(ROWS);
  const ovk_gidx first = ovk_mat_row_begin(A);
  for (ovk_gidx i = first; i < first + ROWS; i++) {
    for (ovk_gidx j = first; j < first + ROWS; j++)
      assert_ok(ovk_mat_add(A, i, j, i == j ? ROWS : -1));
  }
  ovk__auto_features features;
  assert_ok(ovk__auto_features_read(assembled(A), &features));
  assert_false(features.diagonals || features.planar);
}

/* Plates of PLATE x PLATE bilinear elements in plane stress, held on the left: two unknowns a
 * point, in rows of points. */
enum { PLATE = 150, POINTS = PLATE * (PLATE + 1) };

/* The entries of the matrix of an element, Poisson's ratio 0.3; `which` has their places. */
static void fill_element(double block[64])
{
  static const double nu = 0.3;
  static const int which[8][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 7, 6, 5, 4, 3, 2},
                                  {2, 7, 0, 5, 6, 3, 4, 1}, {3, 6, 5, 0, 7, 2, 1, 4},
                                  {4, 5, 6, 7, 0, 1, 2, 3}, {5, 4, 3, 2, 1, 0, 7, 6},
                                  {6, 3, 4, 1, 2, 7, 0, 5}, {7, 2, 1, 4, 3, 6, 5, 0}};
  const double entries[8] = {1. / 2 - nu / 6,
                             1. / 8 + nu / 8,
                             -1. / 4 - nu / 12,
                             -1. / 8 + 3 * nu / 8,
                             -1. / 4 + nu / 12,
                             -1. / 8 - nu / 8,
                             nu / 6,
                             1. / 8 - 3 * nu / 8};
  for (int k = 0; k < 64; k++) block[k] = entries[which[k / 8][k % 8]];
}

/* Adds the part of an element that its free points have. */
static void add_element(ovk_mat *A, int x, int y, const double block[64])
{
  static const int corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  ovk_gidx rows[8];
  double part[64];
  int free[8], n = 0;
  for (int k = 0; k < 8; k++) {
    const int at = x + corner[k / 2][0] - 1; /* -1: on the left */
    if (at < 0) continue;
    free[n] = k;
    rows[n++] = 2 * (at + (ovk_gidx)PLATE * (y + corner[k / 2][1])) + k % 2;
  }
  for (int k = 0; k < n * n; k++) part[k] = block[8 * free[k / n] + free[k % n]];
  assert_ok(ovk_mat_add_block(A, n, rows, n, rows, part));
}

/* Few layers at the boundary do not show how far away the other end is. */
TEST(plates_that_are_held_on_one_side_get_amg)
{
  double block[64];
  const int first = PLATE * test_rank / test_size, end = PLATE * (test_rank + 1) / test_size;
  scoped_mat *A = new_mat(2 * even_share(POINTS, test_rank, test_size));
  fill_element(block);
  for (int k = first * PLATE; k < end * PLATE; k++) add_element(A, k % PLATE, k / PLATE, block);
  assert_ok(ovk_mat_assemble(A));
  assert_ok(ovk_mat_set_block_size(A, 2));
  scoped_precond *M = new_precond(A, test_size == 1 ? "auto" : "auto:solves=2");
  const char *info = ovk_precond_info(M);
  if (strncmp(info, "amg,", 4) != 0) fail_msg("%s", info);
  assert_same_text(info);
}

/* Measured: 15 times as long with 700^2 rows in random order, and the same with 100^2. */
TEST(scattered_columns_cost_more_once_vectors_leave_the_caches)
{
  for (int k = 0; k < 2; k++) {
    const double rows = k ? 490000 : 10000;
    ovk__auto_features A = {.rows = rows,
                            .global = rows,
                            .entries = 5,
                            .bytes = 33,
                            .indexed = true,
                            .symmetric = true};
    const double in_order = ovk__auto_cost_of(&A, OVK__AUTO_JACOBI).iteration;
    A.scattered = true;
    const double scattered = ovk__auto_cost_of(&A, OVK__AUTO_JACOBI).iteration;
    if (k) assert_true(scattered > 4 * in_order);
    if (!k) assert_true(scattered < 1.2 * in_order);
  }
}

/* A step of the heat equation, M + dt K with linear triangles on STEPS_SIDE x STEPS_SIDE points and
 * natural boundaries, so that the constant vector is nearly an eigenvector. */
enum { STEPS_SIDE = 100 };

/* Adds the triangle of these points, whose right angle is at the second. */
static void add_triangle(ovk_mat *A, const ovk_gidx points[3], double dt)
{
  static const double K[9] = {0.5, -0.5, 0, -0.5, 1, -0.5, 0, -0.5, 0.5};
  const double h = 1.0 / (STEPS_SIDE - 1);
  double values[9];
  for (int k = 0; k < 9; k++) values[k] = dt * K[k] + h * h / 24 * (k % 4 == 0 ? 2 : 1);
  assert_ok(ovk_mat_add_block(A, 3, points, 3, points, values));
}

static ovk_mat *new_time_step(double dt)
{
  ovk_mat *A = new_mat(even_share(STEPS_SIDE * STEPS_SIDE, test_rank, test_size));
  for (int square = test_rank; square < (STEPS_SIDE - 1) * (STEPS_SIDE - 1); square += test_size) {
    const ovk_gidx a =
        square % (STEPS_SIDE - 1) + (ovk_gidx)STEPS_SIDE * (square / (STEPS_SIDE - 1));
    const ovk_gidx b = a + 1, c = a + STEPS_SIDE, d = c + 1;
    add_triangle(A, (ovk_gidx[]){a, b, d}, dt);
    add_triangle(A, (ovk_gidx[]){a, c, d}, dt);
  }
  return assembled(A);
}

/* The first rates of ic are too good to be true; it takes twice as long as amg. */
TEST(long_time_steps_that_are_many_get_amg)
{
  scoped_mat *A = new_time_step(0.1);
  scoped_precond *M = new_precond(A, "auto:solves=8");
  if (strncmp(ovk_precond_info(M), "amg,", 4) != 0) fail_msg("%s", ovk_precond_info(M));
  assert_same_text(ovk_precond_info(M));
}

/* The mass dominates. */
TEST(short_time_steps_get_jacobi)
{
  scoped_mat *A = new_time_step(1e-5);
  scoped_precond *M = new_precond(A, "auto");
  if (strncmp(ovk_precond_info(M), "jacobi,", 7) != 0) fail_msg("%s", ovk_precond_info(M));
}

/* The diagonal dominates: few iterations whatever the order of the rows. */
TEST(few_well_conditioned_rows_get_jacobi)
{
  scoped_mat *A = new_tridiagonal(even_share(200, test_rank, test_size), 5);
  scoped_precond *M = new_precond(A, "auto");
  if (strncmp(ovk_precond_info(M), "jacobi,", 7) != 0) fail_msg("%s", ovk_precond_info(M));
  assert_same_text(ovk_precond_info(M));
}

/* A times a power of 2, whose squares overflow or underflow. */
static double scale;

static double scaled(int direction, const int at[3])
{
  return scale * constant(direction, at);
}

TEST(a_choice_does_not_depend_on_the_scale_of_the_matrix)
{
  static const double scales[] = {0x1p-700, 0x1p-540, 0x1p540, 0x1p700};
  scoped_mat *A = new_diffusion(test_ctx(), 12, constant);
  scoped_precond *M = new_precond(A, "auto");
  for (int k = 0; k < 4; k++) {
    scale = scales[k];
    scoped_mat *B = new_diffusion(test_ctx(), 12, scaled);
    scoped_precond *N = new_precond(B, "auto");
    assert_string_equal(ovk_precond_info(N), ovk_precond_info(M));
  }
}

static void solve_random(ovk_solver *S, ovk_mat *A, uint64_t seed)
{
  scoped_vec *b = new_vec(A), *x = new_vec(A);
  ovk_result result = OVK_RESULT;
  fill_random(b, seed);
  assert_ok(ovk_solver_solve(S, b, x, &result));
  assert_int_equal(result.reason, OVK_REASON_CONVERGED_RTOL);
}

static void give_values(ovk_solver *S, ovk_mat *A, coefficient_fn *values)
{
  assert_ok(ovk_mat_reset_values(A));
  fill_diffusion(A, 12, values);
  assert_ok(ovk_solver_update(S));
}

/* New values keep jacobi, which "auto" has chosen for others: that is a notice once they are slow,
 * but not if they hardly change the iterations, as in time steps. */
TEST(a_choice_that_has_become_slow_is_a_notice)
{
  char notice[NOTICE] = "";
  scoped_ctx *ctx = new_ctx();
  ovk_ctx_on_notice(ctx, keep_notice, notice);
  scoped_mat *A = new_diffusion(ctx, 12, constant);
  scoped_precond *M = new_precond(A, "auto");
  const ovk_solver_opts opts = with_method("cg");
  scoped_solver *S = new_solver(A, M, &opts);
  assert_memory_equal(ovk_precond_info(M), "jacobi,", 7);
  for (int step = 0; step < 3; step++) {
    solve_random(S, A, (uint64_t)step);
    scale = 1 + step;
    give_values(S, A, scaled);
  }
  solve_random(S, A, 3);
  assert_string_equal(notice, "");
  give_values(S, A, jumping);
  solve_random(S, A, 4);
  if (test_rank == 0) assert_non_null(strstr(notice, "create 'auto' again"));
}
