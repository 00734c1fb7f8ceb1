/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory that the system has mapped for this process. */
#ifndef OVK_TEST_MAPPINGS_H
#define OVK_TEST_MAPPINGS_H

#include <stdio.h>
#include <string.h>

/* The number of mappings with `name` in their description; "": of all. 0 where the system has no
 * such file. */
static inline int count_mappings(const char *name)
{
  char line[8192];
  int n = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  if (!maps) return 0;
  while (fgets(line, sizeof line, maps)) n += strstr(line, name) != NULL;
  fclose(maps);
  return n;
}

#endif
