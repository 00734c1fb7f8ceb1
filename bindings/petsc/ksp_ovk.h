/* SPDX-License-Identifier: BSD-2-Clause */
/* The KSP type "ovk": what a KSP of this type holds, and what the files of this folder give each
 * other. Functions follow PETSc: all are collective over the KSP unless it is said otherwise. */
#ifndef OVKPETSC_KSP_OVK_H
#define OVKPETSC_KSP_OVK_H

#include <ovkrylov/ovkrylov.h>
#include <petsc/private/kspimpl.h>
#include <petsc/private/pcimpl.h>

/* What functions that read options are given. */
#if PETSC_VERSION_LT(3, 23, 0)
typedef PetscOptionItems *ovkpetsc_options;
#else
typedef PetscOptionItems ovkpetsc_options;
#endif

/* One a communicator, as its attribute: made at the first solve, freed with the communicator. */
typedef struct ovkpetsc_context {
  ovk_ctx *ctx;
  KSP making; /* whose preconditioner is being made */
} ovkpetsc_context;

/* What is known of a PC, as bits. */
enum {
  OVKPETSC_ONE_SIDED = 1, /* not symmetric, although A may be */
  OVKPETSC_VARIES = 2,    /* not the same operator in each application: Krylov methods are in it */
  OVKPETSC_STRONG = 4     /* a multigrid cycle or a factorization: solves take few iterations */
};

/* What a solver was made for. Where the next solve finds another value, it makes a new solver. */
typedef struct ovkpetsc_made_for {
  PetscObjectId A, pc, null_space, left_null_space; /* 0: there is none */
  PetscObjectId P;                                  /* the Pmat, if it is copied; or else 0 */
  PetscObjectId near_null_space, coordinates; /* likewise, for a preconditioner of ovkrylov's */
  PetscObjectState pattern, P_pattern;        /* nonzero states */
  char pc_type[64];                           /* a copy: PETSc frees the name with the type */
  ovk_norm norm;
  PetscBool spd;       /* A is said to be symmetric positive definite */
  PetscBool symmetric; /* A is said to be symmetric */
  int pc_class;        /* as this rank sees it: OVKPETSC_ONE_SIDED and so on */
} ovkpetsc_made_for;

/* Where the next solve finds another value, it updates the solver. */
typedef struct ovkpetsc_values {
  PetscObjectState A, P, pc;
  PetscObjectId pmat; /* states of two matrices may be the same */
} ovkpetsc_values;

/* Who decides when to stop. */
typedef enum ovkpetsc_test {
  OVKPETSC_TOLERANCES, /* ovkrylov, by the KSP's tolerances */
  OVKPETSC_FUNCTION,   /* the KSP's convergence test, called in each iteration */
  OVKPETSC_NO_TEST     /* nobody: all iterations are made */
} ovkpetsc_test;

typedef struct ovkpetsc_taken ovkpetsc_taken; /* take.h */

/* What setters and options of PETSc's own types have set. */
typedef struct ovkpetsc_settings {
  PetscInt restart;                               /* 0: not set */
  PetscErrorCode (*orthogonalize)(KSP, PetscInt); /* NULL: not set */
  KSPGMRESCGSRefinementType refinement;
} ovkpetsc_settings;

/* ksp->data */
typedef struct ksp_ovk {
  char of_others[512]; /* KSPFCGSetMmax(), KSPBCGSLSetEll() and others write to data of any type */
  const ovkpetsc_taken *taken; /* the type of PETSc that this one stands in for; or else NULL */
  ovkpetsc_settings settings;
  char spec[64];                             /* the method of a taken type */
  char *method, *backend, *format, *precond; /* specs; NULL: the default */
  PetscBool spd, symmetric;                  /* the options say so of A */
  PetscLogEvent copy_event, setup_event;

  ovkpetsc_context *context; /* of the communicator; not owned */
  ovk_mat *A;
  bool in_place;    /* A is used as it is, as a copy would take longer than it saves */
  int64_t products; /* iterations with these values of A, or more of them */
  bool few;         /* few are expected for each matrix */
  bool solved;      /* a solve has shown how many */
  ovk_mat *P; /* the Pmat, where ovkrylov's preconditioner needs it and it is not A; or else NULL */
  ovk_precond *M;
  ovk_solver *solver; /* NULL: to be made */
  ovkpetsc_made_for made_for;
  int pc_class;  /* bits of the PC, agreed by all ranks */
  bool flexible; /* `auto` is "fgmres", with its norm and side in place of the default ones */
  KSPNormType own_norm; /* these, if flexible */
  PCSide own_side;
  const char *class_why; /* why the class of the PC chose the method; NULL: it did not */
  ovkpetsc_values values;
  ovk_solver_opts opts; /* of the solver */
  Vec in, out;          /* for calls of PETSc on arrays */
  bool places;          /* their arrays can be replaced */

  ovk_vec *b, *x; /* wrapped arrays of the KSP's vectors, of the last solve */
  const double *b_array;
  double *x_array;

  /* of this solve, or of the last one */
  ovkpetsc_test test;
  bool monitoring;            /* a monitor is being called */
  KSPConvergedReason decided; /* by the KSP's convergence test; 0: not yet */
  PetscErrorCode failed;      /* a monitor's or a test's failure on this rank */
  Vec iterate;                /* the solution for monitors that bring no vector */
  char why[512];              /* why it did not converge; "" if it did */
} ksp_ovk;

