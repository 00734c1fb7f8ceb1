/* SPDX-License-Identifier: BSD-2-Clause */
/* The operations that methods are written in. */
#include "solvers/step.h"
#include "solvers/updates.h"

#include <stdio.h>

/* What the rider of a sum adds for one rank: totals up to 2^20 ranks with a wish stay below
 * FAILURE. */
static const double WISH = 1, FAILURE = 1 << 20;

static void keep(ovk_solver *S, ovk_err err)
{
  if (!err || S->failed) return;
  S->failed = err;
  snprintf(S->failed_why, sizeof S->failed_why, "%s", S->ctx->message);
}

static ovk_lidx rows(const ovk_solver *S)
{
  return S->A->layout.local;
}

static void book(ovk_solver *S, ovk_event event, double start)
{
  ovk__log_add(&S->ctx->log, event, start);
}

ovk_poll ovk__step_poll(ovk_solver *S, int k)
{
  return ovk_reduction_poll(S->sums[k], S->opts.poll_rows);
}

double ovk__step_mult(ovk_solver *S, const ovk_vec *p, ovk_vec *s)
{
  double dot = 0;
  keep(S, ovk__mat_mult_dot(S->A, p, s, ovk_poll_none(), &dot)); /* books its own time */
  return dot;
}

double ovk__step_residual(ovk_solver *S, const ovk_vec *x, ovk_vec *r, double *bb)
{
  (void)ovk__step_mult(S, x, r);
  const double start = MPI_Wtime();
  const double rr = ovk__residual(rows(S), S->b->array, r->array, bb);
  book(S, OVK_EVENT_VECTOR, start);
  return rr;
}

void ovk__step_apply(ovk_solver *S, const ovk_vec *r, ovk_vec *z)
{
  const double start = MPI_Wtime();
  keep(S, ovk__precond_apply(S->M, r, z, ovk_poll_none()));
  book(S, OVK_EVENT_PRECOND, start);
}

double ovk__step_apply_dot(ovk_solver *S, const ovk_vec *r, ovk_vec *z)
{
  ovk__step_apply(S, r, z);
  const double start = MPI_Wtime();
  const double rz = ovk__dot(rows(S), r->array, z->array);
  book(S, OVK_EVENT_VECTOR, start);
  return rz;
}

/* What a sweep multiplies to have z = C^-1 r: D times v. */
typedef struct product {
  ovk__diagonal D;
  const double *v;
} product;

/* D times r if C is diagonal, else 1 times z. */
static product find(const ovk_solver *S, const ovk_vec *r, const ovk_vec *z)
{
  static const double one = 1;
  return S->D.d ? (product){S->D, r->array} : (product){{&one, true}, z->array};
}

double ovk__step_apply_left_dot(ovk_solver *S, const ovk_vec *r, ovk_vec *t, ovk_poll poll)
{
  double start = MPI_Wtime();
  if (!S->D.d) {
    keep(S, ovk__precond_apply_left(S->M, r, t, poll));
    start = ovk__log_add(&S->ctx->log, OVK_EVENT_PRECOND, start);
  }
  const product Dv = find(S, r, t);
  const double tt = ovk__scaled_dot(rows(S), Dv.D, Dv.v, poll); /* (r, D r), or (t, t) */
  book(S, OVK_EVENT_VECTOR, start);
  return tt;
}

void ovk__step_apply_right(ovk_solver *S, const ovk_vec *t, ovk_vec *w, ovk_poll poll)
{
  if (S->D.d) return;
  const double start = MPI_Wtime();
  keep(S, ovk__precond_apply_right(S->M, t, w, poll));
  book(S, OVK_EVENT_PRECOND, start);
}

void ovk__step_axpy(ovk_solver *S, double alpha, const ovk_vec *p, ovk_vec *x, ovk_poll poll)
{
  ovk__step_axpy_from(S, 0, alpha, p, x, poll);
}

ovk_lidx ovk__step_axpy_while(ovk_solver *S, int k, double alpha, const ovk_vec *p, ovk_vec *x)
{
  const double start = MPI_Wtime();
  const ovk_lidx n = rows(S), most = S->opts.poll_rows;
  ovk_lidx done = 0;
  bool complete = false;
  while (done < n && !ovk_reduction_test(S->sums[k], &complete) && !complete) {
    const ovk_lidx some = most < n - done ? most : n - done;
    ovk__axpy(some, alpha, p->array + done, x->array + done, ovk_poll_none());
    done += some;
  }
  book(S, OVK_EVENT_VECTOR, start);
  return done;
}

void ovk__step_axpy_from(ovk_solver *S, ovk_lidx first, double alpha, const ovk_vec *p, ovk_vec *x,
                         ovk_poll poll)
{
  const double start = MPI_Wtime();
  ovk__axpy(rows(S) - first, alpha, p->array + first, x->array + first, poll);
  book(S, OVK_EVENT_VECTOR, start);
}

