/* SPDX-License-Identifier: BSD-2-Clause */
/* Block sizes, near-null spaces and coordinates: kept as given, rigid body modes, errors on all
 * ranks. */
#include "support/problem.h"

enum { POINTS = 5, MODES = 6 };

/* This rank's points: rank r has POINTS + r of them, of a curve in space, around `origin`. */
static int own_points(void)
{
  return POINTS + test_rank;
}

static int points_before(void)
{
  return test_rank * POINTS + test_rank * (test_rank - 1) / 2;
}

static double *new_curve(int dim, double origin)
{
  double *xyz = malloc((size_t)(own_points() * dim) * sizeof *xyz);
  assert_non_null(xyz);
  for (int p = 0; p < own_points(); p++) {
    for (int k = 0; k < dim; k++) xyz[dim * p + k] = origin + pow(points_before() + p, k + 1);
  }
  return xyz;
}

/* A matrix of a system with `block` unknowns a point. */
static ovk_mat *new_system_mat(int block)
{
  ovk_mat *A = new_mat(own_points() * block);
  assert_ok(ovk_mat_set_block_size(A, block));
  return A;
}

/* v(i) = (i mod period) + 1 */
static ovk_vec *new_periodic(const ovk_mat *A, int period)
{
  ovk_vec *v = new_vec(A);
  for (ovk_lidx i = 0; i < ovk_vec_local_size(v); i++) {
    ovk_vec_array(v)[i] = (double)((ovk_vec_first(v) + i) % period + 1);
  }
  return v;
}

TEST(a_matrix_has_blocks_of_one_row_and_no_vectors)
{
  int dim = -1;
  scoped_mat *A = new_mat(3);
  assert_int_equal(ovk_mat_block_size(A), 1);
  assert_int_equal(ovk_mat_near_nullspace_size(A), 0);
  assert_null(ovk_mat_near_nullspace_vec(A, 0));
  assert_null(ovk_mat_coordinates(A, &dim));
  assert_int_equal(dim, 0);
}

TEST(the_near_null_space_is_a_copy)
{
  scoped_mat *A = new_system_mat(3);
  ovk_vec *v[2] = {new_periodic(A, 3), new_periodic(A, 7)};
  assert_ok(ovk_mat_set_near_nullspace(A, 2, v));
  for (int k = 0; k < 2; k++) {
    assert_ok(ovk_vec_fill(v[k], NAN));
    ovk_vec_destroy(&v[k]);
  }
  assert_int_equal(ovk_mat_near_nullspace_size(A), 2);
  for (int k = 0; k < 2; k++) {
    scoped_vec *expected = new_periodic(A, k ? 7 : 3);
    assert_same_vec(ovk_mat_near_nullspace_vec(A, k), expected);
  }
  assert_null(ovk_mat_near_nullspace_vec(A, 2));
  assert_null(ovk_mat_near_nullspace_vec(A, -1));
  assert_ok(ovk_mat_set_near_nullspace(A, 0, NULL));
  assert_int_equal(ovk_mat_near_nullspace_size(A), 0);
}

TEST(scales_of_near_null_vectors_do_not_matter)
{
  scoped_mat *A = new_mat(4);
  scoped_vec *large = new_periodic(A, 2), *small = new_periodic(A, 3);
  assert_ok(ovk_vec_scale(1e300, large));
  assert_ok(ovk_vec_scale(1e-300, small));
  assert_ok(ovk_mat_set_near_nullspace(A, 2, (ovk_vec *[]){large, small}));
  assert_int_equal(ovk_mat_near_nullspace_size(A), 2);
}

/* Asserts that the displacements keep all distances between this rank's points to first order:
 * (x_p - x_q, u_p - u_q) = 0. */
static void assert_rigid(const ovk_vec *mode, int dim, const double *xyz)
{
  const double *u = ovk_vec_array_const(mode);
  for (int p = 0; p < own_points(); p++) {
    for (int q = 0; q < p; q++) {
      double sum = 0, size = 0;
      for (int k = 0; k < dim; k++) {
        const double part =
            (xyz[dim * p + k] - xyz[dim * q + k]) * (u[dim * p + k] - u[dim * q + k]);
        sum += part;
        size += fabs(part);
      }
      assert_true(fabs(sum) <= 1e-12 * size);
    }
  }
}

TEST(coordinates_of_displacements_give_rigid_body_modes)
{
  for (int dim = 2; dim <= 3; dim++) {
    scoped_mat *A = new_system_mat(dim);
    scoped_array double *xyz = new_curve(dim, 0);
    double largest = 0;
    int kept_dim;
    assert_ok(ovk_mat_set_coordinates(A, dim, xyz));
    assert_memory_equal(ovk_mat_coordinates(A, &kept_dim), xyz,
                        (size_t)(own_points() * dim) * sizeof *xyz);
    assert_int_equal(kept_dim, dim);
    assert_int_equal(ovk_mat_near_nullspace_size(A), dim == 2 ? 3 : 6);
    for (int m = 0; m < ovk_mat_near_nullspace_size(A); m++) {
      const ovk_vec *mode = ovk_mat_near_nullspace_vec(A, m);
      assert_rigid(mode, dim, xyz);
      for (ovk_lidx i = 0; i < ovk_vec_local_size(mode); i++) {
        const double u = ovk_vec_array_const(mode)[i];
        if (m < dim) assert_true(u == (i % dim == m));
        largest = fmax(largest, fabs(u));
      }
    }
    assert_true(largest <= 2);
  }
}

