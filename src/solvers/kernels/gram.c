/* SPDX-License-Identifier: BSD-2-Clause */
/* Factors of small Gram matrices. */
#include "solvers/kernels/gram.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A pivot below this is rounding error. */
static const double NOISE = 512 * DBL_EPSILON;

/* The factorization of the vectors scaled to length 1, in the order of the pivots. */
typedef struct gram_work {
  int n; /* vectors that are not 0 */
  int at[OVK__GRAM];
  double scale[OVK__GRAM];
  ovk__gram L;
} gram_work;

static bool gram_is_finite(int w, ovk__gram G)
{
  for (int i = 0; i < w; i++) {
    for (int j = 0; j < w; j++) {
      if (!isfinite(G[i][j])) return false;
    }
  }
  return true;
}

/* L <- the lower half of the scaled matrix. Returns false if a square is negative. */
static bool gram_scale(int w, ovk__gram G, double zero, gram_work *W)
{
  W->n = 0;
  for (int i = 0; i < w; i++) {
    if (G[i][i] < 0) return false;
    if (G[i][i] <= zero) continue;
    W->scale[W->n] = 1 / sqrt(G[i][i]);
    W->at[W->n++] = i;
  }
  for (int i = 0; i < W->n; i++) {
    for (int j = 0; j <= i; j++) {
      W->L[i][j] = W->scale[i] * W->scale[j] * G[W->at[i]][W->at[j]];
    }
  }
  return true;
}

static void gram_swap(double *a, double *b)
{
  const double t = *a;
  *a = *b;
  *b = t;
}

/* Exchanges vectors k and m > k; columns before k are factors already. */
static void gram_exchange(gram_work *W, int k, int m)
{
  const int at = W->at[k];
  W->at[k] = W->at[m];
  W->at[m] = at;
  gram_swap(&W->scale[k], &W->scale[m]);
  gram_swap(&W->L[k][k], &W->L[m][m]);
  for (int j = 0; j < k; j++) gram_swap(&W->L[k][j], &W->L[m][j]);
  for (int j = k + 1; j < m; j++) gram_swap(&W->L[j][k], &W->L[m][j]);
  for (int j = m + 1; j < W->n; j++) gram_swap(&W->L[j][k], &W->L[j][m]);
}

static int gram_largest_pivot(const gram_work *W, int k)
{
  int largest = k;
  for (int m = k + 1; m < W->n; m++) {
    if (W->L[m][m] > W->L[largest][largest]) largest = m;
  }
  return largest;
}

/* Returns the rank; -1: not semidefinite. */
static int gram_cholesky(gram_work *W, ovk__gram_dependent dependent, double *least)
{
  *least = 1;
  for (int k = 0; k < W->n; k++) {
    gram_exchange(W, k, gram_largest_pivot(W, k));
    double pivot = W->L[k][k];
    if (pivot < -NOISE) return -1;
    if (pivot < NOISE && dependent == OVK__GRAM_DROP) return k;
    if (pivot < NOISE) pivot = NOISE;
    if (pivot < *least) *least = pivot;
    W->L[k][k] = sqrt(pivot);
    for (int i = k + 1; i < W->n; i++) W->L[i][k] /= W->L[k][k];
    for (int i = k + 1; i < W->n; i++) {
      for (int j = k + 1; j <= i; j++) W->L[i][j] -= W->L[i][k] * W->L[j][k];
    }
  }
  return W->n;
}

/* Column c of L^-T: row i of the inverse of the vectors' order. */
static void gram_invert(const gram_work *W, ovk__gram_factors *out)
{
  for (int c = 0; c < out->rank; c++) {
    double v[OVK__GRAM] = {0};
    v[c] = 1 / W->L[c][c];
    for (int i = c - 1; i >= 0; i--) {
      double sum = 0;
      for (int j = i + 1; j <= c; j++) sum += W->L[j][i] * v[j];
      v[i] = -sum / W->L[i][i];
    }
    for (int i = 0; i <= c; i++) out->inverse[W->at[i]][c] = W->scale[i] * v[i];
  }
}

bool ovk__gram_factor(int w, ovk__gram G, double zero, ovk__gram_dependent dependent,
                      ovk__gram_factors *out)
{
  gram_work W;
  memset(out, 0, sizeof *out);
  memset(&W, 0, sizeof W);
  if (!gram_is_finite(w, G) || !gram_scale(w, G, zero, &W)) return false;
  for (int i = 0; i < w; i++) out->vectors += G[i][i] > 0;
  out->rank = gram_cholesky(&W, dependent, &out->least);
  if (out->rank < 0) return false;
  out->drops = out->rank < out->vectors;
  for (int i = 0; i < W.n; i++) {
    const int last = i < out->rank ? i + 1 : out->rank;
    for (int c = 0; c < last; c++) out->factor[c][W.at[i]] = W.L[i][c] / W.scale[i];
  }
  gram_invert(&W, out);
  return true;
}

void ovk__gram_multiply(int w, ovk__gram A, ovk__gram B, ovk__gram C)
{
  memset(C, 0, sizeof(ovk__gram));
  for (int i = 0; i < w; i++) {
    for (int k = 0; k < w; k++) {
      for (int j = 0; j < w; j++) C[i][j] += A[i][k] * B[k][j];
    }
  }
}

void ovk__gram_multiply_transpose(int w, ovk__gram A, ovk__gram B, ovk__gram C)
{
  memset(C, 0, sizeof(ovk__gram));
  for (int i = 0; i < w; i++) {
    for (int j = 0; j < w; j++) {
      for (int k = 0; k < w; k++) C[i][j] += A[i][k] * B[j][k];
    }
  }
}

double ovk__gram_square(int w, ovk__gram G, ovk__gram s, int c)
{
  double square = 0;
  for (int i = 0; i < w; i++) {
    for (int j = 0; j < w; j++) square += s[i][c] * G[i][j] * s[j][c];
  }
  return square;
}
