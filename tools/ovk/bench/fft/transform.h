/* SPDX-License-Identifier: BSD-2-Clause */
/* The 3-D transform of several variables in sequence; while one is exchanged in the columns, the
 * next may be computed. */
#ifndef OVK_TOOL_TRANSFORM_H
#define OVK_TOOL_TRANSFORM_H

#include "bench/fft/pencils.h"

/* One of the two alternating exchanges. */
typedef struct exchange {
  double complex *send, *receive;
  ovk_collective *collective;
} exchange;

typedef struct transform {
  ovk_ctx *ctx;
  ovk_ctx *column; /* a context of the ranks of a column */
  pencils pencils;
  lines *lines;
  int polls;              /* while a variable's lines are transformed */
  bool blocking;          /* columns are exchanged by a blocking MPI_Alltoall, too */
  double complex *middle; /* the lines along y of one variable */
  double complex *row_send, *row_receive;
  exchange exchanges[2];
} transform;

/* `spec`: of the library's all-to-all. Collective. Free it with transform_destroy(), also after a
 * failure. */
ovk_err transform_create(ovk_ctx *ctx, const int points[3], const int grid[2], const char *spec,
                         int polls, transform *out);
void transform_destroy(transform *t);

/* u <-> s for n variables: real lines along x, with space as in lines.h, and the coefficients in
 * lines along z. The input is overwritten. Collective. */
ovk_err transform_forward(transform *t, int n, double complex *const *u, double complex *const *s);
ovk_err transform_backward(transform *t, int n, double complex *const *u, double complex *const *s);

#endif
