/* SPDX-License-Identifier: BSD-2-Clause */
/* All storage formats represent the given entries bit for bit, multiply like the formula, and take
 * no more memory than csr; or they refuse a matrix on all ranks. For matrices of many kinds, and
 * for those of the folder of real matrices. */
#include "format_matrices.h"
#include "matrix/mat_impl.h"
#include "support/problem.h"

/* The case under test, for failure messages. */
typedef struct subject {
  const matrix_rows *rows;
  const char *format;
  uint64_t seed;
} subject;

static void check(const subject *s, bool holds, const char *what, ovk_lidx row)
{
  if (holds) return;
  print_error("[rank %d] %s (seed %d) as %s: %s, local row %d\n", test_rank, s->rows->name,
              (int)s->seed, s->format, what, row);
  fail();
}

static bool same_bits(const void *a, const void *b, size_t n)
{
  return n == 0 || memcmp(a, b, n * sizeof(double)) == 0;
}

/* Iterates over the rows while a matrix lists its entries. */
typedef struct walk {
  const subject *subject;
  ovk_lidx i;
  int64_t k;
} walk;

static ovk_err compare_entry(void *arg, ovk_gidx i, ovk_gidx j, double value)
{
  walk *w = arg;
  const matrix_rows *rows = w->subject->rows;
  while (w->i < rows->nlocal && rows->ptr[w->i + 1] == w->k) w->i++;
  check(w->subject, w->i < rows->nlocal, "more entries than there are", w->i);
  check(w->subject, i == rows->first + w->i && j == rows->col[w->k], "an entry elsewhere", w->i);
  check(w->subject, same_bits(&value, &rows->val[w->k], 1), "another value", w->i);
  w->k++;
  return OVK_OK;
}

