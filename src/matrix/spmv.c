/* SPDX-License-Identifier: BSD-2-Clause */
/* The distributed product, of one vector or two: begin halo, local rows while polling, end halo,
 * remote rows. */
#include "matrix/spmv.h"
#include "core/base/lanes.h"
#include "core/context/agree.h"
#include "matrix/vector/vec_impl.h"

#include <stddef.h>
#include <stdlib.h>

enum { HALO_POLL_ROWS = 4096 }; /* if the caller has no poll hook */

static void spmv_progress(void *arg)
{
  const ovk__spmv *p = arg;
  ovk__halo_progress(p->halo);
  ovk_poll_call(p->callers);
}

ovk__spmv ovk__spmv_start(const ovk_mat *A, ovk__halo *halo, ovk_poll poll)
{
  ovk__log *log = &A->ctx->log;
  return (ovk__spmv){log, halo, poll, ovk__log_now(log)};
}

ovk_poll ovk__spmv_poll(ovk__spmv *p)
{
  const ovk_lidx every = p->callers.progress ? p->callers.every : HALO_POLL_ROWS;
  return (ovk_poll){spmv_progress, p, every};
}

ovk_err ovk__spmv_ghosts(ovk__spmv *p, const double **ghosts)
{
  const double start = ovk__log_now(p->log);
  OVK_TRY(ovk__halo_end(p->halo, ghosts));
  p->start += ovk__log_add(p->log, OVK_EVENT_HALO_WAIT, start) - start;
  return OVK_OK;
}

void ovk__spmv_done(const ovk__spmv *p)
{
  ovk__log_add(p->log, OVK_EVENT_MULT, p->start);
}

/* The local rows of y <- A x; returns (x, y), or 0 if A is in order. */
static double local_mult(const ovk_mat *A, const double *x, double *y, ovk_poll poll,
                         const ovk__finish *finish)
{
  if (!A->ordered) return A->format->products->dot(A->local, x, y, poll, finish);
  A->format->products->ordered(A->local, x, y, poll, finish);
  return 0;
}

/* Adds the columns of other ranks, or computes their rows again; returns as local_mult(). */
static double remote_mult(const ovk_mat *A, const double *x, const double *ghosts, double *y)
{
  if (!A->ordered) return ovk__csr_mult_add(&A->remote, A->remote_rows, ghosts, x, y);
  ovk__whole_rows_mult(&A->whole, A->layout.local, x, ghosts, 1, y);
  return 0;
}

/* (x, y) of this rank's rows */
static double spmv_dot(const ovk_mat *A, const double *x, const double *y)
{
  double lane[OVK__LANES] = {0};
  ovk__lanes_dot(A->layout.local, x, y, lane);
  return ovk__lanes_total(lane);
}

void ovk__waiting_interior(void *arg, ovk_lidx first, ovk_lidx rows, double *y)
{
  ovk__waiting *w = arg;
  const ovk_lidx *remote = w->A->remote_rows, n = w->A->remote.rows, end = first + rows;
  double *from = y - (ptrdiff_t)first * w->width;
  for (ovk_lidx i = first, stop; i < end; i = stop) {
    stop = w->next < n && remote[w->next] < end ? remote[w->next] : end;
    ovk__finish_block(w->finish, w->width, i, stop, from);
    for (; w->next < n && stop < end && remote[w->next] == stop; w->next++) stop++;
  }
}

void ovk__waiting_boundary(const ovk__waiting *w, double *y)
{
  const ovk_lidx *remote = w->A->remote_rows, n = w->A->remote.rows;
  for (ovk_lidx k = 0, end; k < n; k = end) {
    for (end = k + 1; end < n && remote[end] == remote[end - 1] + 1; end++) continue;
    ovk__finish_block(w->finish, w->width, remote[k], remote[end - 1] + 1, y);
  }
}

static ovk_err shell_mult(const ovk_mat *A, const double *x, double *y, ovk_poll poll,
                          const ovk__finish *finish, double *dot)
{
  const double start = ovk__log_now(&A->ctx->log);
  const ovk_err err = ovk__shell_mult(A, x, y, poll);
  if (dot) *dot = spmv_dot(A, x, y);
  if (finish) ovk__finish_rows(finish, 0, A->layout.local, y);
  ovk__log_add(&A->ctx->log, OVK_EVENT_MULT, start);
  return err;
}

/* `finish` and `dot` may be NULL; where `finish` overwrites y, `dot` is. */
static ovk_err spmv(const ovk_mat *A, const double *x, double *y, ovk_poll poll,
                    const ovk__finish *finish, double *dot)
{
  if (A->state == OVK__MAT_SHELL) return shell_mult(A, x, y, poll, finish, dot);
  ovk__spmv product = ovk__spmv_start(A, A->halo, poll);
  ovk__waiting rest = {A, finish, 1, 0};
  const ovk__finish interior = {ovk__waiting_interior, &rest};
  const double *ghosts;
  OVK_TRY(ovk__halo_begin(A->halo, &x));
  double sum = local_mult(A, x, y, ovk__spmv_poll(&product), finish ? &interior : NULL);
  OVK_TRY(ovk__spmv_ghosts(&product, &ghosts));
  sum += remote_mult(A, x, ghosts, y);
  if (dot) *dot = A->ordered ? spmv_dot(A, x, y) : sum;
  if (finish) ovk__waiting_boundary(&rest, y);
  ovk__spmv_done(&product);
  return OVK_OK;
}

