/* SPDX-License-Identifier: BSD-2-Clause */
/* Methods for few products. With few rows `auto` would take longer for its timing trial than a
 * better method could save. For nonsymmetric matrices GMRES needs half of the products of BiCGStab:
 * it starts the solves in which its orthogonalization takes less time than that saves. */
#include "ksp/ksp.h"
#include "state/errors.h"
#include "system/system.h"

#include <string.h>

/* GMRES has made so many cycles when `auto` continues from its x. */
enum { RESTART = 30, CYCLES = 4 };
static const char FEW_AND_UNSYMMETRIC[] = "few products are expected, and A is not symmetric";
static const char GMRES[] = "gmres:restart=30,ortho=cgs";

/* A presumption is verified after so many iterations: solves that are as short as expected do not
 * pay for it. */
enum { LONG = 32 };

/* A larger relative asymmetry is no rounding. */
static const double SYMMETRIC = 1e-10;

/* With so many entries a row, and as many in a PC, products take longer than GMRES to make their
 * vectors orthogonal. */
enum { DENSE_ROW = 40 };

/* Adds the facts that a sample of A shows. It is taken again of another matrix, and of new values
 * if K->now.quick.method depends on it. */
static PetscErrorCode add_sample(ksp_ovk *K, Mat A, PetscObjectId id, PetscObjectState values,
                                 int *facts)
{
  ovkpetsc_sampled *last = &K->now.sample;
  bool sampled, symmetric;
  PetscFunctionBegin;
  if (last->A != id || (K->now.quick.presumes && last->values != values)) {
    PetscCall(ovkpetsc_sample(A, &sampled, &symmetric));
    const int shown = !sampled ? OVKPETSC_NOT_SAMPLED : symmetric ? 0 : OVKPETSC_UNSYMMETRIC;
    *last = (ovkpetsc_sampled){shown, id, values};
  }
  *facts |= last->facts;
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_quick_facts(KSP ksp, Mat A, const ovkpetsc_made_for *made_for,
                                    PetscObjectState values, int *facts)
{
  ksp_ovk *K = ksp->data;
  const bool has_norm = made_for->norm != OVK_NORM_NATURAL;
  PetscBool differences;
  PetscFunctionBegin;
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMFFD, &differences));
  *facts = made_for->spd ? OVKPETSC_DEFINITE : OVKPETSC_NOT_DEFINITE;
  if (differences) *facts |= OVKPETSC_DIFFERENCES;
  if (!ovkpetsc_method_is_open(K) || made_for->symmetric) *facts |= OVKPETSC_NOT_QUICK;
  if (!made_for->spd && !has_norm) *facts |= OVKPETSC_NOT_QUICK; /* gmres has not this norm */
  if (made_for->spd || *facts & (OVKPETSC_NOT_QUICK | OVKPETSC_DIFFERENCES)) {
    *facts |= OVKPETSC_NOT_SAMPLED;
  } else {
    PetscCall(add_sample(K, A, made_for->A, values, facts));
  }
  PetscFunctionReturn(0);
}

/* Whether these facts and this PC leave no choice of a method here. */
static bool is_closed(const ksp_ovk *K)
{
  const int facts = K->now.quick.facts;
  const bool mixed = facts & OVKPETSC_DEFINITE && facts & OVKPETSC_NOT_DEFINITE;
  return K->now.quick.failed || K->now.made_for_columns || mixed ||
         K->now.pc_class & (OVKPETSC_ONE_SIDED | OVKPETSC_VARIES) || facts & OVKPETSC_NOT_QUICK;
}

bool ovkpetsc_quick_is_definite(const ksp_ovk *K)
{
  return !is_closed(K) && K->now.quick.facts & OVKPETSC_DEFINITE;
}

static void set_quick(ksp_ovk *K, const char *method, const char *why)
{
  K->now.quick.method = method;
  K->now.quick.why = why;
  K->now.quick.restarts = method == GMRES;
}