/* layout.c: fails, with a text, if the PETSc that has loaded the library is of another version, or
 * of other types, than the one it was built with. To be called before anything of PETSc's. */
PetscErrorCode ovkpetsc_check_layout(void);

/* context.c: the context of the KSP's communicator. */
PetscErrorCode ovkpetsc_context_of(MPI_Comm comm, ovkpetsc_context **out);

/* errors.c: PETSc's code for one of ovkrylov. Not collective. */
PetscErrorCode ovkpetsc_code(ovk_err err);

/* errors.c: records that `what` failed in PETSc, with its texts, as an error of ovkrylov. Not
 * collective. Returns OVK_OK for 0. */
ovk_err ovkpetsc_failed(ovk_ctx *ctx, const char *what, PetscErrorCode code);

/* errors.c: returns the greatest code of all ranks. */
PetscErrorCode ovkpetsc_agree(MPI_Comm comm, PetscErrorCode mine);

/* Returns from a function of PETSc with ovkrylov's error and its text, on all ranks. */
#define OVKPETSC_CALL(ksp, ovk_ctx_of, call)                                                       \
  do {                                                                                             \
    const ovk_err err_ = (call);                                                                   \
    PetscCheck(!err_, PetscObjectComm((PetscObject)(ksp)), ovkpetsc_code(err_),                    \
               "ovkrylov: %s: %s", ovk_err_text(err_), ovk_ctx_error(ovk_ctx_of));                 \
  } while (0)

/* lend.c: whether an array can be placed in v, instead of being copied. */
PetscErrorCode ovkpetsc_lend_can_place(Vec v, bool *can);

/* lend.c: v has this array in place of its own, until ovkpetsc_lend_reset(). */
PetscErrorCode ovkpetsc_lend_place(Vec v, const double *array);
PetscErrorCode ovkpetsc_lend_reset(Vec v);

/* lend.c: v <- array; array <- v */
PetscErrorCode ovkpetsc_lend_copy(Vec v, const double *array);
PetscErrorCode ovkpetsc_lend_copy_back(Vec v, double *array);

/* apply.c: out <- action(object, in) for arrays, with the KSP's vectors around them. `what` names
 * it in an error. */
ovk_err ovkpetsc_apply(KSP ksp, const char *what, PetscErrorCode (*action)(void *, Vec, Vec),
                       void *object, const double *in, double *out);

/* rows.c: whether ovkpetsc_rows_open() can give the rows of A. Not collective. */
PetscErrorCode ovkpetsc_rows_exist(Mat A, PetscBool *exist);

/* rows.c: *readable <- A, or a conversion of it, for MatGetRow(); to be destroyed by the caller. */
PetscErrorCode ovkpetsc_rows_open(Mat A, Mat *readable);

/* rows.c: numbers that change with the values and with the pattern of A or of a block of it: PETSc
 * does not tell a nest what becomes of its blocks. Not collective. */
PetscErrorCode ovkpetsc_rows_state(Mat A, PetscObjectState *values, PetscObjectState *pattern);

/* operator.c: makes K->A of the KSP's matrix: a copy of its rows, or a shell. */
PetscErrorCode ovkpetsc_operator_create(KSP ksp, Mat A);

/* operator.c: makes K->P, a copy of the Pmat's rows. */
PetscErrorCode ovkpetsc_operator_create_P(KSP ksp, Mat P);

/* operator.c: a copy takes over new values of its matrix, on the same pattern. A shell has none. */
PetscErrorCode ovkpetsc_operator_update(KSP ksp, Mat A, ovk_mat *copy);

/* ksp_ovk.c: constructor, destructor and options of the type. */
PetscErrorCode ovkpetsc_create(KSP ksp);
PetscErrorCode ovkpetsc_destroy(KSP ksp);
PetscErrorCode ovkpetsc_set_from_options(KSP ksp, ovkpetsc_options PetscOptionsObject);

