/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls of the MPI against those of a preloaded libovk_mpi.so. */
#ifndef OVK_TOOL_DROP_IN_H
#define OVK_TOOL_DROP_IN_H

#include "bench/support/lists.h"

typedef struct drop_in {
  int iterations, rounds;
  bool pairs;    /* rows with MPI_MAXLOC as well */
  numbers bytes; /* multiples of that of a double */
  words calls;
  const char *json; /* a file, "-", or NULL */
} drop_in;

/* Measures and prints all sizes. Collective. */
ovk_err drop_in_run(ovk_ctx *ctx, const drop_in *options);

#endif
