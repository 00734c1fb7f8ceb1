/* SPDX-License-Identifier: BSD-2-Clause */
/* The setup of "amg", compared with dense computations: roots, aggregates, transfers, the coarse
 * matrix. */
#include "precond/amg/operators/galerkin.h"
#include "precond/amg/prolongator/prolongator.h"
#include "precond/amg/transfer/transfer.h"
#include "support/problem.h"

enum { N = 150, NEIGHBORS = 4, MOST_COARSE = N };

static const double THETA = 0.35, OMEGA = 0.6;

/* A symmetric matrix on a random graph, diagonally dominant except for the last rows, which have no
 * couplings. The same on any number of ranks. */
static void dense_fill(double a[N][N])
{
  memset(a, 0, sizeof(double) * N * N);
  for (int i = 0; i < N; i++) a[i][i] = 0.1;
  for (int i = 0; i < N - 2; i++) {
    for (int k = 0; k < NEIGHBORS; k++) {
      const uint64_t number = (uint64_t)(i * NEIGHBORS + k);
      const int j = (int)(random_number(1, number) * (N - 2));
      const double weight = exp(4 * random_number(2, number));
      if (j == i || a[i][j] != 0) continue;
      a[i][j] = a[j][i] = -weight;
      a[i][i] += weight;
      a[j][j] += weight;
    }
  }
}

/* This rank's rows: none on rank 1 of more than two. */
static int share(void)
{
  if (test_size <= 2) return even_share(N, test_rank, test_size);
  return test_rank == 1 ? 0 : even_share(N, test_rank - (test_rank > 1), test_size - 1);
}

/* all[i] <- value of row i on its rank. */
static void gather(const ovk__amg_rows *rows, const double *own, double all[N])
{
  double mine[N] = {0};
  for (ovk_lidx i = 0; i < rows->n; i++) mine[rows->A->layout.first + i] = own[i];
  MPI_Allreduce(mine, all, N, MPI_DOUBLE, MPI_SUM, ovk_ctx_comm(test_ctx()));
}

/* dense[i][j] <- the entries of all ranks. */
static void gather_entries(const ovk__amg_entries *e, ovk_gidx first, double dense[N][MOST_COARSE])
{
  static double mine[N][MOST_COARSE];
  memset(mine, 0, sizeof mine);
  for (ovk_lidx i = 0; i < e->rows; i++) {
    for (int64_t k = e->ptr[i]; k < e->ptr[i + 1]; k++) mine[first + i][e->col[k]] = e->val[k];
  }
  MPI_Allreduce(mine, dense, N * MOST_COARSE, MPI_DOUBLE, MPI_SUM, ovk_ctx_comm(test_ctx()));
}

static bool is_strong(double a[N][N], int i, int j)
{
  double m[2] = {0, 0};
  for (int k = 0; k < N; k++) {
    if (k != i) m[0] = fmax(m[0], -a[i][k]);
    if (k != j) m[1] = fmax(m[1], -a[j][k]);
  }
  return i != j && a[i][j] < 0 && -a[i][j] >= THETA * sqrt(m[0] * m[1]);
}

/* The objects of the tests. */
typedef struct level {
  double a[N][N];
  bool strong[N][N];
  ovk_mat *A;
  ovk__amg_rows rows;
  ovk__amg_strength strength;
  ovk__amg_aggregates aggregates;
  double root[N], of[N];
} level;

static void level_make(level *L)
{
  double *root;
  dense_fill(L->a);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) L->strong[i][j] = is_strong(L->a, i, j);
  }
  L->A = distribute(test_ctx(), &L->a[0][0], N, share());
  assert_ok(ovk__amg_rows_create(L->A, &L->rows));
  assert_ok(ovk__amg_strength_create(&L->rows, THETA, &L->strength));
  root = calloc((size_t)L->rows.all + 1, sizeof *root);
  assert_non_null(root);
  assert_ok(ovk__amg_roots(&L->rows, &L->strength, root));
  gather(&L->rows, root, L->root);
  free(root);
  assert_ok(ovk__amg_aggregates_create(&L->rows, &L->strength, &L->aggregates));
  gather(&L->rows, L->aggregates.of, L->of);
}

