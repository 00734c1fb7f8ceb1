/* SPDX-License-Identifier: BSD-2-Clause */
/* The keys of "boomeramg", each with the function of hypre that sets its value. Defaults are those
 * of hypre: one V-cycle with l1 Gauss-Seidel, forward before (13) and backward after (14) the
 * coarse correction. It is symmetric except for the coarsest level. */
#include "boomeramg.h"

#include <stdio.h>
#include <string.h>

enum { DOWN = 1, UP = 2, COARSEST = 3, MOST_CHOICES = 20 };

/* A whole number: any within the bounds, or one of `choices`. */
typedef struct whole {
  const char *key;
  HYPRE_Int (*set)(HYPRE_Solver, HYPRE_Int);
  int nchoices; /* 0: any */
  int choices[MOST_CHOICES];
} whole;

typedef struct real {
  const char *key;
  HYPRE_Int (*set)(HYPRE_Solver, HYPRE_Real);
} real;

enum { FORWARD = 3, BACKWARD = 4, SYMMETRIC = 6, L1_FORWARD = 13, L1_BACKWARD = 14 };

/* The relaxation without a direction: hypre relaxes so on a coarsest level that has more rows than
 * coarse-size. By default it takes FORWARD there, with which the cycle is not symmetric. */
static HYPRE_Int without_direction(HYPRE_Int type)
{
  const bool directed =
      type == FORWARD || type == BACKWARD || type == L1_FORWARD || type == L1_BACKWARD;
  return directed ? SYMMETRIC : type;
}

static HYPRE_Int set_relax(HYPRE_Solver solver, HYPRE_Int type)
{
  const HYPRE_Int up = type == FORWARD ? BACKWARD : type == L1_FORWARD ? L1_BACKWARD : type;
  (void)HYPRE_BoomerAMGSetRelaxType(solver, without_direction(type));
  (void)HYPRE_BoomerAMGSetCycleRelaxType(solver, type, DOWN);
  return HYPRE_BoomerAMGSetCycleRelaxType(solver, up, UP);
}

static HYPRE_Int set_relax_up(HYPRE_Solver solver, HYPRE_Int type)
{
  return HYPRE_BoomerAMGSetCycleRelaxType(solver, type, UP);
}

static HYPRE_Int set_relax_coarse(HYPRE_Solver solver, HYPRE_Int type)
{
  return HYPRE_BoomerAMGSetCycleRelaxType(solver, type, COARSEST);
}

/* clang-format off */
#define RELAXATIONS 10, {0, 3, 4, 6, 7, 8, 13, 14, 16, 18}

static const whole wholes[] = {
    {"cycles", HYPRE_BoomerAMGSetMaxIter, 0, {0}},
    {"levels", HYPRE_BoomerAMGSetMaxLevels, 0, {0}},
    {"coarse-size", HYPRE_BoomerAMGSetMaxCoarseSize, 0, {0}},
    {"coarsen", HYPRE_BoomerAMGSetCoarsenType, 8, {0, 3, 6, 7, 8, 10, 21, 22}},
    {"agg-levels", HYPRE_BoomerAMGSetAggNumLevels, 0, {0}},
    {"agg-interp", HYPRE_BoomerAMGSetAggInterpType, 0, {0}},
    {"agg-pmax", HYPRE_BoomerAMGSetAggPMaxElmts, 0, {0}},
    {"interp", HYPRE_BoomerAMGSetInterpType, 14,
     {0, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14, 16, 17, 18}},
    {"pmax", HYPRE_BoomerAMGSetPMaxElmts, 0, {0}},
    {"functions", HYPRE_BoomerAMGSetNumFunctions, 0, {0}},
    {"nodal", HYPRE_BoomerAMGSetNodal, 6, {0, 1, 2, 3, 4, 6}},
    {"sweeps", HYPRE_BoomerAMGSetNumSweeps, 0, {0}},
    {"relax", set_relax, RELAXATIONS},
    {"relax-up", set_relax_up, RELAXATIONS},
    {"relax-coarse", set_relax_coarse, 11, {0, 3, 4, 6, 7, 8, 9, 13, 14, 16, 18}},
    {"relax-order", HYPRE_BoomerAMGSetRelaxOrder, 0, {0}},
    {"cheby-degree", HYPRE_BoomerAMGSetChebyOrder, 0, {0}},
};
/* clang-format on */

static const real reals[] = {
    {"strong", HYPRE_BoomerAMGSetStrongThreshold},
    {"max-row-sum", HYPRE_BoomerAMGSetMaxRowSum},
    {"trunc", HYPRE_BoomerAMGSetTruncFactor},
    {"agg-trunc", HYPRE_BoomerAMGSetAggTruncFactor},
    {"weight", HYPRE_BoomerAMGSetRelaxWt},
    {"outer-weight", HYPRE_BoomerAMGSetOuterWt},
    {"cheby-fraction", HYPRE_BoomerAMGSetChebyFraction},
};

