/* SPDX-License-Identifier: BSD-2-Clause */
/* Fault injection of test builds. */
#include "comm/net/fault.h"

#include <signal.h>

static const ovk_option options[] = {OVK__FAULT_OPTIONS, OVK_OPTIONS_END};

ovk_err ovk__fault_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__fault *out)
{
  long rank;
  int kind;
  *out = (ovk__fault){0};
  OVK_TRY(ovk_spec_int(ctx, spec, options, "fault_rank", &rank));
  OVK_TRY(ovk_spec_int(ctx, spec, options, "fault_at", &out->at));
  OVK_TRY(ovk_spec_word(ctx, spec, options, "fault", &kind));
  if (rank == ovk_ctx_rank(ctx)) out->kind = (ovk__fault_kind)kind;
  return OVK_OK;
}

ovk__fault_kind ovk__fault_strikes(ovk__fault *fault, int n)
{
  const bool first = fault->nworks < fault->at;
  fault->nworks += n;
  if (fault->kind == OVK__NO_FAULT || fault->nworks < fault->at) return OVK__NO_FAULT;
  if (fault->kind == OVK__FAULT_KILL) (void)raise(SIGKILL);
  return fault->kind == OVK__FAULT_BREAK && !first ? OVK__NO_FAULT : fault->kind;
}
