/* SPDX-License-Identifier: BSD-2-Clause */
/* The product: local points while faces are exchanged, then the faces. */
#include "bench/poisson/laplace.h"
#include "bench/support/share.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

/* y <- 6 x minus the neighbors in the line and the lines next to it, lower and higher in y and
 * z. */
static void mult_line(int n, const double *restrict x, const double *restrict south,
                      const double *restrict north, const double *restrict below,
                      const double *restrict above, double *restrict y)
{
  for (int i = 0; i < n; i++) y[i] = 6 * x[i] - (south[i] + north[i]) - (below[i] + above[i]);
  for (int i = 1; i < n; i++) y[i] -= x[i - 1];
  for (int i = 1; i < n; i++) y[i - 1] -= x[i];
}

/* y <- A x without other ranks' points, line by line, with polls between lines. */
static void mult_local(const laplace *l, const double *x, double *y, ovk_poll poll)
{
  const int nx = l->box.n[0], ny = l->box.n[1], nz = l->box.n[2], nlines = ny * nz;
  const ptrdiff_t line = nx, plane = line * ny;
  for (ovk_lidx k = 0, end; k < nlines; k = end) {
    end = ovk_poll_until(poll, k, nlines);
    for (ovk_lidx at = k; at < end; at++) {
      const double *here = x + at * line;
      mult_line(nx, here, at % ny > 0 ? here - line : l->zeros,
                at % ny < ny - 1 ? here + line : l->zeros, at >= ny ? here - plane : l->zeros,
                at < nlines - ny ? here + plane : l->zeros, y + at * line);
    }
    if (end < nlines) ovk_poll_call(poll);
  }
}

/* Two poll callbacks in one: that of the exchange, and that of the solver. */
typedef struct hooks {
  halo *exchange;
  ovk_poll solver;
} hooks;

static void progress(void *self)
{
  const hooks *h = self;
  halo_progress(h->exchange);
  ovk_poll_call(h->solver);
}

static ovk_err mult(void *self, const double *x, double *y, ovk_poll poll)
{
  laplace *l = self;
  hooks both = {&l->halo, poll};
  const ovk_lidx every = share_most(l->box.n[1] * l->box.n[2], l->polls + 1);
  TRY(halo_begin(&l->halo, x));
  mult_local(l, x, y, (ovk_poll){progress, &both, every});
  return halo_end(&l->halo, y);
}

ovk_err laplace_create(ovk_ctx *ctx, const int points[3], const char *spec, int polls, laplace *out,
                       ovk_mat **A)
{
  static const ovk_shell_ops ops = {.mult = mult};
  *out = (laplace){.polls = polls};
  TRY(box_create(ctx, points, &out->box));
  out->zeros = calloc((size_t)out->box.n[0], sizeof *out->zeros);
  TRY(tool_got_memory(ctx, out->zeros));
  TRY(halo_create(ctx, &out->box, spec, &out->halo));
  return ovk_mat_create_shell(ctx, box_points(&out->box), &ops, out, A);
}

void laplace_destroy(laplace *l)
{
  halo_destroy(&l->halo);
  free(l->zeros);
}

void laplace_rhs(const laplace *l, double *b)
{
  memset(b, 0, (size_t)box_points(&l->box) * sizeof *b);
  for (int k = 0; k < FACES; k++) {
    const face *f = &l->box.faces[k];
    if (f->neighbor == MPI_PROC_NULL) face_add(f, 1, b);
  }
}