static void level_clear(level *L)
{
  ovk__amg_aggregates_free(&L->aggregates);
  ovk__amg_strength_free(&L->strength);
  ovk__amg_rows_free(&L->rows);
  ovk_mat_destroy(&L->A);
}

static bool is_isolated(const level *L, int i)
{
  for (int j = 0; j < N; j++) {
    if (L->strong[i][j]) return false;
  }
  return true;
}

static bool within_two(const level *L, int i, int j)
{
  if (L->strong[i][j]) return true;
  for (int k = 0; k < N; k++) {
    if (L->strong[i][k] && L->strong[k][j]) return true;
  }
  return false;
}

typedef struct comparison {
  const ovk__amg_rows *rows;
  int64_t at;
} comparison;

static ovk_err compare_row(void *arg, ovk_gidx i, ovk_lidx n, const ovk_gidx *col,
                           const double *val)
{
  comparison *c = arg;
  const ovk_lidx row = (ovk_lidx)(i - c->rows->first);
  assert_int_equal(c->rows->ptr[row + 1] - c->at, n);
  for (ovk_lidx k = 0; k < n; k++, c->at++) {
    assert_int_equal(ovk__amg_rows_global(c->rows, c->rows->col[c->at]), col[k]);
    assert_true(c->rows->val[c->at] == val[k]);
    if (col[k] == i) assert_true(c->rows->diagonal[row] == val[k]);
  }
  return OVK_OK;
}

TEST(rows_are_those_of_the_matrix_in_the_order_of_columns)
{
  const char *const formats[] = {"csr", "sell", "sym"};
  for (int f = 0; f < 3; f++) {
    SCOPED(ovk__amg_rows_free) ovk__amg_rows rows;
    scoped_array double *dense = calloc(N * N, sizeof *dense);
    assert_non_null(dense);
    dense_fill((double(*)[N])dense);
    scoped_mat *A = NULL;
    assert_ok(ovk_mat_create(test_ctx(), share(), &A));
    assert_ok(ovk_mat_set_format(A, formats[f]));
    for (ovk_gidx i = ovk_mat_row_begin(A); i < ovk_mat_row_end(A); i++) {
      for (ovk_gidx j = 0; j < N; j++) {
        if (dense[i * N + j] != 0) assert_ok(ovk_mat_add(A, i, j, dense[i * N + j]));
      }
    }
    assert_ok(ovk_mat_assemble(A));
    assert_ok(ovk__amg_rows_create(A, &rows));
    assert_ok(ovk__amg_rows_read(&rows, 0, rows.n));
    comparison c = {&rows, 0};
    assert_ok(ovk_mat_for_each_row(A, compare_row, &c));
    assert_int_equal(c.at, rows.ptr[rows.n]);
  }
}

TEST(couplings_are_strong_relative_to_the_largest_of_both_rows)
{
  static level L;
  level_make(&L);
  for (ovk_lidx i = 0; i < L.rows.n; i++) {
    ovk__amg_strong_ones ones = ovk__amg_strong_begin(&L.strength, i);
    assert_ok(ovk__amg_rows_read(&L.rows, i, i + 1));
    const ovk__amg_row entries = ovk__amg_rows_row(&L.rows, i);
    for (ovk_lidx k = 0; k < entries.n; k++) {
      const ovk_gidx row = L.A->layout.first + i,
                     col = ovk__amg_rows_global(&L.rows, entries.col[k]);
      assert_int_equal(ovk__amg_strong_next(&ones, i, entries.col[k]), L.strong[row][col]);
    }
    assert_ptr_equal(ones.near, ones.end);
  }
  level_clear(&L);
}

TEST(roots_are_a_maximal_set_at_a_distance_above_two)
{
  static level L;
  int roots = 0;
  level_make(&L);
  for (int i = 0; i < N; i++) {
    bool near_root = false;
    for (int j = 0; j < N; j++) {
      if (j != i && L.root[j] > 0 && within_two(&L, i, j)) near_root = true;
    }
    if (is_isolated(&L, i)) {
      assert_true(L.root[i] == 0);
    } else {
      assert_true(near_root != (L.root[i] > 0));
    }
    roots += L.root[i] > 0;
  }
  assert_in_range(roots, 5, N / 3);
  level_clear(&L);
}

