/* SPDX-License-Identifier: BSD-2-Clause */
/* The pipeline of Kandalla et al., "Improving parallel 3D FFT performance using hardware offloaded
 * collective communication", figure 4: columns are exchanged two variables at a time, rows at
 * once. */
#include "bench/fft/transform.h"
#include "bench/support/share.h"
#include "tool.h"

#include <stdlib.h>

static double complex *numbers(size_t n)
{
  return calloc(n, sizeof(double complex));
}

static bool allocate(transform *t)
{
  const transpose *xy = &t->pencils.xy;
  const size_t in_row = transpose_block(xy) * (size_t)xy->nranks;
  t->middle = numbers(pencils_numbers(&t->pencils, Y));
  t->row_send = numbers(in_row);
  t->row_receive = numbers(in_row);
  return t->middle && t->row_send && t->row_receive;
}

static ovk_err create_exchanges(transform *t, const char *way)
{
  const int block = (int)transpose_block(&t->pencils.yz);
  TRY(ovk_ctx_create(t->pencils.column, &t->column));
  for (int k = 0; k < 2; k++)
    TRY(exchange_create(t->ctx, t->column, t->pencils.column, way, block, &t->exchanges[k]));
  return OVK_OK;
}

ovk_err transform_create(ovk_ctx *ctx, const int points[3], const int grid[2], const char *way,
                         int polls, transform *out)
{
  *out = (transform){.ctx = ctx, .polls = polls};
  TRY(pencils_create(ctx, points, grid, &out->pencils));
  TRY(lines_create(ctx, points, &out->lines));
  TRY(tool_got_memory(ctx, allocate(out)));
  return create_exchanges(out, way);
}

void transform_destroy(transform *t)
{
  for (int k = 0; k < 2; k++) exchange_destroy(&t->exchanges[k]);
  free(t->row_receive);
  free(t->row_send);
  free(t->middle);
  lines_destroy(&t->lines);
  ovk_ctx_destroy(&t->column);
  pencils_destroy(&t->pencils);
}

/* The poll callback: progresses both exchanges. */
static void progress(void *self)
{
  transform *t = self;
  for (int k = 0; k < 2; k++) exchange_poll(&t->exchanges[k]);
}

/* All lines of a variable, with polls between them. */
static void transform_lines(transform *t, direction along, sense which, double complex *line)
{
  const int nlines = pencils_lines(&t->pencils, along), length = t->pencils.n[along];
  const ovk_poll poll = {progress, t, share_most(nlines, t->polls + 1)};
  for (ovk_lidx k = 0, end; k < nlines; k = end) {
    end = ovk_poll_until(poll, k, nlines);
    for (ovk_lidx i = k; i < end; i++, line += length) {
      lines_transform(t->lines, along, which, line);
    }
    if (end < nlines) ovk_poll_call(poll);
  }
}

static ovk_err exchange_row(transform *t)
{
  const int n = (int)transpose_block(&t->pencils.xy);
  return tool_mpi(t->ctx,
                  MPI_Alltoall(t->row_send, n, MPI_C_DOUBLE_COMPLEX, t->row_receive, n,
                               MPI_C_DOUBLE_COMPLEX, t->pencils.row),
                  "MPI_Alltoall");
}

/* Half of the transform of a variable: up to its exchange in the columns, or after it. */
typedef ovk_err (*half)(transform *t, exchange *e, double complex *u, double complex *s);

static ovk_err forward_begin(transform *t, exchange *e, double complex *u, double complex *s)
{
  (void)s;
  const pencils *p = &t->pencils;
  transform_lines(t, X, FORWARD, u);
  transpose_split(&p->xy, INTO_BLOCKS, u, t->row_send);
  TRY(exchange_row(t));
  transpose_gathered(&p->xy, OUT_OF_BLOCKS, t->middle, t->row_receive);
  transform_lines(t, Y, FORWARD, t->middle);
  transpose_split(&p->yz, INTO_BLOCKS, t->middle, e->send);
  return exchange_begin(e);
}

static ovk_err forward_end(transform *t, exchange *e, double complex *u, double complex *s)
{
  (void)u;
  TRY(exchange_end(e));
  transpose_gathered(&t->pencils.yz, OUT_OF_BLOCKS, s, e->receive);
  transform_lines(t, Z, FORWARD, s);
  return OVK_OK;
}

static ovk_err backward_begin(transform *t, exchange *e, double complex *u, double complex *s)
{
  (void)u;
  transform_lines(t, Z, BACKWARD, s);
  transpose_gathered(&t->pencils.yz, INTO_BLOCKS, s, e->send);
  return exchange_begin(e);
}

static ovk_err backward_end(transform *t, exchange *e, double complex *u, double complex *s)
{
  (void)s;
  const pencils *p = &t->pencils;
  TRY(exchange_end(e));
  transpose_split(&p->yz, OUT_OF_BLOCKS, t->middle, e->receive);
  transform_lines(t, Y, BACKWARD, t->middle);
  transpose_gathered(&p->xy, INTO_BLOCKS, t->middle, t->row_send);
  TRY(exchange_row(t));
  transpose_split(&p->xy, OUT_OF_BLOCKS, u, t->row_receive);
  transform_lines(t, X, BACKWARD, u);
  return OVK_OK;
}

/* Variable k begins before variable k - 1 ends. */
static ovk_err pipeline(transform *t, int n, half begin, half end, double complex *const *u,
                        double complex *const *s)
{
  for (int k = 0; k < n; k++) {
    TRY(begin(t, &t->exchanges[k % 2], u[k], s[k]));
    if (k > 0) TRY(end(t, &t->exchanges[(k - 1) % 2], u[k - 1], s[k - 1]));
  }
  return end(t, &t->exchanges[(n - 1) % 2], u[n - 1], s[n - 1]);
}

ovk_err transform_forward(transform *t, int n, double complex *const *u, double complex *const *s)
{
  return pipeline(t, n, forward_begin, forward_end, u, s);
}

ovk_err transform_backward(transform *t, int n, double complex *const *u, double complex *const *s)
{
  return pipeline(t, n, backward_begin, backward_end, u, s);
}
