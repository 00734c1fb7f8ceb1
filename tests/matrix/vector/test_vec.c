/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors: layouts, ownership, arithmetic, misuse. */
#include "support/problem.h"

/* Rank r holds r rows, so that rank 0 has none. */
static ovk_vec *make_uneven(void)
{
  ovk_vec *v = NULL;
  assert_ok(ovk_vec_create(test_ctx(), test_rank, &v));
  return v;
}

TEST(uneven_sizes_are_laid_out_rank_after_rank)
{
  scoped_vec *v = make_uneven();
  assert_int_equal(ovk_vec_local_size(v), test_rank);
  assert_int_equal(ovk_vec_first(v), test_rank * (test_rank - 1) / 2);
  assert_int_equal(ovk_vec_size(v), test_size * (test_size - 1) / 2);
  assert_ptr_equal(ovk_vec_ctx(v), test_ctx());
  for (ovk_lidx i = 0; i < test_rank; i++) assert_true(ovk_vec_array_const(v)[i] == 0);
  ovk_vec_destroy(&v);
  assert_null(v);
  ovk_vec_destroy(NULL);
}

TEST(a_wrapped_array_stays_the_callers)
{
  double array[3] = {1, 2, 3};
  scoped_vec *v = NULL;
  assert_ok(ovk_vec_wrap(test_ctx(), 3, array, &v));
  assert_ptr_equal(ovk_vec_array(v), array);
  assert_ok(ovk_vec_fill(v, 5));
  ovk_vec_destroy(&v);
  assert_true(array[2] == 5);
  assert_ok(ovk_vec_wrap(test_ctx(), 0, NULL, &v));
}

TEST(arithmetic_follows_the_formulas)
{
  scoped_vec *x = make_uneven(), *y = NULL;
  assert_ok(ovk_vec_duplicate(x, &y));
  assert_ok(ovk_vec_fill(x, 3));
  assert_ok(ovk_vec_copy(x, y));
  assert_ok(ovk_vec_axpy(-2, x, y));
  double part = NAN, norm = NAN;
  assert_ok(ovk_vec_local_dot(x, y, &part));
  assert_close(part, -9.0 * test_rank, 1e-15);
  assert_ok(ovk_vec_norm(x, &norm));
  assert_close(norm, 3 * sqrt((double)ovk_vec_size(x)), 1e-14);
}

TEST(the_norm_neither_overflows_nor_underflows)
{
  scoped_vec *x = NULL;
  assert_ok(ovk_vec_create(test_ctx(), 2, &x));
  const double sizes[] = {1e300, 1e-300, 0};
  for (int k = 0; k < 3; k++) {
    double norm = NAN;
    assert_ok(ovk_vec_fill(x, sizes[k]));
    assert_ok(ovk_vec_norm(x, &norm));
    assert_true(fabs(norm - sizes[k] * sqrt(2.0 * test_size)) <= 1e-14 * norm);
  }
  double norm = 0;
  if (is_last()) ovk_vec_array(x)[0] = NAN;
  assert_ok(ovk_vec_norm(x, &norm));
  assert_true(isnan(norm));
}

