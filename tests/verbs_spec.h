/* SPDX-License-Identifier: BSD-2-Clause */
/* Specs of "verbs" over the adapter that OVK_TEST_DEVICE names: "emulated", the default; "ibverbs",
 * the first that there is; or a name. */
#ifndef OVK_TEST_VERBS_SPEC_H
#define OVK_TEST_VERBS_SPEC_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERBS_SPEC_SIZE = 160 };

/* Writes the spec with `keys`, which may be NULL; returns it. */
static inline const char *verbs_spec(char text[VERBS_SPEC_SIZE], const char *keys)
{
  const char *device = getenv("OVK_TEST_DEVICE");
  if (!device) device = "emulated";
  const bool first = strcmp(device, "ibverbs") == 0;
  snprintf(text, VERBS_SPEC_SIZE, "verbs%s%s%s%s%s", first && !keys ? "" : ":",
           first ? "" : "device=", first ? "" : device, !first && keys ? "," : "",
           keys ? keys : "");
  return text;
}

#endif
