/* SPDX-License-Identifier: BSD-2-Clause */
/* The small least squares problem of GMRES. */
#include "solvers/kernels/hessenberg.h"
#include "core/math/hypot.h"

#include <math.h>

static size_t hessenberg_matrix_size(int most)
{
  return (size_t)most * ((size_t)most + 1);
}

size_t ovk__hessenberg_size(int most)
{
  return 2 * hessenberg_matrix_size(most) + 4 * ((size_t)most + 1);
}

void ovk__hessenberg_place(ovk__hessenberg *P, int most, double *memory)
{
  const size_t row = (size_t)most + 1;
  P->most = most;
  P->H = memory;
  P->R = P->H + hessenberg_matrix_size(most);
  P->cosine = P->R + hessenberg_matrix_size(most);
  P->sine = P->cosine + row;
  P->g = P->sine + row;
  P->y = P->g + row;
}

void ovk__hessenberg_start(ovk__hessenberg *P, double beta)
{
  for (int k = 0; k <= P->most; k++) P->g[k] = 0;
  P->g[0] = beta;
  P->largest = 0;
}

/* The norm of column j of H with its entry j + 1. */
static double hessenberg_norm(const ovk__hessenberg *P, int j)
{
  const double *h = P->H + ovk__hessenberg_at(P, 0, j);
  double norm = 0;
  for (int i = 0; i <= j + 1; i++) norm = ovk__hypot(norm, h[i]);
  return norm;
}

/* (a, b) <- (c a + s b, c b - s a) */
static void hessenberg_rotate(double c, double s, double *a, double *b)
{
  const double first = c * *a + s * *b;
  *b = c * *b - s * *a;
  *a = first;
}

bool ovk__hessenberg_push(ovk__hessenberg *P, int j, double negligible)
{
  const double *h = P->H + ovk__hessenberg_at(P, 0, j);
  double *r = P->R + ovk__hessenberg_at(P, 0, j);
  P->largest = fmax(P->largest, hessenberg_norm(P, j));
  for (int i = 0; i <= j + 1; i++) r[i] = h[i];
  for (int i = 0; i < j; i++) hessenberg_rotate(P->cosine[i], P->sine[i], &r[i], &r[i + 1]);
  const double size = ovk__hypot(r[j], r[j + 1]);
  if (!(size > negligible * P->largest)) {
    P->g[j + 1] = P->g[j];
    return false;
  }
  P->cosine[j] = r[j] / size;
  P->sine[j] = r[j + 1] / size;
  hessenberg_rotate(P->cosine[j], P->sine[j], &r[j], &r[j + 1]);
  hessenberg_rotate(P->cosine[j], P->sine[j], &P->g[j], &P->g[j + 1]);
  return true;
}

double ovk__hessenberg_residual(const ovk__hessenberg *P, int k)
{
  return fabs(P->g[k]);
}

void ovk__hessenberg_solve(ovk__hessenberg *P, int k)
{
  for (int i = k - 1; i >= 0; i--) {
    double sum = P->g[i];
    for (int j = i + 1; j < k; j++) sum -= P->R[ovk__hessenberg_at(P, i, j)] * P->y[j];
    P->y[i] = sum / P->R[ovk__hessenberg_at(P, i, i)];
  }
}

void ovk__hessenberg_multiply(const ovk__hessenberg *P, int k, const double *s, double *out)
{
  for (int i = 0; i <= k; i++) out[i] = 0;
  for (int j = 0; j < k; j++) {
    const double *h = P->H + ovk__hessenberg_at(P, 0, j);
    for (int i = 0; i <= j + 1; i++) out[i] += h[i] * s[j];
  }
}
