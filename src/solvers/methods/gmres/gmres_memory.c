/* SPDX-License-Identifier: BSD-2-Clause */
/* The numbers of the gmres methods, allocated when a solver is made: a solve allocates nothing. */
#include "base/check.h"
#include "solvers/methods/gmres/gmres_state.h"

#include <stdlib.h>

static size_t count_numbers(int restart)
{
  return ovk__basis_lanes(restart) + ovk__hessenberg_size(restart) +
         (size_t)ovk__basis_vu(restart) + 5 * ((size_t)restart + 1);
}

static void place_numbers(ovk__gmres *G)
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
    G->numbers = calloc(count_numbers(restart), sizeof *G->numbers);
  }
  OVK_CHECK(G && G->v && G->numbers, S->ctx, OVK_ERR_MEMORY, "no memory for %d columns of gmres",
            restart);
  G->basis = (ovk__basis){.v = G->v, .single = S->settings.single};
  place_numbers(G);
  return OVK_OK;
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
