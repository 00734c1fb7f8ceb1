/* SPDX-License-Identifier: BSD-2-Clause */
/* The coefficients of conjugate gradients are the entries of the Lanczos matrix of M^-1 A:
 * gamma_k = 1 / alpha_k + beta_k-1 / alpha_k-1, delta_k = sqrt(beta_k) / alpha_k. */
#include "precond/auto/trial.h"
#include "core/context/agree.h"
#include "core/math/tridiagonal.h"
#include "matrix/mat_impl.h"

#include <math.h>

/* A Rayleigh quotient below this fraction of 1 is that of a null vector. If steps lower one by less
 * than this factor, the first vector is nearly an eigenvector. If that of half a wave along the
 * rows is larger by more than this, the wave is not smooth: the order, or a graph, has no geometry.
 */
static const double NULL_VECTOR = 1e-12, EIGENVECTOR = 1.5, ROUGH = 0.02;

/* A residual below this fraction of the first one is rounding. */
static const double CONVERGED = 1e-10;

/* A rate lasts if the second half of the steps has gained so many digits. Large eigenvalues alone
 * give a residual that falls with a power of the number of steps, so less than one. */
static const double SETTLED = 2;

static const double PI = 3.14159265358979323846;

typedef struct trial {
  const ovk_mat *A;
  const ovk__auto_candidate *M;
  ovk_vec *r, *z, *p, *q;
  int made;                                              /* steps */
  double rz, beta, alpha;                                /* of the last step */
  double quotient;                                       /* (p, A p) / (r, z) of the first */
  double gamma[OVK__AUTO_STEPS], delta[OVK__AUTO_STEPS]; /* the Lanczos matrix */
  double norm[OVK__AUTO_STEPS + 1];                      /* of residuals, the root of (r, M^-1 r) */
} trial;

/* z <- M^-1 r; t->rz <- (r, z), and its root is entered */
static ovk_err trial_precondition(trial *t)
{
  OVK_TRY(ovk__auto_candidate_apply(t->M, t->r, t->z));
  OVK_TRY(ovk_vec_dot(t->r, t->z, &t->rz));
  t->norm[t->made] = sqrt(fmax(t->rz, 0));
  return OVK_OK;
}

/* p <- z + beta p */
static void trial_direction(trial *t)
{
  double *restrict p = t->p->array;
  const double *restrict z = t->z->array;
  for (ovk_lidx i = 0; i < t->p->layout.local; i++) p[i] = z[i] + t->beta * p[i];
}

/* One step. *definite becomes false if (p, A p) or (r, M^-1 r) shows that; in the first case no
 * step is made. */
static ovk_err trial_step(trial *t, bool *definite)
{
  double pq;
  const int k = t->made;
  const double rz = t->rz, last = t->alpha;
  trial_direction(t);
  OVK_TRY(ovk_mat_mult(t->A, t->p, t->q));
  OVK_TRY(ovk_vec_dot(t->p, t->q, &pq));
  if (k == 0) t->quotient = pq / rz;
  *definite = pq > 0 && isfinite(pq);
  if (!*definite) return OVK_OK;
  t->alpha = rz / pq;
  t->gamma[k] = 1 / t->alpha + (k ? t->beta / last : 0);
  OVK_TRY(ovk_vec_axpy(-t->alpha, t->q, t->r)); /* r <- r - alpha q */
  t->made++;
  OVK_TRY(trial_precondition(t));
  *definite = t->rz >= 0;
  t->beta = t->rz / rz;
  t->delta[k] = sqrt(fmax(t->beta, 0)) / t->alpha;
  return OVK_OK;
}

/* The digits that the second half of the steps has gained. */
static double trial_digits(const trial *t)
{
  return log10(t->norm[t->made / 2] / t->norm[t->made]);
}

/* Makes at most `most` steps from the residual in t->r. It ends from `least` steps on once the rate
 * is settled. */
