/* SPDX-License-Identifier: BSD-2-Clause */
/* "amg" for several unknowns a point: points, near-null spaces, tentative prolongators. */
#include "precond/amg/prolongator/prolongator.h"
#include "precond/amg/truss.h"
#include "precond/precond_case.h"

TEST(rigid_modes_keep_the_iterations)
{
  const int plain = count_iterations(new_truss(test_ctx(), 10, true, false), "amg:coarse=60", "cg");
  const int small = count_iterations(new_truss(test_ctx(), 6, true, true), "amg:coarse=60", "cg");
  const int large = count_iterations(new_truss(test_ctx(), 10, true, true), "amg:coarse=60", "cg");
  assert_in_range(large, 6, 16);
  assert_true(large <= small + 4);
  assert_true(large < plain);
}

TEST(the_levels_do_not_depend_on_the_number_of_ranks)
{
  const char *const specs[] = {"amg:coarse=60", "amg:coarse=60,block=1", "amg:coarse=60,theta=0.35",
                               "amg:coarse=60,gather=0", "amg:coarse=20,gather=30"};
  scoped_ctx *alone = NULL;
  assert_ok(ovk_ctx_create(MPI_COMM_SELF, &alone));
  for (int k = 0; k < 5; k++) {
    scoped_mat *A = new_truss(test_ctx(), 7, true, true), *B = new_truss(alone, 7, true, true);
    scoped_precond *M = new_precond(A, specs[k]), *C = new_precond(B, specs[k]);
    assert_string_equal(ovk_precond_info(M), ovk_precond_info(C));
  }
}

TEST(an_update_has_the_levels_of_a_new_setup)
{
  const char *const specs[] = {"amg:coarse=60", "amg:coarse=60,update=values"};
  for (int k = 0; k < 2; k++) {
    scoped_mat *A = new_truss(test_ctx(), 7, true, true);
    scoped_precond *M = new_precond(A, specs[k]);
    assert_ok(ovk_mat_reset_values(A));
    fill_truss(A, 7, true, 2);
    assert_updated_as_new(M, A, specs[k]);
  }
}

/* The rigid body modes are in the null space of each level. */
TEST(a_free_body_is_singular_on_the_coarsest_level)
{
  scoped_mat *A = new_truss(test_ctx(), 7, false, true);
  scoped_precond *M = new_precond(A, "amg:coarse=60");
  assert_non_null(strstr(ovk_precond_info(M), ", singular: 6"));
}

TEST(a_share_of_rows_that_splits_points_is_refused)
{
  scoped_mat *A = new_tridiagonal(4, 2.5);
  assert_no_precond(A, "amg:block=3", OVK_ERR_ARG,
                    "a rank has 4 rows, which is no multiple of block=3");
}

/* The coupling of points, computed from rows of the matrix that come in any order. */
TEST(couplings_of_points_are_the_largest_of_their_rows)
{
  scoped_mat *A = new_truss(test_ctx(), 4, true, false);
  SCOPED(ovk__amg_rows_free) ovk__amg_rows rows, points;
  assert_ok(ovk__amg_rows_create(A, &rows));
  assert_ok(ovk__amg_points_create(&rows, DIM, &points));
  assert_ok(ovk__amg_rows_read(&rows, 0, rows.n));
  assert_int_equal(points.n * DIM, rows.n);
  for (ovk_lidx I = 0; I < points.n; I++) {
    ovk_gidx before = -1;
    for (int64_t k = points.ptr[I]; k < points.ptr[I + 1]; k++) {
      const ovk_gidx J = ovk__amg_rows_global(&points, points.col[k]);
      double largest = 0;
      for (int64_t e = rows.ptr[DIM * I]; e < rows.ptr[DIM * (I + 1)]; e++) {
        if (ovk__amg_rows_global(&rows, rows.col[e]) / DIM != J) continue;
        largest = fmax(largest, fabs(rows.val[e]));
      }
      assert_true(J > before);
      assert_true(points.val[k] == (J == points.first + I ? largest : -largest));
      before = J;
    }
  }
}