TEST(neighbors_of_a_root_are_in_its_aggregate)
{
  static level L;
  level_make(&L);
  for (int i = 0; i < N; i++) {
    assert_true((L.of[i] < 0) == is_isolated(&L, i));
    for (int j = 0; j < N && L.root[i] > 0; j++) {
      if (L.strong[i][j]) assert_true(L.of[j] == L.of[i]);
    }
  }
  level_clear(&L);
}

TEST(aggregates_are_numbered_in_the_order_of_their_roots)
{
  static level L;
  double last = -1;
  level_make(&L);
  for (int i = 0; i < N; i++) {
    if (L.root[i] == 0) continue;
    assert_true(L.of[i] > last);
    last = L.of[i];
  }
  assert_true(last < (double)L.aggregates.coarse.global);
  level_clear(&L);
}

/* P by its definition, in double: T - omega D_F^-1 A_F T. */
static void prolongator_of(const level *L, double P[N][MOST_COARSE])
{
  memset(P, 0, sizeof(double) * N * MOST_COARSE);
  for (int i = 0; i < N; i++) {
    double diagonal = 0, strong = 0;
    if (L->of[i] < 0) continue; /* no couplings at all */
    for (int j = 0; j < N; j++) {
      if (L->strong[i][j]) {
        strong += fabs(L->a[i][j]);
      } else {
        diagonal += L->a[i][j];
      }
    }
    if (diagonal <= 0.1 * L->a[i][i]) diagonal = strong;
    P[i][(int)L->of[i]] += 1;
    for (int j = 0; j < N; j++) {
      if (L->of[j] < 0 || (j != i && !L->strong[i][j])) continue;
      P[i][(int)L->of[j]] -= OMEGA / diagonal * (j == i ? diagonal : L->a[i][j]);
    }
  }
}

static void level_prolongate(level *L, ovk__amg_entries *P)
{
  const ovk__amg_tentative T = {.coarse = L->aggregates.coarse, .of = L->aggregates.of};
  assert_ok(ovk__amg_prolongator_create(&L->rows, &L->strength, &T, OMEGA, P));
}

TEST(the_prolongator_is_the_smoothed_one)
{
  static level L;
  static double expected[N][MOST_COARSE], found[N][MOST_COARSE];
  SCOPED(ovk__amg_entries_free) ovk__amg_entries P;
  level_make(&L);
  level_prolongate(&L, &P);
  prolongator_of(&L, expected);
  gather_entries(&P, L.A->layout.first, found);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < MOST_COARSE; j++) assert_true(fabs(found[i][j] - expected[i][j]) < 1e-6);
  }
  level_clear(&L);
}

/* sum over i and j of P[i][J] a[i][j] P[j][K] */
static double triple(const level *L, double P[N][MOST_COARSE], int J, int K)
{
  double sum = 0;
  for (int i = 0; i < N; i++) {
    double row = 0;
    for (int j = 0; j < N && P[i][J] != 0; j++) row += L->a[i][j] * P[j][K];
    sum += P[i][J] * row;
  }
  return sum;
}

static ovk_err copy_row(void *arg, ovk_gidx i, ovk_lidx n, const ovk_gidx *col, const double *val)
{
  double(*dense)[MOST_COARSE] = arg;
  for (ovk_lidx k = 0; k < n; k++) dense[i][col[k]] = val[k];
  return OVK_OK;
}

