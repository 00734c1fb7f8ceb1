/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory use of a process, as counted by Linux and glibc. */
#include "memory.h"

#include <malloc.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of kB after `key` in a file of such lines, in megabytes. */
static double read_kb(const char *path, const char *key)
{
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  char line[256];
  double mb = 0;
  const size_t length = strlen(key);
  while (fgets(line, sizeof line, file)) {
    if (strncmp(line, key, length) == 0) mb = strtod(line + length, NULL) * 1024e-6;
  }
  fclose(file);
  return mb;
}

memory memory_read(void)
{
  malloc_trim(0); /* returns free blocks between used ones to the system, too */
  double own[3] = {read_kb("/proc/self/status", "VmRSS:"), read_kb("/proc/self/status", "VmHWM:"),
                   read_kb("/proc/self/smaps_rollup", "AnonHugePages:")};
  double most[3] = {0};
  MPI_Allreduce(own, most, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return (memory){most[0], most[1], most[2]};
}

const char *memory_huge_pages(void)
{
  static const char *const settings[] = {"always", "madvise", "never"}; /* current one: [always] */
  char line[128] = "", chosen[16];
  FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
  if (file) {
    if (!fgets(line, sizeof line, file)) line[0] = '\0';
    fclose(file);
  }
  for (int k = 0; k < 3; k++) {
    snprintf(chosen, sizeof chosen, "[%s]", settings[k]);
    if (strstr(line, chosen)) return settings[k];
  }
  return "unknown";
}