ovk_err ovk__mat_mult_arrays(const ovk_mat *A, const double *x, double *y, ovk_poll poll,
                             double *dot)
{
  return spmv(A, x, y, poll, NULL, dot);
}

ovk_err ovk__mat_mult_finish(const ovk_mat *A, const double *x, double *y, ovk_poll poll,
                             const ovk__finish *finish)
{
  return spmv(A, x, y, poll, finish, NULL);
}

ovk_err ovk__mat_mult_remote(const ovk_mat *A, const double *x, double *y)
{
  ovk__spmv product = ovk__spmv_start(A, A->halo, ovk_poll_none());
  const double *ghosts;
  OVK_TRY(ovk__halo_begin(A->halo, &x));
  for (ovk_lidx i = 0; i < A->layout.local; i++) y[i] = 0;
  OVK_TRY(ovk__spmv_ghosts(&product, &ghosts));
  (void)ovk__csr_mult_add(&A->remote, A->remote_rows, ghosts, x, y);
  ovk__spmv_done(&product);
  return OVK_OK;
}

ovk_err ovk__mat_mult_dot(const ovk_mat *A, const ovk_vec *x, ovk_vec *y, ovk_poll poll,
                          double *dot)
{
  return spmv(A, x->array, y->array, poll, NULL, dot);
}

ovk_err ovk__mat_action(const void *A, const ovk_vec *in, ovk_vec *out)
{
  double dot;
  return ovk__mat_mult_dot(A, in, out, ovk_poll_none(), &dot);
}

ovk_err ovk__mat_halo(const ovk_mat *A, int width, ovk__halo **out)
{
  ovk_gidx *first = NULL;
  *out = NULL;
  if (A->state == OVK__MAT_SHELL) return OVK_OK;
  ovk_err err = ovk__layout_gather(A->ctx, &A->layout, &first);
  if (!err) err = ovk__halo_create(A->ctx, first, A->ghosts.col, A->ghosts.count, width, out);
  free(first);
  return err;
}

static void local_pair(const ovk_mat *A, const double *const x[2], double *const y[2],
                       ovk_poll poll)
{
  if (A->format->products->pair && !A->ordered) {
    A->format->products->pair(A->local, x, y, poll);
  } else {
    for (int v = 0; v < 2; v++) (void)local_mult(A, x[v], y[v], poll, NULL);
  }
}

static ovk_err assembled_pair(const ovk_mat *A, ovk__halo *halo, const double *const x[2],
                              double *const y[2], ovk_poll poll)
{
  ovk__spmv product = ovk__spmv_start(A, halo, poll);
  const double *ghosts;
  OVK_TRY(ovk__halo_begin(halo, x));
  local_pair(A, x, y, ovk__spmv_poll(&product));
  OVK_TRY(ovk__spmv_ghosts(&product, &ghosts));
  if (!A->ordered) ovk__csr_mult_add_pair(&A->remote, A->remote_rows, ghosts, y);
  for (int v = 0; A->ordered && v < 2; v++) {
    ovk__whole_rows_mult(&A->whole, A->layout.local, x[v], ghosts + v, 2, y[v]);
  }
  ovk__spmv_done(&product);
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
  double dot;
  ovk__kept_error first = {0};
  for (int v = 0; v < 2; v++) { /* also after a failure, as the call is collective */
    ovk__keep_error(A->ctx, ovk__mat_mult_dot(A, x[v], y[v], poll, &dot), &first);
  }
  return ovk__kept_error_of(A->ctx, &first);
}

/* The result is the same on all ranks, except for NULL and for vectors that share memory. */
static ovk_err mult_check(const ovk_mat *A, const ovk_vec *x, const ovk_vec *y)
{
  ovk_ctx *ctx = OVK_ANY_CTX(A, x, y);
  OVK_CHECK_HANDLE(ctx, A);
  OVK_CHECK_HANDLE(ctx, x);
  OVK_CHECK_HANDLE(ctx, y);
  OVK_TRY(ovk__mat_check_ready(A));
  OVK_TRY(ovk__mat_check_vec(A, x, "x"));
  OVK_TRY(ovk__mat_check_vec(A, y, "y"));
  OVK_CHECK_UNUSED(y, "y");
  OVK_CHECK(x != y && !ovk__vec_overlap(x, y), ctx, OVK_ERR_ARG,
            "x and y are the same vector or share memory");
  return OVK_OK;
}

ovk_err ovk_mat_mult_polled(const ovk_mat *A, const ovk_vec *x, ovk_vec *y, ovk_poll poll)
{
  double dot;
  const bool agree =
      A && A->state == OVK__MAT_SHELL; /* a product with an assembled matrix needs no reduction */
  const ovk_err fault = mult_check(A, x, y);
  OVK_TRY(agree ? ovk__agree(A->ctx, fault) : fault);
  const ovk__used used = OVK_USE(A, x, y);
  ovk_err err = ovk__mat_mult_dot(A, x, y, poll, &dot);
  if (agree) err = ovk__agree(A->ctx, err);
  ovk__end_use(&used);
  return err;
}

ovk_err ovk_mat_mult(const ovk_mat *A, const ovk_vec *x, ovk_vec *y)
{
  return ovk_mat_mult_polled(A, x, y, ovk_poll_none());
}
