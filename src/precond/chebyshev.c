/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioner "chebyshev": M^-1 = p(D^-1 A) D^-1, where D is the diagonal of A and p has the
 * degree K. 1 - t p(t) is the Chebyshev polynomial that is least between a = b / ratio and b, an
 * upper bound of the spectrum of D^-1 A. Source: Saad, "Iterative methods for sparse linear
 * systems" (2003), algorithm 12.1, from z = 0.
 *
 * As |1 - t p(t)| < 1 for 0 < t < a + b, M is positive definite if A is. It works on all of A, so
 * it does not depend on the distribution of rows. An application makes K products and no
 * reductions. */
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "matrix/finite.h"
#include "precond/polynomial.h"
#include "precond/spectrum.h"

#include <math.h>
#include <ovkrylov/precond.h>
#include <stdlib.h>

/* The largest Ritz value lies inside the spectrum: the factor that makes b of it. */
static const double ABOVE = 1.1;

typedef struct chebyshev {
  const ovk_mat *A;
  ovk_lidx n;
  int degree;
  double ratio;
  double center, half; /* (b + a) / 2, (b - a) / 2 */
  double *inverse;     /* D^-1 */
  ovk_vec *step, *product;
  double *block; /* the same two for blocks of up to `widest` columns */
  int widest;
} chebyshev;

static void chebyshev_destroy(void *state)
{
  chebyshev *T = state;
  ovk_vec_destroy(&T->step);
  ovk_vec_destroy(&T->product);
  free(T->inverse);
  free(T->block);
  free(T);
}

static const ovk_option options[] = {
    OVK_INTEGER("degree", 1, 1000, 4,
                "degree of the polynomial: SpMVs of an application, plus one"),
    OVK_REAL("ratio", 1.01, 1e6, 30, "largest eigenvalue over the least one that is damped"),
    OVK_OPTIONS_END};

/* The part of the setup that is not collective. */
static ovk_err chebyshev_make(const ovk_mat *A, const ovk_spec *spec, chebyshev **out)
{
  ovk_ctx *ctx = ovk_mat_ctx(A);
  chebyshev *T = *out = calloc(1, sizeof *T);
  long degree;
  OVK_CHECK(T, ctx, OVK_ERR_MEMORY, "no memory for a preconditioner");
  OVK_TRY(ovk_spec_int(ctx, spec, options, "degree", &degree));
  OVK_TRY(ovk_spec_double(ctx, spec, options, "ratio", &T->ratio));
  T->A = A;
  T->n = ovk_mat_local_size(A);
  T->degree = (int)degree;
  OVK_NEW_ARRAY(ctx, T->inverse, T->n);
  return OVK_OK;
}

static ovk_err chebyshev_invert(chebyshev *T, const ovk_vec *d)
{
  for (ovk_lidx i = 0; i < T->n; i++) {
    T->inverse[i] = 1 / d->array[i];
    OVK_CHECK(d->array[i] > 0 && T->inverse[i] > 0 && isfinite(T->inverse[i]), d->ctx,
              OVK_ERR_INDEFINITE, "chebyshev needs a positive diagonal: row %lld has %g",
              (long long)(d->layout.first + i), d->array[i]);
  }
  return OVK_OK;
}

/* z <- D^-1 r */
static ovk_err chebyshev_scale(const void *state, const ovk_vec *r, ovk_vec *z)
{
  const chebyshev *T = state;
  for (ovk_lidx i = 0; i < T->n; i++) z->array[i] = T->inverse[i] * r->array[i];
  return OVK_OK;
}

static ovk_err chebyshev_find_interval(chebyshev *T, ovk_vec *const work[OVK__SPECTRUM_VECTORS])
{
  double lambda_min, lambda_max;
  OVK_TRY(ovk_mat_diagonal(T->A, work[0]));
  OVK_TRY(ovk__agree(T->A->ctx, chebyshev_invert(T, work[0])));
  OVK_TRY(ovk__spectrum(ovk__mat_action, T->A, chebyshev_scale, T, T->A->keys, work, &lambda_min,
                        &lambda_max));
  if (T->A->layout.global == 0) lambda_max = 1; /* any interval will do */
  const double b = ABOVE * lambda_max, a = b / T->ratio;
  OVK_CHECK(lambda_max > 0 && isfinite(b), T->A->ctx, OVK_ERR_INDEFINITE,
            "chebyshev needs a positive definite A: the largest Ritz value of D^-1 A is %g",
            lambda_max);
  T->center = 0.5 * (b + a);
  T->half = 0.5 * (b - a);
  return OVK_OK;
}

