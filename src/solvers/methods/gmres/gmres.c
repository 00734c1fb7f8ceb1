/* SPDX-License-Identifier: BSD-2-Clause */
/* GMRES with restarts (Saad and Schultz, "GMRES: a generalized minimal residual algorithm for
 * solving nonsymmetric linear systems", 1986), and its form for preconditioners that change (Saad,
 * "A flexible inner-outer preconditioned GMRES algorithm", 1993). The Gram-Schmidt processes are in
 * delayed.c and reference.c. The numbers of all gmres methods are allocated here when a solver is
 * made: a solve allocates nothing. */
#include "core/context/check.h"
#include "solvers/methods/gmres/gmres_state.h"
#include "solvers/state/method_options.h"

#include <stdlib.h>

static ovk_err gmres_iterate(ovk_solver *S)
{
  return ovk__gmres_iterate(S, false,
                            S->settings.ortho == OVK__DCGS2 ? ovk__gmres_delayed_cycle
                                                            : ovk__gmres_reference_cycle);
}

static ovk_err fgmres_iterate(ovk_solver *S)
{
  return ovk__gmres_iterate(S, true, ovk__gmres_delayed_cycle);
}

size_t ovk__gmres_count_numbers(int restart)
{
  return ovk__basis_lanes(restart) + ovk__hessenberg_size(restart) +
         (size_t)ovk__basis_vu(restart) + 5 * ((size_t)restart + 1);
}

void ovk__gmres_place_numbers(ovk__gmres *G)
{
  const size_t row = (size_t)G->restart + 1;
  ovk__hessenberg_place(&G->P, G->restart, G->numbers);
  G->dots = G->numbers + ovk__hessenberg_size(G->restart);
  G->s = G->dots + (size_t)ovk__basis_vu(G->restart);
  G->t = G->s + row;
  G->c = G->t + row;
  G->h = G->c + row;
  G->inverse = G->h + row;
  G->lanes = G->inverse + row;
}

ovk_err ovk__gmres_open(ovk_solver *S)
{
  const int restart = S->settings.restart;
  ovk__gmres *G = calloc(1, sizeof *G);
  S->own = G;
  if (G) {
    G->restart = restart;
    G->v = calloc((size_t)restart + 1, sizeof *G->v);
    G->numbers = calloc(ovk__gmres_count_numbers(restart), sizeof *G->numbers);
  }
  OVK_CHECK(G && G->v && G->numbers, S->ctx, OVK_ERR_MEMORY, "no memory for %d columns of gmres",
            restart);
  G->basis = (ovk__basis){.v = G->v, .single = S->settings.basis_float};
  ovk__gmres_place_numbers(G);
  /* the origin of a NaN is looked for in it, also where no cycle writes it */
  return ovk_vec_fill(S->work[ovk__basis_vectors(&S->settings) + OVK__GMRES_Z], 0);
}

void ovk__gmres_close(ovk_solver *S)
{
  ovk__gmres *G = S->own;
  if (!G) return;
  free(G->numbers);
  free(G->v);
  free(G);
  S->own = NULL;
}

/* The phases with ortho=dcgs2, in the middle of a cycle of 30 columns. */
static const ovk__phase phases[] = {
    {.kind = OVK__PRECOND, .doubles = {0, 4, 0}},
    {.kind = OVK__PRODUCT},
    {.kind = OVK__UPDATE, .doubles = {17, 17, 17}, .dots = 32},
    {.kind = OVK__BEGIN},
    {.kind = OVK__WAIT},
    {.kind = OVK__UPDATE, .doubles = {20, 20, 20}},
    {.kind = OVK__NO_PHASE},
};

static const ovk_option options[] = {
    OVK__RESTART_OPTION,
    OVK_WORD("ortho", OVK__DCGS2,
             "Gram-Schmidt: repeated later, at once, never but modified, or where that is needed",
             "dcgs2", "cgs2", "mgs", "cgs"),
    OVK__SIDE_OPTION, OVK_WORD("basis", 0, "precision of the stored basis", "double", "float"),
    OVK_OPTIONS_END};
static const ovk_option flexible_options[] = {OVK__RESTART_OPTION, OVK_OPTIONS_END};

const ovk__method ovk__method_gmres = {
    .name = "gmres",
    .summary = "restarted GMRES, for any matrix; 1 blocking reduction with ortho=dcgs2",
    .A = OVK__A_ANY,
    .refused_norms = {OVK__RIGHT_REFUSES, OVK__LEFT_REFUSES},
    .keys = options,
    .vectors = OVK__GMRES_VECTORS,
    .vectors_per_restart = 1,
    .sums = {[OVK__GMRES_DOTS] = {.count = OVK__GMRES_DOTS_SIZE,
                                  .per_restart = OVK__GMRES_DOTS_PER_RESTART,
                                  .status = true},
             [OVK__GMRES_DOT] = {.count = 1, .status = true}},
    .reductions_per_iteration = 1,
    .phases = phases,
    .open = ovk__gmres_open,
    .close = ovk__gmres_close,
    .complete = ovk__gmres_complete,
    .iterate = gmres_iterate,
    .many = &ovk__many_gmres,
};

const ovk__method ovk__method_fgmres = {
    .name = "fgmres",
    .aliases = "flexgmres",
    .summary =
        "flexible GMRES, for a variable preconditioner; 1 blocking reduction, twice the vectors",
    .A = OVK__A_ANY,
    .refused_norms = {OVK__RIGHT_REFUSES},
    .keys = flexible_options,
    .vectors = OVK__GMRES_VECTORS,
    .vectors_per_restart = 2,
    .sums = {[OVK__GMRES_DOTS] = {.count = OVK__GMRES_DOTS_SIZE,
                                  .per_restart = OVK__GMRES_DOTS_PER_RESTART,
                                  .status = true}},
    .reductions_per_iteration = 1,
    .phases = phases,
    .open = ovk__gmres_open,
    .close = ovk__gmres_close,
    .complete = ovk__gmres_complete,
    .iterate = fgmres_iterate,
};
