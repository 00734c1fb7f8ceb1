/* SPDX-License-Identifier: BSD-2-Clause */
/* The report of a solve: a text table, or JSON. */
#ifndef OVK_TOOL_SOLVE_REPORT_H
#define OVK_TOOL_SOLVE_REPORT_H

#include "problem/problem.h"
#include "record.h"
#include "solve/columns.h"
#include "solve/fingerprint.h"

typedef struct report {
  const problem *problem;
  const ovk_solver *solver;
  const char *precond;  /* its spec */
  const ovk_precond *M; /* the resolved one */
  bool precond_view;    /* with its parts */
  double precond_setup; /* seconds, the maximum over the ranks */
  const char *norm;     /* of the test */
  bool nullspace;       /* one was given */
  double rtol, atol;    /* as requested */
  const char *message;  /* the reason why it did not converge, or "" */
  int repeat;           /* number of solves that the times are medians of; 0: a single solve */
  const fingerprint *fingerprint; /* NULL: none; its `sums` are 0 without exact sums */
  const record *record;           /* of every iteration, for JSON; NULL: none */
  const columns *columns;         /* of several right-hand sides */
  const ovk_result *result;       /* its seconds are the maxima over the ranks */
} report;

void report_table(FILE *file, const report *r);
void report_json(FILE *file, const report *r);

#endif
