/* SPDX-License-Identifier: BSD-2-Clause */
/* The internals of a solver, and the interface of a method. To add a method, copy the most similar
 * file of methods/ and add its table to method_list.h. */
#ifndef OVK_SOLVERS_STATE_STATE_H
#define OVK_SOLVERS_STATE_STATE_H

#include "matrix/mat_impl.h"
#include "matrix/vector/vec_impl.h"
#include "precond/precond_impl.h"
#include "solvers/state/phase.h"
#include "solvers/state/traits.h"
#include "solvers/state/trend.h"

#include <ovkrylov/comm/reduction.h>
#include <ovkrylov/solver.h>

enum { OVK__MAX_SUMS = 8 };

/* One reduction of a method. */
typedef struct ovk__sum_shape {
  int count;   /* values that the method sums, without the status */
  bool status; /* has one more value, which reports failures and stop requests of any rank to all */
  int depth;   /* used only by pipelines of at least this depth */
  int per_restart;   /* further values per unit of the restart length */
  unsigned projects; /* bit v: keeps work vector v out of the null space of A, see projection.h */
} ovk__sum_shape;

/* The square of a vector's norm: the Euclidean one, and that of the test (ovk_solver_opts.norm). */
typedef struct ovk__square {
  double plain, test;
} ovk__square;

/* The matrices and preconditioners that a method solves with; each includes those before it. */
typedef enum ovk__matrix_class {
  OVK__A_DEFINITE,  /* A and M symmetric positive definite */
  OVK__A_SYMMETRIC, /* A symmetric, M symmetric positive definite */
  OVK__A_ANY
} ovk__matrix_class;

/* The values of ortho=. */
enum { OVK__DCGS2, OVK__CGS2, OVK__MGS, OVK__CGS };

/* The options in the spec of a method; 0 if the method has no such key. */
typedef struct ovk__settings {
  int depth;        /* of a deep pipeline: iterations from the begin of a sum to its wait */
  int restart;      /* iterations after which the Krylov space is given up */
  int ortho;        /* how gmres makes its basis orthogonal: OVK__DCGS2, ... */
  bool left;        /* M is applied from the left */
  bool side_given;  /* the spec names the side of M */
  bool basis_float; /* the basis of a Krylov space is stored in single precision */
} ovk__settings;

/* The work vectors in which a basis of settings->restart vectors has room. */
static inline int ovk__basis_vectors(const ovk__settings *settings)
{
  return settings->basis_float ? (settings->restart + 1) / 2 : settings->restart;
}

/* The values of a sum, without the status. */
static inline int ovk__sum_values(const ovk__sum_shape *shape, const ovk__settings *settings)
{
  return shape->count + shape->per_restart * settings->restart;
}

enum { OVK__METHOD_SPEC = 64 };

/* How a method solves with several right-hand sides at once, see many/many.h. */
typedef struct ovk__many_form ovk__many_form;

/* Work vectors of every method: r, and one that is scratch before and after its iterations. */
enum { OVK__WORK_R, OVK__WORK_SCRATCH };

typedef struct ovk__method {
  const char *name, *summary;
  const char *aliases;                /* other accepted names, separated by blanks; NULL: none */
  ovk__matrix_class A;                /* the largest class that it solves */
  unsigned refused_norms[2];          /* norms of the test that it lacks, as bits 1 << OVK_NORM_...;
                                         [1]: where M is applied from the left */
  const ovk_option *keys;             /* its options, of those that settings.c reads; NULL: none */
  int vectors;                        /* work vectors; the first is r */
  int vectors_per_depth;              /* additional work vectors per unit of pipeline depth */
  int vectors_per_restart;            /* the same per vector of ovk__basis_vectors() */
  ovk__sum_shape sums[OVK__MAX_SUMS]; /* those with a count > 0; at least one has a status */
  int reductions_per_iteration;
  const ovk__phase *phases; /* of an iteration: its costs and the work that hides its sums */
  double blocking;          /* further blocking reductions per iteration, on average */
  bool needs_factors;       /* needs M = L L^T from the preconditioner */
  const char *instead;      /* with exact=all, which this method lacks: one that has it */
  bool makes_pairs;         /* multiplies two vectors at once */
  bool needs_spectrum;      /* uses lambda_min and lambda_max */

  /* S->own <- memory of the method's own, when a solver is made; NULL: it has none. Errors need
   * not be agreed. */
  ovk_err (*open)(ovk_solver *S);
  void (*close)(ovk_solver *S); /* frees S->own, which may be NULL */

  /* The method that takes over where the recurrences of this one are not accurate enough: stable,
   * and with no more work vectors. NULL: this method is stable itself. */
  const struct ovk__method *fallback;

  /* Iterates from S->x with r = b - A x in S->work[OVK__WORK_R] until S->reason is set, or, for a
   * method with a fallback, until it breaks down. Returns only errors that all ranks have. Sums may
   * still be active on return. */
  ovk_err (*iterate)(ovk_solver *S);

  const ovk__many_form *many; /* NULL: several right-hand sides are solved for one by one */

  /* While the monitor is called: x, a copy of S->x, <- the solution so far. NULL: that is as
   * pending_x_p and pending_precond_update below say. Collective; errors are agreed. */
  ovk_err (*complete)(ovk_solver *S, ovk_vec *x);
} ovk__method;

