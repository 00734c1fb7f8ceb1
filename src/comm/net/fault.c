/* SPDX-License-Identifier: BSD-2-Clause */
/* Fault injection of test builds. */
#include "comm/net/fault.h"

#include <signal.h>
#include <string.h>

ovk_err ovk__fault_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__fault *out)
{
  static const char *const words[] = {[OVK__FAULT_KILL] = "kill",
                                      [OVK__FAULT_BREAK] = "break",
                                      [OVK__FAULT_DEVICE] = "device",
                                      [OVK__FAULT_SILENCE] = "silence"};
  static const ovk_option options[] = {OVK__FAULT_OPTIONS, OVK_OPTIONS_END};
  long rank;
  *out = (ovk__fault){0};
  OVK_TRY(ovk_spec_int(ctx, spec, options, "fault_rank", &rank));
  OVK_TRY(ovk_spec_int(ctx, spec, options, "fault_at", &out->at));
  if (!ovk_spec_has(spec, "fault")) return OVK_OK;
  const char *word = ovk_spec_string(spec, "fault", "");
  int kind = OVK__FAULT_KILL;
  while (kind <= OVK__FAULT_SILENCE && strcmp(words[kind], word) != 0) kind++;
  OVK_CHECK(kind <= OVK__FAULT_SILENCE, ctx, OVK_ERR_ARG,
            "'%s': fault is '%s', allowed are kill, break, device and silence", ovk_spec_name(spec),
            word);
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
