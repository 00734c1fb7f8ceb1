/* SPDX-License-Identifier: BSD-2-Clause */
/* PCG-Algorithm1, PCG-Algorithm2 and PCG-Overlap as printed in Kandalla et al., "Designing
 * non-blocking allreduce with collective offload on InfiniBand clusters: a case study with
 * conjugate gradient solvers" (2012), figures 3, 6 and 7. */
#include "bench/support/textbook.h"
#include "tool.h"

#include <math.h>
#include <ovkrylov/comm/reduction.h>
#include <stdlib.h>

enum { VECTORS = 5, MAX_ITERATIONS = 10000, POLL_ROWS = 4096 };
static const double rtol = 1e-8;

struct textbook {
  testbed *bed;
  ovk_reduction *sum;
  ovk_vec *vectors[VECTORS];
  double goal; /* the value of (r, r) at which to stop */
  double last; /* end time of the last operation */
  double *seconds;
};

static ovk_err set_up(textbook *u, const char *backend)
{
  TRY(ovk_reduction_create(u->bed->ctx, backend, 1, &u->sum));
  for (int k = 0; k < VECTORS; k++) TRY(ovk_vec_duplicate(u->bed->x, &u->vectors[k]));
  return OVK_OK;
}

ovk_err textbook_create(testbed *t, const char *backend, textbook **out)
{
  *out = calloc(1, sizeof **out);
  TRY(tool_got_memory(t->ctx, *out != NULL));
  (*out)->bed = t;
  return set_up(*out, backend);
}

void textbook_destroy(textbook **u)
{
  if (!*u) return;
  for (int k = 0; k < VECTORS; k++) ovk_vec_destroy(&(*u)->vectors[k]);
  ovk_reduction_destroy(&(*u)->sum);
  free(*u);
  *u = NULL;
}

/* Adds the time since the end of the last operation to operation `which`; returns `err`. */
static ovk_err book(textbook *u, textbook_operation which, ovk_err err)
{
  const double now = MPI_Wtime();
  u->seconds[which] += now - u->last;
  u->last = now;
  return err;
}

/* Begins (x, y) of all ranks. */
static ovk_err inner_begin(const textbook *u, const ovk_vec *x, const ovk_vec *y)
{
  TRY(ovk_vec_local_dot(x, y, ovk_reduction_values(u->sum)));
  return ovk_reduction_begin(u->sum);
}

static ovk_err inner_end(const textbook *u, double *value)
{
  TRY(ovk_reduction_wait(u->sum));
  *value = *ovk_reduction_values(u->sum);
  return OVK_OK;
}

static ovk_err inner(const textbook *u, const ovk_vec *x, const ovk_vec *y, double *value)
{
  TRY(inner_begin(u, x, y));
  return inner_end(u, value);
}

/* The part of both algorithms between a new p and a new residual. */
static ovk_err textbook_step(textbook *u, const ovk_vec *p, ovk_vec *s, ovk_vec *r, double gamma)
{
  ovk_vec *x = u->bed->x;
  double sdotp;
  TRY(book(u, TEXTBOOK_PRODUCT, ovk_mat_mult(u->bed->problem.A, p, s))); /* s = A p */
  TRY(book(u, TEXTBOOK_SDOTP, inner(u, s, p, &sdotp)));
  const double alpha = gamma / sdotp;
  TRY(book(u, TEXTBOOK_AXPY, ovk_vec_axpy(alpha, p, x)));    /* x = x + alpha p */
  return book(u, TEXTBOOK_AXPY, ovk_vec_axpy(-alpha, s, r)); /* r = r - alpha s */
}

/* p = z + beta p */
static ovk_err direction(textbook *u, double beta, const ovk_vec *z, ovk_vec *p)
{
  TRY(book(u, TEXTBOOK_SCALING, ovk_vec_scale(beta, p)));
  return book(u, TEXTBOOK_AXPY, ovk_vec_axpy(1, z, p));
}

static ovk_err cg(textbook *u, int *iterations)
{
  const ovk_poll none = ovk_poll_none();
  const ovk_precond *M = u->bed->M;
  ovk_vec *r = u->vectors[0], *p = u->vectors[1], *s = u->vectors[2];
  double gamma, iprod;
  TRY(ovk_precond_apply(M, r, p, none)); /* C p = r */
  TRY(inner(u, r, p, &gamma));
  u->last = MPI_Wtime();
  for (*iterations = 1; *iterations < MAX_ITERATIONS; ++*iterations) {
    TRY(textbook_step(u, p, s, r, gamma));
    const double gamma_old = gamma;
    TRY(book(u, TEXTBOOK_PRECOND, ovk_precond_apply(M, r, s, none))); /* C s = r */
    TRY(book(u, TEXTBOOK_GAMMA, inner(u, r, s, &gamma)));
    TRY(book(u, TEXTBOOK_IPROD, inner(u, r, r, &iprod)));
    if (iprod <= u->goal) break;
    TRY(direction(u, gamma / gamma_old, s, p));
  }
  return OVK_OK;
}

/* x is updated as soon as alpha is known, not one iteration later: the order affects only the
 * overlap. */
