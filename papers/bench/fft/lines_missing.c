/* SPDX-License-Identifier: BSD-2-Clause */
/* Replaces lines_fftw.c in builds without FFTW. */
#include "bench/fft/lines.h"

ovk_err lines_create(ovk_ctx *ctx, const int n[3], lines **out)
{
  (void)n, (void)out;
  return ovk_ctx_fail(ctx, OVK_ERR_UNSUPPORTED,
                      "there are no Fourier transforms here: build ovkrylov with FFTW (package "
                      "libfftw3-dev) and -DOVK_USE_FFTW=ON");
}

void lines_destroy(lines **l)
{
  (void)l;
}

void lines_transform(const lines *l, direction along, sense which, double complex *line)
{
  (void)l, (void)along, (void)which, (void)line;
}