double ovk__step_axpy_norm(ovk_solver *S, double alpha, const ovk_vec *s, ovk_vec *r)
{
  const double start = MPI_Wtime();
  const double rr = ovk__axpy_norm(rows(S), alpha, s->array, r->array);
  book(S, OVK_EVENT_VECTOR, start);
  return rr;
}

/* r <- r - alpha s for a diagonal C; *rz = (r, C^-1 r); returns (r, r) */
static double update_r_once(ovk_solver *S, double alpha, const ovk_vec *s, ovk_vec *r, double *rz)
{
  const double start = MPI_Wtime();
  const double rr = ovk__update_r(rows(S), alpha, s->array, S->D, r->array, rz);
  book(S, OVK_EVENT_VECTOR, start);
  return rr;
}

double ovk__step_update_r(ovk_solver *S, double alpha, const ovk_vec *s, ovk_vec *r, ovk_vec *z,
                          double *rz)
{
  if (S->D.d) return update_r_once(S, alpha, s, r, rz);
  const double rr = ovk__step_axpy_norm(S, alpha, s, r);
  *rz = ovk__step_apply_dot(S, r, z);
  return rr;
}

double ovk__step_update_r_left(ovk_solver *S, double alpha, const ovk_vec *s, ovk_vec *r,
                               ovk_vec *t, double *tt)
{
  if (S->D.d) return update_r_once(S, alpha, s, r, tt);
  const double rr = ovk__step_axpy_norm(S, alpha, s, r);
  *tt = ovk__step_apply_left_dot(S, r, t, ovk_poll_none());
  return rr;
}

void ovk__step_update_x_p(ovk_solver *S, double alpha, const ovk_vec *r, const ovk_vec *z,
                          double beta, ovk_vec *p, ovk_vec *x)
{
  const double start = MPI_Wtime();
  const product Dv = find(S, r, z);
  ovk__update_x_p(rows(S), alpha, Dv.D, Dv.v, beta, p->array, x->array);
  book(S, OVK_EVENT_VECTOR, start);
}

void ovk__step_direction(ovk_solver *S, const ovk_vec *r, const ovk_vec *z, double beta,
                         const ovk_vec *q, ovk_vec *p)
{
  const double start = MPI_Wtime();
  const product Dv = find(S, r, z);
  ovk__direction(rows(S), Dv.D, Dv.v, beta, q->array, p->array);
  book(S, OVK_EVENT_VECTOR, start);
}

/* Begins a sum whose own values are in place; `rider` is the place of the rider, or -1. */
static ovk_err begin(ovk_solver *S, ovk_reduction *sum, int rider)
{
  const double start = MPI_Wtime();
  if (rider >= 0) {
    ovk_reduction_values(sum)[rider] = (S->failed ? FAILURE : 0) + (S->my_wish ? WISH : 0);
  }
  const ovk_err err = ovk_reduction_begin(sum);
  book(S, OVK_EVENT_REDUCTION_BEGIN, start);
  return err;
}

/* Every rank comes here after the same sum: now there is time to agree. */
static ovk_err tell_failure(ovk_solver *S)
{
  const ovk_err mine = S->failed;
  if (mine) ovk__say(S->ctx, "%s", S->failed_why);
  return ovk__agree(S->ctx, mine);
}

static ovk_err wait(ovk_solver *S, ovk_reduction *sum, int rider)
{
  const double start = MPI_Wtime();
  const ovk_err err = ovk_reduction_wait(sum);
  book(S, OVK_EVENT_REDUCTION_WAIT, start);
  if (err || rider < 0) return err;
  const double riders = ovk_reduction_values(sum)[rider];
  if (riders >= FAILURE) return tell_failure(S);
  S->any_wish = riders > 0;
  return OVK_OK;
}

static int rider_of(const ovk_solver *S, int k)
{
  return S->method->sums[k].rider ? S->method->sums[k].count : -1;
}

ovk_err ovk__step_begin(ovk_solver *S, int k, double part)
{
  ovk_reduction_values(S->sums[k])[0] = part;
  return begin(S, S->sums[k], rider_of(S, k));
}

ovk_err ovk__step_wait(ovk_solver *S, int k, double *total)
{
  OVK_TRY(wait(S, S->sums[k], rider_of(S, k)));
  *total = ovk_reduction_values(S->sums[k])[0];
  return OVK_OK;
}

ovk_err ovk__step_sum(ovk_solver *S, int k, double part, double *total)
{
  OVK_TRY(ovk__step_begin(S, k, part));
  return ovk__step_wait(S, k, total);
}

ovk_err ovk__step_start_sum(ovk_solver *S, double *bb, double *rr)
{
  enum { BB, RR, RIDER };
  double *values = ovk_reduction_values(S->start);
  values[BB] = *bb;
  values[RR] = *rr;
  OVK_TRY(begin(S, S->start, RIDER));
  OVK_TRY(wait(S, S->start, RIDER));
  *bb = values[BB];
  *rr = values[RR];
  return OVK_OK;
}
