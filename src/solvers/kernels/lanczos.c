/* SPDX-License-Identifier: BSD-2-Clause */
/* The scalar recurrences of the deep pipeline. */
#include "solvers/kernels/lanczos.h"
#include "core/math/elementary.h"
#include "core/math/tridiagonal.h"

#include <math.h>

/* Columns of P_k(T) are computed in a window of indices around their first one. */
enum { REACH = OVK__MAX_DEPTH + 2, WINDOW = 2 * REACH + 1 };

/* Number of T's last rows used for the extreme eigenvalues. */
enum { ROWS = 40 };

/* Ritz values lie inside the spectrum: factors by which the interval is widened. */
static const double ABOVE = 1.05, BELOW = 1.5;

/* Below this fraction of (z, z) the remainder that gives delta is rounding. */
static const double LEAST_PIVOT = 1e-13;

static double lanczos_gamma(const ovk__lanczos *T, int j)
{
  return T->gamma[ovk__lanczos_at(j)];
}

static double lanczos_delta(const ovk__lanczos *T, int j)
{
  return T->delta[ovk__lanczos_at(j)];
}

static double lanczos_eta(const ovk__lanczos *T, int j)
{
  return T->eta[ovk__lanczos_at(j)];
}

bool ovk__lanczos_pivot(ovk__lanczos *T, int j)
{
  const double before = lanczos_delta(T, j - 1);
  const double eta = lanczos_gamma(T, j) - (j > 0 ? before * before / lanczos_eta(T, j - 1) : 0);
  T->eta[ovk__lanczos_at(j)] = eta;
  T->zeta[ovk__lanczos_at(j + 1)] = -T->zeta[ovk__lanczos_at(j)] * lanczos_delta(T, j) / eta;
  return eta > 0 && isfinite(eta);
}

double ovk__lanczos_alpha(const ovk__lanczos *T, int j)
{
  return 1 / lanczos_eta(T, j);
}

double ovk__lanczos_beta(const ovk__lanczos *T, int j)
{
  const double root = j > 0 ? lanczos_delta(T, j - 1) / lanczos_eta(T, j - 1) : 0;
  return root * root;
}

void ovk__lanczos_widen(const ovk__lanczos *T, int end, double *lambda_min, double *lambda_max)
{
  const int first = end > ROWS ? end - ROWS : 0;
  double d[ROWS], e[ROWS], low, high;
  for (int j = first; j < end; j++) {
    d[j - first] = lanczos_gamma(T, j);
    e[j - first] = lanczos_delta(T, j);
  }
  if (!ovk__tridiagonal_ends(end - first, d, e, &low, &high)) return;
  *lambda_min = fmin(*lambda_min, low);
  *lambda_max = fmax(*lambda_max, high);
}

bool ovk__lanczos_shift(ovk__lanczos *T, double lambda_min, double lambda_max)
{
  const int l = T->depth;
  lambda_min /= BELOW;
  lambda_max *= ABOVE;
  for (int k = 0; k < l; k++) { /* roots of a Chebyshev polynomial */
    T->shift[k] = 0.5 * (lambda_max + lambda_min) +
                  0.5 * (lambda_max - lambda_min) * ovk__cos_pi((2 * k + 1) / (2.0 * l));
  }
  T->scale = 0.25 * (lambda_max - lambda_min);
  return T->scale > 0 && isfinite(T->scale);
}

/* Row m of T times c, where c[0] belongs to row `origin`. */
static double lanczos_row_times(const ovk__lanczos *T, int m, const double *c, int origin)
{
  const double *at = c + (m - origin);
  return lanczos_delta(T, m - 1) * at[-1] + lanczos_gamma(T, m) * at[0] +
         lanczos_delta(T, m) * at[1];
}

/* c <- column j of P_k(T), where c[0] belongs to row `origin`. */
static void lanczos_compute_column(const ovk__lanczos *T, int j, int k, int origin,
                                   double c[WINDOW])
{
  for (int i = 0; i < WINDOW; i++) c[i] = 0;
  c[j - origin] = 1;
  for (int q = 0; q < k; q++) {
    double next[WINDOW] = {0};
    for (int m = j - q - 1; m <= j + q + 1; m++) {
      next[m - origin] =
          (lanczos_row_times(T, m, c, origin) - T->shift[q] * c[m - origin]) / T->scale;
    }
    for (int i = 0; i < WINDOW; i++) c[i] = next[i];
  }
}

bool ovk__lanczos_extend(ovk__lanczos *T, int start, int i, double zz, double zy)
{
  const int k = i - start < T->depth - 1 ? i - start : T->depth - 1, j = i - k;
  const int origin = j - REACH, at = ovk__lanczos_at(i);
  double c[WINDOW], known_zy = 0, known_zz = 0;
  lanczos_compute_column(T, j, k, origin, c); /* column of y */
  for (int m = j - k - 1; m < i; m++) {
    const double z = (lanczos_row_times(T, m, c, origin) - T->shift[k] * c[m - origin]) / T->scale;
    known_zy += z * c[m - origin];
    known_zz += z * z;
  }
  const double last = c[i - origin];
  const double z = (zy - known_zy) / last; /* row i of z_i+1 */
  const double rest = zz - known_zz - z * z;
  T->gamma[at] = (z * T->scale - lanczos_delta(T, i - 1) * c[i - 1 - origin]) / last + T->shift[k];
  if (!(rest > LEAST_PIVOT * zz) || !isfinite(rest)) return false;
  T->delta[at] = sqrt(rest) * T->scale / fabs(last);
  return ovk__lanczos_pivot(T, i);
}

double ovk__lanczos_expect(const ovk__lanczos *T, int m)
{
  double c[WINDOW];
  const int origin = m - 1 - REACH;
  lanczos_compute_column(T, m - 1, T->depth, origin, c);
  return c[m - origin];
}
