/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions and options of PETSc for a KSP of a type that is replaced. Settings that a method of
 * ovkrylov has are stored for it, those that cannot change the result are ignored, and others are
 * rejected. */
#include "ksp/ksp.h"
#include "take/take.h"

PetscErrorCode ovkpetsc_refuse(KSP ksp, const char *what)
{
  const ksp_ovk *K = ksp->data;
  const char *name = K->taken->name;
  SETERRQ(PetscObjectComm((PetscObject)ksp), PETSC_ERR_SUP,
          "%s: a %s taken by ovk has none; use -ksp_type " OVKPETSC_ORIGINAL "%s, or leave %s out "
          "of -ovk_take",
          what, name, name, name);
}

static PetscErrorCode set_restart(KSP ksp, PetscInt restart)
{
  ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  PetscCheck(restart >= 1, PetscObjectComm((PetscObject)ksp), PETSC_ERR_ARG_OUTOFRANGE,
             "a restart must be positive: %" PetscInt_FMT, restart);
  if (restart != K->settings.restart) PetscCall(ovkpetsc_solver_forget(K));
  K->settings.restart = restart;
  PetscFunctionReturn(0);
}

static PetscErrorCode get_restart(KSP ksp, PetscInt *restart)
{
  const ksp_ovk *K = ksp->data;
  *restart = K->settings.restart ? K->settings.restart : OVKPETSC_RESTART;
  return 0;
}

static PetscErrorCode set_orthogonalization(KSP ksp, PetscErrorCode (*how)(KSP, PetscInt))
{
  ksp_ovk *K = ksp->data;
  const bool known = how == KSPGMRESClassicalGramSchmidtOrthogonalization ||
                     how == KSPGMRESModifiedGramSchmidtOrthogonalization;
  PetscFunctionBegin;
  if (!known) {
    PetscCall(ovkpetsc_refuse(ksp, "KSPGMRESSetOrthogonalization() with a function of yours"));
  }
  if (how != K->settings.orthogonalize) PetscCall(ovkpetsc_solver_forget(K));
  K->settings.orthogonalize = how;
  PetscFunctionReturn(0);
}

static PetscErrorCode get_orthogonalization(KSP ksp, PetscErrorCode (**how)(KSP, PetscInt))
{
  const ksp_ovk *K = ksp->data;
  *how = K->settings.orthogonalize ? K->settings.orthogonalize
                                   : KSPGMRESClassicalGramSchmidtOrthogonalization;
  return 0;
}

/* Methods of ovkrylov refine if rounding errors require it. */
static PetscErrorCode set_refinement(KSP ksp, KSPGMRESCGSRefinementType type)
{
  ksp_ovk *K = ksp->data;
  K->settings.refinement = type;
  return 0;
}

static PetscErrorCode get_refinement(KSP ksp, KSPGMRESCGSRefinementType *type)
{
  const ksp_ovk *K = ksp->data;
  *type = K->settings.refinement;
  return 0;
}

static PetscErrorCode refuse_radius(KSP ksp, PetscReal radius)
{
  return radius > 0 ? ovkpetsc_refuse(ksp, "a trust region's radius") : 0;
}

static PetscErrorCode refuse_qlp(KSP ksp, PetscBool use)
{
  return use ? ovkpetsc_refuse(ksp, "MINRES-QLP") : 0;
}

/* A function that changes nothing, or NULL, does no harm. */
static PetscErrorCode
refuse_modify_pc(KSP ksp, PetscErrorCode (*modify)(KSP, PetscInt, PetscInt, PetscReal, void *),
                 void *arg, PetscErrorCode (*free_arg)(void *))
{
  (void)arg;
  (void)free_arg;
  if (!modify || modify == KSPFGMRESModifyPCNoChange) return 0;
  return ovkpetsc_refuse(ksp, "a function that changes the PC in each iteration");
}

static PetscErrorCode
refuse_modify_pc_of_gcr(KSP ksp, PetscErrorCode (*modify)(KSP, PetscInt, PetscReal, void *),
                        void *arg, PetscErrorCode (*free_arg)(void *))
{
  (void)arg;
  (void)free_arg;
  return modify ? ovkpetsc_refuse(ksp, "a function that changes the PC in each iteration") : 0;
}

/* Settings that the result does not depend on: the others of these types. */
static PetscErrorCode ignore_type(KSP ksp, KSPCGType type)
{
  (void)ksp;
  (void)type;
  return 0;
}

static PetscErrorCode ignore_bool(KSP ksp, PetscBool value)
{
  (void)ksp;
  (void)value;
  return 0;
}

static PetscErrorCode ignore_real(KSP ksp, PetscReal value)
{
  (void)ksp;
  (void)value;
  return 0;
}

static PetscErrorCode ignore(KSP ksp)
{
  (void)ksp;
  return 0;
}

/* A setter as it is composed with a KSP of one of these families. */
typedef struct setter {
  unsigned families; /* 1 << ovkpetsc_family */
  const char *name;
  void (*function)(void);
} setter;

