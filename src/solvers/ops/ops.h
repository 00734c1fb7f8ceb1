/* SPDX-License-Identifier: BSD-2-Clause */
/* The building blocks of the methods. Each does its work and logs its time. A failure on this rank
 * is recorded and reported to all ranks by the status value of the next sum that has one, at no
 * extra communication.
 *
 * For a diagonal M, z = M^-1 r is not stored, and neither are t and w for M = L L^T: functions that
 * take them also take r and compute them from it in a sweep that reads r anyway. (z, r) and (t, t)
 * are then both (r, M^-1 r). */
#ifndef OVK_SOLVERS_OPS_OPS_H
#define OVK_SOLVERS_OPS_OPS_H

#include "solvers/state/state.h"

/* A poll hook that progresses sum number k during other work. */
ovk_poll ovk__op_poll(ovk_solver *S, int k);

/* s <- A p; returns this rank's part of (p, s) */
double ovk__op_mult(ovk_solver *S, const ovk_vec *p, ovk_vec *s, ovk_poll poll);

/* The same without the inner product. */
void ovk__op_product(ovk_solver *S, const ovk_vec *p, ovk_vec *s, ovk_poll poll);

/* r <- b - A x, where x NULL is 0 and needs no product; *bb = (b, b); returns (r, r), both this
 * rank's parts */
double ovk__op_residual(ovk_solver *S, const ovk_vec *x, ovk_vec *r, double *bb);

/* This rank's part of the square of r's norm in the test, where M z = r: rr = (r, r), rz = (r, z),
 * or (z, z) from a separate sweep. For M = L L^T (t, t) is (r, z). */
double ovk__op_norm(ovk_solver *S, double rr, double rz, const ovk_vec *r, const ovk_vec *z);

/* The same for any v, where vv = (v, v); z <- M^-1 v if the norm needs it. */
double ovk__op_norm_of(ovk_solver *S, double vv, const ovk_vec *v, ovk_vec *z);

/* The square of a vector, and of its part in a null space. */
typedef struct ovk__split {
  double whole, null;
} ovk__split;

/* v <- v without its part in N, unless v has NaN or Inf; *squares <- those of v before, NULL: not
 * wanted. A blocking reduction. Collective. */
ovk_err ovk__op_project(ovk_solver *S, const ovk__null_space *N, ovk_vec *v, ovk__split *squares);

/* z <- M^-1 r, stored also for a diagonal M; projected where A has a null space and M
 * is not diagonal, as by ovk__op_apply_right() */
void ovk__op_apply(ovk_solver *S, const ovk_vec *r, ovk_vec *z, ovk_poll poll);

/* The same; returns this rank's part of (r, z) */
double ovk__op_apply_dot(ovk_solver *S, const ovk_vec *r, ovk_vec *z);

/* Both for the r that a method starts from: nothing is applied where S->first_z, left by the norm
 * of that r, is z. */
void ovk__op_apply_first(ovk_solver *S, const ovk_vec *r, ovk_vec *z);
double ovk__op_apply_first_dot(ovk_solver *S, const ovk_vec *r, ovk_vec *z);

/* t <- L^-1 r; returns this rank's part of (t, t) */
double ovk__op_apply_left_dot(ovk_solver *S, const ovk_vec *r, ovk_vec *t, ovk_poll poll);

/* w <- L^-T t */
void ovk__op_apply_right(ovk_solver *S, const ovk_vec *t, ovk_vec *w, ovk_poll poll);

/* p <- L^-T u, s <- A p, q <- L^-1 s, for an M that splits (precond_impl.h); returns this rank's
 * part of (q, u), which over all ranks is (s, p) */
double ovk__op_apply_split(ovk_solver *S, const ovk_vec *u, ovk_vec *p, ovk_vec *s, ovk_vec *q);

/* u <- t + beta u */
void ovk__op_aypx(ovk_solver *S, double beta, const ovk_vec *t, ovk_vec *u);

/* x <- x + alpha p */
void ovk__op_axpy(ovk_solver *S, double alpha, const ovk_vec *p, ovk_vec *x, ovk_poll poll);

/* The same row by row until sum number k is complete; returns the number of rows updated. */
ovk_lidx ovk__op_axpy_while(ovk_solver *S, int k, double alpha, const ovk_vec *p, ovk_vec *x);

/* The same from row `first` on. */
void ovk__op_axpy_from(ovk_solver *S, ovk_lidx first, double alpha, const ovk_vec *p, ovk_vec *x,
                       ovk_poll poll);

/* r <- r - alpha s; returns this rank's part of (r, r). So for other vectors. */
double ovk__op_axpy_norm(ovk_solver *S, double alpha, const ovk_vec *s, ovk_vec *r);

/* r <- r - alpha s; z <- M^-1 r, where z may be s; this rank's parts: *rz = (r, z), returns the
 * square of r's norm in the test, as ovk__op_norm() does */
double ovk__op_update_r(ovk_solver *S, double alpha, const ovk_vec *s, ovk_vec *r, ovk_vec *z,
                        double *rz);

/* r <- r - alpha s; t <- L^-1 r; this rank's parts: *tt = (t, t), returns (r, r) */
double ovk__op_update_r_left(ovk_solver *S, double alpha, const ovk_vec *s, ovk_vec *r, ovk_vec *t,
                             double *tt);

/* x <- x + alpha p; p <- z + beta p, where M z = r */
void ovk__op_update_x_p(ovk_solver *S, double alpha, const ovk_vec *r, const ovk_vec *z,
                        double beta, ovk_vec *p, ovk_vec *x);

/* p <- z + beta q, where M z = r */
void ovk__op_direction(ovk_solver *S, const ovk_vec *r, const ovk_vec *z, double beta,
                       const ovk_vec *q, ovk_vec *p);

/* Begins sum number k with this rank's parts, as many as it has values. */
ovk_err ovk__op_begin(ovk_solver *S, int k, const double *parts);

/* Waits for sum number k. If the sum has a status, fails on all ranks if any rank has recorded a
 * failure. */
ovk_err ovk__op_wait(ovk_solver *S, int k, double *totals);

/* Both, at once too, and the poll hook, for a sum of the solver that has no number; the values are
 * in it. */
ovk_poll ovk__op_poll_unnumbered(ovk_solver *S, ovk__dots *sum);
ovk_err ovk__op_begin_unnumbered(ovk_solver *S, ovk__dots *sum);
ovk_err ovk__op_wait_unnumbered(ovk_solver *S, ovk__dots *sum);
ovk_err ovk__op_reduce_unnumbered(ovk_solver *S, ovk__dots *sum);

/* Waits for all active sums. */
ovk_err ovk__op_drain(ovk_solver *S);

/* Begin and wait: values <- the totals of this rank's parts. */
ovk_err ovk__op_reduce(ovk_solver *S, int k, double *values);

/* The same for a sum of one value. */
ovk_err ovk__op_reduce_scalar(ovk_solver *S, int k, double part, double *total);

/* The blocking reduction of the squares of b and r at the start and end of every solve, and of the
 * sums of rounding.h, or NULL. The parts are replaced by their totals. */
ovk_err ovk__op_reduce_squares(ovk_solver *S, ovk__square *b, ovk__square *r, double *rounding);
enum { OVK__START_SUMS = 6 }; /* the values of that reduction, S->start */

#endif
