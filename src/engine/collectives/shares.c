/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the keys window= and alg= of operations with shares. */
#include "engine/collectives/shares.h"

#include <limits.h>
#include <string.h>

const char *const ovk__window_keys[] = {"window", NULL};
const char *const ovk__ring_keys[] = {"alg", "window", NULL};

ovk_err ovk__read_window(ovk__call *call)
{
  long window = OVK__NO_WINDOW; /* over verbs the key limits writes in flight instead */
  if (call->over_verbs) return OVK_OK;
  OVK_TRY(ovk_spec_int(call->ctx, call->spec, "window", 1, INT_MAX, OVK__NO_WINDOW, &window));
  call->window = (int)window;
  return OVK_OK;
}

ovk_err ovk__read_ring(ovk__call *call)
{
  const char *name = ovk_spec_name(call->spec);
  const char *alg = ovk_spec_string(call->spec, "alg", "flat");
  call->ring = strcmp(alg, "ring") == 0;
  OVK_CHECK(call->ring || strcmp(alg, "flat") == 0, call->ctx, OVK_ERR_ARG,
            "'%s': alg is flat or ring here, not '%s'", name, alg);
  OVK_CHECK(!call->ring || !ovk_spec_has(call->spec, "window"), call->ctx, OVK_ERR_ARG,
            "'%s': window belongs to alg=flat", name);
  return ovk__read_window(call);
}
