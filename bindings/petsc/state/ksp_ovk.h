/* SPDX-License-Identifier: BSD-2-Clause */
/* The data of a KSP of the type "ovk". In this folder and the others of the binding, functions are
 * collective over the KSP unless stated otherwise, and return codes of PETSc. */
#ifndef OVKPETSC_KSP_OVK_H
#define OVKPETSC_KSP_OVK_H

#include "state/taken_type.h"

#include <ovkrylov/comm/reduction.h>
#include <ovkrylov/ovkrylov.h>
#include <petsc/private/kspimpl.h>
#include <petsc/private/pcimpl.h>

/* The argument of functions that read options. */
#if PETSC_VERSION_LT(3, 23, 0)
typedef PetscOptionItems *ovkpetsc_options;
#else
typedef PetscOptionItems ovkpetsc_options;
#endif

#if PETSC_VERSION_LT(3, 22, 0)
#define PetscOptionsCreateViewer PetscOptionsGetViewer
#endif

/* Bits that the ranks combine before each solve. */
enum { OVKPETSC_CHANGES = 25 };

/* One a communicator, as its attribute: created at the first solve, freed with the communicator. */
typedef struct ovkpetsc_context {
  ovk_ctx *ctx;
  ovk_reduction *changes; /* of ovkpetsc_context_combine(); NULL: by MPI */
  KSP making;             /* the KSP whose preconditioner is being created */
  bool exact;             /* OVK_EXACT is set, when ctx reads it */
  int64_t products;       /* iterations of the last KSP that has solved, with its last values */
} ovkpetsc_context;

/* Properties of a PC, as bits. */
enum {
  OVKPETSC_ONE_SIDED = 1, /* not symmetric, although A may be */
  OVKPETSC_VARIES = 2,    /* contains Krylov methods: differs from application to application */
  OVKPETSC_STRONG = 4,    /* a multigrid cycle or a factorization: solves take few iterations */
  OVKPETSC_UNKNOWN = 8,   /* of another type than those that are linear, or contains one */
  OVKPETSC_COLUMNS = 16   /* takes less time for several columns at once */
};

/* The solver was created for these values. If one of them changes, the next solve creates a new
 * solver. */
typedef struct ovkpetsc_made_for {
  PetscObjectId A, pc, null_space, left_null_space; /* 0: there is none */
  PetscObjectId P;                                  /* the Pmat, if it is copied; otherwise 0 */
  PetscObjectId near_null_space, coordinates;       /* likewise, for a preconditioner of ovkrylov */
  PetscObjectState pattern, P_pattern;              /* nonzero states */
  char pc_type[64];                                 /* a copy: PETSc frees the name with the type */
  ovk_norm norm;
  PetscBool spd;       /* A is declared symmetric positive definite */
  PetscBool symmetric; /* A is declared symmetric */
  int guesses;         /* the last solutions from which guesses are made */
  int pc_class;        /* properties of the PC on this rank, OVKPETSC_ONE_SIDED and so on */
} ovkpetsc_made_for;

/* If one of these values changes, the next solve updates the solver. */
typedef struct ovkpetsc_values {
  PetscObjectState A, P, pc;
  PetscObjectId pmat; /* states of two matrices may be the same */
} ovkpetsc_values;

/* The stopping test. */
typedef enum ovkpetsc_test {
  OVKPETSC_TOLERANCES, /* that of ovkrylov, with the tolerances of the KSP */
  OVKPETSC_FUNCTION,   /* the convergence test of the KSP, called in each iteration */
  OVKPETSC_NO_TEST     /* none: the solve makes all iterations */
} ovkpetsc_test;

/* How many products with a matrix, or with its next values, are expected: whether a copy pays. */
typedef struct ovkpetsc_expected {
  bool few;         /* each matrix is expected to need few */
  bool few_rows;    /* A has few rows a rank */
  int fixed;        /* products that take as long as the fixed part of a copy */
  int64_t products; /* iterations with these values of A, or more of them */
  int64_t gain;     /* products with earlier values that would have paid for a copy */
  bool solved;      /* a solve has shown how many */
} ovkpetsc_expected;

/* A copy of a matrix in place, made within a solve that has become long. */
typedef struct ovkpetsc_late_copy {
  bool possible;     /* A has rows on all ranks */
  int64_t after;     /* products in place after which this solve copies A; 0: none */
  int64_t made;      /* those of this solve */
  ovk_mat *A;        /* of the values of A; NULL: none */
  ovk_vec *in, *out; /* of its products */
} ovkpetsc_late_copy;