PetscErrorCode ovkpetsc_quick_choose(KSP ksp)
{
  ksp_ovk *K = ksp->data;
  const int facts = K->now.quick.facts;
  const bool unsymmetric = facts & (OVKPETSC_DIFFERENCES | OVKPETSC_UNSYMMETRIC);
  const bool few_rows = K->now.expected.few_rows;
  double asymmetry = 1;
  PetscFunctionBegin;
  set_quick(K, NULL, NULL);
  K->now.quick.presumes = false;
  if (!K->now.in_place || is_closed(K)) PetscFunctionReturn(0);
  if (facts & OVKPETSC_DEFINITE) {
    set_quick(K, few_rows ? "two-reductions" : "cg",
              "the options declare A positive definite, and few products are expected");
    PetscFunctionReturn(0);
  }
  if (K->now.pc_class & OVKPETSC_STRONG && !few_rows && !(facts & OVKPETSC_SAMPLE_FACTS)) {
    set_quick(K, "cg", "a sample of the rows of A is symmetric, and few products are expected");
    K->now.quick.presumes = true;
    PetscFunctionReturn(0);
  }
  if (!(few_rows || unsymmetric)) PetscFunctionReturn(0);
  if (!unsymmetric) {
    OVKPETSC_CALL(ksp, K->context->ctx, ovk_mat_asymmetry(K->now.A, &asymmetry));
  }
  if (asymmetry > SYMMETRIC) set_quick(K, GMRES, FEW_AND_UNSYMMETRIC);
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_pc_is_diagonal(PC pc, PetscBool *is)
{
  PetscFunctionBegin;
  PetscCall(PetscObjectTypeCompareAny((PetscObject)pc, is, PCNONE, PCJACOBI, PCPBJACOBI,
                                      PCVPBJACOBI, ""));
  PetscFunctionReturn(0);
}

/* Whether a copy has dense rows, and a PC that takes as long. */
static PetscErrorCode has_long_products(KSP ksp, bool *has)
{
  const ksp_ovk *K = ksp->data;
  PetscBool diagonal;
  PetscFunctionBegin;
  PetscCall(ovkpetsc_pc_is_diagonal(ksp->pc, &diagonal));
  const bool dense = ovk_mat_nnz(K->now.A) >= DENSE_ROW * ovk_mat_size(K->now.A);
  *has = dense && !diagonal && !K->precond;
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_quick_revise(KSP ksp, bool *revised)
{
  ksp_ovk *K = ksp->data;
  bool is_long = false;
  const bool off =
      K->now.quick.failed || K->now.made_for_columns || (K->now.quick.facts & OVKPETSC_NOT_QUICK);
  PetscFunctionBegin;
  *revised = false;
  if (K->now.quick.method || off) PetscFunctionReturn(0);
  if (!strstr(ovk_solver_method(K->now.solver), "bcgs")) PetscFunctionReturn(0);
  PetscCall(has_long_products(ksp, &is_long));
  *revised = K->now.in_place || is_long;
  if (*revised) {
    set_quick(K, GMRES,
              K->now.in_place ? FEW_AND_UNSYMMETRIC : "products take long, and A is not symmetric");
  }
  PetscFunctionReturn(0);
}

int ovkpetsc_quick_maxit(const ksp_ovk *K, int maxit)
{
  return K->now.quick.restarts && maxit > CYCLES * RESTART ? CYCLES * RESTART : maxit;
}

PetscErrorCode ovkpetsc_quick_verify(KSP ksp, int iteration)
{
  ksp_ovk *K = ksp->data;
  double asymmetry;
  PetscFunctionBegin;
  if (!K->now.quick.presumes || iteration != LONG) PetscFunctionReturn(0);
  OVKPETSC_CALL(ksp, K->context->ctx, ovk_mat_asymmetry(K->now.A, &asymmetry));
  K->now.quick.refuted = asymmetry > SYMMETRIC;
  PetscFunctionReturn(0);
}

/* Whether conjugate gradients have failed as they do if A is not symmetric positive definite. */
static bool has_broken_down(ovk_reason reason)
{
  return reason == OVK_REASON_BREAKDOWN_INDEFINITE_A ||
         reason == OVK_REASON_BREAKDOWN_INDEFINITE_M || reason == OVK_REASON_DIVERGED;
}

bool ovkpetsc_quick_ends(KSP ksp, const ovk_result *res)
{
  ovkpetsc_quick *quick = &((ksp_ovk *)ksp->data)->now.quick;
  const bool all = res->reason == OVK_REASON_MAXIT && res->iterations < ksp->max_it;
  const bool ends = (quick->restarts && (all || res->reason == OVK_REASON_STAGNATED_RESTART)) ||
                    (quick->presumes && (quick->refuted || has_broken_down(res->reason)));
  quick->refuted = false;
  if (ends) quick->failed = true;
  return ends;
}
