/* SPDX-License-Identifier: BSD-2-Clause */
/* Fourier transforms of lines, by FFTW. */
#include "bench/fft/lines.h"
#include "tool.h"

#include <fftw3.h> /* after complex.h, so that fftw_complex is C's double complex */
#include <stdlib.h>

struct lines {
  fftw_plan plans[3][2]; /* by direction and sense */
};

static void plan(lines *l, const int n[3], double complex *line)
{
  const unsigned how = FFTW_MEASURE;
  l->plans[X][FORWARD] = fftw_plan_dft_r2c_1d(n[X], (double *)line, line, how);
  l->plans[X][BACKWARD] = fftw_plan_dft_c2r_1d(n[X], line, (double *)line, how);
  for (direction d = Y; d <= Z; d++) {
    l->plans[d][FORWARD] = fftw_plan_dft_1d(n[d], line, line, FFTW_FORWARD, how);
    l->plans[d][BACKWARD] = fftw_plan_dft_1d(n[d], line, line, FFTW_BACKWARD, how);
  }
}

static bool is_complete(const lines *l)
{
  for (direction d = X; d <= Z; d++) {
    if (!l->plans[d][FORWARD] || !l->plans[d][BACKWARD]) return false;
  }
  return true;
}

ovk_err lines_create(ovk_ctx *ctx, const int n[3], lines **out)
{
  size_t longest = (size_t)n[X] / 2 + 1;
  for (direction d = Y; d <= Z; d++) longest = (size_t)n[d] > longest ? (size_t)n[d] : longest;
  lines *l = *out = calloc(1, sizeof *l);
  double complex *line = calloc(longest, sizeof *line);
  if (l && line) plan(l, n, line);
  free(line);
  return tool_got_memory(ctx, l && is_complete(l));
}

void lines_destroy(lines **l)
{
  for (direction d = X; *l && d <= Z; d++) {
    fftw_destroy_plan((*l)->plans[d][FORWARD]);
    fftw_destroy_plan((*l)->plans[d][BACKWARD]);
  }
  free(*l);
  *l = NULL;
}

void lines_transform(const lines *l, direction along, sense which, double complex *line)
{
  const fftw_plan p = l->plans[along][which];
  if (along != X) {
    fftw_execute_dft(p, line, line);
  } else if (which == FORWARD) {
    fftw_execute_dft_r2c(p, (double *)line, line);
  } else {
    fftw_execute_dft_c2r(p, line, (double *)line);
  }
}
