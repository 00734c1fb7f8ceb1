/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line of all drivers. */
#ifndef OVK_BENCH_OPTIONS_H
#define OVK_BENCH_OPTIONS_H

#include "problem/model/box.h"

#include <stdio.h>

typedef struct options {
  const box_kind *kind;                  /* of a model problem; NULL: a file */
  int n[3];                              /* points per rank */
  const char *path;                      /* of a matrix */
  const char *rhs;                       /* "ones", "Aones", "random" */
  const char *method, *backend, *format; /* NULL: the library's default */
  const char *precond;                   /* as the library's driver calls it; default jacobi */
  const char *json; /* NULL: a table on standard output; "-": JSON on standard output */
  double rtol;
  int maxit, repeat;
  int products, applications; /* > 0: time products, or applications, instead of a solve */
  int steps;                  /* > 0: time steps with new values instead */
  bool help;                  /* nothing else counts */
  int columns;                /* > 0: solve for so many right-hand sides at once */
} options;

/* Parses the words after the program's name. */
ovk_err options_read(ovk_ctx *ctx, int argc, char **argv, options *out);

/* The unknowns of a point, rows that follow each other; 1 for a file. */
int options_unknowns(const options *o);

/* The text of --help. */
void options_print(FILE *file, const char *program);

#endif
