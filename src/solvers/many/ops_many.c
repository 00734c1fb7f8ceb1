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

/* z <- M^-1 r for an M that is not diagonal; products of a preconditioner log their own time. */
static void many_apply_other(ovk__many *B, const double *r, double *z)
{
  ovk_solver *S = B->S;
  const double start = ovk__op_now(S), products = ovk__op_spmv_seconds(S);
  ovk__op_record_error(S, ovk__precond_apply_many(S->M, B->width, r, z, ovk_poll_none()));
  ovk__op_log(S, OVK_EVENT_PRECOND, start + ovk__op_spmv_seconds(S) - products);
}

void ovk__many_op_apply(ovk__many *B, const double *r, double *z, double *rz, double *zz)
{
  ovk_solver *S = B->S;
  if (!S->D.d) many_apply_other(B, r, z);
  const double start = ovk__op_now(S);
  if (S->D.d) ovk__many_apply(rows(S), B->width, S->D, r, z);
  ovk__many_dots(rows(S), B->width, r, z, rz, zz);
  ovk__op_log(S, OVK_EVENT_VECTOR, start);
}

/* square <- the square of the norm in the test, where zz = (z, z), of the M^-1 r in z. */
static void many_square(const ovk__many *B, const double *rr, const double *rz, const double *zz,
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
  many_square(B, NULL, vz, zz, square);
}

void ovk__many_op_residual(ovk__many *B, const double *s, double *r, double *bb, double *rr)
{
  ovk_solver *S = B->S;
  OVK_TIMED(S, OVK_EVENT_VECTOR, ovk__many_residual(rows(S), B->width, s, r, bb, rr));
}

void ovk__many_op_update_r(ovk__many *B, const double *alpha, const double *s, double *r, double *z,
                           double *rz, double *square)
{
  ovk_solver *S = B->S;
  double vv[OVK__WIDEST], zz[OVK__WIDEST];
  const double start = ovk__op_now(S);
  if (S->D.d) {
    ovk__many_update_r(rows(S), B->width, alpha, s, S->D, tests_z(S), r, rz, vv);
    many_square(B, vv, rz, vv, square);
    ovk__op_log(S, OVK_EVENT_VECTOR, start);
    return;
  }
  ovk__many_axpy_norm(rows(S), B->width, alpha, s, r, vv);
  ovk__op_log(S, OVK_EVENT_VECTOR, start);
  ovk__many_op_apply(B, r, z, rz, zz);
  many_square(B, vv, rz, zz, square);
}

void ovk__many_op_update_x_p(ovk__many *B, const double *alpha, const double *r, const double *z,
                             const double *beta, double *p, double *x)
{
  ovk_solver *S = B->S;
  const bool stored = !S->D.d;
  OVK_TIMED(S, OVK_EVENT_VECTOR,
            ovk__many_update_x_p(rows(S), B->width, alpha, stored ? ovk__diagonal_identity() : S->D,
                                 stored ? z : r, beta, p, x));
}

static void many_add_total(uint64_t *fingerprint, double total)
{
  uint64_t bits;
  memcpy(&bits, &total, sizeof bits);
  *fingerprint = ovk__mix(31 * *fingerprint + bits);
}

/* With exact sums each column has a fingerprint, of its totals only. */
static void many_note_totals(ovk__many *B, const double *values, int count)
{
  for (int c = 0; B->S->exact && c < B->width; c++) {
    for (int v = 0; v < count && B->lane[c]; v++) {
      many_add_total(&B->lane[c]->solve.fingerprint, values[v * B->width + c]);
    }
  }
}

/* A sum has room for the widest block: one reduction serves for all widths. */
ovk_err ovk__many_op_reduce(ovk__many *B, ovk__dots *sum, double *values)
{
  const int count = sum->count / B->widest;
  double *parts = ovk__dots_parts(sum);
  for (int k = 0; k < sum->count; k++) {
    const int v = k / B->widest, c = k % B->widest;
    parts[k] = c < B->width ? values[v * B->width + c] : 0;
  }
  OVK_TRY(ovk__op_reduce_unnumbered(B->S, sum));
  for (int k = 0; k < sum->count; k++) {
    const int v = k / B->widest, c = k % B->widest;
    if (c < B->width) values[v * B->width + c] = parts[k];
  }
  many_note_totals(B, values, count);
  return OVK_OK;
}
