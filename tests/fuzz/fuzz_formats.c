/* SPDX-License-Identifier: BSD-2-Clause */
/* Every storage format returns the entries that it was built from, bit for bit, and multiplies like
 * compressed rows; or it refuses a matrix with a message. */
#include "matrix/formats/format.h"
#include "support/fuzz/entries.h"
#include "support/problem.h"

/* A matrix, and the expected product with x. */
typedef struct subject {
  const char *format;
  const ovk__csr *A;
  bool infects;      /* x contains NaN or infinity, which formats may spread to other rows */
  double *x, *y, *z; /* y, z: results; all of A's rows and one more */
} subject;

static double *numbers(ovk_lidx n)
{
  double *array = malloc(((size_t)n + 1) * sizeof *array);
  FUZZ_CHECK(array, "no memory");
  return array;
}

static ovk__csr csr_of(const entries *list)
{
  ovk__csr A;
  FUZZ_CHECK(ovk__csr_alloc(fuzz_ctx(), list->n, list->count, &A) == OVK_OK, "no memory");
  memset(A.ptr, 0, ((size_t)A.rows + 1) * sizeof *A.ptr);
  for (int k = 0; k < list->count; k++) {
    A.ptr[list->at[k].i + 1]++;
    A.col[k] = list->at[k].j;
    A.val[k] = list->at[k].value;
  }
  for (ovk_lidx i = 0; i < A.rows; i++) A.ptr[i + 1] += A.ptr[i];
  return A;
}

static void check_rows(const subject *s, const ovk__format *f, const void *block)
{
  const ovk__csr *A = s->A;
  scoped_array ovk_lidx *col = malloc(((size_t)A->rows + 1) * sizeof *col);
  FUZZ_CHECK(col, "no memory");
  f->diagonal(block, s->z);
  for (ovk_lidx i = 0; i < A->rows; i++) {
    const int64_t first = A->ptr[i], n = A->ptr[i + 1] - first;
    double diagonal = 0;
    FUZZ_CHECK(f->row(block, i, NULL, NULL) == n, "%s: row %d", s->format, i);
    FUZZ_CHECK(f->row(block, i, col, s->y) == n, "%s: row %d", s->format, i);
    for (int64_t k = 0; k < n; k++) {
      FUZZ_CHECK(col[k] == A->col[first + k], "%s: row %d column %d", s->format, i, col[k]);
      FUZZ_CHECK(memcmp(&s->y[k], &A->val[first + k], sizeof *s->y) == 0, "%s: (%d, %d) is %.17g",
                 s->format, i, col[k], s->y[k]);
      if (col[k] == i) diagonal = s->y[k];
    }
    FUZZ_CHECK(memcmp(&s->z[i], &diagonal, sizeof diagonal) == 0, "%s: diagonal %d", s->format, i);
  }
}

/* y = A x and dot = (x, y), up to rounding and underflow in any order of summation; if a partial
 * sum may overflow, the result depends on the order and is not checked. */
static void check_product(const subject *s, double dot)
{
  const ovk__csr *A = s->A;
  long double exact = 0, allowed = 0;
  for (ovk_lidx i = 0; i < A->rows; i++) {
    long double sum = 0, size = 0, finite = 0;
    for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
      const long double product = (long double)A->val[k] * s->x[A->col[k]];
      sum += product;
      size += fabsl(product);
      if (isfinite(product)) finite += fabsl(product);
    }
    const int64_t n = A->ptr[i + 1] - A->ptr[i];
    const long double error = (long double)(n + 4) * (DBL_EPSILON * size + DBL_TRUE_MIN);
    if (finite > DBL_MAX / 4 || (s->infects && isnan(s->y[i]))) {
      allowed = INFINITY;
    } else if (!isfinite(size)) {
      FUZZ_CHECK(isnan(sum) ? isnan(s->y[i]) : s->y[i] == (double)sum, "%s: row %d is %g, not %Lg",
                 s->format, i, s->y[i], sum);
      allowed = INFINITY;
    } else {
      FUZZ_CHECK(fabsl(s->y[i] - sum) <= error, "%s: row %d is %.17g, not %.17Lg", s->format, i,
                 s->y[i], sum);
      exact += s->x[i] * sum;
      allowed += fabsl(s->x[i]) * (error + (A->rows + 4) * DBL_EPSILON * size) + DBL_TRUE_MIN;
      if (size > DBL_MAX / 1e6) allowed = INFINITY;
    }
  }
  FUZZ_CHECK(!isfinite(allowed) || fabsl(dot - exact) <= allowed, "%s: product %.17g, not %.17Lg",
             s->format, dot, exact);
}

