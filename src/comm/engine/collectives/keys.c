/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the keys of collective operations. */
#include "comm/engine/collectives/keys.h"

#include <limits.h>
#include <string.h>

static ovk_err read_ways(ovk__call *call)
{
  long ways;
  OVK_TRY(ovk_spec_int(call->ctx, call->spec, ovk__ways_keys.options, "ways", &ways));
  call->ways = (int)ways;
  return ovk__algorithm_spec_read(call->ctx, call->spec, &call->algorithms);
}

static ovk_err read_window(ovk__call *call)
{
  long window = OVK__NO_WINDOW; /* over verbs the key limits writes in flight instead */
  if (call->over_verbs) return OVK_OK;
  OVK_TRY(ovk_spec_int(call->ctx, call->spec, ovk__window_keys.options, "window", &window));
  call->window = (int)window;
  return OVK_OK;
}

static ovk_err read_choice(ovk__call *call, bool has_ring, bool has_bruck)
{
  const char *name = ovk_spec_name(call->spec);
  const char *alg = ovk_spec_string(call->spec, "alg", "flat");
  call->ring = has_ring && strcmp(alg, "ring") == 0;
  call->bruck = has_bruck && strcmp(alg, "bruck") == 0;
  const bool flat = !call->ring && !call->bruck;
  OVK_CHECK(!flat || strcmp(alg, "flat") == 0, call->ctx, OVK_ERR_ARG,
            "'%s': alg is '%s', allowed are flat%s%s", name, alg, has_ring ? " and ring" : "",
            has_bruck ? " and bruck" : "");
  OVK_CHECK(flat || !ovk_spec_has(call->spec, "window"), call->ctx, OVK_ERR_ARG,
            "'%s': window belongs to alg=flat", name);
  return read_window(call);
}

static ovk_err read_ring(ovk__call *call)
{
  return read_choice(call, true, false);
}

static ovk_err read_bruck(ovk__call *call)
{
  return read_choice(call, false, true);
}

static ovk_err read_ring_or_bruck(ovk__call *call)
{
  return read_choice(call, true, true);
}

static ovk_err read_algorithms(ovk__call *call)
{
  return ovk__algorithm_spec_read(call->ctx, call->spec, &call->algorithms);
}

/* Over verbs window= limits writes in flight if the vector is not cut. */
static ovk_err read_fragments(ovk__call *call)
{
  OVK_TRY(read_algorithms(call));
  if (call->over_verbs && !ovk_spec_has(call->spec, "fragment")) return OVK_OK;
  return ovk__fragments_read(call->ctx, call->spec, &call->fragments);
}

#define WINDOW_OPTION                                                                              \
  OVK_INTEGER("window", 1, INT_MAX, OVK__NO_WINDOW, "steps of a round in flight")

const ovk__call_keys ovk__ways_keys = {
    {OVK_INTEGER("ways", 1, 7, 1, "rotations of the dissemination at once"), OVK__LEVELS_OPTION,
     OVK__CHANNEL_OPTION, OVK_OPTIONS_END},
    read_ways};
const ovk__call_keys ovk__channel_keys = {{OVK__CHANNEL_OPTION, OVK_OPTIONS_END}, read_algorithms};
const ovk__call_keys ovk__window_keys = {{WINDOW_OPTION, OVK_OPTIONS_END}, read_window};
const ovk__call_keys ovk__ring_keys = {
    {OVK_TEXT("alg", "flat|ring", "flat", "all messages at once, or a ring"), WINDOW_OPTION,
     OVK_OPTIONS_END},
    read_ring};
const ovk__call_keys ovk__bruck_keys = {
    {OVK_TEXT("alg", "flat|bruck", "flat", "all messages at once, or few rounds"), WINDOW_OPTION,
     OVK_OPTIONS_END},
    read_bruck};
const ovk__call_keys ovk__ring_bruck_keys = {
    {OVK_TEXT("alg", "flat|ring|bruck", "flat", "all messages at once, a ring, or few rounds"),
     WINDOW_OPTION, OVK_OPTIONS_END},
    read_ring_or_bruck};
const ovk__call_keys ovk__fragment_keys = {
    {OVK__ALGORITHM_OPTIONS, OVK__FRAGMENT_OPTIONS, OVK_OPTIONS_END}, read_fragments};
