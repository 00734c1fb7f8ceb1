/* SPDX-License-Identifier: BSD-2-Clause */
/* The cycles of the gmres methods: starts, columns, tests and ends; images.c has the images. The
 * residual at each start is recomputed, so errors of a cycle do not persist. */
#include "core/context/agree.h"
#include "solvers/convergence/convergence.h"
#include "solvers/convergence/diagnose.h"
#include "solvers/methods/gmres/gmres_state.h"
#include "solvers/ops/dots.h"
#include "solvers/ops/marks.h"
#include "solvers/ops/ops_impl.h"
#include "solvers/ops/scale.h"

#include <float.h>
#include <math.h>

/* A cycle that has not reduced ||r|| below this fraction has gained only rounding errors. */
static const double NO_GAIN = 1 - 1e-6;

/* A pipeline is abandoned if ||r|| is above LITTLE after a cycle, but below MUCH according to its
 * recurrences. */
static const double LITTLE = 0.5, MUCH = 0.25;

/* If the space is exhausted, a diagonal entry of R below this fraction of H is treated as 0. */
static const double SINGULAR = 1e-13;
static const double REGULAR = 1e-15;

/* The rounding errors of a float as a multiple of a double's. */
static const double SINGLE = (double)FLT_EPSILON / DBL_EPSILON;

/* The place of v_k in a basis in single precision; the last vector is not stored. */
static void *gmres_float_array(const ovk_solver *S, int k)
{
  if (k == S->settings.restart) return NULL;
  float *both = (float *)S->work[1 + k / 2]->array;
  return k % 2 ? both + rows(S) : both;
}

static ovk__gmres *gmres_setup(ovk_solver *S, bool flexible)
{
  ovk__gmres *G = S->own;
  const int m = G->restart;
  ovk_vec **others = S->work + ovk__basis_vectors(&S->settings);
  G->left = S->settings.left;
  G->flexible = flexible;
  G->V = S->work;
  G->old_x = others[OVK__GMRES_OLD_X];
  G->p = others[OVK__GMRES_P];
  G->z = others[OVK__GMRES_Z];
  G->q = !flexible && S->vectors == m + OVK__PGMRES_VECTORS ? others[OVK__PGMRES_Q] : NULL;
  G->Z = flexible ? others + OVK__GMRES_VECTORS : NULL;
  for (int k = 0; k <= m; k++) G->v[k] = G->basis.single ? gmres_float_array(S, k) : G->V[k]->array;
  G->cycles = G->columns = 0;
  G->given_up = false;
  return G;
}

void ovk__gmres_start(ovk_solver *S, ovk__gmres *G, double rr)
{
  const double norm = sqrt(rr), before = G->start_norm, expected = sqrt(S->norms.rr);
  const int iterations = S->counts.iterations - G->start;
  const bool first = G->cycles++ == 0;
  G->columns = 0;
  G->start_norm = norm;
  G->start = S->counts.iterations;
  if (first ? norm == 0
            : norm <= S->norms.tolerance) { /* without columns, so it is confirmed at once */
    G->given_up = true;
  } else if (!first && S->active->fallback) {
    G->given_up = norm > NO_GAIN * before || (norm > LITTLE * before && expected < MUCH * before);
  } else if (!first && norm > NO_GAIN * before) {
    ovk__stop(S, OVK_REASON_STAGNATED_RESTART,
              "%d iterations between restarts have not reduced ||b - A x|| = %g", iterations,
              ovk__scale_norm(S, norm));
  }
  G->ended = G->given_up || S->reason;
  S->norms.rr = rr;
  ovk__hessenberg_start(&G->P, norm);
}

/* p <- V y or Z y, of the first k columns; out <- the change of x */
static void gmres_find_update(ovk_solver *S, ovk__gmres *G, int k, ovk_vec *out)
{
  const double start = ovk__op_now(S);
  const bool direct = G->left || G->flexible || ovk__gmres_M_is_identity(S);
  ovk_vec *sum = direct ? out : G->p;
  ovk__hessenberg_solve(&G->P, k);
  (void)ovk_vec_fill(sum, 0);
  if (G->flexible) {
    for (int j = 0; j < k; j++) {
      void *const Zj = G->Z[j]->array;
      const double c = G->inverse[j] * G->P.y[j];
      ovk__basis_add(rows(S), 1, (ovk__basis){.v = &Zj}, &c, sum->array);
    }
  } else {
    ovk__basis_add(rows(S), k, G->basis, G->P.y, sum->array);
  }
  ovk__op_log(S, OVK_EVENT_VECTOR, start);
  if (!direct) ovk__op_apply(S, sum, out, ovk_poll_none());
}