TEST(the_coarse_matrix_is_the_triple_product)
{
  static level L;
  static double dense[N][MOST_COARSE], entries[N][MOST_COARSE];
  SCOPED(ovk__amg_entries_free) ovk__amg_entries P;
  scoped_mat *coarse = NULL;
  uint64_t hash;
  level_make(&L);
  level_prolongate(&L, &P);
  gather_entries(&P, L.A->layout.first, dense);
  assert_ok(ovk__amg_galerkin(&L.rows, &P, 1, &L.aggregates.coarse, true, NULL, &coarse, &hash));
  memset(entries, 0, sizeof entries);
  assert_ok(ovk_mat_for_each_row(coarse, copy_row, entries));
  MPI_Allreduce(MPI_IN_PLACE, entries, N * MOST_COARSE, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      assert_true(entries[i][j] == entries[j][i]); /* bit for bit */
      assert_true(fabs(entries[i][j] - triple(&L, dense, i, j)) < 1e-11);
    }
  }
  level_clear(&L);
}

/* The pattern of the product with P, and that with the first row of T on each rank, which is part
 * of it. */
TEST(a_known_pattern_does_not_change_the_coarse_matrix)
{
  static level L;
  ovk__amg_entries P[2];
  ovk__amg_sums_pattern pattern = {0}, smaller = {0};
  ovk__amg_sums_pattern *const known[] = {NULL, &pattern, &pattern, &smaller, &smaller};
  uint64_t expected = 0, hash;
  level_make(&L);
  const ovk__amg_tentative T = {.coarse = L.aggregates.coarse, .of = L.aggregates.of};
  assert_ok(ovk__amg_prolongator_create(&L.rows, &L.strength, &T, 0, &P[0]));
  for (ovk_lidx i = 1; i < L.rows.n; i++) P[0].ptr[i + 1] = P[0].ptr[1];
  level_prolongate(&L, &P[1]);
  for (int k = 0; k < 5; k++) {
    const ovk__amg_entries *entries = &P[k == 3 ? 0 : 1];
    scoped_mat *coarse = NULL;
    assert_ok(ovk__amg_galerkin(&L.rows, entries, 1, &L.aggregates.coarse, true, known[k], &coarse,
                                &hash));
    if (k == 0) expected = hash;
    assert_true((hash == expected) == (k != 3));
  }
  assert_true(L.rows.n == 0 || pattern.n > 2 * smaller.n);
  assert_true(ovk__amg_sums_pattern_bytes(&pattern) >= 2 * (pattern.rows + pattern.n));
  ovk__amg_sums_pattern_free(&pattern);
  ovk__amg_sums_pattern_free(&smaller);
  for (int k = 0; k < 2; k++) ovk__amg_entries_free(&P[k]);
  level_clear(&L);
}

static void check_transposes(const level *L, ovk__amg_entries *P, bool ordered)
{
  ovk__amg_transfer T;
  const ovk__layout *fine = &L->A->layout, *coarse = &L->aggregates.coarse;
  assert_ok(ovk__amg_transfer_create(test_ctx(), P, fine, coarse, ordered, &T));
  double x[N], Rx[N], y[N], Py[N], sums[2] = {0, 0};
  for (ovk_lidx i = 0; i < fine->local; i++) {
    x[i] = random_number(5, (uint64_t)(fine->first + i));
    Py[i] = 1;
  }
  for (ovk_lidx i = 0; i < coarse->local; i++) {
    y[i] = random_number(6, (uint64_t)(coarse->first + i));
  }
  assert_ok(ovk__amg_restrict(&T, x, Rx, ovk_poll_none()));
  assert_ok(ovk__amg_prolongate(&T, y, Py, ovk_poll_none()));
  for (ovk_lidx i = 0; i < fine->local; i++) sums[0] += x[i] * (Py[i] - 1);
  for (ovk_lidx i = 0; i < coarse->local; i++) sums[1] += y[i] * Rx[i];
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, ovk_ctx_comm(test_ctx()));
  assert_true(fabs(sums[0] - sums[1]) < 1e-12 * fabs(sums[0]));
  ovk__amg_transfer_free(&T);
}

TEST(transfers_are_transposes)
{
  static level L;
  level_make(&L);
  for (int ordered = 0; ordered <= 1; ordered++) {
    SCOPED(ovk__amg_entries_free) ovk__amg_entries P;
    level_prolongate(&L, &P);
    check_transposes(&L, &P, ordered);
    assert_null(P.val);
  }
  level_clear(&L);
}
