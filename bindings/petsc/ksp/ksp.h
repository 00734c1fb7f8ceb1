/* SPDX-License-Identifier: BSD-2-Clause */
/* The KSP type "ovk": constructor, options, solver, solves. */
#ifndef OVKPETSC_KSP_H
#define OVKPETSC_KSP_H

#include "state/ksp_ovk.h"

/* ksp_ovk.c: constructor, destructor and options of the type. */
PetscErrorCode ovkpetsc_create(KSP ksp);
PetscErrorCode ovkpetsc_destroy(KSP ksp);
PetscErrorCode ovkpetsc_set_from_options(KSP ksp, ovkpetsc_options PetscOptionsObject);

/* context.c: *bits <- those that are set on any rank, of OVKPETSC_CHANGES bits. */
PetscErrorCode ovkpetsc_context_combine(KSP ksp, int *bits);

/* help.c: prints the values of the options. */
PetscErrorCode ovkpetsc_help(KSP ksp);

/* context.c: the context of a communicator. */
PetscErrorCode ovkpetsc_context_of(MPI_Comm comm, ovkpetsc_context **out);

/* context.c: creates the context of PETSC_COMM_WORLD, so that the first solve finds it. Collective
 * over that; a failure is no error. */
PetscErrorCode ovkpetsc_context_prepare(void);

/* method.c: the method of this KSP, from its options, its type and the properties of its PC; NULL
 * is the default. Sets K->now.class_why. Not collective. */
const char *ovkpetsc_method(ksp_ovk *K);

/* method.c: whether the options and the type leave the method to `auto`. Not collective. */
bool ovkpetsc_method_is_open(const ksp_ovk *K);

/* method.c: the norm that the solver tests. Not collective. */
ovk_norm ovkpetsc_norm(KSP ksp);

/* method.c: sets the norm and the side of a flexible method if the KSP is to use one, and restores
 * the previous ones. */
PetscErrorCode ovkpetsc_flexible_begin(KSP ksp);
PetscErrorCode ovkpetsc_flexible_end(KSP ksp);

/* method.c: advice if a solve failed because its method does not allow a PC that varies; or "". Not
 * collective. */
const char *ovkpetsc_method_advice(KSP ksp);

/* direction.c: makes the solver of K that of solves with A, or of those with its transpose. First
 * in each solve. */
PetscErrorCode ovkpetsc_direction_choose(KSP ksp);

/* solver.c: creates K->now.solver, K->now.b and K->now.x, or updates them to the state of the KSP
 * and to these arrays of its vectors. */
PetscErrorCode ovkpetsc_solver_prepare(KSP ksp, const double *b, double *x);

/* in_place.c: K->now.in_place <- whether products with A are left to PETSc, as a copy would take
 * longer than it saves. `is_new`: another matrix, or new values; `needs_rows`: the options need a
 * copy. Not collective; the same on all ranks if the arguments are. */
PetscErrorCode ovkpetsc_choose_in_place(KSP ksp, Mat A, bool is_new, bool needs_rows);

/* in_place.c: K->now.copy.after <- the products after which the next solve copies A. */
void ovkpetsc_choose_copy_within(ksp_ovk *K);

/* quick.c: whether a KSP in place has conjugate gradients because A is declared definite. Not
 * collective; the same on all ranks. */
bool ovkpetsc_quick_is_definite(const ksp_ovk *K);

/* quick.c: whether the PC is a diagonal, or none. Not collective. */
PetscErrorCode ovkpetsc_pc_is_diagonal(PC pc, PetscBool *is);

/* quick.c: the facts from which K->now.quick is chosen, as bits that are combined over the ranks.
 */
