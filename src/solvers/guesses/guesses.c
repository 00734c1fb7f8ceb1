/* SPDX-License-Identifier: BSD-2-Clause */
/* The span of the last solutions, and projections onto it. The basis q is orthonormal in the inner
 * product of A; solution j, from the oldest one on, is the sum of R(i,j) q_i for i <= j. */
#include "solvers/guesses/guesses.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "solvers/kernels/basis/updates_basis.h"
#include "solvers/ops/dots.h"
#include "solvers/ops/marks.h"
#include "solvers/ops/ops_impl.h"

#include <math.h>
#include <stdlib.h>

struct ovk__guesses {
  int most, count; /* vectors of q: room for most + 1, so that a new one comes before the oldest
                      leaves */
  ovk_vec **q;
  void **array;     /* those of q */
  double *R;        /* [most + 1][most + 1], by rows */
  double *c, *h;    /* [most + 1] */
  ovk_vec *product; /* scratch */
  ovk__dots *sum;   /* inner products with q, another one, a status */
};

/* A vector whose part outside of the span has a square below this fraction is in it, up to
 * rounding. */
static const double IN_SPAN = 1e-24;

static double *guesses_R(const ovk__guesses *G, int i, int j)
{
  return &G->R[i * (G->most + 1) + j];
}

static ovk_err guesses_allocate(ovk_solver *S)
{
  const size_t n = (size_t)S->opts.guesses + 1;
  OVK_NEW_AT(S->ctx, S->guesses, ovk__guesses, G);
  G->most = S->opts.guesses;
  OVK_NEW_ZEROS(S->ctx, G->q, n);
  OVK_NEW_ZEROS(S->ctx, G->array, n);
  OVK_NEW_ZEROS(S->ctx, G->R, n * n);
  OVK_NEW_ZEROS(S->ctx, G->c, n);
  OVK_NEW_ZEROS(S->ctx, G->h, n);
  return OVK_OK;
}

ovk_err ovk__guesses_create(ovk_solver *S)
{
  if (!S->opts.guesses) return OVK_OK;
  OVK_TRY(ovk__agree(S->ctx, guesses_allocate(S)));
  ovk__guesses *G = S->guesses;
  for (int i = 0; i <= G->most; i++) {
    OVK_TRY(ovk_mat_create_vec(S->A, &G->q[i]));
    G->array[i] = G->q[i]->array;
  }
  OVK_TRY(ovk_mat_create_vec(S->A, &G->product));
  return ovk__dots_create(S, G->most + 2, true, &G->sum);
}

void ovk__guesses_destroy(ovk_solver *S)
{
  ovk__guesses *G = S->guesses;
  if (!G) return;
  for (int i = 0; G->q && i <= G->most; i++) ovk_vec_destroy(&G->q[i]);
  ovk_vec_destroy(&G->product);
  ovk__dots_destroy(&G->sum);
  free(G->q);
  free(G->array);
  free(G->R);
  free(G->c);
  free(G->h);
  free(G);
  S->guesses = NULL;
}

/* c_i <- (v, q_i) for i < n; *rest <- (v, w) less the squares of c; w may be NULL. */
static ovk_err guesses_multiply(ovk_solver *S, int n, const ovk_vec *v, const ovk_vec *w, double *c,
                                double *rest)
{
  const ovk__guesses *G = S->guesses;
  double *parts = ovk__dots_parts(G->sum);
  for (int i = 0; i <= G->most; i++) {
    parts[i] = i < n ? ovk__part_dot(S, v->array, G->q[i]->array) : 0;
  }
  parts[G->most + 1] = w ? ovk__part_dot(S, v->array, w->array) : 0;
  OVK_TRY(ovk__op_reduce_unnumbered(S, G->sum));
  *rest = parts[G->most + 1];
  for (int i = 0; i < n; i++) {
    c[i] = parts[i];
    *rest -= c[i] * c[i];
  }
  return OVK_OK;
}

/* x <- x + sign times the sum of c_i q_i for i < n; overwrites c with sign c */
static void guesses_add(const ovk_solver *S, int n, double sign, double *c, ovk_vec *x)
{
  for (int i = 0; i < n; i++) c[i] *= sign;
  ovk__basis_add(rows(S), n, (ovk__basis){.v = S->guesses->array}, c, x->array);
}

/* product <- A x, in the units of the user */
static void guesses_apply(ovk_solver *S, const ovk_vec *x)
{
  ovk__op_record_error(S, ovk__mat_action(S->A, x, S->guesses->product));
}

/* The inner product of A is one for definite matrices only. */
static bool guesses_apply_to(const ovk_solver *S)
{
  return S->guesses && S->method->A == OVK__A_DEFINITE;
}

ovk_err ovk__guesses_start(ovk_solver *S, const ovk_vec *b, ovk_vec *x, bool *x_is_zero)
{
  ovk__guesses *G = S->guesses;
  double rest;
  if (!guesses_apply_to(S) || !G->count) return OVK_OK;
  const ovk_vec *r = *x_is_zero ? b : G->product;
  S->failure.kept.err = OVK_OK;
  if (!*x_is_zero) {
    guesses_apply(S, x);
    for (ovk_lidx i = 0; i < rows(S); i++)
      G->product->array[i] = b->array[i] - G->product->array[i];
  }
  OVK_TRY(guesses_multiply(S, G->count, r, NULL, G->c, &rest));
  if (!isfinite(rest) || rest == 0) return OVK_OK; /* b has a NaN, or overflows, or is 0 */
  guesses_add(S, G->count, 1, G->c, x);
  *x_is_zero = false;
  return OVK_OK;
}

