/* SPDX-License-Identifier: BSD-2-Clause */
/* The building blocks of the methods that overlap their reductions with work. */
#include "solvers/ops/ops_overlapped.h"
#include "solvers/kernels/exact/updates_exact.h"
#include "solvers/ops/dots.h"
#include "solvers/ops/marks.h"
#include "solvers/ops/ops_impl.h"

#include <math.h>

void ovk__op_apply_other(ovk_solver *S, const ovk_vec *w, ovk_vec *m, ovk_poll poll)
{
  if (!S->D.d) ovk__op_apply(S, w, m, poll);
}

void ovk__op_product_marks(ovk_solver *S, const ovk_vec *p, ovk_vec *s, int n,
                           const ovk__pair *pairs, double *parts)
{
  const ovk_poll none = ovk_poll_none();
  if (S->scale.A) { /* s is scaled after the product */
    ovk__op_product(S, p, s, none);
    OVK_SWEEP(S, ovk__mark_pairs(S, n, pairs, parts));
  } else {
    ovk__op_record_made(S, ovk__mark_mult(S, p->array, s->array, none, n, pairs, parts), s);
  }
}

/* Marks of (r, z) and of (z, z) or (r, r). */
static double mark_both(ovk_solver *S, bool of_z, const ovk_vec *r, const ovk_vec *z, double *rz)
{
  const double *v = of_z ? z->array : r->array;
  const ovk__pair pairs[2] = {{.x = r->array, .y = z->array}, {.x = v, .y = v}};
  double parts[2];
  OVK_SWEEP(S, ovk__mark_pairs(S, 2, pairs, parts));
  *rz = parts[0];
  return parts[1];
}

/* A step of the pipelined method. */
typedef struct pipecg_step {
  double alpha, beta;
  ovk__diagonal D;
  ovk__pipecg_arrays a;
} pipecg_step;

static void op_update_pipecg_rows(void *arg, ovk_lidx first, ovk_lidx n)
{
  const pipecg_step *s = arg;
  const ovk__pipecg_arrays at = ovk__pipecg_arrays_from(&s->a, first);
  ovk__update_pipecg(n, s->alpha, s->beta, ovk__diagonal_from(s->D, first), &at, NULL);
}

static bool op_update_pipecg_and_add(void *arg, ovk_lidx first, ovk_lidx n,
                                     ovk__exact_sum *const *sums)
{
  const pipecg_step *s = arg;
  for (int k = OVK__XX; k < OVK__PIPECG_SUMS; k++) {
    if (sums[k]->folds == 1 || k == OVK__UU) continue;
    op_update_pipecg_rows(arg, first, n); /* the first time, it is no estimate */
    return false;
  }
  const ovk__pipecg_arrays at = ovk__pipecg_arrays_from(&s->a, first);
  return ovk__update_pipecg_exact(n, s->alpha, s->beta, ovk__diagonal_from(s->D, first), &at, sums);
}

/* The marks of the sums, after the updates of a step unless `update` is NULL. A diagonal M has no u
 * = D r and q = D s. Norms that no scalar of the method comes from are estimates. */
static void mark_pipecg(ovk_solver *S, const ovk__row_update *update, const ovk__pipecg_arrays *v,
                        double sums[OVK__PIPECG_SUMS])
{
  const bool D = S->D.d;
  const double *u = D ? v->r : v->u, *q = D ? v->s : v->q;
  ovk__pair pairs[OVK__PIPECG_SUMS] = {[OVK__RU] = {.x = v->r, .y = u, .scale_y = D},
                                       [OVK__WU] = {.x = v->w, .y = u, .scale_y = D},
                                       [OVK__RR] = ovk__pair_of(v->r, v->r),
                                       [OVK__XX] = ovk__pair_of(v->x, v->x),
                                       [OVK__UU] = {.x = u, .y = u, .scale_x = D, .scale_y = D},
                                       [OVK__WW] = ovk__pair_of(v->w, v->w),
                                       [OVK__PP] = ovk__pair_of(v->p, v->p),
                                       [OVK__SS] = ovk__pair_of(v->s, v->s),
                                       [OVK__QQ] = {.x = q, .y = q, .scale_x = D, .scale_y = D},
                                       [OVK__ZZ] = ovk__pair_of(v->z, v->z)};
  for (int k = OVK__XX; k < OVK__PIPECG_SUMS; k++) {
    if (k != OVK__UU || !tests_z(S)) pairs[k].unit = &S->sums[0]->units[k];
  }
  OVK_SWEEP(S, ovk__mark_sweep(S, update, OVK__PIPECG_SUMS, pairs, sums));
}

