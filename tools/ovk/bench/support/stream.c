/* SPDX-License-Identifier: BSD-2-Clause */
/* Passes through memory whose bytes are known. Needs no MPI. */
#include "bench/support/stream.h"

#include <stdlib.h>

bool stream_create(long n, stream *out)
{
  const size_t size = ((size_t)n + 1) * sizeof(double);
  *out = (stream){.n = n, .a = malloc(size), .b = malloc(size), .c = malloc(size)};
  if (!out->a || !out->b || !out->c) return false;
  for (long i = 0; i <= n; i++) { /* touches every page */
    out->a[i] = 0;
    out->b[i] = 1 + 1e-9 * (double)i;
    out->c[i] = 2;
  }
  return true;
}

void stream_destroy(stream *s)
{
  free(s->a);
  free(s->b);
  free(s->c);
  *s = (stream){0};
}

double stream_triad(const stream *s)
{
  double *restrict a = s->a;
  const double *restrict b = s->b, *restrict c = s->c;
  for (long i = 0; i < s->n; i++) a[i] = b[i] + 3 * c[i];
  return a[s->n / 2];
}

double stream_dot(const stream *s)
{
  enum { LANES = 8 };
  double lane[LANES] = {0}, sum = 0;
  for (long i = 0; i <= s->n - LANES; i += LANES) {
    for (int l = 0; l < LANES; l++) lane[l] += s->a[i + l] * s->b[i + l];
  }
  for (int l = 0; l < LANES; l++) sum += lane[l];
  return sum;
}
