/* SPDX-License-Identifier: BSD-2-Clause */
/* Applications of incomplete factors to blocks of columns. */
#include "core/context/mem.h"
#include "precond/incomplete/incomplete.h"

#include <stdlib.h>
#include <string.h>

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
