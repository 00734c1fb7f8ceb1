/* SPDX-License-Identifier: BSD-2-Clause */
/* GMRES with delayed reorthogonalization (delayed.c) for several right-hand sides at once: the
 * bases of all columns grow together, with one reduction for all inner products of a step. Each
 * column has its own Hessenberg matrix. Those that end a cycle early leave the block: with their x
 * if they have converged, else they continue by themselves from it. */
#include "solvers/kernels/many/basis_many.h"
#include "solvers/kernels/many/updates_many.h"
#include "solvers/many/columns.h"
#include "solvers/many/ops_many.h"
#include "solvers/methods/gmres/gmres_state.h"
#include "solvers/ops/ops_impl.h"

#include <string.h>

enum { DOTS };

/* The blocks: the basis V_0 to V_restart, then p and z. The rows of B->scalar, R = restart + 1: 2 R
 * for the inner products, R for s or y, R for t, 2 R for the memory of the sums. */
typedef struct basis {
  int restart;
  double **V, *p, *z;
  ovk__lane_values *dots, *s, *t;
  double *memory;
} basis;

static basis gmres_many_basis(ovk__many *B)
{
  const int R = B->S->settings.restart + 1;
  return (basis){.restart = R - 1,
                 .V = B->work,
                 .p = B->work[R],
                 .z = B->work[R + 1],
                 .dots = B->scalar,
                 .s = B->scalar + 2 * (ptrdiff_t)R,
                 .t = B->scalar + 3 * (ptrdiff_t)R,
                 .memory = *(B->scalar + 4 * (ptrdiff_t)R)};
}

static bool gmres_many_fit(const ovk_solver *S, ovk__many_form *form)
{
  const int R = S->settings.restart + 1;
  form->vectors = R + 2;
  form->sums[DOTS] = 2 * R;
  form->scalars = 6 * R;
  form->own = sizeof(ovk__gmres) + ovk__gmres_count_numbers(R - 1) * sizeof(double);
  return S->settings.ortho == OVK__DCGS2 && !S->settings.basis_float;
}

static void gmres_many_setup(ovk__many *B)
{
  for (int c = 0; c < B->width; c++) {
    if (!ovk__many_runs(B, c)) continue;
    ovk__gmres *G = B->lane[c]->own;
    *G = (ovk__gmres){.restart = B->S->settings.restart, .numbers = (double *)(G + 1)};
    ovk__gmres_place_numbers(G);
  }
}

/* V_0 = b - A x, or M^-1 times it */
static void gmres_many_residual(ovk__many *B, const basis *K, bool first)
{
  double ignored[2][OVK__WIDEST];
  if (!first) {
    ovk__many_gather(B, B->rhs, K->V[0]);
    ovk__many_op_product(B, B->x, K->z, ovk_poll_none());
    ovk__many_op_residual(B, K->z, K->V[0], ignored[0], ignored[1]);
  }
  if (!B->S->settings.left) return;
  ovk__many_op_precond(B, K->V[0], K->z);
  memcpy(K->V[0], K->z, (size_t)B->width * (size_t)rows(B->S) * sizeof *K->z);
}

/* z = B u */
static void gmres_many_image(ovk__many *B, const basis *K, const double *u)
{
  if (B->S->settings.left) {
    ovk__many_op_product(B, u, K->p, ovk_poll_none()); /* p = A u */
    ovk__many_op_precond(B, K->p, K->z);               /* z = M^-1 p */
  } else {
    ovk__many_op_precond(B, u, K->p);                     /* p = M^-1 u */
    ovk__many_op_product(B, K->p, K->z, ovk_poll_none()); /* z = A p */
  }
}

/* Whether the cycle of column c ends; where the column does not iterate on, its end. */
static bool gmres_many_end_column(ovk__many *B, int c, bool restarts)
{
  ovk__column *column = B->lane[c];
  const ovk__gmres *G = column->own;
  if (!G->ended) return false;
  if (column->solve.reason) {
    ovk__many_judge(column);
  } else if (G->given_up) {
    column->end = OVK__COLUMN_ENDED; /* to be confirmed at once */
  } else if (!restarts) {
    column->end = OVK__COLUMN_CONTINUES;
  }
  return true;
}

/* Completes column j - 1 of each H, and tests it; returns whether the cycle of any column ends. */
static ovk_err gmres_many_take(ovk__many *B, const basis *K, int j, bool *any_ends)
{
  *any_ends = false;
  for (int c = 0; c < B->width; c++) {
    if (!ovk__many_runs(B, c)) continue;
    ovk__column *column = B->lane[c];
    ovk__gmres *G = column->own;
    double alpha;
    for (int i = 0; i < 2 * (K->restart + 1); i++) G->dots[i] = K->dots[i][c];
    if (!ovk__gmres_finite(G, j)) {
      column->end = OVK__COLUMN_LEFT;
      continue;
    }
    OVK_TRY(ovk__gmres_reorthogonalise(&column->solve, G, j, &alpha));
    B->S->counts.iterations = column->solve.counts.iterations;
    if (gmres_many_end_column(B, c, j == K->restart)) *any_ends = true;
  }
  return OVK_OK;
}

