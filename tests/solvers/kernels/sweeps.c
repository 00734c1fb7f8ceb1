/* SPDX-License-Identifier: BSD-2-Clause */
/* References for the tests of fused sweeps. */
#include "sweeps.h"
#include "support/problem.h"

const int sweep_lengths[] = {0,   1,   2,   3,   4,   5,    6,    7,    8,    9,    10,  15,  16,
                             17,  31,  32,  33,  37,  127,  128,  129,  135,  136,  137, 257, 511,
                             512, 513, 519, 520, 521, 1023, 1024, 1025, 2048, 2049, MAX};
const int sweep_nlengths = sizeof sweep_lengths / sizeof *sweep_lengths;

static double rows[MAX];

/* Most tests want those of one seed again for each length: they are drawn once. */
void make_vectors(uint64_t seed, void *vectors, void *copy, size_t bytes)
{
  enum { MOST = 1 << 20 };
  static double number[MOST];
  static uint64_t of;
  static size_t drawn;
  const size_t count = bytes / sizeof *number;
  assert_true(count <= MOST);
  if (drawn == 0 || of != seed) {
    for (uint64_t i = 0; i < MAX; i++) rows[i] = random_number(seed + 1, i) + 0.5;
    of = seed;
    drawn = 0;
  }
  for (; drawn < count; drawn++) number[drawn] = random_number(seed, drawn) - 0.5;
  memcpy(vectors, number, bytes);
  memcpy(copy, number, bytes);
}

ovk__diagonal diagonal(int kind)
{
  return (ovk__diagonal){kind < KINDS ? rows : NULL, kind == 1};
}

double entry(ovk__diagonal D, int i)
{
  return D.d[D.constant ? 0 : i];
}

double dot(int n, const double *x, const double *y)
{
  double s[LANES] = {0};
  for (int i = 0; i < n; i++) s[i % LANES] += x[i] * y[i];
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}
