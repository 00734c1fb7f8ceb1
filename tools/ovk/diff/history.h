/* SPDX-License-Identifier: BSD-2-Clause */
/* The histories of two runs: residuals and fingerprints of the totals, iteration by iteration. */
#ifndef OVK_TOOL_DIFF_HISTORY_H
#define OVK_TOOL_DIFF_HISTORY_H

#include "diff/run_file.h"

/* Where two histories part. */
typedef struct history_parting {
  const run_file *missing;           /* the run that has no history; NULL: both have one */
  const run_file *ended;             /* the run whose history is the begin of the other's */
  long iteration;                    /* the first that differs, or the last common one */
  const char *residual[2], *sums[2]; /* the values there; NULL: there are none */
  bool parts;                        /* the histories differ */
} history_parting;

void history_compare(const run_file two[2], history_parting *out);

#endif
