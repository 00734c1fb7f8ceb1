/* SPDX-License-Identifier: BSD-2-Clause */
/* ic and ilu against dense factorisations of each rank's block, in their two precisions. */
#include "support/problem.h"

enum { COMPLETE = 1000000 }; /* a level that keeps all fill */

/* This rank's block and the vectors of a test, of n rows each. */
typedef struct block {
  int n;
  double *A, *L, *U; /* by rows; L has a diagonal of 1 where there is U */
} block;

/* Rank 1 has no rows, where there is a rank 2. */
static int rows_of(int rank)
{
  return rank == 1 && test_size > 2 ? 0 : 17 + 6 * rank;
}

/* Diagonally dominant, with about a fifth of the entries; not symmetric if `skew`. */
static double entry(int n, int i, int j, bool skew, uint64_t seed)
{
  const uint64_t low = (uint64_t)(i < j ? i : j), high = (uint64_t)(i < j ? j : i);
  const uint64_t columns = (uint64_t)n, pair = low * columns + high;
  if (i == j) return 2 + n * 0.2 * random_number(seed, (uint64_t)i);
  if (random_number(seed + 1, pair) > 0.2) return 0;
  return (skew ? random_number(seed + 2, (uint64_t)i * columns + (uint64_t)j)
               : random_number(seed + 2, pair)) -
         0.7;
}

static int all_rows(int *first)
{
  int n = 0;
  for (int rank = 0; rank < test_size; rank++) {
    if (rank == test_rank) *first = n;
    n += rows_of(rank);
  }
  return n;
}

/* The matrix on all ranks; *B gets this rank's block of it. */
static ovk_mat *make_matrix(bool skew, uint64_t seed, block *B)
{
  int first = 0;
  const int all = all_rows(&first), n = rows_of(test_rank);
  const size_t size = (size_t)n * (size_t)n + 1;
  *B = (block){n, calloc(size, sizeof(double)), calloc(size, sizeof(double)),
               calloc(size, sizeof(double))};
  assert_true(B->A && B->L && B->U);
  ovk_mat *A = new_mat(n);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < all; j++) {
      const double a = entry(all, first + i, j, skew, seed);
      if (a != 0) assert_ok(ovk_mat_add(A, first + i, j, a));
      if (j >= first && j < first + n) B->A[i * n + j - first] = a;
    }
  }
  return assembled(A);
}

static void free_block(block *B)
{
  free(B->A);
  free(B->L);
  free(B->U);
}

/* The levels of fill, by their definition. */
static int *levels(const block *B)
{
  const int n = B->n;
  int *level = new_memory(((size_t)n * (size_t)n + 1) * sizeof *level);
  for (int e = 0; e < n * n; e++) level[e] = B->A[e] != 0 || e % (n + 1) == 0 ? 0 : COMPLETE;
  for (int j = 0; j < n; j++) {
    for (int i = j + 1; i < n; i++) {
      for (int k = j + 1; k < n; k++) {
        const int fill = level[i * n + j] + level[j * n + k] + 1;
        if (fill < level[i * n + k]) level[i * n + k] = fill;
      }
    }
  }
  return level;
}

/* A = L U on the entries of levels up to `most`, others dropped; for a symmetric A the columns of L
 * are then scaled so that U = L^T. */
static void factorise(block *B, int most, bool symmetric)
{
  const int n = B->n;
  scoped_array int *level = levels(B);
  double *W = B->U;
  memcpy(W, B->A, (size_t)n * (size_t)n * sizeof *W);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      if (level[i * n + j] > most) continue;
      const double l = W[i * n + j] /= W[j * n + j];
      for (int k = j + 1; k < n; k++) {
        if (level[i * n + k] <= most) W[i * n + k] -= l * W[j * n + k];
      }
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) B->L[i * n + j] = j < i ? W[i * n + j] : i == j;
    for (int j = 0; j < i; j++) W[i * n + j] = 0;
  }
  for (int j = 0; symmetric && j < n; j++) {
    const double root = sqrt(W[j * n + j]);
    for (int i = 0; i < n; i++) B->L[i * n + j] *= root;
    for (int i = 0; i < n; i++) W[j * n + i] /= root;
  }
}

