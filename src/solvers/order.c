/* SPDX-License-Identifier: BSD-2-Clause */
/* exact=all for a solver: refuses methods and preconditioners that depend on the partition. */
#include "solvers/order.h"
#include "core/context/agree.h"

#include <string.h>

static ovk_err order_check_method(const ovk_solver *S)
{
  const ovk__method *m = S->method;
  OVK_CHECK(!m->instead, S->ctx, OVK_ERR_UNSUPPORTED,
            "exact = 'all': the method '%s' depends on the partition; '%s' does not", m->name,
            m->instead);
  OVK_CHECK(!S->settings.basis_float, S->ctx, OVK_ERR_UNSUPPORTED,
            "exact = 'all': with basis=float '%s' depends on the partition; without it does not",
            m->name);
  return OVK_OK;
}

/* An application of a diagonal M has no sums. */
static ovk_err order_check_precond(const ovk_solver *S, ovk__precond_kind kind)
{
  OVK_CHECK(
      S->M->ops->any_partition || kind != OVK__M_OTHER, S->ctx, OVK_ERR_UNSUPPORTED,
      "exact = 'all': the preconditioner '%s' depends on which rank has which rows; 'none', "
      "'jacobi', 'chebyshev' and 'amg' do not, and exact = 'sums' takes any for one partition",
      ovk_precond_name(S->M));
  const bool amg = strcmp(ovk_precond_name(S->M), "amg") == 0;
  OVK_CHECK(!amg || !S->M->A->keys, S->ctx, OVK_ERR_UNSUPPORTED,
            "exact = 'all': 'amg' makes aggregates in the order of row numbers, not of keys; "
            "'jacobi' and 'chebyshev' need no row numbers");
  return OVK_OK;
}

ovk_err ovk__order_require(ovk_solver *S)
{
  ovk__precond_kind kind;
  OVK_TRY(ovk__precond_kind_of(S->M, &kind));
  ovk_err err = S->selection.automatic ? OVK_OK : order_check_method(S);
  if (!err) err = order_check_precond(S, kind);
  OVK_TRY(ovk__agree(S->ctx, err));
  OVK_TRY(ovk__mat_put_in_order(S->A));
  return ovk__precond_put_in_order(S->M);
}