enum {
  CG = 1 << OVKPETSC_CG | 1 << OVKPETSC_PIPELCG,
  MINRES = 1 << OVKPETSC_MINRES,
  GMRES = 1 << OVKPETSC_GMRES | 1 << OVKPETSC_FGMRES,
  FGMRES = 1 << OVKPETSC_FGMRES,
  GCR = 1 << OVKPETSC_GCR
};
#define SETTER(families, name, function)                                                           \
  {                                                                                                \
    families, name "_C", (void (*)(void))(function)                                                \
  }

static const setter setters[] = {
    SETTER(CG, "KSPCGSetType", ignore_type),
    SETTER(CG, "KSPCGUseSingleReduction", ignore_bool),
    SETTER(CG, "KSPCGSetRadius", refuse_radius),
    SETTER(MINRES, "KSPMINRESSetRadius", refuse_radius),
    SETTER(MINRES, "KSPMINRESSetUseQLP", refuse_qlp),
    SETTER(GMRES, "KSPGMRESSetRestart", set_restart),
    SETTER(GMRES, "KSPGMRESGetRestart", get_restart),
    SETTER(GMRES, "KSPGMRESSetOrthogonalization", set_orthogonalization),
    SETTER(GMRES, "KSPGMRESGetOrthogonalization", get_orthogonalization),
    SETTER(GMRES, "KSPGMRESSetCGSRefinementType", set_refinement),
    SETTER(GMRES, "KSPGMRESGetCGSRefinementType", get_refinement),
    SETTER(GMRES, "KSPGMRESSetHapTol", ignore_real),
    SETTER(GMRES, "KSPGMRESSetBreakdownTolerance", ignore_real),
    SETTER(GMRES, "KSPGMRESSetPreAllocateVectors", ignore),
    SETTER(FGMRES, "KSPFGMRESSetModifyPC", refuse_modify_pc),
    SETTER(GCR, "KSPGCRSetRestart", set_restart),
    SETTER(GCR, "KSPGCRGetRestart", get_restart),
    SETTER(GCR, "KSPGCRSetModifyPC", refuse_modify_pc_of_gcr),
};
enum { SETTERS = sizeof setters / sizeof *setters };

PetscErrorCode ovkpetsc_setters_compose(KSP ksp, bool with)
{
  const ksp_ovk *K = ksp->data;
  const unsigned family = 1u << K->taken->family;
  PetscFunctionBegin;
  for (int k = 0; k < SETTERS; k++) {
    if (!(setters[k].families & family)) continue;
    PetscCall(PetscObjectComposeFunction((PetscObject)ksp, setters[k].name,
                                         with ? setters[k].function : NULL));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_setters_from_options(KSP ksp, ovkpetsc_options PetscOptionsObject)
{
  const ksp_ovk *K = ksp->data;
  const ovkpetsc_family family = K->taken->family;
  const bool gcr = family == OVKPETSC_GCR;
  PetscInt restart;
  PetscBool given, classical = PETSC_FALSE, modified = PETSC_FALSE;
  PetscFunctionBegin;
  if (family != OVKPETSC_GMRES && family != OVKPETSC_FGMRES && !gcr) PetscFunctionReturn(0);
  PetscCall(get_restart(ksp, &restart));
  PetscOptionsHeadBegin(PetscOptionsObject, "Taken by ovk");
  PetscCall(PetscOptionsInt(gcr ? "-ksp_gcr_restart" : "-ksp_gmres_restart", "Restart",
                            "KSPGMRESSetRestart", restart, &restart, &given));
  PetscCall(PetscOptionsBool("-ksp_gmres_classicalgramschmidt", "Gram-Schmidt",
                             "KSPGMRESSetOrthogonalization", classical, &classical, NULL));
  PetscCall(PetscOptionsBool("-ksp_gmres_modifiedgramschmidt", "Modified Gram-Schmidt",
                             "KSPGMRESSetOrthogonalization", modified, &modified, NULL));
  PetscOptionsHeadEnd();
  if (given) PetscCall(set_restart(ksp, restart));
  if (classical || modified) {
    PetscCall(set_orthogonalization(ksp, modified ? KSPGMRESModifiedGramSchmidtOrthogonalization
                                                  : KSPGMRESClassicalGramSchmidtOrthogonalization));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_setters_hand_on(KSP ksp, ovkpetsc_family family,
                                        const ovkpetsc_settings *settings)
{
  PetscFunctionBegin;
  if (settings->restart) {
    PetscCall(KSPGMRESSetRestart(ksp, settings->restart));
    PetscCall(KSPGCRSetRestart(ksp, settings->restart));
  }
  if (settings->orthogonalize) {
    PetscCall(KSPGMRESSetOrthogonalization(ksp, settings->orthogonalize));
  }
  PetscCall(KSPGMRESSetCGSRefinementType(ksp, settings->refinement));
  PetscCall(ovkpetsc_directions_hand_on(ksp, family, settings));
  PetscFunctionReturn(0);
}