/* y <- M x, or M^T x */
static void multiply(int n, const double *M, bool transposed, const double *x, double *y)
{
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++) y[i] += (transposed ? M[j * n + i] : M[i * n + j]) * x[j];
  }
}

static void check_close(int n, const double *x, const double *y, double tolerance)
{
  double size = 1e-300;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(y[i]));
  for (int i = 0; i < n; i++) assert_close((x[i] - y[i]) / size, 0, tolerance);
}

/* Vectors of a matrix: a random one, and two for results. */
typedef struct vectors {
  ovk_vec *r, *z, *t;
  double *Cz, *work;
} vectors;

static vectors make_vectors(const ovk_mat *A)
{
  vectors v = {0};
  const size_t n = (size_t)ovk_mat_local_size(A) + 1;
  v.r = new_vec(A);
  v.z = new_vec(A);
  v.t = new_vec(A);
  for (ovk_lidx i = 0; i < ovk_vec_local_size(v.r); i++) {
    ovk_vec_array(v.r)[i] = random_number(99, (uint64_t)(ovk_vec_first(v.r) + i)) - 0.5;
  }
  v.Cz = new_memory(n * sizeof *v.Cz);
  v.work = new_memory(n * sizeof *v.work);
  return v;
}

static void free_vectors(vectors *v)
{
  ovk_vec_destroy(&v->r);
  ovk_vec_destroy(&v->z);
  ovk_vec_destroy(&v->t);
  free(v->Cz);
  free(v->work);
}

static void check_against_dense(const char *name, int level, bool skew, bool single)
{
  SCOPED(free_block) block B;
  char spec[64];
  scoped_mat *A = make_matrix(skew, 5 + (uint64_t)level, &B);
  SCOPED(free_vectors) vectors v = make_vectors(A);
  snprintf(spec, sizeof spec, "%s:level=%d,store=%s", name, level, single ? "float" : "double");
  factorise(&B, level, strcmp(name, "ic") == 0);
  scoped_precond *M = new_precond(A, spec);
  assert_string_equal(ovk_precond_info(M), "");
  assert_true(ovk_precond_bytes(M) > 0);
  assert_ok(ovk_precond_apply(M, v.r, v.z, ovk_poll_none()));
  multiply(B.n, B.U, false, ovk_vec_array_const(v.z), v.work);
  multiply(B.n, B.L, false, v.work, v.Cz);
  check_close(B.n, v.Cz, ovk_vec_array_const(v.r), single ? 1e-5 : 1e-12);
}

TEST(factors_are_those_of_a_dense_factorisation_with_the_same_fill)
{
  static const int most[] = {0, 1, 2, 3, COMPLETE};
  for (size_t k = 0; k < sizeof most / sizeof *most; k++) {
    for (int single = 0; single < 2; single++) {
      check_against_dense("ic", most[k], false, single);
      check_against_dense("ilu", most[k], false, single);
      check_against_dense("ilu", most[k], true, single);
    }
  }
}

TEST(complete_factors_solve_with_the_block)
{
  const char *const specs[] = {"ic:level=1000", "ilu:level=1000"};
  for (int k = 0; k < 2; k++) {
    SCOPED(free_block) block B;
    scoped_mat *A = make_matrix(k == 1, 3, &B);
    SCOPED(free_vectors) vectors v = make_vectors(A);
    scoped_precond *M = new_precond(A, specs[k]);
    assert_ok(ovk_precond_apply(M, v.r, v.z, ovk_poll_none()));
    multiply(B.n, B.A, false, ovk_vec_array_const(v.z), v.Cz);
    check_close(B.n, v.Cz, ovk_vec_array_const(v.r), 1e-12);
  }
}

