/* SPDX-License-Identifier: BSD-2-Clause */
/* The 3-D transform of several variables in sequence; while one, or a part of its planes, is
 * exchanged in the columns, the next may be computed. */
#ifndef OVK_TOOL_TRANSFORM_H
#define OVK_TOOL_TRANSFORM_H

#include "bench/fft/exchange.h"
#include "bench/fft/pencils.h"

typedef struct transform {
  ovk_ctx *ctx;
  ovk_ctx *column; /* a context of the ranks of a column */
  pencils pencils;
  lines *lines;
  int polls;              /* while the lines of a variable are transformed */
  int parts;              /* of the planes of a variable, one exchange each */
  double complex *middle; /* the lines along y of one part */
  double complex *row_send, *row_receive;
  exchange exchanges[2]; /* which alternate */
} transform;

/* `way`: of the columns' exchanges, see exchange.h; `parts`: at most the planes of a rank.
 * Collective. Free it with transform_destroy(),
 * also after a failure. */
ovk_err transform_create(ovk_ctx *ctx, const int points[3], const int grid[2], const char *way,
                         int polls, int parts, transform *out);
void transform_destroy(transform *t);

/* u <-> s for n variables: real lines along x, with space as in lines.h, and the coefficients in
 * lines along z. The input is overwritten. Collective. */
ovk_err transform_forward(transform *t, int n, double complex *const *u, double complex *const *s);
ovk_err transform_backward(transform *t, int n, double complex *const *u, double complex *const *s);

#endif
