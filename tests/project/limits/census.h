/* SPDX-License-Identifier: BSD-2-Clause */
/* The resources of a process: MPI objects, counted through the profiling interface, and system
 * resources. */
#ifndef OVK_TEST_CENSUS_H
#define OVK_TEST_CENSUS_H

#include <stdbool.h>

typedef struct census {
  long communicators, groups, windows, types, infos, files, requests; /* of MPI, not yet freed */
  long descriptors, threads;
  long mappings;    /* of memory */
  long resident_kb; /* memory in use */
} census;

census census_take(void);

/* Whether b has no more than a; memory and mappings are not compared. */
bool census_within(const census *a, const census *b);

/* Prints it in one line, on every calling rank. */
void census_print(const char *when, const census *c);

#endif
