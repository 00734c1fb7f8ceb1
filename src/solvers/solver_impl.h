/* SPDX-License-Identifier: BSD-2-Clause */
/* The inside of a solver, and what a method is. To add a method, copy its nearest neighbour among
 * the pcg_*.c and add its table to method_list.h. */
#ifndef OVK_SOLVERS_SOLVER_IMPL_H
#define OVK_SOLVERS_SOLVER_IMPL_H

#include "matrix/mat_impl.h"
#include "matrix/vec_impl.h"
#include "precond/precond_impl.h"
#include "solvers/phase.h"

#include <ovkrylov/reduction.h>
#include <ovkrylov/solver.h>

enum { OVK__MAX_WORK = 40, OVK__MAX_SUMS = 8 };

/* One global sum of a method. */
typedef struct ovk__sum_shape {
  int count;  /* values that the method sums */
  bool rider; /* one more value tells all ranks of a failure or a monitor's wish on any of them */
  int depth;  /* only wanted by pipelines of so many iterations or more */
} ovk__sum_shape;

typedef struct ovk__method {
  const char *name, *summary;
  const char *const *keys;            /* of its spec, NULL: none; "l" is the pipeline's depth */
  int vectors;                        /* work vectors; the first is r */
  int vectors_per_depth;              /* and more for each iteration that a pipeline is deep */
  ovk__sum_shape sums[OVK__MAX_SUMS]; /* as many as have a count; at least one with a rider */
  int reductions_per_iteration;
  const ovk__phase *phases; /* of an iteration: what it costs, and what hides its sums */
  double blocking;          /* sums an iteration beside those, on average, that nothing hides */
  bool needs_factors;       /* of the preconditioner: C = L L^T */
  bool makes_pairs;         /* of products: calls ovk__step_mult_pair() */

  /* What goes on where the recurrences of this one are not accurate enough: takes as many work
   * vectors or fewer, and is stable. NULL: this one is. */
  const struct ovk__method *fallback;

  /* At the end of setting up, if not NULL: looks at A and M for what all solves will use. Whatever
   * it meets there is for a solve to find again and to blame. Collective. */
  ovk_err (*prepare)(ovk_solver *S);

  /* Iterates from S->x with r = b - A x in S->work[0] until S->reason is set, or until it finds,
   * if it has a fallback, that it cannot go on. Returns only errors that all ranks have. Sums may
   * still run at the end. */
  ovk_err (*iterate)(ovk_solver *S);
} ovk__method;

/* The spec of a method, "deep:l=2"; depth 0: without a pipeline. */
enum { OVK__METHOD_SPEC = 32 };
void ovk__method_spec(const ovk__method *method, int depth, char spec[OVK__METHOD_SPEC]);

/* The method that a spec names, and the depth of its pipeline. Not collective. */
ovk_err ovk__method_read(ovk_ctx *ctx, const char *text, const ovk__method **method, int *depth);

/* Sets all that belongs to one solve; in solve.c. */
void ovk__solve_reset(ovk_solver *S, const ovk_vec *b, ovk_vec *x);

/* The fallback of others. */
extern const ovk__method ovk__pcg_algorithm1;

/* Its place in the list; solvers replace it by the method that it chooses. */
extern const ovk__method ovk__pcg_auto;

struct ovk_solver {
  ovk_ctx *ctx;
  const ovk_mat *A;
  ovk_precond *M;
  ovk_precond *own_M; /* M where the user gave none */
  const ovk__method *method;
  ovk_pcg_opts opts;
  char method_text[OVK__METHOD_SPEC]; /* the method's spec */
  char method_why[OVK__MESSAGE_SIZE]; /* why "auto" chose it, else empty */
  char *backend;                      /* the spec */
  int depth;          /* iterations that a sum is waited for later, for a pipeline */
  int vectors;        /* in work */
  double least, most; /* eigenvalues of A M^-1, if the method's prepare found any; or 0 */
  ovk_vec *work[OVK__MAX_WORK];
  ovk__halo *pair_halo;                      /* for pairs of products; NULL: not needed */
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