static ovk_mat *new_truss_in(const char *format, int n)
{
  ovk_mat *A;
  assert_ok(ovk_mat_create(test_ctx(), truss_share(test_ctx(), n), &A));
  assert_ok(ovk_mat_set_format(A, format));
  fill_truss(A, n, true, 1);
  return A;
}

/* Rows that are read by bands, in order and in disorder, are those of compressed rows. */
TEST(threes_of_rows_are_read_by_bands)
{
  enum { POINTS = 11, LEAP = 1009, EACH = 16 }; /* in disorder all rows would be read for each */
  scoped_mat *A = new_truss_in("csr", POINTS), *B = new_truss_in("sym3", POINTS);
  SCOPED(ovk__amg_rows_free) ovk__amg_rows rows, all;
  ovk__amg_rows_begin(A, &all);
  ovk__amg_rows_begin(B, &rows);
  assert_ok(ovk__amg_rows_read(&all, 0, all.n));
  for (ovk_lidx k = 0; k < rows.n + rows.n / EACH; k++) {
    const ovk_lidx i = k < rows.n ? k : (ovk_lidx)((int64_t)k * LEAP % rows.n);
    assert_ok(ovk__amg_rows_read(&rows, i, i + 1));
    const ovk__amg_row a = ovk__amg_rows_row(&all, i), b = ovk__amg_rows_row(&rows, i);
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.col, b.col, (size_t)a.n * sizeof *a.col);
    for (ovk_lidx l = 0; l < a.n; l++) assert_true(a.val[l] == b.val[l]); /* 0 or -0 */
  }
  assert_true(rows.n <= OVK__ROW_BLOCK || rows.end - rows.begin <= OVK__ROW_BLOCK);
}

/* The data of the tests of T: random modes on a line of points. */
typedef struct aggregated {
  ovk_mat *A;
  ovk__amg_rows rows;
  ovk__amg_strength strength;
  ovk__amg_aggregates aggregates;
  ovk__amg_modes modes, coarse;
  ovk__amg_tentative T;
} aggregated;

/* Aggregates of a line have 3 rows, so that `count` modes above 3 are dependent on each. */
static void aggregate_line(aggregated *L, int count)
{
  L->A = new_tridiagonal(test_rank == 1 ? 0 : 40, 2);
  assert_ok(ovk__amg_rows_create(L->A, &L->rows));
  assert_ok(ovk__amg_strength_create(&L->rows, 0.35, &L->strength));
  assert_ok(ovk__amg_aggregates_create(&L->rows, &L->strength, &L->aggregates));
  L->modes = (ovk__amg_modes){.block = 1, .count = count, .rows = L->rows.n};
  L->modes.val = calloc((size_t)(count * L->rows.n) + 1, sizeof(double));
  assert_non_null(L->modes.val);
  for (int k = 0; k < count; k++) {
    for (ovk_lidx i = 0; i < L->rows.n; i++) {
      L->modes.val[k * L->rows.n + i] = random_number((uint64_t)k, (uint64_t)(L->rows.first + i));
    }
  }
  assert_ok(ovk__amg_tentative_create(&L->rows, &L->aggregates, &L->modes, &L->T, &L->coarse));
}

static void aggregate_clear(aggregated *L)
{
  ovk__amg_tentative_free(&L->T);
  ovk__amg_modes_free(&L->coarse);
  ovk__amg_modes_free(&L->modes);
  ovk__amg_aggregates_free(&L->aggregates);
  ovk__amg_strength_free(&L->strength);
  ovk__amg_rows_free(&L->rows);
  ovk_mat_destroy(&L->A);
}

enum { MOST = 1000 };