static void check_entries(const subject *s, const ovk_mat *A)
{
  walk w = {.subject = s};
  int64_t nnz = s->rows->ptr[s->rows->nlocal];
  assert_ok(ovk__mat_for_each_entry(A, compare_entry, &w));
  check(s, w.k == nnz, "fewer entries than there are", w.i);
  MPI_Allreduce(MPI_IN_PLACE, &nnz, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  check(s, ovk_mat_nnz(A) == nnz, "another number of entries", w.i);
}

/* The local block in CSR is that of its rows one by one. */
static void check_unfolded(const subject *s, const ovk_mat *A)
{
  SCOPED(ovk__csr_free) ovk__csr B = {0}, row = {0};
  assert_ok(ovk__csr_alloc(test_ctx(), s->rows->nlocal, A->local_nnz, &B));
  assert_ok(ovk__csr_alloc(test_ctx(), s->rows->nlocal, A->local_nnz, &row));
  ovk__format_count(A->format, A->local, 0, B.rows, B.ptr);
  assert_ok(ovk__format_unfold(test_ctx(), A->format, A->local, 0, &B));
  check(s, ovk__csr_nnz(&B) == A->local_nnz, "another number of entries in CSR", B.rows);
  for (ovk_lidx i = 0; i < B.rows; i++) {
    const int64_t k = B.ptr[i];
    const size_t n = (size_t)A->format->row(A->local, i, row.col, row.val);
    check(s, B.ptr[i + 1] == k + (int64_t)n, "a row of another length in CSR", i);
    check(s, n == 0 || memcmp(B.col + k, row.col, n * sizeof *row.col) == 0, "other columns in CSR",
          i);
    check(s, same_bits(B.val + k, row.val, n), "other values in CSR", i);
  }
}

static void check_diagonal(const subject *s, const ovk_mat *A)
{
  const matrix_rows *rows = s->rows;
  scoped_vec *d = new_filled(A, 7);
  assert_ok(ovk_mat_diagonal(A, d));
  for (ovk_lidx i = 0; i < rows->nlocal; i++) {
    double stored = 0;
    for (int64_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) {
      if (rows->col[k] == rows->first + i) stored = rows->val[k];
    }
    check(s, same_bits(&ovk_vec_array(d)[i], &stored, 1), "another diagonal", i);
  }
}

/* The vector that is multiplied: numbers from -1/2 to 1/2. */
static double x_at(ovk_gidx j)
{
  return random_number(99, (uint64_t)j) - 0.5;
}

/* Results that are not finite are both NaN or the same infinity. */
static bool both_odd(double a, double b)
{
  return isnan(b) ? isnan(a) : a == b;
}

/* y = A x and dot = (x, y), up to rounding and underflow in any order of summation. */
static void check_product(const subject *s, const double *y, double dot)
{
  const matrix_rows *rows = s->rows;
  long double exact_dot = 0, dot_error = 0;
  for (ovk_lidx i = 0; i < rows->nlocal; i++) {
    const int64_t n = rows->ptr[i + 1] - rows->ptr[i];
    const long double x = x_at(rows->first + i);
    long double sum = 0, size = 0;
    for (int64_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) {
      const long double product = (long double)rows->val[k] * x_at(rows->col[k]);
      sum += product;
      size += fabsl(product);
    }
    const long double error = (long double)(n + 4) * (DBL_EPSILON * size + DBL_TRUE_MIN);
    check(s, isfinite(size) ? fabsl(y[i] - sum) <= error : both_odd(y[i], (double)sum),
          "another product", i);
    exact_dot += x * sum;
    dot_error += fabsl(x) * (error + (rows->nlocal + 4) * (DBL_EPSILON * size + DBL_TRUE_MIN));
  }
  check(s, isfinite(dot_error) ? fabsl(dot - exact_dot) <= dot_error : !isfinite(dot),
        "another inner product", rows->nlocal);
}

/* All products have the same bits, for any poll and any number of polls. */
static void check_polled(const subject *s, const ovk_mat *A, const ovk_vec *x, const double *y,
                         double dot)
{
  const ovk_lidx n = s->rows->nlocal;
  const ovk_lidx every[] = {1, 3, 8, 61, 1000, 1 << 30};
  scoped_vec *again = new_vec(A);
  for (size_t k = 0; k < sizeof every / sizeof *every; k++) {
    int calls = 0;
    double dot_again = 0;
    assert_ok(ovk_vec_fill(again, 7));
    assert_ok(ovk__mat_mult_dot(A, x, again, (ovk_poll){count_call, &calls, every[k]}, &dot_again));
    check(s, calls >= n / every[k], "polled too rarely", every[k]);
    check(s, same_bits(ovk_vec_array(again), y, (size_t)n), "a product with other bits", every[k]);
    check(s, same_bits(&dot_again, &dot, 1), "an inner product with other bits", every[k]);
  }
}

static void check_products(const subject *s, const ovk_mat *A)
{
  double dot = 0;
  scoped_vec *x = new_vec(A), *y = new_filled(A, 7);
  for (ovk_lidx i = 0; i < s->rows->nlocal; i++) ovk_vec_array(x)[i] = x_at(s->rows->first + i);
  assert_ok(ovk__mat_mult_dot(A, x, y, ovk_poll_none(), &dot));
  check_product(s, ovk_vec_array(y), dot);
  check_polled(s, A, x, ovk_vec_array(y), dot);
}

/* The matrix in a format, or NULL where that refuses it. */
static ovk_mat *assemble(const subject *s)
{
  ovk_mat *A = new_mat(s->rows->nlocal);
  assert_ok(ovk_mat_set_format(A, s->format));
  assert_ok(ovk_mat_add_csr(A, s->rows->ptr, s->rows->col, s->rows->val));
  const ovk_err err = ovk_mat_assemble(A);
  const bool must = strcmp(s->format, "csr") == 0 || strncmp(s->format, "auto", 4) == 0;
  if (must) assert_ok(err);
  if (err == OVK_OK) return A;
  assert_error(err, OVK_ERR_UNSUPPORTED, ""); /* with the same message on all ranks */
  check(s, strlen(ovk_ctx_error(test_ctx())) > 0, "refused without a message", 0);
  ovk_mat_destroy(&A);
  return NULL;
}

static int64_t bytes_as_csr(const matrix_rows *rows)
{
  scoped_mat *A = assemble(&(subject){rows, "csr", 0});
  return ovk_mat_bytes(A);
}

/* A matrix in one format, which may take `most` bytes. */
static void check_format(const matrix_rows *rows, const char *format, uint64_t seed, int64_t most)
{
  const subject s = {rows, format, seed};
  scoped_mat *A = assemble(&s);
  if (!A) return;
  check_entries(&s, A);
  check_unfolded(&s, A);
  check_diagonal(&s, A);
  check_products(&s, A);
  check(&s, ovk_mat_bytes(A) <= most, "more than 1.05 times the room of csr", 0);
}

/* Whether a format rounds entries without the flag "exact". */
static bool may_round(const ovk_choice *format)
{
  bool may = false;
  for (int k = 0; format->keys && format->keys[k].name; k++) {
    may = may || strcmp(format->keys[k].name, "exact") == 0;
  }
  return may;
}

/* A matrix in all formats. */
static void check_formats(const matrix_rows *rows, uint64_t seed)
{
  enum { CACHE_LINE = 64 };
  const int64_t csr = bytes_as_csr(rows), most = csr + csr / 20 + (int64_t)CACHE_LINE * test_size;
  FOR_EACH_CHOICE(ovk_list_formats, format) {
    char exact[64];
    snprintf(exact, sizeof exact, "%s:exact", format.name);
    check_format(rows, may_round(&format) ? exact : format.name, seed, most);
  }
  check_format(rows, "dia:few", seed, most);
  check_format(rows, "auto:trial,exact", seed, most);
}

TEST(every_format_is_the_same_matrix_or_refuses_it)
{
  const uint64_t seed = (uint64_t)test_size; /* others on other rank counts */
  matrix_rows rows;
  for (int m = 0; make_matrix(m, seed, &rows); m++) {
    check_formats(&rows, seed);
    free_rows(&rows);
  }
}

TEST(every_format_is_the_same_real_matrix_or_refuses_it)
{
  if (!matrix_path("")) skip();
  const char *const files[] = {
      "spd/494_bus.mtx",      "spd/1138_bus.mtx",     "spd/nos5.mtx",
      "spd/bcsstk13.mtx",     "spd/mhd4800b.mtx",     "spd/gr_30_30.mtx",
      "spd/bar.mtx",          "spd/ani4.mtx",         "spd/Trefethen_2000.mtx",
      "spd/crack_lap.mtx",    "general/add32.mtx",    "general/graphene_128x64.mtx",
      "general/orsirr_1.mtx", "general/west0479.mtx",
  };
  for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
    SCOPED(free_rows) matrix_rows rows;
    read_matrix(files[k], &rows);
    check_formats(&rows, 0);
  }
}
