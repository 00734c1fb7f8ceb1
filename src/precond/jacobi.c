/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioner "jacobi": M = D, the diagonal of A; its factors are L = L^T = sqrt(D). They
 * are DiagScale and DiagInvScale of Kandalla et al. (2012), as multiplications by stored
 * inverses. */
#include "core/base/columns.h"
#include "core/context/mem.h"

#include <math.h>
#include <ovkrylov/precond.h>
#include <stdlib.h>

typedef struct jacobi {
  ovk_ctx *ctx;
  ovk_gidx first;
  ovk_lidx n;
  double *inverse;      /* 1 / d */
  double *inverse_root; /* 1 / sqrt(d), once factored */
} jacobi;

static void jacobi_destroy(void *state)
{
  jacobi *J = state;
  free(J->inverse);
  free(J->inverse_root);
  free(J);
}

static ovk_err jacobi_make(ovk_ctx *ctx, const ovk_mat *A, jacobi **out)
{
  jacobi *J = calloc(1, sizeof *J);
  OVK_CHECK(J, ctx, OVK_ERR_MEMORY, "no memory for a preconditioner");
  *out = J;
  J->ctx = ctx;
  J->first = ovk_mat_row_begin(A);
  J->n = ovk_mat_local_size(A);
  OVK_NEW_ARRAY(ctx, J->inverse, J->n);
  return OVK_OK;
}

static ovk_err jacobi_invert(jacobi *J, const double *d)
{
  for (ovk_lidx i = 0; i < J->n; i++) {
    OVK_CHECK(d[i] != 0 && isfinite(d[i]) && isfinite(1 / d[i]), J->ctx, OVK_ERR_ARG,
              "jacobi cannot invert the diagonal: row %lld has %g", (long long)(J->first + i),
              d[i]);
    J->inverse[i] = 1 / d[i];
  }
  return OVK_OK;
}

static ovk_err jacobi_setup(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  (void)spec;
  (void)user;
  ovk_ctx *ctx = ovk_mat_ctx(A);
  ovk_vec *d = NULL;
  jacobi *J = NULL;
  OVK_TRY(ovk_mat_create_vec(A, &d));
  ovk_err err = ovk_mat_diagonal(A, d);
  if (!err) err = jacobi_make(ctx, A, &J);
  if (!err) err = jacobi_invert(J, ovk_vec_array_const(d));
  ovk_vec_destroy(&d);
  if (err && J) {
    jacobi_destroy(J);
  } else {
    *state = J;
  }
  return err;
}

/* z <- D z for a diagonal D given as an array */
static void jacobi_scale(ovk_lidx n, const double *restrict diagonal, const double *restrict r,
                         double *restrict z, ovk_poll poll)
{
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = ovk_poll_until(poll, i, n);
    for (ovk_lidx k = i; k < end; k++) z[k] = diagonal[k] * r[k];
    ovk_poll_call(poll);
  }
}

/* z <- D^-1 r */
static ovk_err jacobi_apply(void *state, const double *r, double *z, ovk_poll poll)
{
  const jacobi *J = state;
  jacobi_scale(J->n, J->inverse, r, z, poll);
  return OVK_OK;
}

/* The same for `width` vectors. */
OVK_ALWAYS_INLINE void jacobi_scale_of(int w, ovk_lidx from, ovk_lidx end,
                                       const double *restrict diagonal, const double *restrict r,
                                       double *restrict z)
{
  for (ptrdiff_t i = from; i < end; i++) {
    for (ptrdiff_t k = i * w; k < (i + 1) * w; k++) z[k] = diagonal[i] * r[k];
  }
}

static ovk_err jacobi_apply_many(void *state, int width, const double *r, double *z, ovk_poll poll)
{
  const jacobi *J = state;
  for (ovk_lidx i = 0, end; i < J->n; i = end) {
    end = ovk_poll_until(poll, i, J->n);
    OVK__FOR_WIDTH(width, jacobi_scale_of, i, end, J->inverse, r, z);
    ovk_poll_call(poll);
  }
  return OVK_OK;
}

static ovk_err jacobi_factor(void *state)
{
  jacobi *J = state;
  for (ovk_lidx i = 0; i < J->n; i++) {
    OVK_CHECK(J->inverse[i] > 0, J->ctx, OVK_ERR_INDEFINITE,
              "jacobi has no factors sqrt(D): row %lld has diagonal %g", (long long)(J->first + i),
              1 / J->inverse[i]);
  }
  OVK_NEW_ARRAY(J->ctx, J->inverse_root, J->n);
  for (ovk_lidx i = 0; i < J->n; i++) J->inverse_root[i] = sqrt(J->inverse[i]);
  return OVK_OK;
}

/* t <- D^-1/2 r */
static ovk_err jacobi_apply_root(void *state, const double *r, double *t, ovk_poll poll)
{
  const jacobi *J = state;
  jacobi_scale(J->n, J->inverse_root, r, t, poll);
  return OVK_OK;
}

static const double *inverse_diagonal(void *state)
{
  const jacobi *J = state;
  return J->inverse;
}

static int64_t jacobi_bytes(void *state)
{
  const jacobi *J = state;
  const int arrays = 1 + (J->inverse_root != NULL);
  return arrays * (int64_t)J->n * (int64_t)sizeof *J->inverse;
}

const ovk_precond_ops ovk__precond_jacobi = {
    .name = "jacobi",
    .summary = "the diagonal of the matrix",
    .apply = jacobi_apply,
    .setup = jacobi_setup,
    .destroy = jacobi_destroy,
    .factor = jacobi_factor,
    .apply_left = jacobi_apply_root,
    .apply_right = jacobi_apply_root,
    .inverse_diagonal = inverse_diagonal,
    .bytes = jacobi_bytes,
    .local = true,
    .any_partition = true,
    .apply_many = jacobi_apply_many,
};