/* Counts and tests an iteration. */
static ovk_err gmres_test(ovk_solver *S, ovk__gmres *G, int k)
{
  const int every = S->opts.true_residual_every;
  const double norm = ovk__hessenberg_residual(&G->P, k);
  ovk_vec *p = NULL;
  if (every && (S->counts.iterations + 1) % every == 0) {
    p = S->check[1];
    gmres_find_update(S, G, G->columns, p);
  }
  return ovk__convergence_test(S, norm * norm, G->p, 1, p);
}

ovk_err ovk__gmres_take_column(ovk_solver *S, ovk__gmres *G, int j, bool dependent)
{
  const double negligible = (dependent ? SINGULAR : REGULAR) * (G->basis.single ? SINGLE : 1);
  const bool regular = ovk__hessenberg_push(&G->P, j, negligible);
  if (regular) G->columns = j + 1;
  OVK_TRY(gmres_test(S, G, j + 1));
  const bool certain = dependent || !G->basis.single;
  if (!regular && certain && !S->reason && sqrt(S->norms.rr) > NO_GAIN * G->start_norm) {
    ovk__stop(
        S, OVK_REASON_SINGULAR,
        "A is singular on the Krylov space of b - A x, which has %d vectors: no x there makes "
        "||b - A x|| smaller than %g",
        j + 1, ovk__scale_norm(S, sqrt(S->norms.rr)));
  }
  G->ended = S->reason || !regular || dependent || j + 1 == G->restart;
  return OVK_OK;
}

/* V_0 <- b - A x, or M^-1 times it */
static void gmres_find_residual(ovk_solver *S, ovk__gmres *G, bool first)
{
  double bb;
  if (!first) (void)ovk__op_residual(S, S->x, G->V[0], &bb);
  if (!G->left || ovk__gmres_M_is_identity(S)) return;
  ovk_vec *z = first ? G->V[1] : G->z; /* the norm may have left it there */
  if (first) {
    ovk__op_apply_first(S, G->V[0], z);
  } else {
    ovk__op_apply(S, G->V[0], z, ovk_poll_none());
  }
  ovk__op_record_error(S, ovk_vec_copy(z, G->V[0]));
}

/* Whether all ranks know that the change of x is finite: from the left it is V y, and its norm that
 * of y. */
static bool gmres_update_is_finite(const ovk__gmres *G)
{
  double all = 0;
  for (int k = 0; k < G->columns; k++) all += fabs(G->P.y[k]);
  return isfinite(all) && G->left;
}

/* x <- x + V y. If this ends the method, M^-1 p must be finite. A cycle that follows detects that
 * with its first reduction, and has the old x. */
static ovk_err gmres_update_x(ovk_solver *S, ovk__gmres *G)
{
  gmres_find_update(S, G, G->columns, G->z);
  if (S->reason && !gmres_update_is_finite(G)) {
    double squares = ovk__part_dot(S, G->z->array, G->z->array);
    OVK_TRY(ovk__dots_total(S, 1, &squares, &squares));
    if (!isfinite(squares)) {
      S->norms.rr = G->start_norm * G->start_norm;
      return ovk__diagnose_value(S, &(ovk__bad_sum){"(M^-1 V y, M^-1 V y)",
                                                    G->z,
                                                    G->z,
                                                    S->counts.iterations,
                                                    {{G->z, "the preconditioner's output"}}});
    }
  }
  if (!S->reason) ovk__op_record_error(S, ovk_vec_copy(S->x, G->old_x));
  ovk__op_axpy(S, 1, G->z, S->x, ovk_poll_none());
  return OVK_OK;
}

ovk_err ovk__gmres_complete(ovk_solver *S, ovk_vec *x)
{
  ovk__gmres *G = S->own;
  ovk_vec *z = NULL;
  if (S->counts.iterations == 0 || !G->columns) return OVK_OK;
  OVK_TRY(ovk__agree(S->ctx, ovk_vec_duplicate(x, &z)));
  gmres_find_update(S, G, G->columns, z);
  const ovk_err err = ovk_vec_axpy(1, z, x);
  ovk_vec_destroy(&z);
  return ovk__agree(S->ctx, err);
}

ovk_err ovk__gmres_iterate(ovk_solver *S, bool flexible,
                           ovk_err (*cycle)(ovk_solver *, ovk__gmres *))
{
  ovk__gmres *G = gmres_setup(S, flexible);
  while (!S->reason && !G->given_up) {
    gmres_find_residual(S, G, G->cycles == 0);
    OVK_TRY(cycle(S, G));
    if (G->columns) OVK_TRY(gmres_update_x(S, G));
  }
  return OVK_OK;
}
