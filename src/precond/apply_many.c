/* SPDX-License-Identifier: BSD-2-Clause */
/* Applications of a preconditioner to blocks of several columns. */
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "precond/precond_impl.h"

static ovk_err precond_prepare_width(ovk_precond *M, int width)
{
  if (!M->many) {
    if (!M->column) OVK_NEW_ARRAY(M->ctx, M->column, 2 * (size_t)M->A->layout.local);
    return OVK_OK;
  }
  if (!M->ops->prepare_many) return OVK_OK;
  OVK_RETURN_USERS(M->ctx, M->ops->prepare_many(M->state, width),
                   "the preconditioner's prepare_many");
}

ovk_err ovk__precond_prepare_many(ovk_precond *M, int width)
{
  if (width == 1 || M->ready[width]) return OVK_OK;
  OVK_TRY(ovk__agree(M->ctx, precond_prepare_width(M, width)));
  M->ready[width] = true;
  return OVK_OK;
}

static ovk_err apply_column(const ovk_precond *M, const double *r, double *z, ovk_poll poll)
{
  OVK_RETURN_USERS(M->ctx, M->ops->apply(M->state, r, z, poll), "the preconditioner's apply");
}

/* All columns, also after a failure: an application may communicate. */
static ovk_err apply_by_columns(const ovk_precond *M, int width, const double *r, double *z,
                                ovk_poll poll)
{
  const ovk_lidx n = M->A->layout.local;
  double *from = M->column, *to = from + n;
  ovk__kept_error first = {0};
  for (int c = 0; c < width; c++) {
    ovk__panel_get(n, width, r, c, 1, from, n);
    ovk__keep_error(M->ctx, apply_column(M, from, to, poll), &first);
    ovk__panel_set(n, width, z, c, 1, to, n);
  }
  return ovk__kept_error_of(M->ctx, &first);
}

ovk_err ovk__precond_apply_many(const ovk_precond *M, int width, const double *r, double *z,
                                ovk_poll poll)
{
  if (width == 1) return apply_column(M, r, z, poll);
  if (!M->many) return apply_by_columns(M, width, r, z, poll);
  OVK_RETURN_USERS(M->ctx, M->ops->apply_many(M->state, width, r, z, poll),
                   "the preconditioner's apply_many");
}

static ovk_err many_check(ovk_ctx *ctx, const ovk_precond *M, const ovk_multivec *R,
                          const ovk_multivec *Z)
{
  OVK_CHECK_HANDLE(ctx, M);
  OVK_CHECK_HANDLE(ctx, R);
  OVK_CHECK_HANDLE(ctx, Z);
  OVK_TRY(ovk__precond_check_ready(M));
  return ovk__multivec_check_pair(ctx, &M->A->layout, R, "R", Z, "Z");
}

static ovk_err apply_panels(ovk_precond *M, const ovk_multivec *R, ovk_multivec *Z, ovk_poll poll)
{
  const int panels = ovk__multivec_panels(R->columns);
  for (int b = 0; b < panels; b++) {
    OVK_TRY(ovk__precond_prepare_many(M, ovk__multivec_panel(R, b).width));
  }
  ovk__kept_error first = {0};
  for (int b = 0; b < panels; b++) {
    const ovk__panel r = ovk__multivec_panel(R, b), z = ovk__multivec_panel(Z, b);
    ovk__keep_error(M->ctx, ovk__precond_apply_many(M, r.width, r.rows, z.rows, poll), &first);
  }
  return ovk__agree(M->ctx, ovk__kept_error_of(M->ctx, &first));
}

ovk_err ovk_precond_apply_many(ovk_precond *M, const ovk_multivec *R, ovk_multivec *Z,
                               ovk_poll poll)
{
  ovk_ctx *ctx = OVK_ANY_CTX(M, R, Z);
  if (!ctx) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(ctx, many_check(ctx, M, R, Z)));
  const ovk__used used = OVK_USE(M, M->A, R, Z);
  const ovk_err err = apply_panels(M, R, Z, poll);
  ovk__end_use(&used);
  return err;
}