/* The method for few products, see quick.c. */
typedef struct ovkpetsc_quick {
  const char *method; /* NULL: as without */
  const char *why;
  int facts;     /* from which it is chosen, agreed by all ranks */
  bool restarts; /* it does, and is not for many iterations */
  bool presumes; /* it does, that A is symmetric: a sample shows it so */
  bool refuted;  /* A is not, as this solve has found */
  bool failed;   /* products are not as few as expected */
} ovkpetsc_quick;

/* The facts that a sample of the rows of A has shown, with these values. */
typedef struct ovkpetsc_sampled {
  int facts;
  PetscObjectId A;
  PetscObjectState values;
} ovkpetsc_sampled;

/* This rank's part of the bound for products in place, see rounding.c. */
typedef struct ovkpetsc_rounding {
  double square;
  PetscObjectState of; /* the values of A; -1: none */
} ovkpetsc_rounding;

/* The solver of KSPSolve(), or that of KSPSolveTranspose(), and the state that belongs to it. */
typedef struct ovkpetsc_direction {
  ovk_mat *A;
  bool in_place; /* A is not copied, because a copy takes longer than it saves */
  ovkpetsc_expected expected;
  ovkpetsc_late_copy copy;
  ovkpetsc_quick quick;
  ovkpetsc_sampled sample;
  ovkpetsc_rounding rounding;
  bool columns;          /* this solve has several right-hand sides */
  bool made_for_columns; /* the solver is for those, whose products are not few */
  ovk_mat *P; /* the Pmat, if a preconditioner of ovkrylov needs it and it is not A; or NULL */
  ovk_precond *M;
  bool missed;        /* it was kept while values of its matrix changed */
  ovk_solver *solver; /* NULL: not created yet */
  ovkpetsc_made_for made_for;
  int pc_class;         /* properties of the PC, agreed by all ranks */
  bool flexible;        /* the norm and the side of "fgmres" replace the defaults */
  KSPNormType own_norm; /* the defaults, if flexible */
  PCSide own_side;
  const char *class_why; /* why the properties of the PC chose the method; NULL: they did not */
  ovkpetsc_values values;
  ovk_solver_opts opts; /* of the solver */
  Vec in, out;          /* for calls of PETSc on arrays */
  bool places;          /* their arrays can be replaced */

  ovk_vec *b, *x; /* wrapped arrays of the vectors of the KSP, of the last solve */
  const double *b_array;
  double *x_array;
} ovkpetsc_direction;

/* ksp->data */
typedef struct ksp_ovk {
  char of_others[512]; /* KSPFCGSetMmax(), KSPBCGSLSetEll() and others write to data of any type */
  const ovkpetsc_taken *taken; /* the type of PETSc that this one replaces; otherwise NULL */
  ovkpetsc_settings settings;
  char spec[64];                                     /* the method of a taken type */
  char *method, *backend, *exact, *format, *precond; /* specs; NULL: the default */
  PetscBool spd, symmetric;                          /* the options declare A so */
  PetscInt guesses;                                  /* of the options */
  PetscLogEvent copy_event, setup_event;

  ovkpetsc_context *context; /* of the communicator; not owned */
  PetscBool transposed;      /* the last solve was KSPSolveTranspose() */
  ovkpetsc_direction now;    /* of the last solve */
  ovkpetsc_direction *other; /* of the other direction, see direction.c; NULL: there was none */

  /* of this solve, or of the last one */
  ovkpetsc_test test;
  bool trusted;               /* it ends without a last application of the PC, see trust.c */
  bool distrusts;             /* no solve may: one was wrong */
  int before;                 /* iterations with K->now.quick, until `auto` continued */
  bool monitored;             /* a monitor or a test of some rank may fail */
  bool monitoring;            /* a monitor is being called */
  KSPConvergedReason decided; /* by the convergence test of the KSP; 0: not yet */
  PetscErrorCode failed;      /* the error of a monitor or of a test on this rank */
  Vec iterate;                /* the solution for monitors that pass no vector */
  char why[512];              /* why the solve did not converge; "" if it did */
} ksp_ovk;

/* Whether A is declared positive definite by the type that the program names. */
static inline bool ovkpetsc_taken_definite(const ksp_ovk *K)
{
  return K->taken && K->taken->definite;
}

#endif
