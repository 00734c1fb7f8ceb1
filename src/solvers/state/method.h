/* SPDX-License-Identifier: BSD-2-Clause */
/* The interface of a method. To add a method, copy the most similar file of methods/ and add its
 * table to method_list.h. */
#ifndef OVK_SOLVERS_STATE_METHOD_H
#define OVK_SOLVERS_STATE_METHOD_H

#include "solvers/state/phase.h"

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

/* For .refused_norms: those other than the norm of r with M applied from the right, and that of
 * M^-1 r with M applied from the left. */
#define OVK__RIGHT_REFUSES (1u << OVK_NORM_PRECONDITIONED | 1u << OVK_NORM_NATURAL)
#define OVK__LEFT_REFUSES (1u << OVK_NORM_UNPRECONDITIONED | 1u << OVK_NORM_NATURAL)

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
   * ovk__monitored says. Collective; errors are agreed. */
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

/* The fallback of the other methods. */
extern const ovk__method ovk__method_cg, ovk__method_fcg, ovk__method_minres, ovk__method_bcgs;

/* Methods for several right-hand sides. */
extern const ovk__many_form ovk__many_cg, ovk__many_single_reduction, ovk__many_groppcg,
    ovk__many_pipecg, ovk__many_blockcg, ovk__many_minres, ovk__many_chebyshev, ovk__many_bcgs,
    ovk__many_gmres;

/* Placeholder in the list; a solver replaces it by the method chosen. */
extern const ovk__method ovk__method_auto;

#endif
