/* SPDX-License-Identifier: BSD-2-Clause */
/* A record of all iterations of a solve, however many there are. */
#ifndef OVK_TOOL_RECORD_H
#define OVK_TOOL_RECORD_H

#include <ovkrylov/ovkrylov.h>

/* Initialize with {0}. */
typedef struct record {
  ovk_progress *entries;
  size_t n, room;
  bool failed; /* out of memory: later entries are missing */
} record;

void record_add(record *r, const ovk_progress *now);
void record_free(record *r);

#endif
