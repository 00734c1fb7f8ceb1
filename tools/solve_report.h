/* SPDX-License-Identifier: BSD-2-Clause */
/* How a solve went: a table for people, JSON for programs. */
#ifndef OVK_TOOL_SOLVE_REPORT_H
#define OVK_TOOL_SOLVE_REPORT_H

#include "problem.h"

typedef struct report {
  const problem *problem;
  const ovk_solver *solver;
  const char *precond;      /* its spec */
  int repeat;               /* solves that the times are medians of; 0: of one solve */
  const ovk_result *result; /* its seconds are the greatest of all ranks */
} report;

void report_table(FILE *file, const report *r);
void report_json(FILE *file, const report *r);

#endif
