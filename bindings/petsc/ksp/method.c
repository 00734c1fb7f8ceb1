/* SPDX-License-Identifier: BSD-2-Clause */
/* The method of a KSP and the norm that it tests. Its options decide, then the type of PETSc that
 * it replaces. If both leave the choice to "auto", the properties of the PC decide: "auto" knows
 * only those of A. */
#include "ksp/ksp.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The method of a type that is taken, with the settings of the program. */
static const char *taken_method(ksp_ovk *K)
{
  const ovkpetsc_taken *taken = K->taken;
  const ovkpetsc_settings *s = &K->settings;
  const bool restarts = s->restart > 0;
  const bool mgs = taken->family == OVKPETSC_GMRES && strcmp(taken->method, "gmres") == 0 &&
                   s->orthogonalize == KSPGMRESModifiedGramSchmidtOrthogonalization;
  snprintf(K->spec, sizeof K->spec, "%s", taken->method);
  if (s->directions || s->pipeline) {
    const bool flexible = s->directions > 0;
    snprintf(K->spec, sizeof K->spec, "%s:%s=%d", taken->method, flexible ? "m" : "l",
             (int)(flexible ? s->directions : s->pipeline));
  }
  if (restarts || mgs) {
    const size_t used = strlen(K->spec);
    snprintf(K->spec + used, sizeof K->spec - used, ":restart=%d%s",
             restarts ? (int)s->restart : OVKPETSC_RESTART, mgs ? ",ortho=mgs" : "");
  }
  return K->spec;
}

bool ovkpetsc_method_is_open(const ksp_ovk *K)
{
  const char *given = K->method ? K->method : K->taken ? K->taken->method : NULL;
  return !given || strcasecmp(given, "auto") == 0;
}

/* Bits that a method must be made for: none where ovkrylov's preconditioner stands in for the PC.
 */
static int class_of(const ksp_ovk *K)
{
  return K->precond ? 0 : K->now.pc_class & (OVKPETSC_ONE_SIDED | OVKPETSC_VARIES);
}

/* The type "cg" declares A and the PC symmetric, and has its norms. */
static const char *method_for_class(ksp_ovk *K)
{
  const bool varies = class_of(K) & OVKPETSC_VARIES;
  if (ovkpetsc_taken_definite(K) && !varies) return K->method;
  K->now.class_why = varies ? "the PC varies, as Krylov methods are inside of it"
                            : "the PC is not symmetric, whatever A is";
  if (ovkpetsc_taken_definite(K)) return "fcg";
  return K->now.flexible ? "fgmres" : "gmres";
}

const char *ovkpetsc_method(ksp_ovk *K)
{
  K->now.class_why = NULL;
  if (ovkpetsc_method_is_open(K) && class_of(K)) return method_for_class(K);
  if (K->now.quick.method) {
    K->now.class_why = K->now.quick.why;
    return K->now.quick.method;
  }
  return K->method || !K->taken || !K->taken->method ? K->method : taken_method(K);
}

/* With M = L L^T, || L^-1 r || is sqrt((r, M^-1 r)). PETSc calls that the preconditioned norm if
 * the PC is on both sides. MINRES of PETSc tests sqrt((r, M^-1 r)), which its iteration minimizes,
 * and calls it the preconditioned norm, too. */
ovk_norm ovkpetsc_norm(KSP ksp)
{
  const ksp_ovk *K = ksp->data;
  const bool natural =
      ksp->pc_side == PC_SYMMETRIC || (K->taken && K->taken->family == OVKPETSC_MINRES);
  switch (ksp->normtype) {
  case KSP_NORM_PRECONDITIONED:
    return natural ? OVK_NORM_NATURAL : OVK_NORM_PRECONDITIONED;
  case KSP_NORM_NATURAL:
    return OVK_NORM_NATURAL;
  default: /* none is wanted: the cheapest */
    return OVK_NORM_UNPRECONDITIONED;
  }
}

/* Whether the options name a method that preconditions from the right only. */
static bool names_right_side(const ksp_ovk *K)
{
  static const char *const names[] = {"fgmres", "flexgmres", "pipebcgs", "pipelined-bicgstab"};
  const char *method = K->method ? K->method : "";
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    if (strncasecmp(method, names[k], strlen(names[k])) == 0) return true;
  }
  return strstr(method, "side=right") != NULL;
}

/* Flexible methods precondition from the right, and test the unpreconditioned norm: for a KSP with
 * another one, `auto` has none. */
PetscErrorCode ovkpetsc_flexible_begin(KSP ksp)
{
  ksp_ovk *K = ksp->data;
  const bool default_norm = ksp->normtype_set == KSP_NORM_DEFAULT;
  const bool right = ksp->pc_side_set == PC_SIDE_DEFAULT || ksp->pc_side_set == PC_RIGHT;
  const bool suits =
      default_norm || ksp->normtype == KSP_NORM_UNPRECONDITIONED || ksp->normtype == KSP_NORM_NONE;
  PetscFunctionBegin;
  const bool chosen = ovkpetsc_method_is_open(K) && (class_of(K) & OVKPETSC_VARIES);
  K->now.flexible = !K->taken && (chosen || names_right_side(K)) && suits && right;
  if (!K->now.flexible) PetscFunctionReturn(0);
  K->now.own_norm = ksp->normtype;
  K->now.own_side = ksp->pc_side;
  if (default_norm) ksp->normtype = KSP_NORM_UNPRECONDITIONED;
  ksp->pc_side = PC_RIGHT;
  PetscFunctionReturn(0);
}

/* Not where a program has set another one since. */
PetscErrorCode ovkpetsc_flexible_end(KSP ksp)
{
  ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  if (!K->now.flexible) PetscFunctionReturn(0);
  if (ksp->normtype_set == KSP_NORM_DEFAULT) ksp->normtype = K->now.own_norm;
  if (ksp->pc_side_set == PC_SIDE_DEFAULT) ksp->pc_side = K->now.own_side;
  K->now.flexible = false;
  PetscFunctionReturn(0);
}

const char *ovkpetsc_method_advice(KSP ksp)
{
  static const char *const flexible[] = {"fgmres", "fcg", "pipefcg"};
  const ksp_ovk *K = ksp->data;
  const char *method = ovk_solver_method(K->now.solver);
  if (!(class_of(K) & OVKPETSC_VARIES)) return "";
  for (size_t k = 0; k < sizeof flexible / sizeof *flexible; k++) {
    if (strncmp(method, flexible[k], strlen(flexible[k])) == 0) return "";
  }
  return "; the PC varies, as Krylov methods are inside of it: use -ksp_ovk_method fgmres";
}
