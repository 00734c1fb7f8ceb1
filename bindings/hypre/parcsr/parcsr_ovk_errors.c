/* SPDX-License-Identifier: BSD-2-Clause */
/* Errors of HYPRE_ParCSROvk...() as flags of hypre. */
#include "parcsr_ovk.h"

#include <_hypre_utilities.h>

static HYPRE_Int flag_of(ovk_err err)
{
  switch (err) {
  case OVK_ERR_MEMORY:
    return HYPRE_ERROR_MEMORY;
  case OVK_ERR_ARG:
  case OVK_ERR_RANGE:
  case OVK_ERR_UNKNOWN:
    return HYPRE_ERROR_ARG;
  default:
    return HYPRE_ERROR_GENERIC;
  }
}

HYPRE_Int ovk__parcsr_raise(const ovk__parcsr_solver *s, ovk_err err)
{
  if (err) hypre_error_w_msg(flag_of(err), s && s->ctx ? ovk_ctx_error(s->ctx) : ovk_err_text(err));
  return HYPRE_GetError();
}

ovk_err ovk__parcsr_check_idle(const ovk__parcsr_solver *s)
{
  if (!s->solving) return OVK_OK;
  return ovk_ctx_fail(s->ctx, OVK_ERR_STATE, "the solver is in use: its solve has not returned");
}