/* The *n methods of method_list.h. */
const ovk__method *const *ovk__methods(int *n);

/* The spec of a method, as "pipelcg:l=2". */
void ovk__method_spec(const ovk__method *method, const ovk__settings *settings,
                      char spec[OVK__METHOD_SPEC]);

/* The settings in the spec of a method. Not collective. */
ovk_err ovk__settings_read(ovk_ctx *ctx, const ovk_spec *spec, const ovk__method *method,
                           ovk__settings *out);

/* The method that a spec names, and its options. Not collective. */
ovk_err ovk__method_read(ovk_ctx *ctx, const char *text, const ovk__method **method,
                         ovk__settings *settings);

/* Where the spec does not name the side: the left one if only there the method has this norm of the
 * residual. Fails if it lacks it. Not collective. */
ovk_err ovk__side_choose(ovk_ctx *ctx, const ovk__method *method, ovk_norm norm,
                         ovk__settings *settings);

/* ovk_solver_create(); where `pcg` is set, A is taken to be positive definite, and methods that are
 * not for such matrices alone are refused. */
ovk_err ovk__solver_create(ovk_mat *A, ovk_precond *M, const ovk_solver_opts *opts, bool pcg,
                           ovk_solver **out);

/* Where the class of A was guessed, and A or M is not definite: minres replaces the method if M is
 * diagonal and positive, or else bcgs if it has the norm, for this solve and later ones, and
 * allocates its vectors. *changed <- whether it did. Collective; errors are agreed. */
ovk_err ovk__solver_reconsider(ovk_solver *S, bool *changed);

/* The fallback of the other methods. */
extern const ovk__method ovk__method_cg, ovk__method_fcg, ovk__method_minres, ovk__method_bcgs;

/* Methods for several right-hand sides. */
extern const ovk__many_form ovk__many_cg, ovk__many_single_reduction, ovk__many_groppcg,
    ovk__many_pipecg, ovk__many_blockcg, ovk__many_minres, ovk__many_chebyshev, ovk__many_bcgs,
    ovk__many_gmres;

/* Placeholder in the list; a solver replaces it by the method chosen. */
extern const ovk__method ovk__method_auto;

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

struct ovk_solver {
  OVK_OBJECT; /* of A's context */
  ovk_mat *A;
  ovk_precond *M;           /* "none" if the user gave none */
  ovk__precond_kind M_kind; /* the kind of M, the same on all ranks and for all solves */
  int vectors;              /* number of work vectors in use */
  const ovk__method *method;
  ovk_solver_opts opts;
  char method_text[OVK__METHOD_SPEC]; /* the method's spec */
  char method_why[OVK__MESSAGE_SIZE]; /* why "auto" chose it, else empty */
  ovk__matrix_class A_class;          /* of the values, as far as it shows */
  ovk__matrix_class chosen_for;       /* the class for which the method was chosen */
  const char *A_class_why;            /* as ovk__matrix_class_of() has it */
  double product_seconds;             /* the least of those that showed it; INFINITY: none did */
  bool automatic;                     /* "auto" chooses the method */
  bool spd_assumed;                   /* it did for a definite A; only the symmetry is known */
  bool unusable;                      /* a change of the method failed, the same on all ranks */
  bool exact;                 /* totals are correctly rounded sums of the parts of the ranks */
  bool exact_all;             /* and the parts are exact; the bits do not depend on the partition */
  int reduced_values;         /* in all sums ever made: an upper bound of those waiting at a time */
  struct ovk__marks *marks;   /* of exact parts, see ops/marks.h; NULL otherwise */
  ovk_vec *best;              /* where the class is a guess: the x of the least residual so far */
  struct ovk__opened *opened; /* the backend of all sums */
  char *backend;              /* its spec, as text */
  ovk_reduction *long_sum;    /* of exact sums, see ops/dots.h; NULL otherwise */
  ovk__settings settings;     /* of the method */
  double lambda_min, lambda_max; /* extreme Ritz values of A M^-1; 0 if they are not known */
  ovk_vec **work;
  void *own;            /* of the method, see ovk__method.open */
  ovk__halo *pair_halo; /* of a method that makes pairs; NULL: not needed */
  ovk_vec *check[3];    /* for true residuals during the iteration (true_residual_every): x, r, and
                           M^-1 r if the norm of the test needs it */
  ovk__dots *all_sums[2][OVK__MAX_SUMS]; /* of the method, and of its fallback */
  ovk__scaling scale;
  ovk__dots *start;                /* squares of b and r, and a status */
  ovk__null_space null, left_null; /* of A, and of A^T where that is given apart */
  ovk_vec *null_rhs;               /* b without its part outside of A's range */
  bool null_is_left;               /* `null` is in the null space of A^T, too */
  bool no_factors; /* the preconditioner is not positive definite; no_factors_why says where */
  char no_factors_why[OVK__MESSAGE_SIZE];
  ovk__traits traits; /* of A and M, once a solve has failed */

