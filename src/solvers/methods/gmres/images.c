/* SPDX-License-Identifier: BSD-2-Clause */
/* For the gmres methods: images of vectors of the basis, their inner products, and the origin of
 * those that are not finite. */
#include "solvers/convergence/diagnose.h"
#include "solvers/methods/gmres/gmres_state.h"
#include "solvers/ops/marks.h"
#include "solvers/ops/ops_impl.h"

#include <math.h>

bool ovk__gmres_M_is_identity(const ovk_solver *S)
{
  return S->D.d && S->D.constant && S->D.d[0] == 1;
}

/* The vector between M^-1 and A in ovk__gmres_image(); NULL: M^-1 v is v on this rank. */
static const ovk_vec *gmres_intermediate(const ovk_solver *S, const ovk__gmres *G, int j)
{
  if (ovk__gmres_M_is_identity(S)) return NULL;
  return G->flexible ? G->Z[j] : G->p;
}

void ovk__gmres_image(ovk_solver *S, ovk__gmres *G, int j, const ovk_vec *u, ovk_vec *z,
                      ovk_poll poll)
{
  ovk_vec *p = G->flexible ? G->Z[j] : G->p;
  if (ovk__gmres_M_is_identity(S) && !G->flexible) {
    ovk__op_product(S, u, z, poll);
  } else if (G->left) {
    ovk__op_product(S, u, p, poll); /* p = A u */
    ovk__op_apply(S, p, z, poll);   /* z = M^-1 p */
  } else {
    ovk__op_apply(S, u, p, poll);   /* p = M^-1 u */
    ovk__op_product(S, p, z, poll); /* z = A p */
  }
}

void ovk__gmres_clear_dots(ovk__gmres *G)
{
  for (int i = 0; i < ovk__basis_vu(G->restart); i++) G->dots[i] = 0;
}

void ovk__gmres_mark(ovk_solver *S, ovk__gmres *G, int k, const double *u, const double *z)
{
  enum { MOST = OVK__MOST_PAIRS / 2 };
  const double start = ovk__op_now(S), *vectors[2] = {u, z};
  const int both = z ? 2 : 1;
  for (int i = -1, some; i < k; i += some) { /* u, then the basis: some vectors in a sweep */
    ovk__pair pairs[OVK__MOST_PAIRS];
    double parts[OVK__MOST_PAIRS];
    some = k - i < MOST ? k - i : MOST;
    for (int n = 0; n < some * both; n++) {
      const int j = i + n / both;
      pairs[n] = ovk__pair_of(j < 0 ? u : (const double *)G->v[j], vectors[n % both]);
    }
    ovk__mark_pairs(S, some * both, pairs, parts);
    for (int n = 0; n < some * both; n++) {
      const int j = i + n / both;
      G->dots[(j < 0 ? OVK__BASIS_UU : ovk__basis_vu(j)) + n % both] = parts[n];
    }
  }
  ovk__op_log(S, OVK_EVENT_VECTOR, start);
}

void ovk__gmres_dots(ovk_solver *S, ovk__gmres *G, int k, const ovk_vec *u, const ovk_vec *z)
{
  ovk__gmres_clear_dots(G);
  if (S->marks) {
    ovk__gmres_mark(S, G, k, u->array, z ? z->array : NULL);
    return;
  }
  OVK_SWEEP(
      S, ovk__basis_dots(rows(S), k, G->basis, u->array, z ? z->array : NULL, G->lanes, G->dots));
}

bool ovk__gmres_finite(const ovk__gmres *G, int k)
{
  double all = 0;
  for (int i = 0; i < ovk__basis_vu(k); i++) all += fabs(G->dots[i]);
  return isfinite(all);
}

/* At the start of a later cycle the last update of x may be the origin: it is undone. */
static ovk_err gmres_diagnose_start(ovk_solver *S, ovk__gmres *G)
{
  const ovk__bad_sum sum = {"(b - A x, b - A x)",
                            G->V[0],
                            G->V[0],
                            S->counts.iterations + 1,
                            {{S->x, "the preconditioner's output, as x has it"},
                             {G->V[0], "the product A x"},
                             {G->z, "the preconditioned product"}}};
  OVK_TRY(ovk__diagnose_value(S, &sum));
  if (G->cycles == 0) return OVK_OK;
  S->norms.rr = G->start_norm * G->start_norm;
  ovk__vec_copy(G->old_x, S->x);
  return OVK_OK;
}

static ovk_err gmres_diagnose_image(ovk_solver *S, ovk__gmres *G, int j, const ovk_vec *u,
                                    const ovk_vec *image)
{
  const ovk_vec *p = gmres_intermediate(S, G, j);
  const char *M = "the preconditioner's output", *A = "the product of A";
  const ovk__bad_sum sum = {"(v, w) of an image w",
                            u,
                            image,
                            S->counts.iterations + 1,
                            {{p, G->left ? "the product A v" : M},
                             {image, G->left && p ? M : A},
                             {G->z, "the preconditioned product"}}};
  return ovk__diagnose_value(S, &sum);
}

void ovk__gmres_diagnose(ovk_solver *S, ovk__gmres *G, int j, const ovk_vec *u,
                         const ovk_vec *image)
{
  ovk__op_record_error(S, image ? gmres_diagnose_image(S, G, j, u, image)
                                : gmres_diagnose_start(S, G));
  if (!image) G->columns = 0;
  G->ended = true;
}
