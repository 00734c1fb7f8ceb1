/* SPDX-License-Identifier: BSD-2-Clause */
/* The vector operations of the pipeline in the deep method: sets up the levels P_k(B) v and
 * advances all of them by one index. */
#include "solvers/methods/pipelcg/pipelcg_state.h"
#include "solvers/ops/ops_impl.h"

#include <string.h>

/* next <- (A z - shift_k v) / scale, where z = M^-1 v; m is overwritten */
static void levels_raise(ovk_solver *S, ovk__pipelcg_state *d, int k, const ovk_vec *v,
                         const ovk_vec *z, ovk_vec *next, ovk_poll poll)
{
  ovk__op_product(S, z, d->m, poll);
  const double scale = d->T.scale;
  OVK_SWEEP(S, ovk__combine(rows(S), 1 / scale, d->m->array, -d->T.shift[k] / scale, v->array,
                            next->array));
}

void ovk__pipelcg_start_levels(ovk_solver *S, ovk__pipelcg_state *d, ovk_poll poll)
{
  const ovk_vec *v = ovk__pipelcg_v(d, d->j - 1);
  ovk__op_apply(S, v, d->z_old, poll);
  for (int k = 0; k < d->T.depth; k++) {
    levels_raise(S, d, k, v, d->z_old, d->old[k + 1], poll);
    v = d->old[k + 1];
    ovk__op_apply(S, v, d->z_old, poll);
  }
}

void ovk__pipelcg_fill_level(ovk_solver *S, ovk__pipelcg_state *d, int k, ovk_poll poll,
                             double *sums)
{
  const ovk_vec *y = k ? d->now[k] : ovk__pipelcg_v(d, d->j), *next = d->now[k + 1];
  levels_raise(S, d, k, y, d->z, d->now[k + 1], poll);
  ovk__op_apply(S, next, d->z, poll);
  const double start = ovk__op_now(S);
  sums[OVK__ZZ_PIPELCG] = ovk__pipelcg_dot(rows(S), d->z->array, next->array);
  sums[OVK__ZY_PIPELCG] = ovk__pipelcg_dot(rows(S), d->z->array, y->array);
  sums[OVK__VV_PIPELCG] = sums[OVK__CHECK_PIPELCG] = 0;
  ovk__op_log(S, OVK_EVENT_VECTOR, start);
}

/* This rank's part of the square of v in the norm of the test, or vv = (v, v) for the natural norm,
 * which is 1. The pipeline has no M^-1 v: the preconditioned norm takes a separate application, to
 * m, which the next one overwrites. */
static double levels_test_square(ovk_solver *S, const ovk__pipelcg_state *d, const ovk_vec *v,
                                 double vv)
{
  if (S->opts.norm != OVK_NORM_PRECONDITIONED) return vv;
  if (!S->D.d) ovk__op_apply(S, v, d->m, ovk_poll_none());
  return ovk__op_norm(S, vv, 0, v, d->m);
}

void ovk__pipelcg_move_on(ovk_solver *S, ovk__pipelcg_state *d, int e, int m, double *sums)
{
  const double start = ovk__op_now(S);
  const ovk__lanczos *T = &d->T;
  const int l = T->depth;
  ovk__pipelcg_arrays a = {.depth = l,
                           .next = ovk__pipelcg_v(d, e + 1)->array,
                           .w = d->w->array,
                           .p = d->P->array,
                           .y = d->y->array};
  ovk__pipelcg_coeffs c = {.gamma = T->gamma[ovk__lanczos_at(e)],
                           .delta = T->delta[ovk__lanczos_at(e)],
                           .before = T->delta[ovk__lanczos_at(e - 1)],
                           .scale = T->scale};
  memcpy(c.shift, T->shift, sizeof c.shift);
  a.now[0] = ovk__pipelcg_v(d, e)->array;
  a.old[0] = ovk__pipelcg_v(d, e - 1)->array;
  for (int k = 1; k <= l; k++) {
    a.now[k] = d->now[k]->array;
    a.old[k] = d->old[k]->array;
  }
  if (m >= 0) {
    a.v = ovk__pipelcg_v(d, m)->array;
    c.zeta = T->zeta[ovk__lanczos_at(m)];
    c.alpha = ovk__lanczos_alpha(T, m);
    c.beta = ovk__lanczos_beta(T, m);
  }
  if (S->D.d) {
    a.z = d->z->array;
    ovk__update_pipelcg_diagonal(rows(S), S->D, &a, &c, sums);
  } else {
    a.m = d->m->array;
    a.z_now = d->z->array;
    a.z = d->z_old->array;
    ovk__update_pipelcg(rows(S), &a, &c, sums);
    ovk__vec_swap(&d->z, &d->z_old);
  }
  for (int k = 1; k <= l; k++) ovk__vec_swap(&d->now[k], &d->old[k]);
  ovk__op_log(S, OVK_EVENT_VECTOR, start);
  sums[OVK__VV_PIPELCG] = levels_test_square(S, d, ovk__pipelcg_v(d, e + 1), sums[OVK__VV_PIPELCG]);
}
