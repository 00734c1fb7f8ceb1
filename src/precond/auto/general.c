/* SPDX-License-Identifier: BSD-2-Clause */
/* Nonsymmetric matrices are treated as their symmetric part S = (A + A^T) / 2. A few Arnoldi steps
 * with D^-1 A, D being the matrix of jacobi, project A on vectors that are orthonormal in the inner
 * product of D. The symmetric part of the projection is the projection of S, so its eigenvalues are
 * between those of D^-1 S. */
#include "core/context/agree.h"
#include "precond/auto/chooser.h"
#include "precond/auto/iterations.h"
#include "precond/lapack.h"

#include <math.h>

enum { STEPS = 4 };

/* Each iteration of bcgs has two products and applications. */
static const double PRODUCTS = 2;

/* Those with jacobi where D^-1 S is not positive definite, so that steps cannot estimate them. */
static const double UNKNOWN_ITERATIONS = 50;

/* amg refuses larger skewnesses than about this. */
static const double MOST_SKEWNESS = 0.6;

typedef struct arnoldi {
  const ovk_mat *A;
  const ovk__auto_candidate *M; /* jacobi, which is positive */
  ovk_vec *v[STEPS], *q;
  int made;
  double S[STEPS * STEPS]; /* V^T S V, of `made` rows */
} arnoldi;

/* q <- A v[k]; H <- column k of V^T A V, its first k + 1 entries */
static ovk_err arnoldi_project(arnoldi *t, int k, double *H)
{
  OVK_TRY(ovk_mat_mult(t->A, t->v[k], t->q));
  for (int i = 0; i <= k; i++) OVK_TRY(ovk_vec_dot(t->v[i], t->q, &H[i]));
  return OVK_OK;
}

/* w <- w / ||w|| in the norm of D; *norm <- 0 if nothing is left. */
static ovk_err arnoldi_normalize(arnoldi *t, ovk_vec *w, double *norm)
{
  const double *inverse = t->M->ops->inverse_diagonal(t->M->state);
  for (ovk_lidx i = 0; i < w->layout.local; i++) t->q->array[i] = w->array[i] / inverse[i];
  OVK_TRY(ovk_vec_dot(w, t->q, norm));
  *norm = sqrt(fmax(*norm, 0));
  if (*norm > 0) OVK_TRY(ovk_vec_scale(1 / *norm, w));
  return OVK_OK;
}

/* v[k + 1] <- D^-1 q, orthogonal to the vectors before it; *norm <- that of the result, before it
 * is scaled to 1 */
static ovk_err arnoldi_extend(arnoldi *t, int k, const double *H, double *norm)
{
  OVK_TRY(ovk__auto_candidate_apply(t->M, t->q, t->v[k + 1]));
  for (int i = 0; i <= k; i++) OVK_TRY(ovk_vec_axpy(-H[i], t->v[i], t->v[k + 1]));
  return arnoldi_normalize(t, t->v[k + 1], norm);
}

static ovk_err arnoldi_run(arnoldi *t)
{
  double H[STEPS][STEPS] = {{0}}, norm;
  OVK_TRY(ovk_mat_create_vec(t->A, &t->q));
  for (int k = 0; k < STEPS; k++) OVK_TRY(ovk_mat_create_vec(t->A, &t->v[k]));
  OVK_TRY(ovk_vec_fill(t->v[0], 1));
  OVK_TRY(arnoldi_normalize(t, t->v[0], &norm));
  for (int k = 0; k < STEPS && norm > 0; k++) {
    if (k > 0) H[k - 1][k] = norm;
    OVK_TRY(arnoldi_project(t, k, H[k]));
    t->made = k + 1;
    if (t->made < STEPS) OVK_TRY(arnoldi_extend(t, k, H[k], &norm));
  }
  for (int i = 0; i < t->made; i++) {
    for (int j = 0; j < t->made; j++) t->S[i * t->made + j] = (H[i][j] + H[j][i]) / 2;
  }
  return OVK_OK;
}

static void arnoldi_free(arnoldi *t)
{
  ovk_vec_destroy(&t->q);
  for (int k = 0; k < STEPS; k++) ovk_vec_destroy(&t->v[k]);
}

/* The extreme eigenvalues of t->S, or 0 if there are none, in memory that exists: no rank can fail
 * alone. */
static void arnoldi_eigenvalues(arnoldi *t, double *lambda_min, double *lambda_max)
{
  enum { WORK = 3 * STEPS };
  const int n = t->made;
  double lambda[STEPS], work[WORK];
  for (int k = 0; k < n * n; k++) {
    if (!isfinite(t->S[k])) return;
  }
  if (n == 0 ||
      LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'N', 'U', n, t->S, n, lambda, work, WORK) != 0) {
    return;
  }
  *lambda_min = lambda[0];
  *lambda_max = lambda[n - 1];
}

/* The extreme Ritz values of D^-1 S, from the constant vector; 0 if there are none. */
static ovk_err general_ritz_values(const ovk_mat *A, const ovk__auto_candidate *jacobi,
                                   double *lambda_min, double *lambda_max)
{
  arnoldi t = {.A = A, .M = jacobi};
  *lambda_min = *lambda_max = 0;
  OVK_TRY(ovk__agree(A->ctx, ovk__lapack_check(A->ctx, "auto")));
  const ovk_err err = arnoldi_run(&t);
  if (!err) arnoldi_eigenvalues(&t, lambda_min, lambda_max);
  arnoldi_free(&t);
  return err;
}

/* The iterations of bcgs from those of cg for the symmetric part. Fitted to convdiff7: 22 with 8^3
 * points to 1466 with 800^2. The estimates by four steps are too low for many iterations. */
static double general_iterations(double iterations)
{
  static const double FEW = 50;
  return iterations * sqrt(fmax(iterations / FEW, 1));
}

/* The factor by which ilu needs fewer iterations than jacobi: more, the larger the skewness is, as
 * the factors are nearly exact along the flow. Fitted to convdiff7 with skewnesses from 0.05 to
 * 2.5: 4 to 44. */
static double general_gain(const ovk__auto_features *A)
{
  return ovk__auto_gain(A) * (1 + 4 * A->skewness);
}

ovk_err ovk__chooser_predict_general(ovk__chooser *c, const ovk__auto_candidate *jacobi,
                                     bool positive)
{
  const ovk__auto_features *A = &c->features;
  double a = 0, b = 0, iterations = UNKNOWN_ITERATIONS;
  if (positive) OVK_TRY(general_ritz_values(c->A, jacobi, &a, &b));
  if (a > 0) iterations = general_iterations(ovk__auto_jacobi_iterations(A, a, b));
  ovk__chooser_predict(c, OVK__AUTO_JACOBI, PRODUCTS * iterations);
  ovk__chooser_predict(c, OVK__AUTO_ILU, PRODUCTS * iterations / general_gain(A));
  if (a > 0 && ovk__chooser_takes_amg(c) && A->skewness <= MOST_SKEWNESS) {
    ovk__chooser_predict(c, OVK__AUTO_AMG, PRODUCTS * OVK__AUTO_AMG_ITERATIONS);
  }
  return OVK_OK;
}