enum {
  OVKPETSC_NOT_QUICK = 1, /* the method is named, or it needs a norm that gmres has not */
  OVKPETSC_DEFINITE = 2,  /* A is declared positive definite */
  OVKPETSC_NOT_DEFINITE = 4,
  OVKPETSC_DIFFERENCES = 8,  /* products are such, of a function: with half of the digits */
  OVKPETSC_UNSYMMETRIC = 16, /* a sample of the rows is */
  OVKPETSC_NOT_SAMPLED = 32,
  OVKPETSC_SAMPLE_FACTS = OVKPETSC_UNSYMMETRIC | OVKPETSC_NOT_SAMPLED,
  OVKPETSC_ALL_FACTS = 63
};
PetscErrorCode ovkpetsc_quick_facts(KSP ksp, Mat A, const ovkpetsc_made_for *made_for,
                                    PetscObjectState values, int *facts);

/* quick.c: K->now.quick <- the method of a KSP that is expected to need few products with few rows,
 * from K->now.quick.facts and K->now.A; or NULL. */
PetscErrorCode ovkpetsc_quick_choose(KSP ksp);

/* quick.c: *revised <- whether K->now.quick is GMRES now, instead of the choice of `auto` for a
 * nonsymmetric matrix. */
PetscErrorCode ovkpetsc_quick_revise(KSP ksp, bool *revised);

/* quick.c: the iterations that a solve may make with K->now.quick, of `maxit`. Not collective. */
int ovkpetsc_quick_maxit(const ksp_ovk *K, int maxit);

/* quick.c: K->now.quick.refuted <- whether A is not symmetric although K->now.quick presumes it.
 * Tests that once a solve has made as many iterations as a few. */
PetscErrorCode ovkpetsc_quick_verify(KSP ksp, int iteration);

/* quick.c: whether a solve with K->now.quick has stagnated, made all iterations that it may make
 * with that, or failed because its presumption is wrong: then `auto` chooses from now on. Not
 * collective; the same on all ranks. */
bool ovkpetsc_quick_ends(KSP ksp, const ovk_result *res);

/* trust.c: K->trusted <- whether a solve with K->now.quick, which is GMRES, may end here without a
 * last application of the PC. */
PetscErrorCode ovkpetsc_trust_judge(KSP ksp, const ovk_progress *progress);

/* trust.c: whether the b - A x of a solve that has ended so agrees; then it has converged. Not
 * collective; the same on all ranks. */
bool ovkpetsc_trust_holds(ksp_ovk *K, ovk_result *res);

/* attained.c: res->reason <- converged, if rounding errors alone have kept the recomputed residual
 * above the tolerance; b and x: the arrays of the solve on this rank. */
PetscErrorCode ovkpetsc_attained(KSP ksp, const double *b, const double *x, ovk_result *res);

/* solver.c: destroys the solvers of both directions and the objects that they were created from. */
PetscErrorCode ovkpetsc_solver_forget(ksp_ovk *K);

/* solve.c: whether the vectors of KSPSolve() are of a type that ovkpetsc_solve() accepts. */
bool ovkpetsc_can_solve(KSP ksp);

/* solve.c: KSPSolve(). */
PetscErrorCode ovkpetsc_solve(KSP ksp);

/* solve.c: the reason, the counts and the message of a solve, for the KSP. */
PetscErrorCode ovkpetsc_report(KSP ksp, const ovk_result *res);

/* solve.c: an additional line for -ksp_converged_reason. PETSc decides whether KSP_DIVERGED_ITS is
 * an error: in an inner solve it is not. */
PetscErrorCode ovkpetsc_tell_why(KSP ksp);

/* mat_solve.c: KSPMatSolve(). */
PetscErrorCode ovkpetsc_mat_solve(KSP ksp, Mat B, Mat X);

/* monitor.c: the stopping test of this solve. Not collective. */
ovkpetsc_test ovkpetsc_choose_test(KSP ksp);

/* monitor.c: the monitor that ovkrylov calls; `ksp` is the KSP. */
int ovkpetsc_monitor(void *ksp, const ovk_progress *progress);

/* monitor.c: calls the monitors of the KSP, and its convergence test if that decides. Sets
 * K->failed and K->decided. */
void ovkpetsc_show(KSP ksp, int iteration, double norm);

/* monitor.c: the current solution, for monitors also within a solve. */
PetscErrorCode ovkpetsc_build_solution(KSP ksp, Vec v, Vec *out);

#endif
