/* SPDX-License-Identifier: BSD-2-Clause */
/* Replaces fault.c in builds without fault injection. */
#include "comm/net/fault.h"

#include <stddef.h>

static const ovk_option keys[] = {OVK__FAULT_OPTIONS};

ovk_err ovk__fault_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__fault *out)
{
  *out = (ovk__fault){0};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
    OVK_CHECK(!ovk_spec_has(spec, keys[k].name), ctx, OVK_ERR_UNSUPPORTED,
              "'%s': the test key %s needs a build with -DOVK_FAULTS=ON", ovk_spec_name(spec),
              keys[k].name);
  }
  return OVK_OK;
}

ovk__fault_kind ovk__fault_strikes(ovk__fault *fault, int n)
{
  (void)fault;
  (void)n;
  return OVK__NO_FAULT;
}
