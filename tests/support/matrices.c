/* SPDX-License-Identifier: BSD-2-Clause */
/* Test matrices. */
#include "support/matrices.h"
#include "support/test_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *matrix_path(const char *name)
{
  static char path[4096];
  const char *dir = getenv("OVK_MATRIX_DIR");
  if (!dir || !*dir) return NULL;
  snprintf(path, sizeof path, "%s/%s", dir, name);
  return path;
}

/* A <- H A H with H = I - 2 u u^T / (u,u): keeps the spectrum. */
static void reflect(int n, double *A, const double *u)
{
  double uu = 0;
  for (int i = 0; i < n; i++) uu += u[i] * u[i];
  for (int side = 0; side < 2; side++) {
    const int along = side ? 1 : n, across = side ? n : 1;
    for (int j = 0; j < n; j++) {
      double dot = 0;
      for (int i = 0; i < n; i++) dot += u[i] * A[i * along + j * across];
      for (int i = 0; i < n; i++) A[i * along + j * across] -= 2 * dot / uu * u[i];
    }
  }
}

double *random_spd(int n, double condition, uint64_t seed)
{
  double *A = calloc((size_t)n * (size_t)n, sizeof *A);
  double *u = malloc((size_t)n * sizeof *u);
  assert_true(A && u);
  for (int i = 0; i < n; i++) {
    A[i * n + i] =
        pow(condition, n > 1 ? -(double)i / (n - 1) : 0); /* eigenvalues 1 to 1/condition */
  }
  for (uint64_t k = 0; k < 3; k++) {
    for (int i = 0; i < n; i++) u[i] = random_number(seed + k, (uint64_t)i) - 0.5;
    reflect(n, A, u);
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) A[i * n + j] = A[j * n + i];
  }
  free(u);
  return A;
}

ovk_mat *distribute(ovk_ctx *ctx, const double *dense, int n, ovk_lidx nlocal)
{
  ovk_mat *A = NULL;
  assert_ok(ovk_mat_create(ctx, nlocal, &A));
  assert_int_equal(ovk_mat_size(A), n);
  const ovk_gidx first = ovk_mat_row_begin(A);
  for (ovk_gidx i = first; i < first + nlocal; i++) {
    for (ovk_gidx j = 0; j < n; j++) assert_ok(ovk_mat_add(A, i, j, dense[i * n + j]));
  }
  assert_ok(ovk_mat_assemble(A));
  return A;
}

ovk_lidx even_share(int n, int rank, int size)
{
  return (ovk_lidx)(n / size + (rank < n % size));
}