/* A hash of the modes' bits that does not depend on who has which rows. */
static double sum_of_modes(const ovk_mat *A)
{
  double sum = 0;
  for (int m = 0; m < ovk_mat_near_nullspace_size(A); m++) {
    const ovk_vec *mode = ovk_mat_near_nullspace_vec(A, m);
    for (ovk_lidx i = 0; i < ovk_vec_local_size(mode); i++) {
      sum += ovk_vec_array_const(mode)[i] * (double)(1 + (ovk_vec_first(mode) + i) % 5);
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

/* Points on a grid whose coordinates are small integers: all sums are exact. */
TEST(rigid_body_modes_do_not_depend_on_the_distribution)
{
  enum { ALL = 12 };
  double sums[2];
  for (int one = 0; one < 2; one++) {
    const int n = one ? (test_rank == 0 ? ALL : 0)
                      : (int)(ALL / test_size + (is_last() ? ALL % test_size : 0));
    scoped_mat *A = new_mat(3 * n);
    double xyz[3 * ALL];
    assert_ok(ovk_mat_set_block_size(A, 3));
    for (int p = 0; p < n; p++) {
      const int point = (int)ovk_mat_row_begin(A) / 3 + p;
      xyz[3 * p] = point % 3;
      xyz[3 * p + 1] = point / 3 % 2;
      xyz[3 * p + 2] = (double)(point / 6);
    }
    assert_ok(ovk_mat_set_coordinates(A, 3, n ? xyz : NULL));
    assert_int_equal(ovk_mat_near_nullspace_size(A), MODES);
    sums[one] = sum_of_modes(A);
  }
  assert_true(sums[0] == sums[1]);
}

TEST(points_far_from_the_origin_have_all_modes)
{
  scoped_mat *A = new_system_mat(3);
  scoped_array double *xyz = new_curve(3, 1e9);
  assert_ok(ovk_mat_set_coordinates(A, 3, xyz));
  assert_int_equal(ovk_mat_near_nullspace_size(A), MODES);
}

TEST(points_on_a_line_have_one_mode_less)
{
  scoped_mat *A = new_system_mat(3);
  scoped_array double *xyz = new_curve(3, 0);
  for (int p = 0; p < own_points(); p++) {
    xyz[3 * p + 1] = 2 * xyz[3 * p];
    xyz[3 * p + 2] = 1 - xyz[3 * p];
  }
  assert_ok(ovk_mat_set_coordinates(A, 3, xyz));
  assert_int_equal(ovk_mat_near_nullspace_size(A), MODES - 1);
  for (int p = 0; p < 3 * own_points(); p++) xyz[p] = 7;
  assert_ok(ovk_mat_set_coordinates(A, 3, xyz)); /* one place for all: no rotation */
  assert_int_equal(ovk_mat_near_nullspace_size(A), 3);
}

TEST(coordinates_of_other_unknowns_are_only_kept)
{
  for (int block = 1; block <= 2; block++) {
    scoped_mat *A = new_system_mat(block);
    scoped_array double *xyz = new_curve(3, 0);
    assert_ok(ovk_mat_set_coordinates(A, 3, xyz));
    assert_int_equal(ovk_mat_near_nullspace_size(A), 0);
    assert_non_null(ovk_mat_coordinates(A, NULL));
    assert_ok(ovk_mat_set_coordinates(A, 0, NULL));
    assert_null(ovk_mat_coordinates(A, NULL));
  }
}

TEST(vectors_of_the_user_come_before_rigid_body_modes)
{
  for (int vectors_first = 0; vectors_first < 2; vectors_first++) {
    scoped_mat *A = new_system_mat(2);
    scoped_vec *v = new_periodic(A, 2);
    scoped_array double *xy = new_curve(2, 0);
    if (vectors_first) assert_ok(ovk_mat_set_near_nullspace(A, 1, &v));
    assert_ok(ovk_mat_set_coordinates(A, 2, xy));
    if (!vectors_first) assert_ok(ovk_mat_set_near_nullspace(A, 1, &v));
    assert_int_equal(ovk_mat_near_nullspace_size(A), 1);
    assert_ok(ovk_mat_set_near_nullspace(A, 0, NULL));
    assert_int_equal(ovk_mat_near_nullspace_size(A), 3);
  }
}

TEST(a_matrix_without_rows_takes_all_of_it)
{
  scoped_mat *A = new_mat(0);
  scoped_vec *v = new_vec(A);
  assert_ok(ovk_mat_set_block_size(A, 3));
  assert_ok(ovk_mat_set_near_nullspace(A, 1, &v));
  assert_ok(ovk_mat_set_coordinates(A, 3, NULL));
  assert_int_equal(ovk_mat_near_nullspace_size(A), 1);
}

TEST(bad_block_sizes_are_errors_on_all_ranks)
{
  scoped_mat *A = new_mat(is_last() ? 7 : 6);
  double xyz[7] = {0, 1, 2, 3, 4, 5, 6};
  assert_error(ovk_mat_set_block_size(A, 0), OVK_ERR_ARG, "the block size is 0, but must be >= 1");
  assert_error(ovk_mat_set_block_size(A, is_last() ? -2 : 1), OVK_ERR_ARG,
               "the block size is -2, but must be >= 1");
  assert_error(ovk_mat_set_block_size(A, 3), OVK_ERR_ARG,
               "the 7 rows of a rank are no multiple of the block size 3");
  ovk_mat_destroy(&A);
  A = new_mat(6);
  if (test_size > 1) {
    assert_error(ovk_mat_set_block_size(A, is_last() ? 2 : 3), OVK_ERR_ARG,
                 "different block sizes");
  }
  assert_int_equal(ovk_mat_block_size(A), 1);
  assert_ok(ovk_mat_set_coordinates(A, 1, xyz));
  assert_ok(ovk_mat_set_block_size(A, 1));
  assert_error(ovk_mat_set_block_size(A, 2), OVK_ERR_STATE, "before the coordinates");
}

/* The result of ovk_mat_set_near_nullspace() for two vectors; the earlier one stays. */
static void expect_refusal(ovk_mat *A, ovk_vec *first, ovk_vec *second, const char *part)
{
  ovk_vec *v[2] = {first, second};
  assert_error(ovk_mat_set_near_nullspace(A, 2, v), OVK_ERR_ARG, part);
  assert_int_equal(ovk_mat_near_nullspace_size(A), 1);
}

TEST(bad_near_null_vectors_are_errors_on_all_ranks)
{
  scoped_mat *A = new_mat(4), *other = new_mat(is_last() ? 5 : 4);
  scoped_ctx *ctx = new_ctx();
  scoped_vec *good = new_periodic(A, 3), *v = new_periodic(A, 2), *longer = new_vec(other);
  scoped_vec *stranger = NULL;
  char part[96];
  assert_ok(ovk_vec_create(ctx, 4, &stranger));
  assert_ok(ovk_mat_set_near_nullspace(A, 1, &good));
  assert_error(ovk_mat_set_near_nullspace(A, -1, &good), OVK_ERR_ARG,
               "the number of vectors is -1, but must be >= 0");
  assert_error(ovk_mat_set_near_nullspace(A, 3, NULL), OVK_ERR_ARG, "v is NULL, for 3 vectors");
  if (test_size > 1) {
    assert_error(ovk_mat_set_near_nullspace(A, is_last() ? 0 : 1, &good), OVK_ERR_ARG,
                 "different numbers of vectors");
  }
  expect_refusal(A, good, is_last() ? NULL : v, "vector 1 of the near-null space is NULL");
  expect_refusal(A, longer, v, "layouts do not match");
  expect_refusal(A, good, is_last() ? stranger : v, "belongs to another context");
  expect_refusal(A, good, good, "vector 1 of the near-null space depends linearly");
  if (is_last()) ovk_vec_array(v)[1] = NAN;
  snprintf(part, sizeof part, "vector 1 of the near-null space is nan in row %d",
           4 * test_size - 3);
  expect_refusal(A, good, v, part);
  assert_ok(ovk_vec_fill(v, 0));
  expect_refusal(A, v, good, "vector 0 of the near-null space has the norm 0");
}

TEST(bad_coordinates_are_errors_on_all_ranks)
{
  scoped_mat *A = new_mat(4);
  double xy[4] = {0, 1, 2, 3};
  char part[64];
  assert_ok(ovk_mat_set_block_size(A, 2));
  assert_error(ovk_mat_set_coordinates(A, 4, xy), OVK_ERR_ARG,
               "coordinates is 4, but must be 1 to 3, or 0 to remove them");
  assert_error(ovk_mat_set_coordinates(A, -1, xy), OVK_ERR_ARG, "coordinates is -1, but must be");
  assert_error(ovk_mat_set_coordinates(A, 2, is_last() ? NULL : xy), OVK_ERR_ARG,
               "xyz is NULL, for 2 points");
  if (test_size > 1) {
    assert_error(ovk_mat_set_coordinates(A, is_last() ? 1 : 2, xy), OVK_ERR_ARG,
                 "different numbers of coordinates");
  }
  if (is_last()) xy[3] = INFINITY;
  snprintf(part, sizeof part, "coordinate 1 of point %d is inf", 2 * test_size - 1);
  assert_error(ovk_mat_set_coordinates(A, 2, xy), OVK_ERR_ARG, part);
  assert_null(ovk_mat_coordinates(A, NULL));
}
