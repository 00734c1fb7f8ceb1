/* SPDX-License-Identifier: BSD-2-Clause */
/* Applications of incomplete factors to a vector and to blocks of columns. */
#include "core/context/mem.h"
#include "precond/incomplete/incomplete.h"

#include <stdlib.h>
#include <string.h>

/* r in the order of the factors. */
static const double *incomplete_gather(const ovk__incomplete *s, const double *r)
{
  if (!s->order) return r;
  for (ovk_lidx i = 0; i < s->L.n; i++) s->work[i] = r[s->order[i]];
  return s->work;
}

/* The place of the result for z in the order of the factors, and its copy to z. */
static double *incomplete_target(const ovk__incomplete *s, double *z)
{
  return s->order ? s->work : z;
}

static void incomplete_scatter(const ovk__incomplete *s, double *z)
{
  for (ovk_lidx i = 0; s->order && i < s->L.n; i++) z[s->order[i]] = s->work[i];
}

/* z <- L^-T L^-1 r, or U^-1 L^-1 r */
ovk_err ovk__incomplete_apply(void *state, const double *r, double *z, ovk_poll poll)
{
  const ovk__incomplete *s = state;
  double *y = incomplete_target(s, z);
  ovk__triangle_solve(&s->L, incomplete_gather(s, r), y, poll);
  if (s->symmetric) {
    ovk__triangle_solve_transposed(&s->L, y, y, poll);
  } else {
    ovk__triangle_solve(&s->U, y, y, poll);
  }
  incomplete_scatter(s, z);
  return OVK_OK;
}

/* t <- L^-1 r, which stays in the order of the factors */
ovk_err ovk__incomplete_apply_left(void *state, const double *r, double *t, ovk_poll poll)
{
  const ovk__incomplete *s = state;
  ovk__triangle_solve(&s->L, incomplete_gather(s, r), t, poll);
  return OVK_OK;
}

/* w <- L^-T t, with t in that order */
ovk_err ovk__incomplete_apply_right(void *state, const double *t, double *w, ovk_poll poll)
{
  const ovk__incomplete *s = state;
  ovk__triangle_solve_transposed(&s->L, t, incomplete_target(s, w), poll);
  incomplete_scatter(s, w);
  return OVK_OK;
}

/* Only with an order there is a block to work on. */
ovk_err ovk__incomplete_prepare_many(void *state, int width)
{
  ovk__incomplete *s = state;
  if (!s->order || width <= s->widest) return OVK_OK;
  free(s->block);
  s->widest = 0;
  s->block = ovk__array((size_t)s->L.n * (size_t)width, sizeof *s->block);
  if (!s->block) return OVK_ERR_MEMORY;
  s->widest = width;
  return OVK_OK;
}

/* z <- L^-T L^-1 r, or U^-1 L^-1 r */
ovk_err ovk__incomplete_apply_many(void *state, int width, const double *r, double *z,
                                   ovk_poll poll)
{
  const ovk__incomplete *s = state;
  const size_t row = (size_t)width;
  double *y = s->order ? s->block : z;
  for (ovk_lidx i = 0; s->order && i < s->L.n; i++) {
    memcpy(y + (size_t)i * row, r + (size_t)s->order[i] * row, row * sizeof *y);
  }
  ovk__triangle_solve_many(&s->L, width, s->order ? y : r, y, poll);
  if (s->symmetric) {
    ovk__triangle_solve_transposed_many(&s->L, width, y, y, poll);
  } else {
    ovk__triangle_solve_many(&s->U, width, y, y, poll);
  }
  for (ovk_lidx i = 0; s->order && i < s->L.n; i++) {
    memcpy(z + (size_t)s->order[i] * row, y + (size_t)i * row, row * sizeof *y);
  }
  return OVK_OK;
}
