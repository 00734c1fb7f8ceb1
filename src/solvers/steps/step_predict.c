/* SPDX-License-Identifier: BSD-2-Clause */
/* Building blocks used by the predict-and-recompute method only. */
#include "solvers/steps/step_predict.h"
#include "solvers/steps/step_impl.h"

#include <string.h>

static ovk__predict arrays_of(const ovk__predict_vecs *v)
{
  return (ovk__predict){.w = v->w->array,
                        .wt = v->wt->array,
                        .u = v->u->array,
                        .ut = v->ut->array,
                        .x = v->x->array,
                        .r = v->r->array,
                        .rt = v->rt->array,
                        .p = v->p->array,
                        .s = v->s->array,
                        .st = v->st->array};
}

static void copy(const ovk_solver *S, const ovk_vec *from, ovk_vec *to)
{
  if (rows(S)) memcpy(to->array, from->array, (size_t)rows(S) * sizeof(double));
}

void ovk__step_start_predict(ovk_solver *S, const ovk__predict_vecs *v,
                             double sums[OVK__PREDICT_SUMS])
{
  const ovk_poll none = ovk_poll_none();
  ovk__step_apply_first(S, v->r, v->rt);
  (void)ovk__step_mult(S, v->rt, v->w, none);
  ovk__step_apply(S, v->w, v->wt, none);
  const double start = ovk__step_now(S);
  copy(S, v->rt, v->p);
  copy(S, v->w, v->s);
  copy(S, v->wt, v->st);
  const ovk__predict a = arrays_of(v);
  ovk__sums_predict(rows(S), &a, sums);
  ovk__step_book(S, OVK_EVENT_VECTOR, start);
}

void ovk__step_mult_pair(ovk_solver *S, const ovk_vec *st, ovk_vec *u, const ovk_vec *rt,
                         ovk_vec *w, ovk_poll poll)
{
  const ovk_vec *const x[2] = {st, rt};
  ovk_vec *const y[2] = {u, w};
  ovk__step_keep(S, ovk__mat_mult_pair(S->A, S->pair_halo, x, y, poll)); /* logs its own time */
}

void ovk__step_update_predict(ovk_solver *S, double alpha, double beta, const ovk__predict_vecs *v,
                              double sums[OVK__PREDICT_SUMS])
{
  const double start = ovk__step_now(S);
  const ovk__predict a = arrays_of(v);
  if (S->D.d) {
    ovk__update_predict_diagonal(rows(S), alpha, beta, S->D, &a, sums);
  } else {
    ovk__update_predict(rows(S), alpha, beta, &a, sums);
  }
  ovk__step_book(S, OVK_EVENT_VECTOR, start);
}
