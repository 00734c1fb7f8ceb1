/* SPDX-License-Identifier: BSD-2-Clause */
/* The building blocks of the methods. */
#include "solvers/kernels/updates/updates.h"
#include "solvers/ops/dots.h"
#include "solvers/ops/marks.h"
#include "solvers/ops/ops_impl.h"
#include "solvers/ops/scale.h"
#include "solvers/state/projection.h"

double ovk__op_mult(ovk_solver *S, const ovk_vec *p, ovk_vec *s, ovk_poll poll)
{
  const int half = S->scale.A / 2; /* before and after, so that (p, s) needs none */
  const ovk_vec *in = ovk__scale_copy(S, 0, half, p);
  const ovk__pair pair = ovk__pair_of(in->array, s->array);
  double dot = 0; /* products log their own time */
  const ovk_err err = S->marks ? ovk__mark_mult(S, in->array, s->array, poll, 1, &pair, &dot)
                               : ovk__mat_mult_dot(S->A, in, s, poll, &dot);
  ovk__op_record_made(S, err, s);
  ovk__scale_by(half, s);
  return dot;
}

void ovk__op_product(ovk_solver *S, const ovk_vec *p, ovk_vec *s, ovk_poll poll)
{
  if (!S->marks) {
    (void)ovk__op_mult(S, p, s, poll);
    return;
  }
  const int half = S->scale.A / 2;
  const ovk_vec *in = ovk__scale_copy(S, 0, half, p);
  ovk__op_record_made(S, ovk__mat_mult_many(S->A, 1, in->array, s->array, poll, NULL), s);
  ovk__scale_by(half, s);
}

double ovk__op_residual(ovk_solver *S, const ovk_vec *x, ovk_vec *r, double *bb)
{
  if (x) ovk__op_product(S, x, r, ovk_poll_none());
  double rr;
  if (!x) OVK_SWEEP(S, (void)ovk_vec_fill(r, 0));
  OVK_SWEEP(S, rr = S->marks ? ovk__mark_residual(S, S->b->array, r->array, bb)
                             : ovk__residual(rows(S), S->b->array, r->array, bb));
  return rr;
}

double ovk__op_spmv_seconds(const ovk_solver *S)
{
  return ovk_log_seconds(S->ctx, OVK_EVENT_MULT) + ovk_log_seconds(S->ctx, OVK_EVENT_HALO_WAIT);
}

/* Applies M^-1, with half its exponent as `after`, or a factor, with 0; returns the time. Products
 * of a preconditioner log their own time. */
static double op_apply_M(ovk_solver *S,
                         ovk_err (*apply)(const ovk_precond *, const ovk_vec *, ovk_vec *,
                                          ovk_poll),
                         int after, const ovk_vec *in, ovk_vec *out, ovk_poll poll)
{
  const double start = ovk__op_now(S), products = ovk__op_spmv_seconds(S);
  ovk__op_record_made(S, apply(S->M, ovk__scale_copy(S, 0, S->scale.M / 2, in), out, poll), out);
  ovk__scale_by(after, out);
  const double inner = ovk__op_spmv_seconds(S) - products;
  return ovk__log_add(&S->ctx->log, OVK_EVENT_PRECOND, start + inner);
}

/* z <- z without its part in the null space, if there is one. If M^-1 cannot enlarge that part, it
 * stays in z and is removed from x at the end. This holds for a diagonal M, and if the reductions
 * of the method keep the vectors that M^-1 is applied to out of the null space. */
static void op_project(ovk_solver *S, ovk_vec *z)
{
  if (!S->null.count || S->D.d || ovk__projection_rides(S, S->active)) return;
  ovk__op_record_error(S, ovk__op_project(S, &S->null, z, NULL));
}

void ovk__op_apply(ovk_solver *S, const ovk_vec *r, ovk_vec *z, ovk_poll poll)
{
  (void)op_apply_M(S, ovk__precond_apply, S->scale.M / 2, r, z, poll);
  op_project(S, z);
}

static double op_dot(ovk_solver *S, const ovk_vec *r, const ovk_vec *z)
{
  double rz;
  OVK_SWEEP(S, rz = ovk__part_dot(S, r->array, z->array));
  return rz;
}