TEST(the_factors_of_ic_are_two_halves_of_it)
{
  const char *const specs[] = {"ic", "ic:level=2", "ic:store=float", "ic:shift=0.25"};
  for (int k = 0; k < 4; k++) {
    SCOPED(free_block) block B;
    scoped_mat *A = make_matrix(false, 8, &B);
    SCOPED(free_vectors) vectors v = make_vectors(A);
    scoped_precond *M = new_precond(A, specs[k]);
    assert_ok(ovk_precond_factor(M));
    assert_ok(ovk_precond_apply(M, v.r, v.z, ovk_poll_none()));
    assert_ok(ovk_precond_apply_left(M, v.r, v.t, ovk_poll_none()));
    if (k == 0) { /* L t = r */
      factorise(&B, 0, true);
      multiply(B.n, B.L, false, ovk_vec_array_const(v.t), v.Cz);
      check_close(B.n, v.Cz, ovk_vec_array_const(v.r), 1e-13);
    }
    assert_ok(ovk_precond_apply_right(M, v.t, v.r, ovk_poll_none()));
    for (int i = 0; i < B.n; i++) {
      assert_true(ovk_vec_array_const(v.z)[i] == ovk_vec_array_const(v.r)[i]);
    }
  }
}

TEST(ilu_has_no_factors_for_split_methods)
{
  SCOPED(free_block) block B;
  scoped_mat *A = make_matrix(false, 8, &B);
  scoped_precond *M = new_precond(A, "ilu");
  assert_error(ovk_precond_factor(M), OVK_ERR_UNSUPPORTED, "'ilu' has no factors");
}

TEST(sweeps_poll_and_give_the_same_bits)
{
  const char *const specs[] = {"ic", "ilu:store=float", "ic:level=1000", "ilu:level=1000"};
  for (int k = 0; k < 4; k++) {
    SCOPED(free_block) block B;
    scoped_mat *A = make_matrix(false, 9, &B);
    SCOPED(free_vectors) vectors v = make_vectors(A);
    int calls = 0;
    const ovk_poll poll = {count_call, &calls, 5};
    scoped_precond *M = new_precond(A, specs[k]);
    assert_ok(ovk_precond_apply(M, v.r, v.z, poll));
    const int most = 2 * ((B.n + 4) / 5), least = 2 * ((B.n + 6) / 7); /* groups of up to 3 rows */
    assert_true(calls <= most && calls >= (k < 2 ? most : least));
    assert_ok(ovk_precond_apply(M, v.r, v.t, ovk_poll_none()));
    for (int i = 0; i < B.n; i++) {
      assert_true(ovk_vec_array_const(v.z)[i] == ovk_vec_array_const(v.t)[i]);
    }
  }
}

/* An arrow, whose distances need more than 16 bits, and whose factors have no fill: row i < n - 1
 * has its diagonal and the last column. */
TEST(distances_of_more_than_16_bits_are_kept)
{
  const char *const specs[] = {"ic", "ilu", "ic:store=float", "ilu:store=float"};
  const ovk_lidx n = 70000;
  scoped_mat *A = new_mat(n);
  const ovk_gidx first = ovk_mat_row_begin(A), last = first + n - 1;
  for (ovk_gidx i = first; i < last; i++) {
    assert_ok(ovk_mat_add(A, i, i, 2));
    assert_ok(ovk_mat_add(A, i, last, -1.0 / n));
    assert_ok(ovk_mat_add(A, last, i, -1.0 / n));
  }
  assert_ok(ovk_mat_add(A, last, last, 3));
  assert_ok(ovk_mat_assemble(A));
  SCOPED(free_vectors) vectors v = make_vectors(A);
  for (int k = 0; k < 4; k++) {
    scoped_precond *M = new_precond(A, specs[k]);
    assert_ok(ovk_precond_apply(M, v.r, v.z, ovk_poll_none()));
    assert_ok(ovk_mat_mult(A, v.z, v.t));
    check_close(n, ovk_vec_array_const(v.t), ovk_vec_array_const(v.r), k < 2 ? 1e-10 : 1e-5);
  }
}
