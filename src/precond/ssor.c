/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioner "ssor": symmetric successive over-relaxation on this rank's diagonal block
 * D + L + U of A, C = (D/w + L) E^-1 (D/w + U) with E = (2 - w)/w D and w = omega. For a symmetric
 * block C = K K^T with K = (D/w + L) E^-1/2. Source: Saad, "Iterative methods for sparse linear
 * systems" (2003), section 10.2. */
#include "base/mem.h"
#include "precond/block.h"

#include <math.h>
#include <ovkrylov/precond.h>
#include <stdlib.h>

typedef struct ssor {
  ovk__block A;
  int64_t *diagonal; /* the place of each row's diagonal entry in A */
  double omega;
  double *scale; /* w/d */
  double *root;  /* sqrt of E, once factored */
} ssor;

static void destroy(void *state)
{
  ssor *S = state;
  ovk__block_free(&S->A);
  free(S->diagonal);
  free(S->scale);
  free(S->root);
  free(S);
}

static ovk_err find_diagonal(ssor *S)
{
  const ovk__block *A = &S->A;
  OVK_NEW_ARRAY(A->ctx, S->diagonal, A->n);
  OVK_NEW_ARRAY(A->ctx, S->scale, A->n);
  for (ovk_lidx i = 0; i < A->n; i++) {
    int64_t k = A->ptr[i];
    while (k < A->ptr[i + 1] && A->col[k] < i) k++;
    const double d = k < A->ptr[i + 1] && A->col[k] == i ? A->val[k] : 0;
    OVK_CHECK(d != 0 && isfinite(S->omega / d), A->ctx, OVK_ERR_ARG,
              "ssor cannot invert the diagonal: row %lld has %g", (long long)(A->first + i), d);
    S->diagonal[i] = k;
    S->scale[i] = S->omega / d;
  }
  return OVK_OK;
}

static ovk_err fill(ssor *S, const ovk_mat *A, const ovk_spec *spec)
{
  ovk_ctx *ctx = ovk_mat_ctx(A);
  OVK_TRY(ovk_spec_double(ctx, spec, "omega", 0, 2, 1, &S->omega));
  OVK_CHECK(S->omega > 0 && S->omega < 2, ctx, OVK_ERR_ARG,
            "omega is %g, it must lie between 0 and 2", S->omega);
  OVK_TRY(ovk__block_copy(A, "ssor", &S->A));
  OVK_TRY(ovk__block_check_finite(&S->A, "ssor"));
  return find_diagonal(S);
}

static ovk_err setup(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  (void)user;
  ssor *S = calloc(1, sizeof *S);
  if (!S) return OVK_FAIL(ovk_mat_ctx(A), OVK_ERR_MEMORY, "no memory for a preconditioner");
  const ovk_err err = fill(S, A, spec);
  if (err) {
    destroy(S);
  } else {
    *state = S;
  }
  return err;
}

/* The sum of entries times y, for those left of the diagonal, and for those right of it. */
static inline double below(const ssor *S, ovk_lidx i, const double *y)
{
  double sum = 0;
  for (int64_t k = S->A.ptr[i]; k < S->diagonal[i]; k++) sum += S->A.val[k] * y[S->A.col[k]];
  return sum;
}

static inline double above(const ssor *S, ovk_lidx i, const double *y)
{
  double sum = 0;
  for (int64_t k = S->diagonal[i] + 1; k < S->A.ptr[i + 1]; k++) {
    sum += S->A.val[k] * y[S->A.col[k]];
  }
  return sum;
}

/* y <- (D/w + L)^-1 r */
static void sweep_forward(const ssor *S, const double *restrict r, double *restrict y,
                          ovk_poll poll)
{
  const ovk_lidx n = S->A.n;
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = ovk_poll_until(poll, i, n);
    for (ovk_lidx k = i; k < end; k++) y[k] = (r[k] - below(S, k, y)) * S->scale[k];
    ovk_poll_call(poll);
  }
}

/* z <- (D/w + U)^-1 E z, where (w/d) E is 2 - w */
static void sweep_backward(const ssor *S, double *z, ovk_poll poll)
{
  const ovk_lidx n = S->A.n;
  const double middle = 2 - S->omega;
  for (ovk_lidx done = 0, end; done < n; done = end) {
    end = ovk_poll_until(poll, done, n);
    for (ovk_lidx k = n - 1 - done; k >= n - end; k--) {
      z[k] = middle * z[k] - S->scale[k] * above(S, k, z);
    }
    ovk_poll_call(poll);
  }
}

/* z <- (D/w + U)^-1 E (D/w + L)^-1 r */
static ovk_err apply(void *state, const double *r, double *z, ovk_poll poll)
{
  const ssor *S = state;
  sweep_forward(S, r, z, poll);
  sweep_backward(S, z, poll);
  return OVK_OK;
}

static ovk_err factor(void *state)
{
  ssor *S = state;
  const ovk__block *A = &S->A;
  OVK_TRY(ovk__block_check_symmetric(A, "ssor with factors"));
  for (ovk_lidx i = 0; i < A->n; i++) {
    OVK_CHECK(S->scale[i] > 0, A->ctx, OVK_ERR_INDEFINITE,
              "ssor has no factors: row %lld has diagonal %g", (long long)(A->first + i),
              S->omega / S->scale[i]);
  }
  OVK_NEW_ARRAY(A->ctx, S->root, A->n);
  for (ovk_lidx i = 0; i < A->n; i++) S->root[i] = sqrt((2 - S->omega) / S->scale[i]);
  return OVK_OK;
}

/* t <- E^1/2 (D/w + L)^-1 r */
static ovk_err apply_left(void *state, const double *r, double *t, ovk_poll poll)
{
  const ssor *S = state;
  sweep_forward(S, r, t, poll);
  for (ovk_lidx i = 0; i < S->A.n; i++) t[i] *= S->root[i];
  return OVK_OK;
}

/* w <- (D/w + U)^-1 E^1/2 t */
static ovk_err apply_right(void *state, const double *restrict t, double *restrict w, ovk_poll poll)
{
  const ssor *S = state;
  const ovk_lidx n = S->A.n;
  for (ovk_lidx done = 0, end; done < n; done = end) {
    end = ovk_poll_until(poll, done, n);
    for (ovk_lidx k = n - 1 - done; k >= n - end; k--) {
      w[k] = (S->root[k] * t[k] - above(S, k, w)) * S->scale[k];
    }
    ovk_poll_call(poll);
  }
  return OVK_OK;
}

static int64_t bytes(void *state)
{
  const ssor *S = state;
  const int64_t n = S->A.n, entries = S->A.ptr[n];
  const int64_t each = (int64_t)(sizeof *S->A.ptr + sizeof *S->diagonal + sizeof *S->scale) +
                       (S->root ? (int64_t)sizeof *S->root : 0);
  return n * each + entries * (int64_t)(sizeof *S->A.col + sizeof *S->A.val);
}

static const char *const keys[] = {"omega", NULL};

const ovk_precond_ops ovk__precond_ssor = {
    .name = "ssor",
    .summary = "symmetric successive over-relaxation of each rank's block",
    .keys = keys,
    .apply = apply,
    .setup = setup,
    .destroy = destroy,
    .factor = factor,
    .apply_left = apply_left,
    .apply_right = apply_right,
    .bytes = bytes,
    .local = true,
};
