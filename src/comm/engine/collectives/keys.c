/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the keys of collective operations. */
#include "comm/engine/collectives/keys.h"

#include <limits.h>
#include <string.h>

static ovk_err read_ways(ovk__call *call)
{
  enum { MOST_WAYS = 7 };
  long ways;
  OVK_TRY(ovk_spec_int(call->ctx, call->spec, "ways", 1, MOST_WAYS, 1, &ways));
  call->ways = (int)ways;
  return ovk__shape_read(call->ctx, call->spec, &call->shape);
}

static ovk_err read_window(ovk__call *call)
{
  long window = OVK__NO_WINDOW; /* over verbs the key limits writes in flight instead */
  if (call->over_verbs) return OVK_OK;
  OVK_TRY(ovk_spec_int(call->ctx, call->spec, "window", 1, INT_MAX, OVK__NO_WINDOW, &window));
  call->window = (int)window;
  return OVK_OK;
}

static ovk_err read_ring(ovk__call *call)
{
  const char *name = ovk_spec_name(call->spec);
  const char *alg = ovk_spec_string(call->spec, "alg", "flat");
  call->ring = strcmp(alg, "ring") == 0;
  OVK_CHECK(call->ring || strcmp(alg, "flat") == 0, call->ctx, OVK_ERR_ARG,
            "'%s': alg is flat or ring here, not '%s'", name, alg);
  OVK_CHECK(!call->ring || !ovk_spec_has(call->spec, "window"), call->ctx, OVK_ERR_ARG,
            "'%s': window belongs to alg=flat", name);
  return read_window(call);
}

static ovk_err read_shape(ovk__call *call)
{
  return ovk__shape_read(call->ctx, call->spec, &call->shape);
}

/* Over verbs window= limits writes in flight where the vector is not cut. */
static ovk_err read_pieces(ovk__call *call)
{
  OVK_TRY(read_shape(call));
  if (call->over_verbs && !ovk_spec_has(call->spec, "fragment")) return OVK_OK;
  return ovk__fragments_read(call->ctx, call->spec, &call->fragments);
}

const ovk__call_keys ovk__ways_keys = {{"ways", "levels", "channel", NULL}, read_ways};
const ovk__call_keys ovk__channel_keys = {{"channel", NULL}, read_shape};
const ovk__call_keys ovk__window_keys = {{"window", NULL}, read_window};
const ovk__call_keys ovk__ring_keys = {{"alg", "window", NULL}, read_ring};
const ovk__call_keys ovk__piece_keys = {{OVK__SHAPE_KEYS, OVK__FRAGMENT_KEYS, NULL}, read_pieces};