/* all[k] <- the value of coarse row k, from its rank. */
static void gather_coarse(const aggregated *L, int mode, double all[MOST])
{
  double mine[MOST] = {0};
  for (ovk_lidx i = 0; i < L->coarse.rows; i++) {
    mine[L->T.coarse.first + i] = L->coarse.val[(int64_t)mode * L->coarse.rows + i];
  }
  MPI_Allreduce(mine, all, MOST, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

TEST(the_tentative_prolongator_interpolates_the_modes)
{
  for (int count = 1; count <= 5; count += 2) {
    SCOPED(aggregate_clear) aggregated L;
    aggregate_line(&L, count);
    assert_true(L.T.coarse.global < MOST);
    for (int mode = 0; mode < count; mode++) {
      double coarse[MOST];
      gather_coarse(&L, mode, coarse);
      for (ovk_lidx i = 0; i < L.rows.n; i++) {
        double sum = 0;
        for (int64_t k = L.T.own.ptr[i]; k < L.T.own.ptr[i + 1]; k++) {
          sum += L.T.own.val[k] * coarse[L.T.own.col[k]];
        }
        assert_true(fabs(sum - L.modes.val[mode * L.rows.n + i]) < 1e-12);
      }
    }
  }
}

TEST(its_columns_are_orthonormal_or_empty)
{
  enum { COUNT = 5 };
  static double mine[MOST][COUNT], all[MOST][COUNT];
  SCOPED(aggregate_clear) aggregated L;
  int empty = 0;
  aggregate_line(&L, COUNT);
  memset(mine, 0, sizeof mine);
  for (ovk_lidx i = 0; i < L.rows.n; i++) {
    for (int64_t k = L.T.own.ptr[i]; k < L.T.own.ptr[i + 1]; k++) {
      for (int64_t l = L.T.own.ptr[i]; l < L.T.own.ptr[i + 1]; l++) {
        mine[L.T.own.col[k]][L.T.own.col[l] % COUNT] += L.T.own.val[k] * L.T.own.val[l];
      }
    }
  }
  MPI_Allreduce(mine, all, MOST * COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (ovk_gidx J = 0; J < L.T.coarse.global; J++) {
    const bool none = all[J][J % COUNT] == 0;
    for (int k = 0; k < COUNT; k++) {
      assert_true(fabs(all[J][k] - (k == J % COUNT && !none)) < 1e-12);
    }
    empty += none;
  }
  assert_true(empty > 0);
}

/* dense[i][J] <- the entries of all ranks, for up to 400 rows. */
static void gather_rows(const ovk__amg_entries *e, ovk_gidx first, double dense[400][MOST])
{
  static double mine[400][MOST];
  memset(mine, 0, sizeof mine);
  for (ovk_lidx i = 0; i < e->rows; i++) {
    for (int64_t k = e->ptr[i]; k < e->ptr[i + 1]; k++) mine[first + i][e->col[k]] = e->val[k];
  }
  MPI_Allreduce(mine, dense, 400 * MOST, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* P = T - omega D^-1 A T, with increasing columns. */
TEST(the_prolongator_of_modes_is_the_smoothed_one)
{
  static double T[400][MOST], P[400][MOST];
  static const double OMEGA = 0.6;
  for (int count = 2; count <= 6; count++) {
    SCOPED(aggregate_clear) aggregated L;
    SCOPED(ovk__amg_entries_free) ovk__amg_entries found;
    aggregate_line(&L, count);
    assert_ok(ovk__amg_prolongator_create(&L.rows, NULL, &L.T, OMEGA, &found));
    gather_rows(&L.T.own, L.rows.first, T);
    gather_rows(&found, L.rows.first, P);
    for (ovk_lidx i = 0; i < L.rows.n; i++) {
      const ovk_gidx row = L.rows.first + i;
      assert_ok(ovk__amg_rows_read(&L.rows, i, i + 1));
      const ovk__amg_row a = ovk__amg_rows_row(&L.rows, i);
      for (ovk_gidx J = 0; J < L.T.coarse.global; J++) {
        double sum = 0;
        for (ovk_lidx k = 0; k < a.n; k++) {
          sum += a.val[k] * T[ovk__amg_rows_global(&L.rows, a.col[k])][J];
        }
        assert_true(fabs(P[row][J] - (T[row][J] - OMEGA / L.rows.diagonal[i] * sum)) < 1e-6);
      }
      for (int64_t k = found.ptr[i] + 1; k < found.ptr[i + 1]; k++) {
        assert_true(found.col[k - 1] < found.col[k]);
      }
    }
  }
}