double ovk__op_apply_dot(ovk_solver *S, const ovk_vec *r, ovk_vec *z)
{
  ovk__op_apply(S, r, z, ovk_poll_none());
  return op_dot(S, r, z);
}

void ovk__op_apply_first(ovk_solver *S, const ovk_vec *r, ovk_vec *z)
{
  if (S->first_z != z) ovk__op_apply(S, r, z, ovk_poll_none());
}

double ovk__op_apply_first_dot(ovk_solver *S, const ovk_vec *r, ovk_vec *z)
{
  ovk__op_apply_first(S, r, z);
  return op_dot(S, r, z);
}

/* z = M^-1 r as a sweep computes it: D times v. */
typedef struct product {
  ovk__diagonal D;
  const double *v;
} product;

/* D times r if M is diagonal, else 1 times the stored z. */
static product op_preconditioned(const ovk_solver *S, const ovk_vec *r, const ovk_vec *z)
{
  return S->D.d ? (product){S->D, r->array} : (product){ovk__diagonal_identity(), z->array};
}

/* The mark of (v, z), or of (z, z) if `twice`, for the stored z or z = D v. */
static double op_mark_scaled(ovk_solver *S, const product *Dv, bool twice)
{
  const bool scales = S->D.d;
  const ovk__pair pair = {.x = Dv->v, .y = Dv->v, .scale_x = scales && twice, .scale_y = scales};
  double part;
  ovk__mark_pairs(S, 1, &pair, &part);
  return part;
}

double ovk__op_norm(ovk_solver *S, double rr, double rz, const ovk_vec *r, const ovk_vec *z)
{
  if (!tests_z(S)) return tested(S, rr, rz);
  const product Dv = op_preconditioned(S, r, z);
  double zz;
  /* (D r, D r) or (z, z) */
  OVK_SWEEP(S,
            zz = S->marks ? op_mark_scaled(S, &Dv, true) : ovk__scaled_norm(rows(S), Dv.D, Dv.v));
  return zz;
}

double ovk__op_norm_of(ovk_solver *S, double vv, const ovk_vec *v, ovk_vec *z)
{
  if (S->opts.norm == OVK_NORM_UNPRECONDITIONED) return vv;
  const double vz = ovk__op_apply_dot(S, v, z);
  return ovk__op_norm(S, vv, vz, v, z);
}

double ovk__op_apply_left_dot(ovk_solver *S, const ovk_vec *r, ovk_vec *t, ovk_poll poll)
{
  const double start =
      S->D.d ? ovk__op_now(S) : op_apply_M(S, ovk__precond_apply_left, 0, r, t, poll);
  const product Dv = op_preconditioned(S, r, t);
  const double tt = S->marks ? op_mark_scaled(S, &Dv, false)
                             : ovk__scaled_dot(rows(S), Dv.D, Dv.v, poll); /* (r, D r) or (t, t) */
  ovk__op_log(S, OVK_EVENT_VECTOR, start);
  return tt;
}

void ovk__op_apply_right(ovk_solver *S, const ovk_vec *t, ovk_vec *w, ovk_poll poll)
{
  if (S->D.d) return;
  (void)op_apply_M(S, ovk__precond_apply_right, 0, t, w, poll);
  op_project(S, w);
}

double ovk__op_apply_split(ovk_solver *S, const ovk_vec *u, ovk_vec *p, ovk_vec *s, ovk_vec *q)
{
  const double start = ovk__op_now(S), products = ovk__op_spmv_seconds(S);
  const int A = S->scale.A, M = S->scale.M;
  ovk__op_record_error(S, ovk__precond_apply_split(S->M, u, p, s, q, ovk_poll_none()));
  ovk__scale_by(M / 2, p);
  ovk__scale_by(A + M / 2, s);
  ovk__scale_by(A + M, q);
  const double inner = ovk__op_spmv_seconds(S) - products;
  const double end = ovk__log_add(&S->ctx->log, OVK_EVENT_PRECOND, start + inner);
  const double qu = ovk__part_dot(S, q->array, u->array);
  ovk__op_log(S, OVK_EVENT_VECTOR, end);
  return qu;
}