  ovk__guesses *guesses; /* of opts.guesses; NULL if that is 0 */

  /* of solves with several right-hand sides */
  struct ovk__many *many; /* the block of columns; NULL: there was none */
  ovk_vec *column[2];     /* b and x of one column; NULL: there was no such solve */
  char **column_messages; /* why columns of the last such solve failed; NULL: they have not */
  int columns;            /* of the last such solve */
  int watched_column;     /* for the monitor: the column being solved for; 0 in other solves */

  /* of the current solve */
  const ovk_vec *given_b; /* the user's */
  const ovk_vec *b;       /* the same, scaled, without a null space of A^T */
  ovk_vec *x;             /* in use: ovk__vec_copy() writes to it, ovk_vec_copy() does not */
  const ovk_vec *first_z; /* M^-1 of the r that a method starts from; NULL: not known */
  ovk__diagonal D;        /* the preconditioner's M^-1; d is NULL if M is OVK__M_OTHER */
  ovk_reason reason;      /* OVK_REASON_NOT_RUN while iterating */
  char message[OVK__MESSAGE_SIZE]; /* why it ended */
  const ovk__method *active;       /* the method or its fallback */
  ovk__dots **sums;                /* the sums of `active` */
  int iterations, restarts, replacements, method_changes;
  int exit_count;       /* restarts of the active method */
  unsigned facts;       /* OVK__FACT_... that the stopping rules have found */
  ovk__trend trend;     /* of the residual */
  uint64_t fingerprint; /* of all totals, with exact sums */
  double rhs_null_part; /* the part removed from b, over ||b|| */
  double best_rr;       /* of `best`: (b - A x, b - A x); INFINITY: not set */
  double plain_bb;      /* (b, b) */
  double plain_rr;      /* (b - A x, b - A x) at the last exit; -1: not recomputed */
  /* from here on in the norm of the test, which for the unpreconditioned one is the same */
  double bb;            /* the square of b's norm */
  double norm_b;        /* b's norm */
  double tolerance;     /* max(rtol norm_b, atol) */
  double diverged_norm; /* the solve has diverged if r's norm is larger */
  double first_rr;      /* the square of r's norm at the start */
  double rr;            /* the square of r's norm, of the recurrence */
  double true_rr;       /* that of b - A x at the last exit */
  ovk__rounding rounding;
  /* while the monitor is called the solution is x + M^-1 pending_precond_update or else x +
   * pending_x_alpha pending_x_p */
  double pending_x_alpha;
  const ovk_vec *pending_x_p; /* NULL: x is the solution */
  const ovk_vec
      *pending_precond_update; /* NULL unless the method adds M^-1 of it only at the end */
  bool keeps_best;             /* `best` is in use */
  bool in_monitor;             /* the monitor is being called */
  bool stop_requested_local;   /* this rank's monitor requests a stop */
  bool stop_requested_global;  /* any rank's monitor did, as of the last sum with a status */
  ovk_err failed;   /* this rank's first failure, reported by the next sum with a status */
  int failed_after; /* the iteration count at that failure */
  char failed_why[OVK__MESSAGE_SIZE]; /* the message of that failure */
};
OVK_IS_HANDLE(ovk_solver);

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
