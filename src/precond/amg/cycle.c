/* SPDX-License-Identifier: BSD-2-Clause */
/* The V- or W-cycle, or V with two visits of a small level. The smoothers before and after are
 * the same polynomial, restriction is the transpose of prolongation, and the last level's operator
 * is symmetric if A is: then M is, too. */
#include "matrix/many.h"
#include "precond/amg/hierarchy.h"

#include <string.h>

static ovk_err cycle_level(const ovk__amg_hierarchy *H, int k, const double *b, double *x,
                           ovk_poll poll);

/* A failure is kept; communication continues, as other ranks take part in it. */
static void cycle_keep(ovk_err *err, ovk_err next)
{
  if (!*err) *err = next;
}

/* Repeats the cycle on level k for the residual after the first. */
static ovk_err cycle_again(const ovk__amg_hierarchy *H, int k, ovk_poll poll)
{
  const ovk__amg_level *level = &H->level[k];
  const ovk__amg_smoother *S = &level->smoother;
  const int64_t n = (int64_t)level->layout.local * H->width;
  ovk_err err = ovk__mat_mult_many(S->A, H->width, level->x, S->t, poll, NULL);
  for (int64_t i = 0; i < n; i++) {
    level->kept[i] = level->x[i];
    level->b[i] -= S->t[i];
  }
  cycle_keep(&err, cycle_level(H, k, level->b, level->x, poll));
  for (int64_t i = 0; i < n; i++) level->x[i] += level->kept[i];
  return err;
}

static ovk_err cycle_last(const ovk__amg_hierarchy *H, const double *b, double *x, ovk_poll poll)
{
  const ovk__amg_level *level = &H->level[H->n - 1];
  if (H->dense) return ovk__amg_coarsest_solve(&H->coarsest, b, x, poll);
  ovk_err err = ovk__amg_smooth_from_zero(&level->smoother, b, x, poll);
  cycle_keep(&err, ovk__amg_smooth(&level->smoother, b, x, poll));
  return err;
}

static ovk_err cycle_level(const ovk__amg_hierarchy *H, int k, const double *b, double *x,
                           ovk_poll poll)
{
  const ovk__amg_level *level = &H->level[k], *next = level + 1;
  if (k == H->n - 1) return cycle_last(H, b, x, poll);
  ovk_err err = ovk__amg_smooth_from_zero(&level->smoother, b, x, poll);
  cycle_keep(&err, ovk__amg_restrict(&level->P, level->smoother.t, next->b, poll));
  cycle_keep(&err, cycle_level(H, k + 1, next->b, next->x, poll));
  /* an inverse needs no second visit */
  if (next->twice && k + 1 < H->n - 1) cycle_keep(&err, cycle_again(H, k + 1, poll));
  cycle_keep(&err, ovk__amg_prolongate(&level->P, next->x, x, poll));
  cycle_keep(&err, ovk__amg_smooth(&level->smoother, b, x, poll));
  return err;
}

ovk_err ovk__amg_cycle(const ovk__amg_hierarchy *H, const double *b, double *x, ovk_poll poll)
{
  return cycle_level(H, 0, b, x, poll);
}
