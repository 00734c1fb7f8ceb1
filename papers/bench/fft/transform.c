/* SPDX-License-Identifier: BSD-2-Clause */
/* The pipeline of Kandalla et al., "Improving parallel 3D FFT performance using hardware offloaded
 * collective communication", figure 4: columns are exchanged two variables at a time, rows at
 * once. In parts, it is that of Hoefler, Lumsdaine and Rehm, "Implementation and performance
 * analysis of non-blocking collective operations for MPI", section 5.2: planes of z of one variable
 * are exchanged while the next ones are transformed in x and y. */
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
  const transpose yz = pencils_yz(&t->pencils, 0, t->parts);
  const int block = (int)transpose_block(&yz);
  TRY(ovk_ctx_create(t->pencils.column, &t->column));
  for (int k = 0; k < 2; k++)
    TRY(exchange_create(t->ctx, t->column, t->pencils.column, way, block, &t->exchanges[k]));
  return OVK_OK;
}

static ovk_err check_parts(const transform *t)
{
  const int planes = t->pencils.n[Z] / t->pencils.grid[1];
  if (t->parts <= planes) return OVK_OK;
  return ovk_ctx_fail(t->ctx, OVK_ERR_ARG, "--parts: %d, but a rank has %d planes", t->parts,
                      planes);
}

ovk_err transform_create(ovk_ctx *ctx, const int points[3], const int grid[2], const char *way,
                         int polls, int parts, transform *out)
{
  *out = (transform){.ctx = ctx, .polls = polls, .parts = parts};
  TRY(pencils_create(ctx, points, grid, &out->pencils));
  TRY(check_parts(out));
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

/* Lines of a variable, with polls between them. */
static void transform_lines(transform *t, direction along, sense which, int nlines,
                            double complex *line)
{
  const int all = pencils_lines(&t->pencils, along), length = t->pencils.n[along];
  const ovk_poll poll = {progress, t, share_most(all, t->polls + 1)};
  for (ovk_lidx k = 0, end; k < nlines; k = end) {
    end = ovk_poll_until(poll, k, nlines);
    for (ovk_lidx i = k; i < end; i++, line += length) {
      lines_transform(t->lines, along, which, line);
    }
    if (end < nlines) ovk_poll_call(poll);
  }
}

static ovk_err exchange_row(transform *t, const transpose *xy)
{
  const int n = (int)transpose_block(xy);
  return tool_mpi(t->ctx,
                  MPI_Alltoall(t->row_send, n, MPI_C_DOUBLE_COMPLEX, t->row_receive, n,
                               MPI_C_DOUBLE_COMPLEX, t->pencils.row),
                  "MPI_Alltoall");
}

/* A part of the planes of a variable. */
typedef struct planes {
  transpose xy, yz;
  double complex *x, *z; /* its lines along x; all lines along z */
  int nx, ny, nz;        /* its lines in each direction; nz: 0 if another part has them */
  exchange *e;
} planes;

/* Lines along z need all parts: the last one has them on the way forward, the first one on the way
 * back. */
static planes part_of(transform *t, int k, bool forward, double complex *const *u,
                      double complex *const *s)
{
  const pencils *p = &t->pencils;
  const int variable = k / t->parts, part = k % t->parts;
  const int nlines = p->along[X].n[Y], nfirst = p->along[X].n[Z];
  planes a = {.xy = pencils_xy(p, part, t->parts),
              .yz = pencils_yz(p, part, t->parts),
              .z = s[variable],
              .e = &t->exchanges[k % 2]};
  const int before = share_begin(nfirst, t->parts, part);
  a.x = u[variable] + (ptrdiff_t)before * nlines * p->n[X];
  a.nx = a.xy.layers * nlines;
  a.ny = a.xy.layers * p->along[Y].n[X];
  a.nz = part == (forward ? t->parts - 1 : 0) ? pencils_lines(p, Z) : 0;
  return a;
}

/* Half of the transform of a part: up to its exchange in the columns, or after it. */
typedef ovk_err (*half)(transform *t, const planes *a);

static ovk_err forward_begin(transform *t, const planes *a)
{
  transform_lines(t, X, FORWARD, a->nx, a->x);
  transpose_split(&a->xy, INTO_BLOCKS, a->x, t->row_send);
  TRY(exchange_row(t, &a->xy));
  transpose_gathered(&a->xy, OUT_OF_BLOCKS, t->middle, t->row_receive);
  transform_lines(t, Y, FORWARD, a->ny, t->middle);
  transpose_split(&a->yz, INTO_BLOCKS, t->middle, a->e->send);
  return exchange_begin(a->e);
}

static ovk_err forward_end(transform *t, const planes *a)
{
  TRY(exchange_end(a->e));
  transpose_gathered(&a->yz, OUT_OF_BLOCKS, a->z, a->e->receive);
  transform_lines(t, Z, FORWARD, a->nz, a->z);
  return OVK_OK;
}

static ovk_err backward_begin(transform *t, const planes *a)
{
  transform_lines(t, Z, BACKWARD, a->nz, a->z);
  transpose_gathered(&a->yz, INTO_BLOCKS, a->z, a->e->send);
  return exchange_begin(a->e);
}

static ovk_err backward_end(transform *t, const planes *a)
{
  TRY(exchange_end(a->e));
  transpose_split(&a->yz, OUT_OF_BLOCKS, t->middle, a->e->receive);
  transform_lines(t, Y, BACKWARD, a->ny, t->middle);
  transpose_gathered(&a->xy, INTO_BLOCKS, t->middle, t->row_send);
  TRY(exchange_row(t, &a->xy));
  transpose_split(&a->xy, OUT_OF_BLOCKS, a->x, t->row_receive);
  transform_lines(t, X, BACKWARD, a->nx, a->x);
  return OVK_OK;
}

/* Each part begins before the one before it ends. */
static ovk_err pipeline(transform *t, int n, bool forward, double complex *const *u,
                        double complex *const *s)
{
  const half begin = forward ? forward_begin : backward_begin;
  const half end = forward ? forward_end : backward_end;
  planes last = {0};
  for (int k = 0; k < n * t->parts; k++) {
    const planes a = part_of(t, k, forward, u, s);
    TRY(begin(t, &a));
    if (k > 0) TRY(end(t, &last));
    last = a;
  }
  return end(t, &last);
}

ovk_err transform_forward(transform *t, int n, double complex *const *u, double complex *const *s)
{
  return pipeline(t, n, true, u, s);
}

ovk_err transform_backward(transform *t, int n, double complex *const *u, double complex *const *s)
{
  return pipeline(t, n, false, u, s);
}
