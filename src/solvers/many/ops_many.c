/* SPDX-License-Identifier: BSD-2-Clause */
/* The building blocks of the methods for blocks of columns. */
#include "solvers/many/ops_many.h"
#include "core/base/hash64.h"
#include "matrix/many.h"
#include "solvers/kernels/many/updates_many.h"
#include "solvers/ops/dots.h"
#include "solvers/ops/ops_impl.h"

#include <string.h>

void ovk__many_op_mult(ovk__many *B, const double *p, double *s, double *ps)
{
  ovk_solver *S = B->S;
  ovk__op_record_error(S, ovk__mat_mult_many(S->A, B->width, p, s, ovk_poll_none(), ps));
}

void ovk__many_op_product(ovk__many *B, const double *p, double *s, ovk_poll poll)
{
  ovk_solver *S = B->S;
  ovk__op_record_error(S, ovk__mat_mult_many(S->A, B->width, p, s, poll, NULL));
}

/* Products of a preconditioner log their own time. */
void ovk__many_op_apply_other(ovk__many *B, const double *w, double *m, ovk_poll poll)
{
  ovk_solver *S = B->S;
  if (S->D.d) return;
  const double start = ovk__op_now(S), products = ovk__op_spmv_seconds(S);
  ovk__op_record_error(S, ovk__precond_apply_many(S->M, B->width, w, m, poll));
  ovk__op_log(S, OVK_EVENT_PRECOND, start + ovk__op_spmv_seconds(S) - products);
}

void ovk__many_op_precond(ovk__many *B, const double *r, double *z)
{
  ovk_solver *S = B->S;
  ovk__many_op_apply_other(B, r, z, ovk_poll_none());
  if (!S->D.d) return;
  OVK_SWEEP(S, ovk__many_apply(rows(S), B->width, S->D, r, z));
}

void ovk__many_op_apply(ovk__many *B, const double *r, double *z, double *rz, double *zz)
{
  ovk_solver *S = B->S;
  ovk__many_op_precond(B, r, z);
  OVK_SWEEP(S, ovk__many_dots(rows(S), B->width, r, z, rz, zz));
}

void ovk__many_op_square(const ovk__many *B, const double *rr, const double *rz, const double *zz,
                         double *square)
{
  const double *const of_norm[] = {
      [OVK_NORM_UNPRECONDITIONED] = rr, [OVK_NORM_PRECONDITIONED] = zz, [OVK_NORM_NATURAL] = rz};
  memmove(square, of_norm[B->S->opts.norm], (size_t)B->width * sizeof *square);
}

void ovk__many_op_norm_of(ovk__many *B, const double *v, double *z, double *square)
{
  double vz[OVK__WIDEST], zz[OVK__WIDEST];
  ovk__many_op_apply(B, v, z, vz, zz);
  ovk__many_op_square(B, NULL, vz, zz, square);
}

void ovk__many_op_residual(ovk__many *B, const double *s, double *r, double *bb, double *rr)
{
  ovk_solver *S = B->S;
  OVK_SWEEP(S, ovk__many_residual(rows(S), B->width, s, r, bb, rr));
}

void ovk__many_op_axpy_norm(ovk__many *B, const double *alpha, const double *s, double *r,
                            double *rr)
{
  ovk_solver *S = B->S;
  OVK_SWEEP(S, ovk__many_axpy_norm(rows(S), B->width, alpha, s, r, rr));
}

void ovk__many_op_update_r(ovk__many *B, const double *alpha, const double *s, double *r, double *z,
                           double *rz, double *square)
{
  ovk_solver *S = B->S;
  double vv[OVK__WIDEST], zz[OVK__WIDEST];
  if (S->D.d) {
    OVK_SWEEP(S, ovk__many_cg_update_r(rows(S), B->width, alpha, s, S->D, tests_z(S), r, rz, vv));
    ovk__many_op_square(B, vv, rz, vv, square);
    return;
  }
  ovk__many_op_axpy_norm(B, alpha, s, r, vv);
  ovk__many_op_apply(B, r, z, rz, zz);
  ovk__many_op_square(B, vv, rz, zz, square);
}

void ovk__many_op_update_x_p(ovk__many *B, const double *alpha, const double *r, const double *z,
                             const double *beta, double *p, double *x)
{
  ovk_solver *S = B->S;
  const bool stored = !S->D.d;
  OVK_SWEEP(S, ovk__many_cg_update_x_p(rows(S), B->width, alpha,
                                       stored ? ovk__diagonal_identity() : S->D, stored ? z : r,
                                       beta, p, x));
}

void ovk__many_op_axpy(ovk__many *B, const double *alpha, const double *p, double *x, ovk_poll poll)
{
  ovk_solver *S = B->S;
  OVK_SWEEP(S, ovk__many_axpy(rows(S), B->width, alpha, p, x, poll));
}

void ovk__many_op_zero(ovk__many *B, double *block)
{
  memset(block, 0, (size_t)B->width * (size_t)rows(B->S) * sizeof *block);
}

void ovk__many_op_take(const ovk__many *B, const bool which[OVK__WIDEST], const double *from,
                       double *to)
{
  const int w = B->width;
  for (int64_t i = 0; i < rows(B->S); i++) {
    for (int c = 0; c < w; c++) {
      if (which[c]) to[i * w + c] = from[i * w + c];
    }
  }
}

static void many_add_total(uint64_t *fingerprint, double total)
{
  uint64_t bits;
  memcpy(&bits, &total, sizeof bits);
  *fingerprint = ovk__mix(31 * *fingerprint + bits);
}

/* With exact sums each column has a fingerprint, of its totals only. */
static void many_note_totals(ovk__many *B, ovk__lane_values *totals, int count)
{
  for (int c = 0; B->S->exact && c < B->width; c++) {
    for (int v = 0; v < count && B->lane[c]; v++) {
      many_add_total(&B->lane[c]->solve.fingerprint, totals[v][c]);
    }
  }
}

ovk_poll ovk__many_op_poll(ovk__many *B, int k)
{
  return ovk__op_poll_unnumbered(B->S, B->sums[k]);
}

/* A sum has room for the widest block: one reduction serves for all widths. */
ovk_err ovk__many_op_begin(ovk__many *B, int k, ovk__lane_values *parts)
{
  ovk__dots *sum = B->sums[k];
  double *values = ovk__dots_parts(sum);
  for (int i = 0; i < sum->count; i++) {
    const int v = i / B->widest, c = i % B->widest;
    values[i] = c < B->width ? parts[v][c] : 0;
  }
  return ovk__op_begin_unnumbered(B->S, sum);
}

ovk_err ovk__many_op_wait(ovk__many *B, int k, ovk__lane_values *totals)
{
  ovk__dots *sum = B->sums[k];
  const double *values = ovk__dots_parts(sum);
  OVK_TRY(ovk__op_wait_unnumbered(B->S, sum));
  for (int i = 0; i < sum->count; i++) {
    const int v = i / B->widest, c = i % B->widest;
    if (c < B->width) totals[v][c] = values[i];
  }
  many_note_totals(B, totals, sum->count / B->widest);
  return OVK_OK;
}

ovk_err ovk__many_op_reduce(ovk__many *B, int k, ovk__lane_values *values)
{
  OVK_TRY(ovk__many_op_begin(B, k, values));
  return ovk__many_op_wait(B, k, values);
}
