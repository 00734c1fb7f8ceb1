/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory traffic of an application of a preconditioner, and the time that it takes at the
 * bandwidth of this machine. */
#ifndef OVK_TOOL_TRAFFIC_H
#define OVK_TOOL_TRAFFIC_H

#include "bench/support/stream.h"

#include <ovkrylov/ovkrylov.h>

typedef struct traffic {
  double read;  /* bytes of factors and matrices, which are only read; all ranks */
  double swept; /* bytes of vectors, a store counted twice for the line that it reads first */
} traffic;

/* Of z <- M^-1 r. `spec` is the spec of M; `cholesky`: it has factors M = L L^T. NaN for a kind
 * that is not known here. */
ovk_err traffic_of(const ovk_mat *A, const ovk_precond *M, const char *spec, bool cholesky,
                   traffic *out);

/* Seconds of the same traffic in long loops, on all ranks at once: reading at the bandwidth of an
 * inner product, sweeps at that of the triad. All arrays together are as large as the traffic, so
 * that it passes through the same caches. Collective. */
ovk_err traffic_time(ovk_ctx *ctx, const traffic *t, int times, double *seconds);

#endif
