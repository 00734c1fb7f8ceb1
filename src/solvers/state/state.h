/* SPDX-License-Identifier: BSD-2-Clause */
/* The internals of a solver. */
#ifndef OVK_SOLVERS_STATE_STATE_H
#define OVK_SOLVERS_STATE_STATE_H

#include "matrix/mat_impl.h"
#include "matrix/vector/vec_impl.h"
#include "precond/precond_impl.h"
#include "solvers/state/method.h"
#include "solvers/state/traits.h"
#include "solvers/state/trend.h"

#include <ovkrylov/comm/reduction.h>
#include <ovkrylov/solver.h>

/* The square of a vector's norm: the Euclidean one, and that of the test (ovk_solver_opts.norm). */
typedef struct ovk__square {
  double plain, test;
} ovk__square;

/* A sum over the ranks, see ops/dots.h. */
typedef struct ovk__dots ovk__dots;

/* The last solutions, see guesses/guesses.h. */
typedef struct ovk__guesses ovk__guesses;

/* A space that is projected out of vectors: an orthonormal basis, and the sum for that. */
typedef struct ovk__null_space {
  ovk_vec **basis;
  int count;      /* 0: none was given */
  ovk__dots *sum; /* inner products with the basis, and (v, v) */
} ovk__null_space;

/* Bounds of the rounding errors of a solve, see ops/rounding.h. */
typedef struct ovk__rounding {
  double product;  /* ||A p|| is at most this times ||p||, its error at most eps / 2 times that; 0:
                      not known */
  double diagonal; /* at least the norm of a diagonal M^-1 */
  double p, x, r;  /* at least ||p||, ||x||, ||r|| */
  double least_r;  /* at most ||r|| */
  double gap;      /* at least ||b - A x - r||; INFINITY: not known */
} ovk__rounding;

/* Exponents of two, see ops/scale.h: the methods work with 2^A A, 2^M M^-1 and 2^b b. A and M are
 * multiples of 4. */
typedef struct ovk__scaling {
  int A, M;
  int b;               /* of the current solve */
  bool tried;          /* a failed solve has measured a shell and a user's preconditioner */
  ovk_vec *scratch[2]; /* scaled inputs; NULL while A and M are 0 */
  ovk_vec *D;          /* a diagonal M^-1, scaled */
  ovk_vec *rhs;        /* 2^b b */
} ovk__scaling;

/* How the method was chosen, see auto/select_method.h. */
typedef struct ovk__selection {
  char text[OVK__METHOD_SPEC];  /* the method's spec */
  char why[OVK__MESSAGE_SIZE];  /* why "auto" chose it, else empty */
  ovk__matrix_class A_class;    /* of the values, as far as it shows */
  ovk__matrix_class chosen_for; /* the class for which the method was chosen */
  const char *A_class_why;      /* as ovk__matrix_class_of() has it */
  double product_seconds;       /* the least of those that showed it; INFINITY: none did */
  bool automatic;               /* "auto" chooses the method */
  bool spd_assumed;             /* it did for a definite A; only the symmetry is known */
  bool unusable;                /* a change of the method failed, the same on all ranks */
} ovk__selection;

/* Data that depends on the values of A and M, see values.h. */
typedef struct ovk__values {
  double lambda_min, lambda_max; /* extreme Ritz values of A M^-1; 0 if they are not known */
  bool null_is_left;             /* ovk_solver.null is in the null space of A^T, too */
  bool no_factors;               /* M is not positive definite; no_factors_why says where */
  char no_factors_why[OVK__MESSAGE_SIZE];
  ovk__traits traits; /* of A and M, once a solve has failed */
} ovk__values;

/* Solves with several right-hand sides. */
typedef struct ovk__columns {
  struct ovk__many *block; /* of columns that are solved for together; NULL: there was none */
  ovk_vec *vecs[2];        /* b and x of one column; NULL: there was no such solve */
  char **messages;         /* why columns of the last such solve failed; NULL: they have not */
  int count;               /* of the last such solve */
  int watched;             /* for the monitor: the column being solved for; 0 in other solves */
} ovk__columns;

/* Counts of one solve. */
typedef struct ovk__counts {
  int iterations, restarts, replacements, method_changes;
  int exits; /* restarts of the active method */
} ovk__counts;

/* Norms of one solve, and their squares. */
typedef struct ovk__norms {
  double null_part; /* the part removed from b, over ||b|| */
  double plain_bb;  /* (b, b) */
  double plain_rr;  /* (b - A x, b - A x) at the last exit; -1: not recomputed */
  /* from here on in the norm of the test, which for the unpreconditioned one is the same */
  double bb;        /* the square of b's norm */
  double b;         /* b's norm */
  double tolerance; /* max(rtol b, atol) */
  double diverged;  /* the solve has diverged if r's norm is larger */
  double first_rr;  /* the square of r's norm at the start */
  double rr;        /* the square of r's norm, of the recurrence */
  double true_rr;   /* that of b - A x at the last exit */
} ovk__norms;