void ovk__op_aypx(ovk_solver *S, double beta, const ovk_vec *t, ovk_vec *u)
{
  OVK_SWEEP(S, ovk__aypx(rows(S), beta, t->array, u->array));
}

void ovk__op_axpy(ovk_solver *S, double alpha, const ovk_vec *p, ovk_vec *x, ovk_poll poll)
{
  ovk__op_axpy_from(S, 0, alpha, p, x, poll);
}

ovk_lidx ovk__op_axpy_while(ovk_solver *S, int k, double alpha, const ovk_vec *p, ovk_vec *x)
{
  const double start = ovk__op_now(S);
  const ovk_lidx n = rows(S), most = ovk__op_poll(S, k).every;
  ovk_lidx done = 0;
  bool complete = false;
  while (done < n && !ovk_reduction_test(S->sums[k]->reduction, &complete) && !complete) {
    const ovk_lidx some = most < n - done ? most : n - done;
    ovk__axpy(some, alpha, p->array + done, x->array + done, ovk_poll_none());
    done += some;
  }
  ovk__op_log(S, OVK_EVENT_VECTOR, start);
  return done;
}

void ovk__op_axpy_from(ovk_solver *S, ovk_lidx first, double alpha, const ovk_vec *p, ovk_vec *x,
                       ovk_poll poll)
{
  OVK_SWEEP(S, ovk__axpy(rows(S) - first, alpha, p->array + first, x->array + first, poll));
}

double ovk__op_axpy_norm(ovk_solver *S, double alpha, const ovk_vec *s, ovk_vec *r)
{
  double rr;
  OVK_SWEEP(S, rr = S->marks ? ovk__mark_axpy_norm(S, alpha, s->array, r->array)
                             : ovk__axpy_norm(rows(S), alpha, s->array, r->array));
  return rr;
}

/* r <- r - alpha s, z = M^-1 r for a diagonal M; *rz = (r, z); returns (z, z) if `of_z`, else
 * (r, r) */
static double op_update_r_diagonal(ovk_solver *S, double alpha, const ovk_vec *s, bool of_z,
                                   ovk_vec *r, double *rz)
{
  double vv;
  OVK_SWEEP(S, vv = S->marks
                        ? ovk__mark_update_r(S, alpha, s->array, of_z, r->array, rz)
                        : ovk__cg_update_r(rows(S), alpha, s->array, S->D, of_z, r->array, rz));
  return vv;
}

double ovk__op_update_r(ovk_solver *S, double alpha, const ovk_vec *s, ovk_vec *r, ovk_vec *z,
                        double *rz)
{
  if (S->D.d) {
    const double vv = op_update_r_diagonal(S, alpha, s, tests_z(S), r, rz);
    return tested(S, vv, *rz);
  }
  const double rr = ovk__op_axpy_norm(S, alpha, s, r);
  *rz = ovk__op_apply_dot(S, r, z);
  return ovk__op_norm(S, rr, *rz, r, z);
}

double ovk__op_update_r_left(ovk_solver *S, double alpha, const ovk_vec *s, ovk_vec *r, ovk_vec *t,
                             double *tt)
{
  if (S->D.d) return op_update_r_diagonal(S, alpha, s, false, r, tt);
  const double rr = ovk__op_axpy_norm(S, alpha, s, r);
  *tt = ovk__op_apply_left_dot(S, r, t, ovk_poll_none());
  return rr;
}

void ovk__op_update_x_p(ovk_solver *S, double alpha, const ovk_vec *r, const ovk_vec *z,
                        double beta, ovk_vec *p, ovk_vec *x)
{
  const product Dv = op_preconditioned(S, r, z);
  OVK_SWEEP(S, ovk__cg_update_x_p(rows(S), alpha, Dv.D, Dv.v, beta, p->array, x->array));
}

void ovk__op_direction(ovk_solver *S, const ovk_vec *r, const ovk_vec *z, double beta,
                       const ovk_vec *q, ovk_vec *p)
{
  const product Dv = op_preconditioned(S, r, z);
  OVK_SWEEP(S, ovk__cg_direction(rows(S), Dv.D, Dv.v, beta, q->array, p->array));
}