/* take.c: reads -ovk_take, after the type has been registered. */
PetscErrorCode ovkpetsc_take(void);

/* count.c: reads -ovk_report, after all types have been registered. */
PetscErrorCode ovkpetsc_count(void);

/* precond.c: a number that changes when the PC has been set up anew. Not collective. */
PetscErrorCode ovkpetsc_precond_state(PC pc, PetscObjectState *out);

/* pc_class.c: *all <- the bits of a PC that is set up: VARIES for Krylov methods inside of it,
 * ONE_SIDED for restricted Schwarz methods, sweeps in one direction and multiplicative types,
 * STRONG for multigrid and factorizations that are not parts of it. Ranks may see different parts
 * of it. */
PetscErrorCode ovkpetsc_pc_class(PC pc, int *all);

/* method.c: the method of this KSP, by its options, its type and the class of its PC; NULL is the
 * default. Sets K->class_why. Not collective. */
const char *ovkpetsc_method(ksp_ovk *K);

/* method.c: the norm that the solver tests. Not collective. */
ovk_norm ovkpetsc_norm(KSP ksp);

/* method.c: gives the KSP the norm and the side of a flexible method where its method is to be one,
 * and takes them back. */
PetscErrorCode ovkpetsc_flexible_begin(KSP ksp);
PetscErrorCode ovkpetsc_flexible_end(KSP ksp);

/* method.c: what to try where a solve failed as its method is none for a PC that varies; or "". Not
 * collective. */
const char *ovkpetsc_method_advice(KSP ksp);

/* precond.c: makes "petsc", the KSP's PC, known to a context. */
ovk_err ovkpetsc_precond_register(ovkpetsc_context *context);

/* nullspace.c: the vectors of a space, which may be NULL, for the time of one call: `vectors` are
 * wrapped arrays of `basis`. */
typedef struct ovkpetsc_vectors {
  bool constant;
  PetscInt count;
  const Vec *basis;
  const double **arrays;
  ovk_vec **vectors;
} ovkpetsc_vectors;
PetscErrorCode ovkpetsc_vectors_get(KSP ksp, MatNullSpace space, ovkpetsc_vectors *V);
PetscErrorCode ovkpetsc_vectors_restore(ovkpetsc_vectors *V);

/* nullspace.c: the null spaces of A and of its transpose in `opts`, likewise. */
typedef struct ovkpetsc_nullspace {
  ovkpetsc_vectors right, left;
} ovkpetsc_nullspace;
PetscErrorCode ovkpetsc_nullspace_get(KSP ksp, Mat A, ovkpetsc_nullspace *N, ovk_solver_opts *opts);
PetscErrorCode ovkpetsc_nullspace_restore(ovkpetsc_nullspace *N);

/* problem.c: has the PC take PCSetCoordinates(), for a preconditioner of ovkrylov's. */
PetscErrorCode ovkpetsc_problem_accept_coordinates(PC pc);

/* problem.c: what identifies the near-null space of P and the coordinates of the PC. Not
 * collective. */
PetscErrorCode ovkpetsc_problem_ids(PC pc, Mat P, ovkpetsc_made_for *made_for);

/* problem.c: gives `copy`, which has the rows of P, the block size and the near-null space of P and
 * the coordinates of the PC. */
PetscErrorCode ovkpetsc_problem_describe(KSP ksp, Mat P, ovk_mat *copy);

/* solver.c: makes K->solver, K->b and K->x, or brings them up to date with what the KSP and these
 * arrays of its vectors are now. */
PetscErrorCode ovkpetsc_solver_prepare(KSP ksp, const double *b, double *x);

/* solver.c: gives the solver and what it was made of up. */
void ovkpetsc_solver_forget(ksp_ovk *K);

/* help.c: prints the names that the options take. */
PetscErrorCode ovkpetsc_help(KSP ksp);

/* solve.c: the KSP's solve. */
PetscErrorCode ovkpetsc_solve(KSP ksp);

/* monitor.c: who decides in this solve when to stop. Not collective. */
ovkpetsc_test ovkpetsc_choose_test(KSP ksp);

/* monitor.c: ovkrylov's monitor; `ksp` is the KSP. */
int ovkpetsc_monitor(void *ksp, const ovk_progress *progress);

/* monitor.c: calls PETSc's monitors, and its convergence test where that decides; K->failed and
 * K->decided are the outcome. */
void ovkpetsc_show(KSP ksp, int iteration, double norm);

/* monitor.c: the solution as of now, for PETSc's monitors also within a solve. */
PetscErrorCode ovkpetsc_build_solution(KSP ksp, Vec v, Vec *out);

#endif