/* Defaults below the bounds: those of hypre stand. */
const ovk_option ovk__boomeramg_options[] = {
    OVK_INTEGER("cycles", 1, 1000, -1, "V-cycles of an application"),
    OVK_INTEGER("levels", 1, 100, -1, "most levels"),
    OVK_INTEGER("coarse-size", 1, 100000, -1, "most rows of the coarsest level"),
    OVK_INTEGER("coarsen", 0, 22, -1, "coarsening"),
    OVK_INTEGER("agg-levels", 0, 100, -1, "levels with aggressive coarsening"),
    OVK_INTEGER("agg-interp", 1, 7, -1, "interpolation of aggressive coarsening"),
    OVK_INTEGER("agg-pmax", 0, 1000, -1, "most entries of a row of that interpolation"),
    OVK_INTEGER("interp", 0, 18, -1, "interpolation"),
    OVK_INTEGER("pmax", 0, 1000, -1, "most entries of a row of the interpolation"),
    OVK_INTEGER("functions", 1, 100, 0, "unknowns of a node, by default the block size"),
    OVK_INTEGER("nodal", 0, 6, -1, "nodal coarsening"),
    OVK_INTEGER("sweeps", 1, 100, -1, "sweeps of the relaxation"),
    OVK_INTEGER("relax", 0, 18, -1, "relaxation on the way down"),
    OVK_INTEGER("relax-up", 0, 18, -1, "relaxation on the way up"),
    OVK_INTEGER("relax-coarse", 0, 18, -1, "relaxation on the coarsest level"),
    OVK_INTEGER("relax-order", 0, 1, -1, "1: C points first"),
    OVK_INTEGER("cheby-degree", 1, 4, -1, "degree of Chebyshev relaxation"),
    OVK_REAL("strong", 0, 1, -1, "strength threshold"),
    OVK_REAL("max-row-sum", 0, 1, -1, "row sum above which a row has no strong entries"),
    OVK_REAL("trunc", 0, 1, -1, "truncation of the interpolation"),
    OVK_REAL("agg-trunc", 0, 1, -1, "truncation of the aggressive interpolation"),
    OVK_REAL("weight", 0, 2, -1, "weight of the relaxation"),
    OVK_REAL("outer-weight", 0, 2, -1, "outer weight of the relaxation"),
    OVK_REAL("cheby-fraction", 0, 1, -1,
             "fraction of the spectrum that Chebyshev relaxation damps"),
    OVK_OPTIONS_END};

static ovk_err check_choice(ovk_ctx *ctx, const whole *w, long value)
{
  bool found = w->nchoices == 0;
  for (int k = 0; k < w->nchoices; k++) found = found || w->choices[k] == value;
  if (found) return OVK_OK;
  char text[128] = "";
  for (int k = 0; k < w->nchoices; k++) {
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, k ? ", %d" : "%d", w->choices[k]);
  }
  return ovk_ctx_fail(ctx, OVK_ERR_ARG, "boomeramg: %s is %ld, it must be one of %s", w->key, value,
                      text);
}

static ovk_err set_whole(ovk_ctx *ctx, const ovk_spec *spec, const whole *w, HYPRE_Solver solver)
{
  long value = 0;
  if (!ovk_spec_has(spec, w->key)) return OVK_OK;
  OVK_TRY(ovk_spec_int(ctx, spec, ovk__boomeramg_options, w->key, &value));
  OVK_TRY(check_choice(ctx, w, value));
  OVK_TRY_HYPRE(ctx, w->set(solver, (HYPRE_Int)value));
  return OVK_OK;
}

static ovk_err set_real(ovk_ctx *ctx, const ovk_spec *spec, const real *r, HYPRE_Solver solver)
{
  double value = 0;
  if (!ovk_spec_has(spec, r->key)) return OVK_OK;
  OVK_TRY(ovk_spec_double(ctx, spec, ovk__boomeramg_options, r->key, &value));
  OVK_TRY_HYPRE(ctx, r->set(solver, value));
  return OVK_OK;
}

static ovk_err set_options(ovk_ctx *ctx, const ovk_spec *spec, HYPRE_Solver solver)
{
  OVK_TRY_HYPRE(ctx, HYPRE_BoomerAMGSetTol(solver, 0));
  OVK_TRY_HYPRE(ctx, HYPRE_BoomerAMGSetMaxIter(solver, 1));
  OVK_TRY_HYPRE(ctx, HYPRE_BoomerAMGSetPrintLevel(solver, 0));
  OVK_TRY_HYPRE(ctx, set_relax(solver, L1_FORWARD));
  for (size_t k = 0; k < sizeof wholes / sizeof *wholes; k++) {
    OVK_TRY(set_whole(ctx, spec, &wholes[k], solver));
  }
  for (size_t k = 0; k < sizeof reals / sizeof *reals; k++) {
    OVK_TRY(set_real(ctx, spec, &reals[k], solver));
  }
  return OVK_OK;
}

/* If the number of levels is limited, the coarsest one is large. By default hypre uses the forward
 * relaxation there. */
static ovk_err set_coarsest(ovk_ctx *ctx, const ovk_spec *spec, HYPRE_Solver solver)
{
  long relax = L1_FORWARD;
  if (!ovk_spec_has(spec, "levels") || ovk_spec_has(spec, "relax-coarse")) return OVK_OK;
  if (ovk_spec_has(spec, "relax")) {
    OVK_TRY(ovk_spec_int(ctx, spec, ovk__boomeramg_options, "relax", &relax));
  }
  OVK_TRY_HYPRE(ctx, set_relax_coarse(solver, without_direction((HYPRE_Int)relax)));
  return OVK_OK;
}

ovk_err ovk__boomeramg_create(ovk_ctx *ctx, const ovk_spec *spec, HYPRE_Solver *out)
{
  *out = NULL;
  OVK_TRY_HYPRE(ctx, HYPRE_BoomerAMGCreate(out));
  ovk_err err = set_options(ctx, spec, *out);
  if (!err) err = set_coarsest(ctx, spec, *out);
  if (!err) return OVK_OK;
  (void)HYPRE_BoomerAMGDestroy(*out);
  *out = NULL;
  return err;
}
