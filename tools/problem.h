/* SPDX-License-Identifier: BSD-2-Clause */
/* The system to solve: a matrix and a right-hand side, generated or read. */
#ifndef OVK_TOOL_PROBLEM_H
#define OVK_TOOL_PROBLEM_H

#include <ovkrylov/ovkrylov.h>

/* A model problem of the gallery. */
typedef ovk_err (*problem_maker)(ovk_ctx *ctx, const int n[3], const int grid[3],
                                 const char *format, ovk_mat **out);

/* Which system. */
typedef struct problem_request {
  const char *name;   /* of the model problem, or the matrix file's path */
  problem_maker make; /* NULL: read the file */
  int n[3], grid[3];  /* of a model problem; grid[0] = 0: choose one */
  const char *rhs;    /* "ones", "Aones", "random", or a file's path */
  const char *format; /* of the matrix, by spec; NULL: the default */
} problem_request;

typedef struct problem {
  char text[128]; /* what a model problem is called with its sizes; "" for a file */
  const char *name;
  ovk_mat *A;
  ovk_vec *b;
  double seconds; /* of the set-up, the greatest of all ranks */
} problem;

/* Sets up the system. Collective. Free it with problem_destroy(), also after a failure. */
ovk_err problem_create(ovk_ctx *ctx, const problem_request *request, problem *out);
void problem_destroy(problem *p);

/* "laplace27 60x60x60 per process, grid 1x1x2", or the file's path. */
const char *problem_text(const problem *p);

#endif
