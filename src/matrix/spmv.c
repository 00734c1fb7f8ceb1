/* SPDX-License-Identifier: BSD-2-Clause */
/* The distributed product with a vector, with a block of columns or with two vectors: begin halo,
 * local rows while polling, end halo, remote rows. */
#include "core/base/lanes.h"
#include "matrix/many.h"
#include "matrix/vector/vec_impl.h"

#include <stddef.h>

enum { HALO_POLL_ROWS = 4096 }; /* if the caller has no poll hook */

/* A product with an assembled matrix, whose halo exchange is begun next. */
typedef struct spmv {
  ovk__log *log;
  ovk__halo *halo;
  ovk_poll callers;
  double start; /* without the wait for the halo, which is logged by itself */
} spmv;

static spmv spmv_start(const ovk_mat *A, ovk__halo *halo, ovk_poll poll)
{
  ovk__log *log = &A->ctx->log;
  return (spmv){log, halo, poll, ovk__log_now(log)};
}

static void spmv_progress(void *arg)
{
  const spmv *p = arg;
  ovk__halo_progress(p->halo);
  ovk_poll_call(p->callers);
}

/* The hook for the local rows: it progresses the exchange and calls that of the caller. */
static ovk_poll spmv_poll(spmv *p)
{
  const ovk_lidx every = p->callers.progress ? p->callers.every : HALO_POLL_ROWS;
  return (ovk_poll){spmv_progress, p, every};
}

/* Completes the exchange: *ghosts <- the values of other ranks. */
static ovk_err spmv_ghosts(spmv *p, const double **ghosts)
{
  const double start = ovk__log_now(p->log);
  OVK_TRY(ovk__halo_end(p->halo, ghosts));
  p->start += ovk__log_add(p->log, OVK_EVENT_HALO_WAIT, start) - start;
  return OVK_OK;
}

static void spmv_done(const spmv *p)
{
  ovk__log_add(p->log, OVK_EVENT_MULT, p->start);
}

/* The local rows of y <- A x. dots[c] <- (x_c, y_c), unless A is in order. */
static ovk_err spmv_local(const ovk_mat *A, int width, const double *x, double *y, ovk_poll poll,
                          const ovk__finish *finish, double *dots)
{
  if (width > 1) return ovk__mat_many_local(A, width, x, y, poll, finish, dots);
  if (A->ordered) {
    A->format->products->ordered(A->local, x, y, poll, finish);
  } else {
    *dots = A->format->products->dot(A->local, x, y, poll, finish);
  }
  return OVK_OK;
}

/* Adds the columns of other ranks, also to dots, or, if A is in order, computes their rows again.
 */
static void spmv_remote(const ovk_mat *A, int width, const double *x, const double *ghosts,
                        double *y, double *dots)
{
  if (width > 1) {
    ovk__mat_many_remote(A, width, x, ghosts, y, dots);
  } else if (A->ordered) {
    ovk__whole_rows_mult(&A->whole, A->layout.local, x, ghosts, 1, y);
  } else {
    *dots += ovk__csr_mult_add(&A->remote, A->remote_rows, ghosts, x, y);
  }
}

/* dots[c] <- (x_c, y_c) of this rank's rows */
static void spmv_dots(const ovk_mat *A, int width, const double *x, const double *y, double *dots)
{
  double lane[OVK__LANES] = {0};
  if (width > 1) {
    ovk__mat_many_dots(A->layout.local, width, x, y, dots);
    return;
  }
  ovk__lanes_dot(A->layout.local, x, y, lane);
  *dots = ovk__lanes_total(lane);
}

/* Rows of y, a block of `width` columns, on their way to `finish`: those that wait for ghosts come
 * at the end. Begins with `next` = 0. */
typedef struct waiting {
  const ovk_mat *A;
  const ovk__finish *finish;
  int width;
  ovk_lidx next; /* in A->remote_rows */
} waiting;

/* Passes the other rows on as they come: the `rows` of an ovk__finish. */
static void waiting_interior(void *arg, ovk_lidx first, ovk_lidx rows, double *y)
{
  waiting *w = arg;
  const ovk_lidx *remote = w->A->remote_rows, n = w->A->remote.rows, end = first + rows;
  double *from = y - (ptrdiff_t)first * w->width;
  for (ovk_lidx i = first, stop; i < end; i = stop) {
    stop = w->next < n && remote[w->next] < end ? remote[w->next] : end;
    ovk__finish_block(w->finish, w->width, i, stop, from);
    for (; w->next < n && stop < end && remote[w->next] == stop; w->next++) stop++;
  }
}

/* Passes on those that have waited, y at the first row of all. */
static void waiting_boundary(const waiting *w, double *y)
{
  const ovk_lidx *remote = w->A->remote_rows, n = w->A->remote.rows;
  for (ovk_lidx k = 0, end; k < n; k = end) {
    for (end = k + 1; end < n && remote[end] == remote[end - 1] + 1; end++) continue;
    ovk__finish_block(w->finish, w->width, remote[k], remote[end - 1] + 1, y);
  }
}

