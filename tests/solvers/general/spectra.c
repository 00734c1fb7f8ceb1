/* SPDX-License-Identifier: BSD-2-Clause */
/* Dense random matrices: a diagonal, or 2 x 2 rotations, between Householder reflections. */
#include "spectra.h"
#include "support/random.h"
#include "support/test_main.h"

enum { REFLECTIONS = 3 };

/* A <- H A (rows) or A H, where H = I - 2 u u^T / (u, u) */
static void reflect(int n, double *A, const double *u, bool from_left)
{
  double uu = 0;
  for (int i = 0; i < n; i++) uu += u[i] * u[i];
  for (int j = 0; j < n; j++) {
    double dot = 0;
    for (int i = 0; i < n; i++) dot += u[i] * (from_left ? A[i * n + j] : A[j * n + i]);
    for (int i = 0; i < n; i++) *(from_left ? &A[i * n + j] : &A[j * n + i]) -= 2 * dot / uu * u[i];
  }
}

static double *diagonal_of(spectrum kind, int n, double condition, uint64_t seed)
{
  double *A = new_zeros((size_t)n * (size_t)n, sizeof *A);
  for (int i = 0; i < n; i++) {
    const double size = pow(condition, -(double)i / (n - 1));
    A[i * n + i] = kind == INDEFINITE && random_number(seed, (uint64_t)i) < 0.4 ? -size : size;
  }
  for (int i = 0; kind == NORMAL && i < n; i += 2) { /* pairs of the same size, rotated */
    const double size = A[i * n + i], angle = 1.2 * random_number(seed, (uint64_t)i);
    A[i * n + i] = A[(i + 1) * n + i + 1] = size * cos(angle);
    A[i * n + i + 1] = size * sin(angle);
    A[(i + 1) * n + i] = -size * sin(angle);
  }
  return A;
}

double *random_of(spectrum kind, int n, double condition, uint64_t seed)
{
  double *A = diagonal_of(kind, n, condition, seed), u[2][64];
  assert_true(n <= 64 && n % 2 == 0);
  for (uint64_t k = 0; k < REFLECTIONS; k++) {
    for (int i = 0; i < n; i++) {
      u[0][i] = random_number(seed + k, (uint64_t)n + (uint64_t)i) - 0.5;
      u[1][i] = random_number(seed + k, 2 * (uint64_t)n + (uint64_t)i) - 0.5;
    }
    reflect(n, A, u[0], true);
    reflect(n, A, u[kind == FAR_FROM_NORMAL], false);
  }
  for (int i = 0; kind == INDEFINITE && i < n; i++) {
    for (int j = 0; j < i; j++) A[i * n + j] = A[j * n + i];
  }
  return A;
}