/* The same bits for any number of polls, and for two products at a time. */
static void check_again(const subject *s, const ovk__format *f, const void *block, double dot)
{
  const size_t bytes = (size_t)s->A->rows * sizeof *s->y;
  int calls = 0;
  for (ovk_lidx every = 1; every < 100; every *= 7) {
    memset(s->z, 0xff, bytes);
    const double again =
        f->products->dot(block, s->x, s->z, (ovk_poll){count_call, &calls, every}, NULL);
    FUZZ_CHECK(memcmp(&again, &dot, sizeof dot) == 0 || (isnan(again) && isnan(dot)),
               "%s: product %.17g, polled %.17g", s->format, dot, again);
    for (ovk_lidx i = 0; i < s->A->rows; i++)
      FUZZ_CHECK(entries_same(s->y[i], s->z[i]), "%s: row %d polled", s->format, i);
  }
  if (!f->products->pair) return;
  scoped_array double *w = numbers(s->A->rows);
  f->products->pair(block, (const double *[]){s->x, s->x}, (double *[]){s->z, w}, ovk_poll_none());
  for (ovk_lidx i = 0; i < s->A->rows; i++)
    FUZZ_CHECK(entries_same(s->y[i], s->z[i]) && entries_same(s->y[i], w[i]),
               "%s: row %d of a pair: %.17g and %.17g, alone %.17g", s->format, i, s->z[i], w[i],
               s->y[i]);
}

static void check_format(subject *s)
{
  const ovk__format *f;
  ovk__wanted wanted;
  FUZZ_CHECK(ovk__format_find(fuzz_ctx(), s->format, &wanted) == OVK_OK, "no format %s", s->format);
  ovk__csr copy;
  const size_t nnz = (size_t)ovk__csr_nnz(s->A);
  FUZZ_CHECK(ovk__csr_alloc(fuzz_ctx(), s->A->rows, (int64_t)nnz, &copy) == OVK_OK, "no memory");
  memcpy(copy.ptr, s->A->ptr, ((size_t)s->A->rows + 1) * sizeof *copy.ptr);
  memcpy(copy.col, s->A->col, nnz * sizeof *copy.col);
  memcpy(copy.val, s->A->val, nnz * sizeof *copy.val);
  void *block;
  wanted.exact = true;
  const ovk_err err = ovk__format_build(fuzz_ctx(), wanted, &copy, &f, &block);
  if (err) {
    FUZZ_CHECK(err == OVK_ERR_UNSUPPORTED, "%s: %s", s->format, fuzz_refused(err));
    fuzz_refused(err);
    ovk__csr_free(&copy);
    return;
  }
  check_rows(s, f, block);
  FUZZ_CHECK(f->bytes(block) >= 0, "%s: bytes", s->format);
  memset(s->y, 0xff, (size_t)s->A->rows * sizeof *s->y);
  const double dot = f->products->dot(block, s->x, s->y, ovk_poll_none(), NULL);
  check_product(s, dot);
  check_again(s, f, block, dot);
  f->destroy(block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_bytes in = {data, data + size};
  const unsigned seed = fuzz_byte(&in);
  SCOPED(entries_free) entries list = entries_read(&in);
  entries_merge(&list);
  SCOPED(ovk__csr_free) ovk__csr A = csr_of(&list);
  subject s = {NULL, &A, seed >= 192, numbers(A.rows), numbers(A.rows), numbers(A.rows)};
  for (ovk_lidx i = 0; i < A.rows; i++) s.x[i] = random_number(seed, (uint64_t)i) - 0.5;
  if (seed >= 192 && A.rows) s.x[seed % (unsigned)A.rows] = seed % 2 ? NAN : INFINITY;
  ovk_choice choice = OVK_CHOICE;
  for (int k = 0; ovk_list_formats(fuzz_ctx(), k, &choice); k++) {
    s.format = choice.name;
    check_format(&s);
  }
  free(s.x);
  free(s.y);
  free(s.z);
  return 0;
}
