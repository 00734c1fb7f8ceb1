/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the files ops*.c. */
#ifndef OVK_SOLVERS_OPS_OPS_IMPL_H
#define OVK_SOLVERS_OPS_OPS_IMPL_H

#include "solvers/ops/ops.h"

/* Records this rank's first failure, to be reported by the next sum with a status. */
void ovk__op_record_error(ovk_solver *S, ovk_err err);

/* The same where `out` was to be made. After a failure it is 0. */
void ovk__op_record_made(ovk_solver *S, ovk_err err, ovk_vec *out);

/* Seconds of all products so far, with their halo exchanges. */
double ovk__op_spmv_seconds(const ovk_solver *S);

/* The values of sum number k after its own: the inner products of the vectors that it projects
 * with the null space, of this rank, 0 if it projects none in this solve. Once they are totals, the
 * vectors <- the vectors without those parts. */
void ovk__op_project_begin(ovk_solver *S, int k, double *values);
void ovk__op_project_end(ovk_solver *S, int k, const double *values);

/* parts <- the inner products of v with the null space, of this rank; v <- v without them. */
void ovk__null_multiply(ovk_solver *S, const ovk__null_space *N, const ovk_vec *v, double *parts);
void ovk__null_take_out(const ovk__null_space *N, const double *parts, ovk_vec *v);

static inline double ovk__op_now(const ovk_solver *S)
{
  return ovk__log_now(&S->ctx->log);
}

/* Adds the time since `start` to an event of the log. */
static inline void ovk__op_log(ovk_solver *S, ovk_event event, double start)
{
  ovk__log_add(&S->ctx->log, event, start);
}

/* Executes a statement and adds its time to an event of the log. */
#define OVK_TIMED(S, event, ...)                                                                   \
  do {                                                                                             \
    const double ovk_start_ = ovk__op_now(S);                                                      \
    __VA_ARGS__;                                                                                   \
    ovk__op_log(S, event, ovk_start_);                                                             \
  } while (0)

/* The same for the event of vector updates and inner products. */
#define OVK_SWEEP(S, ...) OVK_TIMED(S, OVK_EVENT_VECTOR, __VA_ARGS__)

/* Whether the test is in the norm of z = M^-1 r. */
static inline bool tests_z(const ovk_solver *S)
{
  return S->opts.norm == OVK_NORM_PRECONDITIONED;
}

/* The square of the norm in the test, where vv = (z, z) if tests_z(), else (r, r); rz = (r, z). */
static inline double tested(const ovk_solver *S, double vv, double rz)
{
  return S->opts.norm == OVK_NORM_NATURAL ? rz : vv;
}

/* This rank's rows. */
static inline ovk_lidx rows(const ovk_solver *S)
{
  return S->A->layout.local;
}

#endif
