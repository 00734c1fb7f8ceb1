/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the keys of collective operations. */
#include "comm/engine/collectives/keys.h"

#include <limits.h>
#include <string.h>

static ovk_err read_algorithms(const ovk_option *options, ovk__call *call)
{
  (void)options;
  return ovk__algorithm_spec_read(call->ctx, call->spec, &call->algorithms);
}

static ovk_err read_ways(const ovk_option *options, ovk__call *call)
{
  long ways;
  OVK_TRY(ovk_spec_int(call->ctx, call->spec, options, "ways", &ways));
  call->ways = (int)ways;
  return read_algorithms(options, call);
}

static ovk_err read_window(const ovk_option *options, ovk__call *call)
{
  long window = OVK__NO_WINDOW; /* over verbs the key limits writes in flight instead */
  if (call->over_verbs) return OVK_OK;
  OVK_TRY(ovk_spec_int(call->ctx, call->spec, options, "window", &window));
  call->window = (int)window;
  return OVK_OK;
}

static ovk_err read_choice(const ovk_option *options, ovk__call *call)
{
  int alg;
  OVK_TRY(ovk_spec_word(call->ctx, call->spec, options, "alg", &alg));
  const char *name = ovk_spec_string(call->spec, "alg", "flat");
  call->ring = strcmp(name, "ring") == 0;
  call->bruck = strcmp(name, "bruck") == 0;
  OVK_CHECK((!call->ring && !call->bruck) || !ovk_spec_has(call->spec, "window"), call->ctx,
            OVK_ERR_ARG, "'%s': window belongs to alg=flat", ovk_spec_name(call->spec));
  return read_window(options, call);
}

/* Over verbs window= limits writes in flight if the vector is not cut. */
static ovk_err read_fragments(const ovk_option *options, ovk__call *call)
{
  OVK_TRY(read_algorithms(options, call));
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
    {OVK_WORD("alg", 0, "all messages at once, or a ring", "flat", "ring"), WINDOW_OPTION,
     OVK_OPTIONS_END},
    read_choice};
const ovk__call_keys ovk__bruck_keys = {
    {OVK_WORD("alg", 0, "all messages at once, or few rounds", "flat", "bruck"), WINDOW_OPTION,
     OVK_OPTIONS_END},
    read_choice};
const ovk__call_keys ovk__ring_bruck_keys = {
    {OVK_WORD("alg", 0, "all messages at once, a ring, or few rounds", "flat", "ring", "bruck"),
     WINDOW_OPTION, OVK_OPTIONS_END},
    read_choice};
const ovk__call_keys ovk__fragment_keys = {
    {OVK__ALGORITHM_OPTIONS, OVK__FRAGMENT_OPTIONS, OVK_OPTIONS_END}, read_fragments};
