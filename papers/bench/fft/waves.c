/* SPDX-License-Identifier: BSD-2-Clause */
/* Sine waves and their transforms. */
#include "bench/fft/waves.h"

#include <math.h>

static double sine(int at, int n)
{
  return sin(2 * acos(-1) * at / n);
}

/* The coefficient of exp(2 pi i k x / n) in sin(2 pi x / n). */
static double complex coefficient(int k, int n)
{
  return k == 1 ? -0.5 * I : k == n - 1 ? 0.5 * I : 0;
}

static double larger(double error, double here)
{
  return isnan(here) ? INFINITY : fmax(error, here);
}

/* Line k along x is the sine of x times this factor. */
static double factor(const pencils *p, int k)
{
  const pencil *mine = &p->along[X];
  return sine(mine->first[Z] + k / mine->n[Y], p->points[Z]) *
         sine(mine->first[Y] + k % mine->n[Y], p->points[Y]);
}

void waves_fill(const pencils *p, double amplitude, double complex *u)
{
  for (int k = 0; k < pencils_lines(p, X); k++) {
    double *line = (double *)(u + (ptrdiff_t)k * p->n[X]);
    const double beside = amplitude * factor(p, k);
    for (int x = 0; x < p->points[X]; x++) line[x] = beside * sine(x, p->points[X]);
  }
}

double waves_error(const pencils *p, double amplitude, const double complex *u)
{
  double error = 0;
  for (int k = 0; k < pencils_lines(p, X); k++) {
    const double *line = (const double *)(u + (ptrdiff_t)k * p->n[X]);
    const double beside = factor(p, k);
    for (int x = 0; x < p->points[X]; x++) {
      error = larger(error, fabs(line[x] / amplitude - beside * sine(x, p->points[X])));
    }
  }
  return error;
}

void waves_normalize(const pencils *p, double complex *s)
{
  const double volume = (double)p->points[X] * p->points[Y] * p->points[Z];
  const size_t n = pencils_numbers(p, Z);
  for (size_t k = 0; k < n; k++) s[k] /= volume;
}

double waves_error_of_coefficients(const pencils *p, double amplitude, const double complex *s)
{
  const pencil *mine = &p->along[Z];
  double error = 0;
  for (int k = 0; k < pencils_lines(p, Z); k++) {
    const double complex beside = coefficient(mine->first[X] + k / mine->n[Y], p->points[X]) *
                                  coefficient(mine->first[Y] + k % mine->n[Y], p->points[Y]);
    for (int z = 0; z < p->points[Z]; z++, s++) {
      error = larger(error, cabs(*s / amplitude - beside * coefficient(z, p->points[Z])));
    }
  }
  return error;
}
