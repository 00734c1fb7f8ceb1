/* SPDX-License-Identifier: BSD-2-Clause */
/* The KSP type "ovk": its options and views. */
#include "ksp/ksp.h"
#include "system/system.h"

/* Copies the text of an option; a new text destroys the solver. */
static PetscErrorCode take_spec(ksp_ovk *K, const char *text, char **spec)
{
  PetscBool same;
  PetscFunctionBegin;
  PetscCall(PetscStrcmp(text, *spec, &same));
  if (same) PetscFunctionReturn(0);
  PetscCall(PetscFree(*spec));
  PetscCall(PetscStrallocpy(text, spec));
  PetscCall(ovkpetsc_solver_forget(K));
  PetscFunctionReturn(0);
}

static PetscErrorCode read_spec(ovkpetsc_options PetscOptionsObject, ksp_ovk *K, const char *name,
                                const char *help, char **spec)
{
  char text[256];
  PetscBool given;
  PetscFunctionBegin;
  PetscCall(
      PetscOptionsString(name, help, "ovkrylov: docs/petsc.md", *spec, text, sizeof text, &given));
  if (given) PetscCall(take_spec(K, text, spec));
  PetscFunctionReturn(0);
}

/* With a preconditioner of ovkrylov the PC has nothing to do and must not be set up. */
PetscErrorCode ovkpetsc_set_from_options(KSP ksp, ovkpetsc_options PetscOptionsObject)
{
  ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  PetscOptionsHeadBegin(PetscOptionsObject, "Krylov methods of ovkrylov");
  PetscCall(read_spec(PetscOptionsObject, K, "-ksp_ovk_method", "Method", &K->method));
  PetscCall(read_spec(PetscOptionsObject, K, "-ksp_ovk_backend", "Backend of the reductions",
                      &K->backend));
  PetscCall(read_spec(PetscOptionsObject, K, "-ksp_ovk_exact",
                      "Exact sums over the ranks: off, sums or all", &K->exact));
  PetscCall(read_spec(PetscOptionsObject, K, "-ksp_ovk_format",
                      "Storage format of the copy of the matrix, or shell", &K->format));
  PetscCall(
      read_spec(PetscOptionsObject, K, "-ksp_ovk_pc", "A preconditioner of ovkrylov", &K->precond));
  PetscCall(PetscOptionsBool("-ksp_ovk_spd", "A and the PC are symmetric positive definite",
                             "ovkrylov: docs/petsc.md", K->spd, &K->spd, NULL));
  PetscCall(PetscOptionsBool("-ksp_ovk_symmetric", "A is symmetric", "ovkrylov: docs/petsc.md",
                             K->symmetric, &K->symmetric, NULL));
  PetscCall(PetscOptionsBoundedInt("-ksp_ovk_guesses",
                                   "Initial guesses from so many last solutions",
                                   "ovkrylov: docs/petsc.md", K->guesses, &K->guesses, NULL, 0));
  if (PetscOptionsObject->printhelp) PetscCall(ovkpetsc_help(ksp));
  PetscOptionsHeadEnd();
  if (!K->precond) PetscFunctionReturn(0);
  PetscCall(PCSetType(ksp->pc, PCNONE));
  PetscCall(ovkpetsc_problem_accept_coordinates(ksp->pc));
  PetscFunctionReturn(0);
}

/* KSPSolve() creates the solver, after the PC has been set up. */
static PetscErrorCode set_up(KSP ksp)
{
  PetscFunctionBegin;
  (void)ksp;
  PetscFunctionReturn(0);
}

static PetscErrorCode view(KSP ksp, PetscViewer viewer)
{
  const ksp_ovk *K = ksp->data;
  PetscBool ascii;
  PetscFunctionBegin;
  PetscCall(PetscObjectTypeCompare((PetscObject)viewer, PETSCVIEWERASCII, &ascii));
  if (!ascii) PetscFunctionReturn(0);
  if (K->taken) PetscCall(PetscViewerASCIIPrintf(viewer, "  %s, taken by ovk\n", K->taken->name));
  if (!K->now.solver) PetscFunctionReturn(0);
  PetscCall(PetscViewerASCIIPrintf(viewer, "  method %s, reductions by %s\n",
                                   ovk_solver_method(K->now.solver),
                                   ovk_solver_backend(K->now.solver)));
  if (K->now.class_why) PetscCall(PetscViewerASCIIPrintf(viewer, "  as %s\n", K->now.class_why));
  if (ovk_solver_method_why(K->now.solver)[0]) {
    PetscCall(PetscViewerASCIIPrintf(viewer, "  %s\n", ovk_solver_method_why(K->now.solver)));
  }
  if (K->now.in_place && !K->now.copy.A) {
    PetscCall(PetscViewerASCIIPrintf(
        viewer,
        "  products by PETSc, as few are expected: -ksp_ovk_format auto copies the matrix\n"));
  } else {
    const ovk_mat *copy = K->now.copy.A ? K->now.copy.A : K->now.A;
    PetscCall(PetscViewerASCIIPrintf(viewer, "  products by format %s, %lld bytes\n",
                                     ovk_mat_format(copy), (long long)ovk_mat_bytes(copy)));
  }
  if (K->precond) {
    const char *info = ovk_precond_info(K->now.M);
    PetscCall(PetscViewerASCIIPrintf(viewer, "  preconditioner %s of ovkrylov, %lld bytes\n",
                                     K->precond, (long long)ovk_precond_bytes(K->now.M)));
    if (info[0]) PetscCall(PetscViewerASCIIPrintf(viewer, "  %s\n", info));
  }
  if (K->why[0]) PetscCall(PetscViewerASCIIPrintf(viewer, "  last solve: %s\n", K->why));
  PetscFunctionReturn(0);
}

