/* SPDX-License-Identifier: BSD-2-Clause */
/* Scratch files, matrices as dense arrays, and errors of reading. */
#include "mm_support.h"
#include "matrix/mat_impl.h"

const char *scratch_path(void)
{
  static char path[512];
  static int number;
  const char *dir = getenv("TMPDIR");
  snprintf(path, sizeof path, "%s/ovk_mm_%ld_%d.mtx", dir && *dir ? dir : "/tmp", (long)getpid(),
           number++);
  MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
  return path;
}

const char *scratch_file(const char *bytes, size_t n)
{
  const char *path = scratch_path();
  if (test_rank == 0) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return path;
}

void remove_scratch(const char *path)
{
  MPI_Barrier(MPI_COMM_WORLD);
  if (test_rank == 0) remove(path);
}

typedef struct dense {
  int n;
  double *values;
} dense;

static ovk_err add_to_dense(void *arg, ovk_gidx i, ovk_gidx j, double value)
{
  dense *d = arg;
  d->values[i * d->n + j] = value;
  return OVK_OK;
}

double *dense_of(const ovk_mat *A)
{
  const int n = (int)ovk_mat_size(A);
  dense d = {n, calloc((size_t)(n * n) + 1, sizeof(double))};
  assert_non_null(d.values);
  assert_ok(ovk__mat_for_each_entry(A, add_to_dense, &d));
  MPI_Allreduce(MPI_IN_PLACE, d.values, n * n, MPI_DOUBLE, MPI_SUM, ovk_ctx_comm(ovk_mat_ctx(A)));
  return d.values;
}

double *array_of(const ovk_vec *v)
{
  const int n = (int)ovk_vec_size(v);
  double *array = new_memory(((size_t)n + 1) * sizeof *array);
  for (int i = 0; i < n; i++) array[i] = -0.0; /* which changes no number that is added to it */
  for (int i = 0; i < ovk_vec_local_size(v); i++)
    array[ovk_vec_first(v) + i] = ovk_vec_array_const(v)[i];
  MPI_Allreduce(MPI_IN_PLACE, array, n, MPI_DOUBLE, MPI_SUM, ovk_ctx_comm(ovk_vec_ctx(v)));
  return array;
}

void assert_reads_as(const char *text, int n, const double *expected)
{
  const char *path = scratch_file(text, strlen(text));
  scoped_mat *A = new_mat_of_file(path, NULL);
  assert_int_equal(ovk_mat_size(A), n);
  scoped_array double *found = dense_of(A);
  for (int k = 0; k < n * n; k++) {
    if (found[k] != expected[k])
      print_error("entry (%d, %d) is %g, not %g\n", k / n + 1, k % n + 1, found[k], expected[k]);
    assert_true(found[k] == expected[k]);
  }
  remove_scratch(path);
}

ovk_vec *even_vec(ovk_ctx *ctx, int n)
{
  ovk_vec *v = NULL;
  assert_ok(ovk_vec_create(ctx, even_share(n, ovk_ctx_rank(ctx), ovk_ctx_size(ctx)), &v));
  return v;
}

static ovk_ctx *self; /* a context of this rank only */

int open_self(void **state)
{
  return ovk_ctx_create(MPI_COMM_SELF, &self) != OVK_OK;
}

int close_self(void **state)
{
  ovk_ctx_destroy(&self);
  return 0;
}

void assert_matrix_error(const char *path, ovk_err code, const char *part)
{
  ovk_mat *A = NULL;
  assert_error(ovk_mat_read_mm(test_ctx(), path, NULL, &A), code, part);
  assert_null(A);
  assert_int_equal(ovk_mat_read_mm(self, path, NULL, &A), code);
  assert_null(A);
  assert_string_equal(ovk_ctx_error(self), ovk_ctx_error(test_ctx()));
}

void assert_vector_error(const char *path, int n, ovk_err code, const char *part)
{
  scoped_vec *v = even_vec(test_ctx(), n), *w = even_vec(self, n);
  assert_ok(ovk_vec_fill(v, 99));
  assert_error(ovk_vec_read_mm(v, path), code, part);
  for (int i = 0; i < ovk_vec_local_size(v); i++) assert_true(ovk_vec_array(v)[i] == 99);
  assert_int_equal(ovk_vec_read_mm(w, path), code);
  assert_string_equal(ovk_ctx_error(self), ovk_ctx_error(test_ctx()));
}