/* Turns q_j and q_j+1 by (cosine, sine) = (c_j, h_j) for all j, the first ones first. */
static void guesses_turn(const ovk_solver *S, int n)
{
  enum { TOGETHER = 512 }; /* rows that stay in the nearest cache */
  const ovk__guesses *G = S->guesses;
  for (ovk_lidx from = 0; from < rows(S); from += TOGETHER) {
    const ovk_lidx to = rows(S) - from < TOGETHER ? rows(S) : from + TOGETHER;
    for (int j = 0; j < n - 1; j++) {
      double *restrict a = G->q[j]->array, *restrict b = G->q[j + 1]->array;
      for (ovk_lidx i = from; i < to; i++) {
        const double turned = G->c[j] * a[i] + G->h[j] * b[i];
        b[i] = G->c[j] * b[i] - G->h[j] * a[i];
        a[i] = turned;
      }
    }
  }
}

/* Takes the oldest solution out of the span: without its column R has elements below the diagonal,
 * which rotations remove. Overwrites c and h. */
static void guesses_drop_oldest(const ovk_solver *S)
{
  ovk__guesses *G = S->guesses;
  const int n = G->count;
  for (int j = 0; j < n - 1; j++) {
    const double a = *guesses_R(G, j, j + 1), b = *guesses_R(G, j + 1, j + 1);
    const double length = sqrt(a * a + b * b);
    G->c[j] = length > 0 ? a / length : 1;
    G->h[j] = length > 0 ? b / length : 0;
    for (int k = j + 1; k < n; k++) {
      double *upper = guesses_R(G, j, k), *lower = guesses_R(G, j + 1, k);
      const double turned = G->c[j] * *upper + G->h[j] * *lower;
      *lower = G->c[j] * *lower - G->h[j] * *upper;
      *upper = turned;
    }
  }
  guesses_turn(S, n);
  for (int i = 0; i < n - 1; i++) {
    for (int k = i; k < n - 1; k++) *guesses_R(G, i, k) = *guesses_R(G, i, k + 1);
  }
  G->count--;
}

/* q_n <- q_n without its part in the span of those before it, normalized. h: its coefficients
 * there; *length: the norm of the rest, 0 if there is none: then q_n is of no use. */
static ovk_err guesses_orthonormalize(ovk_solver *S, int n, double whole, double *length)
{
  ovk__guesses *G = S->guesses;
  double rest;
  guesses_apply(S, G->q[n]);
  OVK_TRY(guesses_multiply(S, n, G->product, G->q[n], G->h, &rest));
  *length = isfinite(rest) && rest > IN_SPAN * whole ? sqrt(rest) : 0;
  if (*length == 0) return OVK_OK;
  guesses_add(S, n, -1, G->h, G->q[n]);
  for (int i = 0; i < n; i++) G->h[i] = -G->h[i];
  ovk__basis_scale(rows(S), 1 / *length, G->q[n]->array);
  return OVK_OK;
}

/* With most of x taken out first, by c = (b, q), up to the residual, no digits cancel later. */
static ovk_err guesses_take(ovk_solver *S, const ovk_vec *b, const ovk_vec *x)
{
  ovk__guesses *G = S->guesses;
  const int n = G->count;
  double rest, length, whole = 0;
  OVK_TRY(guesses_multiply(S, n, b, NULL, G->c, &rest));
  if (!isfinite(rest)) return OVK_OK;
  for (int i = 0; i < n; i++) whole += G->c[i] * G->c[i];
  ovk__vec_copy(x, G->q[n]);
  guesses_add(S, n, -1, G->c, G->q[n]);
  OVK_TRY(guesses_orthonormalize(S, n, whole, &length));
  if (length == 0) return OVK_OK;
  for (int i = 0; i < n; i++) *guesses_R(G, i, n) = G->h[i] - G->c[i];
  *guesses_R(G, n, n) = length;
  G->count++;
  if (G->count > G->most) guesses_drop_oldest(S);
  return OVK_OK;
}

ovk_err ovk__guesses_keep(ovk_solver *S, const ovk_vec *b, const ovk_vec *x)
{
  const uint64_t fingerprint = S->fingerprint; /* is that of the solve */
  if (!guesses_apply_to(S)) return OVK_OK;
  const ovk_err err = guesses_take(S, b, x);
  S->fingerprint = fingerprint;
  return err;
}

/* Solution j was the sum of R(i,j) q_i. With q_k = sum of h_i q_i' + length q_k' it is one of q'.
 */
ovk_err ovk__guesses_update(ovk_solver *S)
{
  ovk__guesses *G = S->guesses;
  if (!G || !G->count) return OVK_OK;
  S->failure.kept.err = OVK_OK;
  for (int k = 0; k < G->count; k++) {
    double length = 0;
    if (guesses_apply_to(S)) OVK_TRY(guesses_orthonormalize(S, k, 0, &length));
    if (length == 0) {
      G->count = 0;
      return OVK_OK;
    }
    for (int j = k; j < G->count; j++) {
      double *own = guesses_R(G, k, j);
      for (int i = 0; i < k; i++) *guesses_R(G, i, j) += G->h[i] * *own;
      *own *= length;
    }
  }
  return OVK_OK;
}
