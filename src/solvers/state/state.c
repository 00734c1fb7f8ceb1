/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a solver may be used, and how its solves end. */
#include "solvers/state/state.h"
#include "core/in_use.h"

#include <stdarg.h>
#include <stdio.h>

ovk_err ovk__solver_check_idle(const ovk_solver *S)
{
  OVK_CHECK_UNUSED(S, "the solver");
  OVK_CHECK(!S->selection.unusable, S->ctx, OVK_ERR_STATE,
            "the solver is unusable: an earlier change to another method failed");
  return OVK_OK;
}

void ovk__stop(ovk_solver *S, ovk_reason reason, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(S->message, sizeof S->message, format, args);
  va_end(args);
  S->reason = reason;
}