/* Fails only if a program asks for estimates: programs allow them for other types of KSP. */
static PetscErrorCode no_singular_values(KSP ksp, PetscReal *max, PetscReal *min)
{
  PetscFunctionBegin;
  (void)max;
  (void)min;
  SETERRQ(PetscObjectComm((PetscObject)ksp), PETSC_ERR_SUP,
          "-ksp_type ovk estimates no singular values: -ksp_type cg and gmres do");
}

static PetscErrorCode no_eigenvalues(KSP ksp, PetscInt n, PetscReal *real, PetscReal *imaginary,
                                     PetscInt *found)
{
  PetscFunctionBegin;
  (void)n;
  (void)real;
  (void)imaginary;
  (void)found;
  SETERRQ(PetscObjectComm((PetscObject)ksp), PETSC_ERR_SUP,
          "-ksp_type ovk estimates no eigenvalues: -ksp_type cg and gmres do");
}

static PetscErrorCode no_ritz_values(KSP ksp, PetscBool ritz, PetscBool small, PetscInt *found,
                                     Vec vectors[], PetscReal *real, PetscReal *imaginary)
{
  PetscFunctionBegin;
  (void)ritz;
  (void)small;
  (void)found;
  (void)vectors;
  (void)real;
  (void)imaginary;
  SETERRQ(PetscObjectComm((PetscObject)ksp), PETSC_ERR_SUP,
          "-ksp_type ovk computes no Ritz values: -ksp_type gmres does");
}

static PetscErrorCode reset(KSP ksp)
{
  ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  PetscCall(ovkpetsc_solver_forget(K));
  K->now.quick.failed = K->distrusts = false;
  PetscCall(VecDestroy(&K->now.in));
  PetscCall(VecDestroy(&K->now.out));
  PetscCall(VecDestroy(&K->iterate));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_destroy(KSP ksp)
{
  ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  PetscCall(reset(ksp));
  PetscCall(PetscFree(K->method));
  PetscCall(PetscFree(K->backend));
  PetscCall(PetscFree(K->exact));
  PetscCall(PetscFree(K->format));
  PetscCall(PetscFree(K->precond));
  PetscCall(KSPDestroyDefault(ksp));
  PetscFunctionReturn(0);
}

/* The event of this name, registered by the first KSP. */
static PetscErrorCode get_event(const char *name, PetscLogEvent *event)
{
  PetscFunctionBegin;
  PetscCall(PetscLogEventGetId(name, event));
  if (*event < 0) PetscCall(PetscLogEventRegister(name, KSP_CLASSID, event));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_create(KSP ksp)
{
  ksp_ovk *K;
  PetscFunctionBegin;
  PetscCall(PetscNew(&K));
  ksp->data = K;
  PetscCall(get_event("KSPOvkCopyMat", &K->copy_event));
  PetscCall(get_event("KSPOvkSetUp", &K->setup_event));
  PetscCall(KSPSetSupportedNorm(ksp, KSP_NORM_PRECONDITIONED, PC_LEFT, 3));
  PetscCall(KSPSetSupportedNorm(ksp, KSP_NORM_UNPRECONDITIONED, PC_LEFT, 2));
  PetscCall(KSPSetSupportedNorm(ksp, KSP_NORM_NATURAL, PC_LEFT, 2));
  PetscCall(KSPSetSupportedNorm(ksp, KSP_NORM_UNPRECONDITIONED, PC_RIGHT, 2));
  PetscCall(KSPSetSupportedNorm(ksp, KSP_NORM_PRECONDITIONED, PC_SYMMETRIC, 1));
  PetscCall(KSPSetSupportedNorm(ksp, KSP_NORM_NONE, PC_LEFT, 1));
  PetscCall(KSPSetSupportedNorm(ksp, KSP_NORM_NONE, PC_RIGHT, 1));
  ksp->ops->setup = set_up;
  ksp->ops->setfromoptions = ovkpetsc_set_from_options;
  ksp->ops->solve = ovkpetsc_solve;
  ksp->ops->matsolve = ovkpetsc_mat_solve;
  ksp->ops->view = view;
  ksp->ops->reset = reset;
  ksp->ops->destroy = ovkpetsc_destroy;
  ksp->ops->buildsolution = ovkpetsc_build_solution;
  ksp->ops->buildresidual = KSPBuildResidualDefault;
  ksp->ops->computeextremesingularvalues = no_singular_values;
  ksp->ops->computeeigenvalues = no_eigenvalues;
  ksp->ops->computeritz = no_ritz_values;
  PetscFunctionReturn(0);
}