/* x = x + M^-1 V y in the columns whose cycle ends, of j vectors; `out` is scratch */
static void gmres_many_update_x(ovk__many *B, const basis *K, int j, double *out)
{
  double one[OVK__WIDEST] = {0};
  memset(K->s, 0, (size_t)j * sizeof *K->s);
  for (int c = 0; c < B->width; c++) {
    ovk__gmres *G = B->lane[c] ? B->lane[c]->own : NULL;
    if (!G || !G->ended || B->lane[c]->end == OVK__COLUMN_LEFT) continue;
    one[c] = 1;
    ovk__hessenberg_solve(&G->P, G->columns);
    for (int i = 0; i < G->columns; i++) K->s[i][c] = G->P.y[i];
  }
  OVK_SWEEP(B->S, ovk__many_basis_sum(rows(B->S), B->width, j, K->V, *K->s, K->p));
  if (!B->S->settings.left) ovk__many_op_precond(B, K->p, out);
  ovk__many_op_axpy(B, one, B->S->settings.left ? K->p : out, B->x, ovk_poll_none());
}

/* V_j is made orthogonal a second time and normalized, V_j+1 = B V_j for the first time. */
static void gmres_many_extend(ovk__many *B, const basis *K, int j)
{
  double inverse[OVK__WIDEST];
  for (int c = 0; c < B->width; c++) {
    const ovk__gmres *G = ovk__many_runs(B, c) ? B->lane[c]->own : NULL;
    inverse[c] = G ? G->inverse[j] : 0;
    for (int i = 0; i <= j; i++) {
      K->s[i][c] = G && i < j ? G->s[i] : 0;
      K->t[i][c] = G ? G->t[i] : 0;
    }
  }
  OVK_SWEEP(B->S,
            ovk__many_basis_extend(rows(B->S), B->width, j, K->V, *K->s, *K->t, inverse, K->z));
}

/* V^T u, (u, u), V^T z, (u, z) for the first j vectors of V; z NULL: its inner products are 0 */
static void gmres_many_dots(ovk__many *B, const basis *K, int j, const double *z)
{
  const ovk_lidx n = rows(B->S);
  const double *u = K->V[j];
  double ignored[OVK__WIDEST];
  memset(K->dots, 0, 2 * ((size_t)K->restart + 1) * sizeof *K->dots);
  if (!B->S->exact) {
    ovk__many_basis_dots(n, B->width, j, K->V, u, z, K->memory, *K->dots);
    return;
  }
  for (int i = -1; i < j; i++) { /* in the order of single vectors */
    const double *v = i < 0 ? u : K->V[i];
    ovk__lane_values *to = K->dots + 2 * ((ptrdiff_t)i + 1);
    ovk__many_dots(n, B->width, v, u, to[0], ignored);
    if (z) ovk__many_dots(n, B->width, v, z, to[1], ignored);
  }
}

/* One cycle; *runs <- whether another one follows. */
static ovk_err gmres_many_cycle(ovk__many *B, const basis *K, bool *runs)
{
  for (int j = 0;; j++) {
    const bool last = j == K->restart;
    bool ends;
    if (!last) gmres_many_image(B, K, K->V[j]); /* z = B u */
    OVK_SWEEP(B->S, gmres_many_dots(B, K, j, last ? NULL : K->z));
    OVK_TRY(ovk__many_op_reduce(B, DOTS, K->dots));
    OVK_TRY(gmres_many_take(B, K, j, &ends));
    if (ends) gmres_many_update_x(B, K, j, last ? K->z : K->V[j + 1]);
    *runs = ovk__many_settle(B);
    if (last || !*runs) return OVK_OK;
    gmres_many_extend(B, K, j);
  }
}

static ovk_err gmres_many_iterate(ovk__many *B)
{
  const basis K = gmres_many_basis(B);
  bool runs = ovk__many_settle(B);
  gmres_many_setup(B);
  for (bool first = true; runs; first = false) {
    gmres_many_residual(B, &K, first);
    OVK_TRY(gmres_many_cycle(B, &K, &runs));
  }
  return OVK_OK;
}

const ovk__many_form ovk__many_gmres = {
    .fit = gmres_many_fit,
    .reductions_per_iteration = 1,
    .iterate = gmres_many_iterate,
};
