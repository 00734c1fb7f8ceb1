/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line of all drivers. */
#ifndef OVK_BENCH_OPTIONS_H
#define OVK_BENCH_OPTIONS_H

#include "box.h"

typedef struct options {
  const box_kind *kind;                  /* of a model problem; NULL: a file */
  int n[3];                              /* points of a rank */
  const char *path;                      /* of a matrix */
  const char *rhs;                       /* "ones", "Aones", "random" */
  const char *method, *backend, *format; /* NULL: the library's default */
  const char *json;                      /* NULL: a table on standard output; "-": JSON there */
  double rtol;
  int maxit, repeat, products; /* products > 0: time them instead of a solve */
} options;

/* Reads the words behind the program's name. *fault becomes the word that is wrong, NULL at the
 * end. */
bool options_read(char **words, options *out, const char **fault);

/* What --help says. */
extern const char options_help[];

#endif
