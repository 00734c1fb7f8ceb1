/* SPDX-License-Identifier: BSD-2-Clause */
/* The system to solve: a matrix and a right-hand side, generated or read. */
#ifndef OVK_TOOL_PROBLEM_H
#define OVK_TOOL_PROBLEM_H

#include <ovkrylov/ovkrylov.h>

struct problem_request;

/* Makes a model problem of the gallery on this grid of processes. */
typedef ovk_err (*problem_maker)(ovk_ctx *ctx, const struct problem_request *request,
                                 const int grid[3], ovk_mat **out);

/* The order of the rows of each rank. */
typedef enum problem_order {
  ORDER_NATURAL, /* as given */
  ORDER_RCM,     /* reverse Cuthill-McKee */
  ORDER_AUTO     /* that, if products with the given one wait for the caches */
} problem_order;

/* Describes the system to set up. */
typedef struct problem_request {
  const char *name;     /* of the model problem, or the path of the matrix file */
  problem_maker make;   /* NULL: read the file */
  int n[3], grid[3];    /* of a model problem; grid[0] = 0: choose one */
  double peclet, shift; /* of the model problems that have one */
  bool central;
  const char *rhs;    /* "ones", "Aones", "random", or the path of a file */
  const char *format; /* of the matrix, by spec; NULL: the default */
  problem_order order;
} problem_request;

/* The makers of the gallery. */
ovk_err problem_laplace27(ovk_ctx *ctx, const problem_request *r, const int grid[3], ovk_mat **out);
ovk_err problem_laplace7(ovk_ctx *ctx, const problem_request *r, const int grid[3], ovk_mat **out);
ovk_err problem_convdiff7(ovk_ctx *ctx, const problem_request *r, const int grid[3], ovk_mat **out);
ovk_err problem_helmholtz7(ovk_ctx *ctx, const problem_request *r, const int grid[3],
                           ovk_mat **out);

/* The maker of the problems of the benchmarks, by name. */
ovk_err problem_named(ovk_ctx *ctx, const problem_request *r, const int grid[3], ovk_mat **out);

/* Whether it is the path of a file, and not one of the names. */
bool problem_rhs_is_file(const char *rhs);

typedef struct problem {
  char text[128]; /* name and sizes of a model problem; "" for a file */
  const char *name;
  ovk_mat *A;
  ovk_vec *b;
  ovk_multivec *columns; /* of the file of the right-hand side; NULL: it has one, or is no file */
  double seconds;        /* of the set-up, the maximum over the ranks */
} problem;

/* Sets up the system. Collective. Free it with problem_destroy(), also after a failure. */
ovk_err problem_create(ovk_ctx *ctx, const problem_request *request, problem *out);
void problem_destroy(problem *p);

/* Puts the rows of the system in an order; x, and `columns` unless that is NULL, back in the given
 * one. Collective. */
ovk_err problem_reorder(problem_order order, problem *p);
ovk_err problem_restore(const problem *p, ovk_vec *x, ovk_multivec *columns);

/* "laplace27 60x60x60 per process, grid 1x1x2", or the path of the file. */
const char *problem_text(const problem *p);

#endif