double ovk__op_update_single_reduction(ovk_solver *S, double alpha, double beta, ovk_vec *u,
                                       const ovk_vec *w, ovk_vec *p, ovk_vec *s, ovk_vec *x,
                                       ovk_vec *r, double *ru)
{
  double vv;
  OVK_SWEEP(S, vv = ovk__update_single_reduction(rows(S), alpha, beta, S->D, tests_z(S), u->array,
                                                 w->array, p->array, s->array, x->array, r->array,
                                                 ru));
  if (S->D.d) {
    if (S->marks) vv = mark_both(S, tests_z(S), r, u, ru);
    return tested(S, vv, *ru);
  }
  if (S->marks) vv = ovk__mark_dot(S, r->array, r->array);
  *ru = ovk__op_apply_dot(S, r, u);
  return ovk__op_norm(S, vv, *ru, r, u);
}

double ovk__op_update_r_z(ovk_solver *S, double alpha, const ovk_vec *s, const ovk_vec *q,
                          ovk_vec *r, ovk_vec *z, double *rz)
{
  const bool of_z = tests_z(S);
  double vv;
  OVK_SWEEP(S, vv = ovk__groppcg_update_r_z(rows(S), alpha, s->array, q->array, S->D, of_z,
                                            r->array, z->array, rz));
  if (S->marks) vv = mark_both(S, of_z, r, z, rz);
  return tested(S, vv, *rz);
}

double ovk__op_update_p_s(ovk_solver *S, double beta, const ovk_vec *z, const ovk_vec *Z,
                          const ovk_vec *p_prev, ovk_vec *p, ovk_vec *s)
{
  double ps;
  OVK_SWEEP(S, ps = ovk__groppcg_update_p_s(rows(S), beta, z->array, Z->array, p_prev->array,
                                            p->array, s->array));
  return S->marks ? ovk__mark_dot(S, p->array, s->array) : ps;
}

ovk__pipecg_arrays ovk__pipecg_arrays_of(const ovk__pipecg_vecs *v)
{
  return (ovk__pipecg_arrays){OVK__PIPECG_LETTERS(OVK__ARRAY_OF)};
}

static void op_pipecg_dots(ovk_solver *S, const ovk__pipecg_vecs *v, double sums[OVK__PIPECG_SUMS])
{
  const ovk__pipecg_arrays a = ovk__pipecg_arrays_of(v);
  OVK_SWEEP(S, ovk__dots_pipecg(rows(S), S->D, &a, sums));
  if (S->marks) mark_pipecg(S, NULL, &a, sums);
}

void ovk__op_start_pipecg(ovk_solver *S, const ovk__pipecg_vecs *v, double sums[OVK__PIPECG_SUMS])
{
  ovk_vec *const zero[] = {v->z, v->q, v->s, v->p};
  for (int k = 0; k < 4; k++) (void)ovk_vec_fill(zero[k], 0);
  ovk__op_apply_first(S, v->r, v->u);
  ovk__op_product(S, v->u, v->w, ovk_poll_none());
  op_pipecg_dots(S, v, sums);
}

void ovk__op_update_pipecg(ovk_solver *S, double alpha, double beta, const ovk__pipecg_vecs *v,
                           double sums[OVK__PIPECG_SUMS])
{
  pipecg_step step = {alpha, beta, S->D, ovk__pipecg_arrays_of(v)};
  const ovk__row_update update = {op_update_pipecg_rows, op_update_pipecg_and_add, &step};
  if (S->marks) {
    mark_pipecg(S, &update, &step.a, sums);
    return;
  }
  OVK_SWEEP(S, ovk__update_pipecg(rows(S), alpha, beta, S->D, &step.a, sums));
}

void ovk__op_replace_pipecg(ovk_solver *S, const ovk__pipecg_vecs *v, ovk__replacement replacement,
                            double sums[OVK__PIPECG_SUMS])
{
  const ovk_poll none = ovk_poll_none();
  double bb;
  if (replacement == OVK__REPLACE_ALL) (void)ovk__op_residual(S, v->x, v->r, &bb);
  ovk__op_apply(S, v->r, v->u, none);
  ovk__op_product(S, v->u, v->w, none);
  ovk__op_product(S, v->p, v->s, none);
  ovk__op_apply(S, v->s, v->q, none);
  ovk__op_product(S, v->q, v->z, none);
  op_pipecg_dots(S, v, sums);
  S->counts.replacements++;
}

int ovk__op_square_at(const ovk_solver *S)
{
  static const int which[] = {[OVK_NORM_UNPRECONDITIONED] = OVK__RR,
                              [OVK_NORM_PRECONDITIONED] = OVK__UU,
                              [OVK_NORM_NATURAL] = OVK__RU};
  return which[S->opts.norm];
}

double ovk__op_square(const ovk_solver *S, const double sums[OVK__PIPECG_SUMS])
{
  return sums[ovk__op_square_at(S)];
}

void ovk__op_start_residual_gap(const ovk_solver *S, const double sums[OVK__PIPECG_SUMS],
                                ovk__residual_gap *gap)
{
  const double to_plain = sqrt(sums[OVK__RR] / ovk__op_square(S, sums));
  ovk__residual_gap_start(gap, sums, sqrt(S->norms.plain_bb), S->norms.tolerance * to_plain);
}