static ovk_err trial_run(trial *t, int least, int most, ovk__auto_trial *out)
{
  *out = (ovk__auto_trial){.definite = true};
  t->made = 0;
  t->beta = t->alpha = t->quotient = 0;
  OVK_TRY(ovk_vec_fill(t->p, 0));
  OVK_TRY(trial_precondition(t));
  out->definite = t->rz >= 0;
  while (t->made < most && out->definite && t->norm[t->made] > CONVERGED * t->norm[0]) {
    if (t->made >= least && trial_digits(t) >= SETTLED) break;
    OVK_TRY(trial_step(t, &out->definite));
  }
  out->quotient = t->quotient;
  const int second_half = t->made - t->made / 2;
  if (t->made > 0) out->rate = trial_digits(t) / second_half;
  out->settled = out->definite && t->made > 0 && trial_digits(t) >= SETTLED;
  ovk__tridiagonal_ends(t->made, t->gamma, t->delta, &out->lambda_min, &out->lambda_max);
  return OVK_OK;
}

/* r <- D z, D being the matrix of jacobi, for half a wave z along the rows, or for z = 1 */
static void trial_start_smooth(trial *t, bool wave)
{
  const double rows = (double)t->r->layout.global, first = (double)t->r->layout.first;
  const double *inverse = t->M->ops->inverse_diagonal(t->M->state);
  for (ovk_lidx i = 0; i < t->r->layout.local; i++) {
    t->r->array[i] = (wave ? cos(PI * (first + i + 0.5) / rows) : 1) / inverse[i];
  }
}

static ovk_err trial_allocate(trial *t)
{
  ovk_vec **const all[OVK__AUTO_VECTORS] = {&t->r, &t->z, &t->p, &t->q};
  for (int k = 0; k < OVK__AUTO_VECTORS; k++) OVK_TRY(ovk_mat_create_vec(t->A, all[k]));
  return OVK_OK;
}

static void trial_free(trial *t)
{
  ovk_vec_destroy(&t->r);
  ovk_vec_destroy(&t->z);
  ovk_vec_destroy(&t->p);
  ovk_vec_destroy(&t->q);
}

/* With the constant vector in *out: the other small eigenvalues from half a wave if that shows
 * them. */
static ovk_err trial_try_wave(trial *t, int steps, ovk__auto_trial *out)
{
  ovk__auto_trial wave;
  const double constant = t->quotient;
  const bool is_null = fabs(constant) <= NULL_VECTOR;
  if (!is_null && !(out->definite && constant < EIGENVECTOR * out->lambda_min)) return OVK_OK;
  trial_start_smooth(t, true);
  OVK_TRY(trial_run(t, steps, steps, &wave));
  const bool shown = is_null || !(t->quotient > constant + ROUGH) || !wave.definite;
  if (shown) *out = wave;
  out->constant = true;
  out->unknown = !shown;
  return OVK_OK;
}

ovk_err ovk__auto_trial_smooth(const ovk_mat *A, const ovk__auto_candidate *M, int steps,
                               ovk__auto_trial *out)
{
  trial t = {.A = A, .M = M};
  ovk_err err = trial_allocate(&t);
  if (!err) {
    trial_start_smooth(&t, false);
    err = trial_run(&t, steps, steps, out);
  }
  if (!err) err = trial_try_wave(&t, steps, out);
  trial_free(&t);
  return err;
}

/* r <- r - the mean of its entries */
static ovk_err trial_subtract_mean(trial *t)
{
  double sum = 0;
  for (ovk_lidx i = 0; i < t->r->layout.local; i++) sum += t->r->array[i];
  OVK_TRY(ovk__agree(t->A->ctx, ovk__total(t->A->ctx, &sum, 1, MPI_SUM)));
  const double mean = sum / fmax((double)t->r->layout.global, 1);
  for (ovk_lidx i = 0; i < t->r->layout.local; i++) t->r->array[i] -= mean;
  return OVK_OK;
}

ovk_err ovk__auto_trial_random(const ovk_mat *A, const ovk__auto_candidate *M, int least, int most,
                               bool zero_mean, ovk__auto_trial *out)
{
  trial t = {.A = A, .M = M};
  ovk_err err = trial_allocate(&t);
  if (!err) ovk__vec_fill_random(t.r, NULL);
  if (!err && zero_mean) err = trial_subtract_mean(&t);
  if (!err) err = trial_run(&t, least, most, out);
  trial_free(&t);
  return err;
}