/* Collective; errors are agreed. */
static ovk_err chebyshev_fill(chebyshev *T)
{
  ovk_vec *work[OVK__SPECTRUM_VECTORS] = {NULL};
  ovk_err err = OVK_OK;
  for (int k = 0; k < OVK__SPECTRUM_VECTORS && !err; k++) err = ovk_mat_create_vec(T->A, &work[k]);
  if (!err) err = ovk__finite_or(chebyshev_find_interval(T, work), T->A, "chebyshev");
  T->step = work[0];
  T->product = work[1];
  for (int k = 2; k < OVK__SPECTRUM_VECTORS; k++) ovk_vec_destroy(&work[k]);
  return err;
}

static ovk_err chebyshev_setup(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  (void)user;
  chebyshev *T = NULL;
  ovk_err err = ovk__agree(ovk_mat_ctx(A), chebyshev_make(A, spec, &T));
  if (!err) err = chebyshev_fill(T);
  if (err && T) {
    chebyshev_destroy(T);
  } else {
    *state = T;
  }
  return err;
}

/* The iterates take turns in two arrays, the last one is in z. A product that fails on this rank is
 * followed by the others, in which all ranks take part. */
static ovk_err chebyshev_iterate(const chebyshev *T, int width, const double *r, double *z,
                                 double *own, double *p, ovk_poll poll)
{
  const double sigma = T->center / T->half;
  const bool even = T->degree % 2 == 0;
  double *here = even ? z : own, *there = even ? own : z, rho = 1 / sigma;
  ovk__kept_error first = {0};
  ovk__polynomial_start(T->n, width, 1 / T->center, T->inverse, r, here, poll);
  for (int k = 0; k < T->degree; k++) {
    const double last = rho;
    rho = 1 / (2 * sigma - last);
    ovk__polynomial_step step = {.width = width,
                                 .beta = rho * last,
                                 .alpha = 2 * rho / T->half,
                                 .inverse = T->inverse,
                                 .r = r,
                                 .z = here,
                                 .last = k == 0 ? OVK__CORRECTION_IS_Z : OVK__CORRECTION_IN_P,
                                 .p = p,
                                 .ends = k + 1 == T->degree};
    ovk__keep_error(T->A->ctx, ovk__polynomial_advance(T->A, &step, there, poll), &first);
    double *swap = here;
    here = there;
    there = swap;
  }
  return ovk__kept_error_of(T->A->ctx, &first);
}

static ovk_err chebyshev_apply(void *state, const double *r, double *z, ovk_poll poll)
{
  const chebyshev *T = state;
  return chebyshev_iterate(T, 1, r, z, T->product->array, T->step->array, poll);
}

static ovk_err chebyshev_apply_many(void *state, int width, const double *r, double *z,
                                    ovk_poll poll)
{
  const chebyshev *T = state;
  double *second = T->block + ovk__panel_size(T->n, width);
  return chebyshev_iterate(T, width, r, z, T->block, second, poll);
}

static ovk_err chebyshev_prepare_many(void *state, int width)
{
  chebyshev *T = state;
  OVK_TRY(ovk__mat_prepare_many(T->A, width));
  if (width <= T->widest) return OVK_OK;
  free(T->block);
  T->block = NULL;
  T->widest = 0;
  OVK_NEW_ARRAY(T->A->ctx, T->block, 2 * ovk__panel_size(T->n, width));
  T->widest = width;
  return OVK_OK;
}

static int64_t chebyshev_bytes(void *state)
{
  const chebyshev *T = state;
  return (3 + 2 * (int64_t)T->widest) * T->n * (int64_t)sizeof *T->inverse;
}

const ovk_precond_ops ovk__precond_chebyshev = {
    .name = "chebyshev",
    .summary = "Chebyshev polynomial in the matrix scaled by its diagonal",
    .keys = options,
    .apply = chebyshev_apply,
    .setup = chebyshev_setup,
    .destroy = chebyshev_destroy,
    .bytes = chebyshev_bytes,
    .any_partition = true,
    .apply_many = chebyshev_apply_many,
    .prepare_many = chebyshev_prepare_many,
};