static ovk_err split_cg(textbook *u, int *iterations)
{
  const ovk_poll none = ovk_poll_none();
  const ovk_precond *M = u->bed->M;
  ovk_vec *r = u->vectors[0], *p = u->vectors[1], *s = u->vectors[2], *t = u->vectors[3],
          *w = u->vectors[4];
  double gamma, gamma_old = INFINITY, iprod; /* so that beta = 0 first */
  TRY(ovk_vec_fill(p, 0));
  TRY(ovk_precond_apply_left(M, r, t, none)); /* t = L^-1 r */
  TRY(inner(u, t, t, &gamma));
  u->last = MPI_Wtime();
  for (*iterations = 1; *iterations < MAX_ITERATIONS; ++*iterations) {
    TRY(book(u, TEXTBOOK_PRECOND, ovk_precond_apply_right(M, t, w, none))); /* w = L^-T t */
    TRY(direction(u, gamma / gamma_old, w, p));
    TRY(textbook_step(u, p, s, r, gamma));
    gamma_old = gamma;
    TRY(book(u, TEXTBOOK_IPROD, inner(u, r, r, &iprod)));
    TRY(book(u, TEXTBOOK_PRECOND, ovk_precond_apply_left(M, r, t, none))); /* t = L^-1 r */
    TRY(book(u, TEXTBOOK_GAMMA, inner(u, t, t, &gamma)));
    if (iprod <= u->goal) break;
  }
  return OVK_OK;
}

/* p_prev and w change places: p is computed in w. The last update of x, which the figure omits,
 * follows. */
static ovk_err overlap(textbook *u, int *iterations)
{
  const ovk_poll poll = ovk_reduction_poll(u->sum, POLL_ROWS);
  const ovk_precond *M = u->bed->M;
  ovk_vec *x = u->bed->x, *r = u->vectors[0], *p_prev = u->vectors[1], *s = u->vectors[2],
          *t = u->vectors[3], *w = u->vectors[4];
  double gamma, gamma_old = INFINITY, sdotp, iprod, alpha = 0; /* so that beta = 0 first */
  TRY(ovk_vec_fill(p_prev, 0));
  TRY(ovk_precond_apply_left(M, r, t, ovk_poll_none())); /* t = L^-1 r */
  TRY(inner_begin(u, t, t));
  u->last = MPI_Wtime();
  for (*iterations = 1; *iterations < MAX_ITERATIONS; ++*iterations) {
    TRY(book(u, TEXTBOOK_PRECOND, ovk_precond_apply_right(M, t, w, poll))); /* w = L^-T t */
    TRY(book(u, TEXTBOOK_GAMMA, inner_end(u, &gamma)));
    ovk_vec *p = w;
    TRY(book(u, TEXTBOOK_AXPY, ovk_vec_axpy(gamma / gamma_old, p_prev, p))); /* w + beta p_prev */
    TRY(book(u, TEXTBOOK_PRODUCT, ovk_mat_mult(u->bed->problem.A, p, s)));   /* s = A p */
    TRY(book(u, TEXTBOOK_SDOTP, inner_begin(u, s, p)));
    TRY(book(u, TEXTBOOK_AXPY, ovk_vec_axpy(alpha, p_prev, x))); /* x = x + alpha p_prev */
    TRY(book(u, TEXTBOOK_SDOTP, inner_end(u, &sdotp)));
    alpha = gamma / sdotp;
    TRY(book(u, TEXTBOOK_AXPY, ovk_vec_axpy(-alpha, s, r))); /* r = r - alpha s */
    TRY(book(u, TEXTBOOK_IPROD, inner_begin(u, r, r)));
    TRY(book(u, TEXTBOOK_PRECOND, ovk_precond_apply_left(M, r, t, poll))); /* t = L^-1 r */
    TRY(book(u, TEXTBOOK_IPROD, inner_end(u, &iprod)));
    gamma_old = gamma;
    TRY(book(u, TEXTBOOK_GAMMA, inner_begin(u, t, t)));
    w = p_prev;
    p_prev = p;
    if (iprod <= u->goal) break;
  }
  TRY(inner_end(u, &gamma));
  return ovk_vec_axpy(alpha, p_prev, x);
}

ovk_err textbook_solve(textbook *u, textbook_algorithm which, double seconds[TEXTBOOK_OPERATIONS],
                       int *iterations)
{
  const testbed *t = u->bed;
  double bb;
  for (int k = 0; k < TEXTBOOK_OPERATIONS; k++) seconds[k] = 0;
  u->seconds = seconds;
  TRY(ovk_vec_fill(t->x, 0));
  TRY(ovk_vec_copy(t->problem.b, u->vectors[0])); /* r = b */
  TRY(inner(u, t->problem.b, t->problem.b, &bb));
  if (which != TEXTBOOK_CG) TRY(ovk_precond_factor(t->M));
  u->goal = rtol * rtol * bb;
  if (which == TEXTBOOK_CG) return cg(u, iterations);
  return which == TEXTBOOK_SPLIT_CG ? split_cg(u, iterations) : overlap(u, iterations);
}
