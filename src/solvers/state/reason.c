/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of the reasons for which solves end. */
#include "core/base/did_you_mean.h"
#include "solvers/state/reason_list.h"

#include <ovkrylov/solver.h>

static const struct {
  ovk_reason reason;
  const char *text, *petsc;
} reasons[] = {
#define OVK_REASON_ROW(name, value, text, petsc) {name, text, petsc},
    OVK_REASON_LIST(OVK_REASON_ROW)
#undef OVK_REASON_ROW
};
enum { REASONS = sizeof reasons / sizeof *reasons };

static int reason_find(ovk_reason reason)
{
  int k = 0;
  while (k < REASONS && reasons[k].reason != reason) k++;
  return k;
}

const char *ovk_reason_text(ovk_reason reason)
{
  const int k = reason_find(reason);
  return k < REASONS ? reasons[k].text : "unknown";
}

const char *ovk_reason_petsc_text(ovk_reason reason)
{
  const int k = reason_find(reason);
  return k < REASONS ? reasons[k].petsc : "unknown";
}

bool ovk_reason_find(const char *name, ovk_reason *reason)
{
  if (!name || !reason) return false;
  for (int k = 0; k < REASONS; k++) {
    if (!ovk__is_named(name, reasons[k].text) && !ovk__is_named(name, reasons[k].petsc)) continue;
    *reason = reasons[k].reason;
    return true;
  }
  return false;
}