static ovk_err shell_product(const ovk_mat *A, int width, const double *x, double *y, ovk_poll poll,
                             const ovk__finish *finish, double *dots)
{
  const double start = ovk__log_now(&A->ctx->log);
  const ovk_err err = width > 1 ? ovk__mat_many_local(A, width, x, y, poll, NULL, NULL)
                                : ovk__shell_mult(A, x, y, poll);
  if (dots) spmv_dots(A, width, x, y, dots);
  ovk__finish_block(finish, width, 0, A->layout.local, y);
  ovk__log_add(&A->ctx->log, OVK_EVENT_MULT, start);
  return err;
}

/* `finish` and `dots` may be NULL; where `finish` overwrites y, `dots` is. */
static ovk_err product(const ovk_mat *A, int width, const double *x, double *y, ovk_poll poll,
                       const ovk__finish *finish, double *dots)
{
  if (A->state == OVK__MAT_SHELL) return shell_product(A, width, x, y, poll, finish, dots);
  spmv p = spmv_start(A, width > 1 ? A->many->halo[width] : A->halo, poll);
  waiting rest = {A, finish, width, 0};
  const ovk__finish interior = {waiting_interior, &rest};
  double unwanted[OVK__WIDEST] = {0}, *sums = dots ? dots : unwanted;
  const double *ghosts;
  OVK_TRY(width > 1 ? ovk__halo_begin_block(p.halo, x) : ovk__halo_begin(p.halo, &x));
  const ovk_err err = spmv_local(A, width, x, y, spmv_poll(&p), finish ? &interior : NULL, sums);
  OVK_TRY(spmv_ghosts(&p, &ghosts));
  OVK_TRY(err);
  spmv_remote(A, width, x, ghosts, y, sums);
  if (A->ordered && dots) spmv_dots(A, width, x, y, dots);
  if (finish) waiting_boundary(&rest, y);
  spmv_done(&p);
  return OVK_OK;
}

ovk_err ovk__mat_mult_many(const ovk_mat *A, int width, const double *x, double *y, ovk_poll poll,
                           double *dots)
{
  return product(A, width, x, y, poll, NULL, dots);
}

ovk_err ovk__mat_mult_finish(const ovk_mat *A, int width, const double *x, double *y, ovk_poll poll,
                             const ovk__finish *finish)
{
  return product(A, width, x, y, poll, finish, NULL);
}

ovk_err ovk__mat_mult_dot(const ovk_mat *A, const ovk_vec *x, ovk_vec *y, ovk_poll poll,
                          double *dot)
{
  return product(A, 1, x->array, y->array, poll, NULL, dot);
}

ovk_err ovk__mat_action(const void *A, const ovk_vec *in, ovk_vec *out)
{
  return ovk__mat_mult_dot(A, in, out, ovk_poll_none(), NULL);
}

ovk_err ovk__mat_mult_remote(const ovk_mat *A, const double *x, double *y)
{
  spmv p = spmv_start(A, A->halo, ovk_poll_none());
  const double *ghosts;
  OVK_TRY(ovk__halo_begin(A->halo, &x));
  for (ovk_lidx i = 0; i < A->layout.local; i++) y[i] = 0;
  OVK_TRY(spmv_ghosts(&p, &ghosts));
  (void)ovk__csr_mult_add(&A->remote, A->remote_rows, ghosts, x, y);
  spmv_done(&p);
  return OVK_OK;
}

static void local_pair(const ovk_mat *A, const double *const x[2], double *const y[2],
                       ovk_poll poll)
{
  if (A->format->products->pair && !A->ordered) {
    A->format->products->pair(A->local, x, y, poll);
  } else {
    double unwanted;
    for (int v = 0; v < 2; v++) (void)spmv_local(A, 1, x[v], y[v], poll, NULL, &unwanted);
  }
}

static ovk_err assembled_pair(const ovk_mat *A, ovk__halo *halo, const double *const x[2],
                              double *const y[2], ovk_poll poll)
{
  spmv p = spmv_start(A, halo, poll);
  const double *ghosts;
  OVK_TRY(ovk__halo_begin(halo, x));
  local_pair(A, x, y, spmv_poll(&p));
  OVK_TRY(spmv_ghosts(&p, &ghosts));
  if (!A->ordered) ovk__csr_mult_add_pair(&A->remote, A->remote_rows, ghosts, y);
  for (int v = 0; A->ordered && v < 2; v++) {
    ovk__whole_rows_mult(&A->whole, A->layout.local, x[v], ghosts + v, 2, y[v]);
  }
  spmv_done(&p);
  return OVK_OK;
}

ovk_err ovk__mat_mult_pair(const ovk_mat *A, ovk__halo *halo, const ovk_vec *const x[2],
                           ovk_vec *const y[2], ovk_poll poll)
{
  if (halo) {
    const double *const from[2] = {x[0]->array, x[1]->array};
    double *const to[2] = {y[0]->array, y[1]->array};
    return assembled_pair(A, halo, from, to, poll);
  }
  ovk__kept_error first = {0};
  for (int v = 0; v < 2; v++) { /* also after a failure, as the call is collective */
    ovk__keep_error(A->ctx, ovk__mat_mult_dot(A, x[v], y[v], poll, NULL), &first);
  }
  return ovk__kept_error_of(A->ctx, &first);
}
