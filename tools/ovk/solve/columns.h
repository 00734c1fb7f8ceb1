/* SPDX-License-Identifier: BSD-2-Clause */
/* Several right-hand sides for `ovk solve`, their solutions and their results. */
#ifndef OVK_TOOL_COLUMNS_H
#define OVK_TOOL_COLUMNS_H

#include "json.h"
#include "problem/problem.h"

#include <ovkrylov/ovkrylov.h>

enum { MAX_COLUMNS = 1024 };

typedef struct columns {
  int count; /* 0: there is only one right-hand side */
  ovk_multivec *b, *x;
  ovk_result *results;
} columns;

/* Takes the right-hand sides of p's file; or makes `count` of them: p->b, and random ones that
 * depend on the row only. Refuses a `count` that is neither 0 nor that of the file. Collective.
 * Free them with columns_destroy(), also after a failure. */
ovk_err columns_create(problem *p, int count, columns *out);
void columns_destroy(columns *c);

/* Solves from x = 0. *result <- that of the column with the worst end, or with the most iterations,
 * with the seconds of all of them. Collective. */
ovk_err columns_solve(ovk_solver *solver, columns *c, ovk_result *result);

/* x <- the solution of the first column. */
ovk_err columns_first(const columns *c, ovk_vec *x);

/* A line for each column; an array of the same. Nothing where there are none. */
void columns_print(FILE *file, const columns *c);
void columns_write(json *out, const columns *c);

#endif
