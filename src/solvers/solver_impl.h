/* SPDX-License-Identifier: BSD-2-Clause */
/* The inside of a solver, and what a method is. To add a method, copy its nearest neighbour among
 * the pcg_*.c and add its table to method_list.h. */
#ifndef OVK_SOLVERS_SOLVER_IMPL_H
#define OVK_SOLVERS_SOLVER_IMPL_H

#include "matrix/mat_impl.h"
#include "matrix/vec_impl.h"
#include "precond/precond_impl.h"

#include <ovkrylov/reduction.h>
#include <ovkrylov/solver.h>

enum { OVK__MAX_WORK = 16, OVK__MAX_SUMS = 8 };

/* One global sum of a method. */
typedef struct ovk__sum_shape {
  int count;  /* values that the method sums */
  bool rider; /* one more value tells all ranks of a failure or a monitor's wish on any of them */
} ovk__sum_shape;

typedef struct ovk__method {
  const char *name, *summary;
  int vectors;                        /* work vectors; the first is r */
  ovk__sum_shape sums[OVK__MAX_SUMS]; /* as many as have a count; at least one with a rider */
  int reductions_per_iteration;
  bool needs_factors; /* of the preconditioner: C = L L^T */

  /* What goes on where the recurrences of this one are not accurate enough: takes as many work
   * vectors or fewer, and is stable. NULL: this one is. */
  const struct ovk__method *fallback;

  /* Iterates from S->x with r = b - A x in S->work[0] until S->reason is set, or until it finds,
   * if it has a fallback, that it cannot go on. Returns only errors that all ranks have. Sums may
   * still run at the end. */
  ovk_err (*iterate)(ovk_solver *S);
} ovk__method;

/* The fallback of others. */
extern const ovk__method ovk__pcg_algorithm1;

struct ovk_solver {
  ovk_ctx *ctx;
  const ovk_mat *A;
  ovk_precond *M;
  ovk_precond *own_M; /* M where the user gave none */
  const ovk__method *method;
  ovk_pcg_opts opts;
  char *backend; /* the spec */
  ovk_vec *work[OVK__MAX_WORK];
  ovk_vec *check[2];                         /* for the true residual on the way, if wanted */
  ovk_reduction *all_sums[2][OVK__MAX_SUMS]; /* of the method, and of its fallback */
  ovk_reduction *start;                      /* (b, b), (r, r) and a rider */
  bool no_factors; /* the preconditioner is not positive definite, no_factors_why says where */
  char no_factors_why[OVK__MESSAGE_SIZE];

  /* this solve */
  const ovk_vec *b;
  ovk_vec *x;
  ovk__diagonal D;                  /* the preconditioner's C^-1, no d where it is not diagonal */
  ovk_reason reason;                /* OVK_NOT_RUN while iterating */
  char sentence[OVK__MESSAGE_SIZE]; /* why it ended */
  const ovk__method *active;        /* the method, or its fallback, */
  ovk_reduction **sums;             /* and its sums */
  int iterations, restarts, replacements, method_changes;
  int exits;        /* restarts of the active method */
  double bb;        /* (b, b) */
  double norm_b;    /* ||b|| */
  double tolerance; /* max(rtol ||b||, atol) */
  double lost;      /* a residual norm that only a lost solve has */
  double rr;        /* (r, r) of the recurrence */
  double true_rr;   /* (b - A x, b - A x) at the last exit */
  bool my_wish;     /* this rank's monitor wants to stop */
  bool any_wish;    /* some rank's did, as of the last sum with a rider */
  ovk_err failed;   /* this rank's first failure, which the next sum with a rider tells, */
  char failed_why[OVK__MESSAGE_SIZE]; /* and its sentence */
};

#endif
