/* SPDX-License-Identifier: BSD-2-Clause */
/* The building blocks of the methods that overlap their reductions, for blocks of columns. */
#include "solvers/many/ops_many_overlapped.h"
#include "solvers/kernels/many/overlapped_many.h"
#include "solvers/kernels/many/updates_many.h"
#include "solvers/many/columns.h"
#include "solvers/ops/ops_impl.h"

void ovk__many_op_update_single_reduction(ovk__many *B, const double *alpha, const double *beta,
                                          double *u, const double *w, double *p, double *s,
                                          double *r, double *ru, double *square)
{
  ovk_solver *S = B->S;
  double vv[OVK__WIDEST], uu[OVK__WIDEST];
  OVK_SWEEP(S, ovk__many_update_single_reduction(rows(S), B->width, alpha, beta, S->D, tests_z(S),
                                                 u, w, p, s, B->x, r, ru, vv));
  if (!S->D.d) ovk__many_op_apply(B, r, u, ru, uu);
  ovk__many_op_square(B, vv, ru, S->D.d ? vv : uu, square);
}

void ovk__many_op_update_r_z(ovk__many *B, const double *alpha, const double *s, const double *q,
                             double *r, double *z, double *rz, double *square)
{
  ovk_solver *S = B->S;
  double vv[OVK__WIDEST];
  OVK_SWEEP(S,
            ovk__many_update_r_z(rows(S), B->width, alpha, s, q, S->D, tests_z(S), r, z, rz, vv));
  ovk__many_op_square(B, vv, rz, vv, square);
}

void ovk__many_op_update_p_s(ovk__many *B, const double *beta, const double *z, const double *Z,
                             const double *p_prev, double *p, double *s, double *ps)
{
  ovk_solver *S = B->S;
  OVK_SWEEP(S, ovk__many_update_p_s(rows(S), B->width, beta, z, Z, p_prev, p, s, ps));
}

/* The inner products in the order of single vectors, one after the other; v->n is scratch. */
static void many_pipecg_ordered(ovk__many *B, const ovk__pipecg_arrays *v, ovk__lane_values *sums)
{
  const ovk_solver *S = B->S;
  const ovk_lidx rows_here = rows(S);
  const int w = B->width;
  const bool diagonal = S->D.d != NULL;
  double *n = v->n;
  const double *u = diagonal ? n : v->u, *q = diagonal ? n : v->q;
  double ignored[OVK__WIDEST];
  if (diagonal) ovk__many_apply(rows_here, w, S->D, v->r, n); /* u = D r */
  ovk__many_dots(rows_here, w, v->r, u, sums[OVK__RU], sums[OVK__UU]);
  ovk__many_dots(rows_here, w, u, v->w, sums[OVK__WU], sums[OVK__WW]);
  if (diagonal) ovk__many_apply(rows_here, w, S->D, v->s, n); /* q = D s */
  ovk__many_dots(rows_here, w, v->r, v->r, ignored, sums[OVK__RR]);
  ovk__many_dots(rows_here, w, v->x, v->x, ignored, sums[OVK__XX]);
  ovk__many_dots(rows_here, w, v->p, v->p, ignored, sums[OVK__PP]);
  ovk__many_dots(rows_here, w, v->s, v->s, ignored, sums[OVK__SS]);
  ovk__many_dots(rows_here, w, q, q, ignored, sums[OVK__QQ]);
  ovk__many_dots(rows_here, w, v->z, v->z, ignored, sums[OVK__ZZ]);
}

static void many_pipecg_dots(ovk__many *B, const ovk__pipecg_arrays *v, ovk__lane_values *sums)
{
  ovk_solver *S = B->S;
  if (S->exact) {
    OVK_SWEEP(S, many_pipecg_ordered(B, v, sums));
  } else {
    OVK_SWEEP(S, ovk__many_dots_pipecg(rows(S), B->width, S->D, v, *sums));
  }
}

void ovk__many_op_start_pipecg(ovk__many *B, const ovk__pipecg_arrays *v,
                               ovk__lane_values sums[OVK__PIPECG_SUMS])
{
  double *const zero[] = {v->z, v->q, v->s, v->p};
  for (int k = 0; k < 4; k++) ovk__many_op_zero(B, zero[k]);
  ovk__many_op_apply(B, v->r, v->u, sums[OVK__RU], sums[OVK__UU]);
  ovk__many_op_product(B, v->u, v->w, ovk_poll_none());
  many_pipecg_dots(B, v, sums);
}

void ovk__many_op_update_pipecg(ovk__many *B, const double *alpha, const double *beta,
                                const ovk__pipecg_arrays *v,
                                ovk__lane_values sums[OVK__PIPECG_SUMS])
{
  ovk_solver *S = B->S;
  OVK_SWEEP(S, ovk__many_update_pipecg(rows(S), B->width, alpha, beta, S->D, v, *sums));
  if (S->exact) many_pipecg_dots(B, v, sums);
}

void ovk__many_op_replace_pipecg(ovk__many *B, const ovk__replacement which[OVK__WIDEST],
                                 const ovk__pipecg_arrays *v,
                                 ovk__lane_values sums[OVK__PIPECG_SUMS])
{
  const ovk_poll none = ovk_poll_none();
  double *m = v->m, *n = v->n, ignored[2][OVK__WIDEST];
  bool r[OVK__WIDEST] = {false}, products[OVK__WIDEST] = {false}, any_r = false;
  for (int c = 0; c < B->width; c++) {
    products[c] = which[c] != OVK__REPLACE_NONE;
    r[c] = which[c] == OVK__REPLACE_ALL;
    any_r = any_r || r[c];
  }
  if (any_r) {
    ovk__many_gather(B, B->rhs, m);
    ovk__many_op_product(B, v->x, n, none);
    ovk__many_op_residual(B, n, m, ignored[0], ignored[1]);
    ovk__many_op_take(B, r, m, v->r); /* r <- b - A x */
  }
  ovk__many_op_precond(B, v->r, m);
  ovk__many_op_product(B, m, n, none);
  ovk__many_op_take(B, products, m, v->u); /* u <- M^-1 r */
  ovk__many_op_take(B, products, n, v->w); /* w <- A u */
  ovk__many_op_product(B, v->p, n, none);
  ovk__many_op_take(B, products, n, v->s); /* s <- A p */
  ovk__many_op_precond(B, v->s, m);
  ovk__many_op_product(B, m, n, none);
  ovk__many_op_take(B, products, m, v->q); /* q <- M^-1 s */
  ovk__many_op_take(B, products, n, v->z); /* z <- A q */
  many_pipecg_dots(B, v, sums);
}
