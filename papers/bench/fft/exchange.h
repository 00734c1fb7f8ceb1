/* SPDX-License-Identifier: BSD-2-Clause */
/* An all-to-all in the columns, in one of the ways that are compared. */
#ifndef OVK_TOOL_EXCHANGE_H
#define OVK_TOOL_EXCHANGE_H

#include <complex.h>
#include <mpi.h>
#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/ovkrylov.h>

/* The ways that are no specs of the all-to-all of the library. */
#define EXCHANGE_ALLTOALL "alltoall"
#define EXCHANGE_ONE_SIDED "one-sided"

typedef struct exchange {
  double complex *send, *receive; /* a block for each rank */
  int block;                      /* numbers in a block */
  MPI_Comm comm;
  ovk_ctx *ctx, *column;      /* of the program, for errors, and of the ranks of the column */
  MPI_Win window;             /* over `receive`: one-sided only, */
  ovk_collective *collective; /* and this with a spec only; neither: MPI_Alltoall */
} exchange;

/* Collective. Free it with exchange_destroy(), also after a failure. */
ovk_err exchange_create(ovk_ctx *ctx, ovk_ctx *column, MPI_Comm comm, const char *way, int block,
                        exchange *e);
void exchange_destroy(exchange *e);

/* Begin sends `send`, end returns with `receive` complete. Collective in the column. */
ovk_err exchange_begin(exchange *e);
ovk_err exchange_end(exchange *e);

/* Progresses an exchange that has begun; end reports errors. */
void exchange_poll(exchange *e);

#endif