static void assert_same_on_all_ranks(double value)
{
  double first = value;
  MPI_Bcast(&first, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  assert_memory_equal(&first, &value, sizeof value);
}

TEST(the_dot_is_the_sum_over_all_ranks)
{
  scoped_vec *x = make_uneven(), *y = NULL;
  assert_ok(ovk_vec_duplicate(x, &y));
  double expected = 0, dot = NAN;
  for (ovk_lidx i = 0; i < test_rank; i++) {
    ovk_vec_array(x)[i] = (double)(ovk_vec_first(x) + i) + 0.1;
    ovk_vec_array(y)[i] = 1.0 / 3;
  }
  for (int k = 0; k < (int)ovk_vec_size(x); k++) expected += (k + 0.1) / 3;
  assert_ok(ovk_vec_dot(x, y, &dot));
  assert_true(fabs(dot - expected) <= 1e-14 * expected); /* 0 on one rank, which has no rows */
  assert_same_on_all_ranks(dot);
}

TEST(the_dot_of_vectors_without_rows_is_zero)
{
  scoped_vec *x = NULL;
  double dot = NAN;
  assert_ok(ovk_vec_create(test_ctx(), 0, &x));
  assert_ok(ovk_vec_dot(x, x, &dot));
  assert_true(dot == 0);
}

TEST(a_dot_that_overflows_on_one_rank_is_infinite_on_all)
{
  scoped_vec *x = NULL, *y = NULL;
  assert_ok(ovk_vec_create(test_ctx(), 2, &x));
  assert_ok(ovk_vec_create(test_ctx(), 2, &y));
  double dot = 0;
  assert_ok(ovk_vec_fill(x, is_last() ? 1e200 : 1));
  assert_ok(ovk_vec_fill(y, is_last() ? 1e-200 : 1));
  assert_ok(ovk_vec_dot(x, y, &dot));
  assert_close(dot, 2.0 * test_size, 1e-14);
  assert_ok(ovk_vec_dot(x, x, &dot));
  assert_true(isinf(dot) && dot > 0);
  if (is_last()) ovk_vec_array(y)[1] = NAN;
  assert_ok(ovk_vec_dot(x, y, &dot));
  assert_true(isnan(dot));
}

TEST(one_ranks_bad_argument_fails_on_all)
{
  ovk_ctx *ctx = test_ctx();
  ovk_vec *v = NULL;
  assert_error(ovk_vec_create(ctx, is_last() ? -4 : 4, &v), OVK_ERR_ARG,
               "is -4 on this rank, but must be >= 0");
  assert_null(v);
  assert_error(ovk_vec_create(ctx, 4, is_last() ? NULL : &v), OVK_ERR_ARG, "out is NULL");
  assert_null(v);
  double array[2] = {0};
  assert_error(ovk_vec_wrap(ctx, 2, is_last() ? NULL : array, &v), OVK_ERR_ARG, "2 rows is NULL");
  assert_null(v);
}

TEST(vectors_of_two_contexts_are_refused)
{
  scoped_ctx *other = new_ctx();
  scoped_vec *x = NULL, *y = NULL;
  double part;
  assert_ok(ovk_vec_create(test_ctx(), 2, &x));
  assert_ok(ovk_vec_create(other, 2, &y));
  assert_local_error(ovk_vec_copy(x, y), OVK_ERR_ARG, "y belongs to another context");
  assert_local_error(ovk_vec_axpy(1, x, y), OVK_ERR_ARG, "y belongs to another context");
  assert_local_error(ovk_vec_local_dot(x, y, &part), OVK_ERR_ARG, "another context");
  assert_error(ovk_vec_dot(x, y, &part), OVK_ERR_ARG, "another context");
}

TEST(different_layouts_are_refused_even_where_the_local_sizes_agree)
{
  scoped_vec *x = NULL, *y = NULL;
  assert_ok(ovk_vec_create(test_ctx(), 2, &x));
  assert_ok(ovk_vec_create(test_ctx(), test_rank == 0 ? 3 : 2, &y)); /* differs on rank 0 only */
  double part;
  assert_error(ovk_vec_copy(x, y), OVK_ERR_ARG, "layouts do not match");
  assert_error(ovk_vec_axpy(1, x, y), OVK_ERR_ARG, "layouts do not match");
  assert_error(ovk_vec_local_dot(x, y, &part), OVK_ERR_ARG, "layouts do not match");
  assert_error(ovk_vec_dot(x, y, &part), OVK_ERR_ARG, "layouts do not match");
}

/* Wrapped around parts of one array, so many rows from so far on. */
static ovk_vec *wrap(double *array, int from, int rows)
{
  ovk_vec *v = NULL;
  assert_ok(ovk_vec_wrap(test_ctx(), rows, array + from, &v));
  return v;
}

TEST(arrays_that_share_some_rows_only_are_refused)
{
  enum { ROWS = 4 };
  double array[3 * ROWS] = {0};
  const int froms[] = {1, ROWS - 1, -1, 1 - ROWS};
  scoped_vec *x = wrap(array, ROWS, ROWS);
  for (size_t k = 0; k < sizeof froms / sizeof *froms; k++) {
    scoped_vec *y = wrap(array, ROWS + froms[k], ROWS);
    assert_error(ovk_vec_axpy(1, x, y), OVK_ERR_ARG, "share memory");
  }
}

TEST(adjacent_equal_and_empty_arrays_are_taken)
{
  enum { ROWS = 4 };
  double array[3 * ROWS] = {0};
  ovk_vec *x = wrap(array, ROWS, ROWS);
  for (int k = 0; k <= 2; k++) {
    scoped_vec *y = wrap(array, k * ROWS, ROWS);
    assert_ok(ovk_vec_axpy(1, x, y));
  }
  ovk_vec_destroy(&x);
  for (int k = 0; k < ROWS; k++) {
    scoped_vec *inside = wrap(array, k, 0), *same = wrap(array, k, 0);
    assert_ok(ovk_vec_axpy(1, inside, same));
  }
}
