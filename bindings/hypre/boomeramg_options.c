/* SPDX-License-Identifier: BSD-2-Clause */
/* The keys of "boomeramg", each with the function of hypre that sets its value. Defaults are those
 * of hypre: one V-cycle with l1 Gauss-Seidel, forward before (13) and backward after (14) the
 * coarse correction. It is symmetric except for the coarsest level. */
#include "boomeramg.h"

#include <stdlib.h>
#include <string.h>

enum { DOWN = 1, UP = 2, COARSEST = 3 };
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

/* The types that hypre numbers. */
#define RELAXATIONS "0", "3", "4", "6", "7", "8", "13", "14", "16", "18"

/* Defaults below the bounds: those of hypre stand. */
const ovk_option ovk__boomeramg_options[] = {
    OVK_INTEGER("cycles", 1, 1000, -1, "V-cycles of an application"),
    OVK_INTEGER("levels", 1, 100, -1, "most levels"),
    OVK_INTEGER("coarse-size", 1, 100000, -1, "most rows of the coarsest level"),
    OVK_WORD("coarsen", -1, "coarsening", "0", "3", "6", "7", "8", "10", "21", "22"),
    OVK_INTEGER("agg-levels", 0, 100, -1, "levels with aggressive coarsening"),
    OVK_INTEGER("agg-interp", 1, 7, -1, "interpolation of aggressive coarsening"),
    OVK_INTEGER("agg-pmax", 0, 1000, -1, "most entries of a row of that interpolation"),
    OVK_WORD("interp", -1, "interpolation", "0", "3", "4", "5", "6", "7", "8", "9", "12", "13",
             "14", "16", "17", "18"),
    OVK_INTEGER("pmax", 0, 1000, -1, "most entries of a row of the interpolation"),
    OVK_INTEGER("functions", 1, 100, 0, "unknowns of a node, by default the block size"),
    OVK_WORD("nodal", -1, "nodal coarsening", "0", "1", "2", "3", "4", "6"),
    OVK_INTEGER("sweeps", 1, 100, -1, "sweeps of the relaxation"),
    OVK_WORD("relax", -1, "relaxation on the way down", RELAXATIONS),
    OVK_WORD("relax-up", -1, "relaxation on the way up", RELAXATIONS),
    OVK_WORD("relax-coarse", -1, "relaxation on the coarsest level", "0", "3", "4", "6", "7", "8",
             "9", "13", "14", "16", "18"),
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

typedef struct setter {
  const char *key;
  HYPRE_Int (*whole)(HYPRE_Solver, HYPRE_Int);
  HYPRE_Int (*real)(HYPRE_Solver, HYPRE_Real);
} setter;

static const setter setters[] = {
    {"cycles", HYPRE_BoomerAMGSetMaxIter, NULL},
    {"levels", HYPRE_BoomerAMGSetMaxLevels, NULL},
    {"coarse-size", HYPRE_BoomerAMGSetMaxCoarseSize, NULL},
    {"coarsen", HYPRE_BoomerAMGSetCoarsenType, NULL},
    {"agg-levels", HYPRE_BoomerAMGSetAggNumLevels, NULL},
    {"agg-interp", HYPRE_BoomerAMGSetAggInterpType, NULL},
    {"agg-pmax", HYPRE_BoomerAMGSetAggPMaxElmts, NULL},
    {"interp", HYPRE_BoomerAMGSetInterpType, NULL},
    {"pmax", HYPRE_BoomerAMGSetPMaxElmts, NULL},
    {"functions", HYPRE_BoomerAMGSetNumFunctions, NULL},
    {"nodal", HYPRE_BoomerAMGSetNodal, NULL},
    {"sweeps", HYPRE_BoomerAMGSetNumSweeps, NULL},
    {"relax", set_relax, NULL},
    {"relax-up", set_relax_up, NULL},
    {"relax-coarse", set_relax_coarse, NULL},
    {"relax-order", HYPRE_BoomerAMGSetRelaxOrder, NULL},
    {"cheby-degree", HYPRE_BoomerAMGSetChebyOrder, NULL},
    {"strong", NULL, HYPRE_BoomerAMGSetStrongThreshold},
    {"max-row-sum", NULL, HYPRE_BoomerAMGSetMaxRowSum},
    {"trunc", NULL, HYPRE_BoomerAMGSetTruncFactor},
    {"agg-trunc", NULL, HYPRE_BoomerAMGSetAggTruncFactor},
    {"weight", NULL, HYPRE_BoomerAMGSetRelaxWt},
    {"outer-weight", NULL, HYPRE_BoomerAMGSetOuterWt},
    {"cheby-fraction", NULL, HYPRE_BoomerAMGSetChebyFraction},
};

/* The whole number of a key, which may be one of some words. */
static ovk_err get_whole(ovk_ctx *ctx, const ovk_spec *spec, const char *key, long *value)
{
  const ovk_option *option = ovk__boomeramg_options;
  int word = 0;
  while (strcmp(option->name, key) != 0) option++;
  if (!option->words) return ovk_spec_int(ctx, spec, ovk__boomeramg_options, key, value);
  OVK_TRY(ovk_spec_word(ctx, spec, ovk__boomeramg_options, key, &word));
  *value = strtol(option->words[word], NULL, 10);
  return OVK_OK;
}

static ovk_err set_option(ovk_ctx *ctx, const ovk_spec *spec, const setter *s, HYPRE_Solver solver)
{
  long whole = 0;
  double real = 0;
  if (!ovk_spec_has(spec, s->key)) return OVK_OK;
  if (s->whole) {
    OVK_TRY(get_whole(ctx, spec, s->key, &whole));
    OVK_TRY_HYPRE(ctx, s->whole(solver, (HYPRE_Int)whole));
  } else {
    OVK_TRY(ovk_spec_double(ctx, spec, ovk__boomeramg_options, s->key, &real));
    OVK_TRY_HYPRE(ctx, s->real(solver, real));
  }
  return OVK_OK;
}

static ovk_err set_options(ovk_ctx *ctx, const ovk_spec *spec, HYPRE_Solver solver)
{
  OVK_TRY_HYPRE(ctx, HYPRE_BoomerAMGSetTol(solver, 0));
  OVK_TRY_HYPRE(ctx, HYPRE_BoomerAMGSetMaxIter(solver, 1));
  OVK_TRY_HYPRE(ctx, HYPRE_BoomerAMGSetPrintLevel(solver, 0));
  OVK_TRY_HYPRE(ctx, set_relax(solver, L1_FORWARD));
  for (size_t k = 0; k < sizeof setters / sizeof *setters; k++) {
    OVK_TRY(set_option(ctx, spec, &setters[k], solver));
  }
  return OVK_OK;
}

/* If the number of levels is limited, the coarsest one is large. By default hypre uses the forward
 * relaxation there. */
static ovk_err set_coarsest(ovk_ctx *ctx, const ovk_spec *spec, HYPRE_Solver solver)
{
  long relax = L1_FORWARD;
  if (!ovk_spec_has(spec, "levels") || ovk_spec_has(spec, "relax-coarse")) return OVK_OK;
  if (ovk_spec_has(spec, "relax")) OVK_TRY(get_whole(ctx, spec, "relax", &relax));
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