/* While the monitor is called, the solution is x + M^-1 precond_update or else x + x_alpha x_p. */
typedef struct ovk__monitored {
  double x_alpha;
  const ovk_vec *x_p;            /* NULL: x is the solution */
  const ovk_vec *precond_update; /* NULL unless the method adds M^-1 of it only at the end */
  bool active;                   /* the monitor is being called */
  bool stop_local;               /* this rank's monitor requests a stop */
  bool stop_global;              /* any rank's monitor did, as of the last sum with a status */
} ovk__monitored;

/* This rank's first failure in a solve, reported by the next sum with a status. */
typedef struct ovk__failure {
  ovk__kept_error kept;
  int iteration; /* the iteration count at that failure */
} ovk__failure;

/* The x of the least residual so far, where A is only assumed to be definite. */
typedef struct ovk__best {
  ovk_vec *x;
  double rr; /* (b - A x, b - A x); INFINITY: not set */
  bool used; /* in the current solve */
} ovk__best;

struct ovk_solver {
  /* of creation */
  OVK_OBJECT; /* of A's context */
  ovk_mat *A;
  ovk_precond *M;           /* "none" if the user gave none */
  ovk__precond_kind M_kind; /* the kind of M, the same on all ranks and for all solves */
  ovk_solver_opts opts;
  bool exact;                 /* totals are correctly rounded sums of the parts of the ranks */
  bool exact_all;             /* and the parts are exact; the bits do not depend on the partition */
  int reduced_values;         /* in all sums ever made: an upper bound of those waiting at a time */
  struct ovk__marks *marks;   /* of exact parts, see ops/marks.h; NULL otherwise */
  struct ovk__opened *opened; /* the backend of all sums */
  char *backend;              /* its spec, as text */
  ovk_reduction *long_sum;    /* of exact sums, see ops/dots.h; NULL otherwise */
  ovk_vec *check[3]; /* for true residuals during the iteration (true_residual_every): x, r, and
                        M^-1 r if the norm of the test needs it */
  ovk__dots *start;  /* squares of b and r, and a status */
  ovk__null_space null, left_null; /* of A, and of A^T where that is given apart */
  ovk_vec *null_rhs;               /* b without its part outside of A's range */
  ovk__guesses *guesses;           /* of opts.guesses; NULL if that is 0 */
  ovk__columns columns;

  /* of the method, which "auto" may change */
  const ovk__method *method;
  ovk__settings settings;
  ovk__selection selection;
  int vectors; /* number of work vectors in use */
  ovk_vec **work;
  void *own;                             /* of the method, see ovk__method.open */
  ovk__halo *pair_halo;                  /* of a method that makes pairs; NULL: not needed */
  ovk__dots *all_sums[2][OVK__MAX_SUMS]; /* of the method, and of its fallback */

  /* of the values of A and M */
  ovk__values values;
  ovk__diagonal D; /* M^-1, scaled for the current solve; d is NULL if M is OVK__M_OTHER */
  ovk__scaling scale;

  /* of the current solve */
  const ovk_vec *given_b;    /* the user's */
  const ovk_vec *b;          /* the same, scaled, without a null space of A^T */
  ovk_vec *x;                /* in use: ovk__vec_copy() writes to it, ovk_vec_copy() does not */
  const ovk_vec *first_z;    /* M^-1 of the r that a method starts from; NULL: not known */
  const ovk__method *active; /* the method or its fallback */
  ovk__dots **sums;          /* the sums of `active` */
  ovk_reason reason;         /* OVK_REASON_NOT_RUN while iterating */
  char message[OVK__MESSAGE_SIZE]; /* why it ended */
  unsigned facts;                  /* OVK__FACT_... that the stopping rules have found */
  uint64_t fingerprint;            /* of all totals, with exact sums */
  ovk__counts counts;
  ovk__norms norms;
  ovk__trend trend; /* of the residual */
  ovk__rounding rounding;
  ovk__best best;
  ovk__monitored monitor;
  ovk__failure failure;
};
OVK_IS_HANDLE(ovk_solver);

/* ovk_solver_create(); where `pcg` is set, A is taken to be positive definite, and methods that are
 * not for such matrices alone are refused. */
ovk_err ovk__solver_create(ovk_mat *A, ovk_precond *M, const ovk_solver_opts *opts, bool pcg,
                           ovk_solver **out);

/* Where the class of A was guessed, and A or M is not definite: minres replaces the method if M is
 * diagonal and positive, or else bcgs if it has the norm, for this solve and later ones, and
 * allocates its vectors. *changed <- whether it did. Collective; errors are agreed. */
ovk_err ovk__solver_reconsider(ovk_solver *S, bool *changed);

/* OVK_ERR_STATE while S is in use, and once it is unusable. Not collective. */
ovk_err ovk__solver_check_idle(const ovk_solver *S);

/* Ends the solve for `reason`, with a message in printf style. */
void ovk__stop(ovk_solver *S, ovk_reason reason, const char *format, ...) OVK_PRINTF(3, 4);

/* Whether M has work in it, and does not poll sums meanwhile. */
static inline bool ovk__is_silent(const ovk_solver *S)
{
  return S->M_kind == OVK__M_OTHER && S->M->never_polls;
}

#endif
