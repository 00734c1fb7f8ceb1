/* SPDX-License-Identifier: BSD-2-Clause */
/* The exchange of faces between neighboring boxes, over three transports. */
#ifndef OVK_TOOL_HALO_H
#define OVK_TOOL_HALO_H

#include "bench/poisson/box.h"

#include <ovkrylov/comm/collectives.h>

typedef enum halo_transport {
  HALO_BLOCKING, /* MPI_Alltoallv, complete within begin */
  HALO_NBC,      /* the nonblocking all-to-all of the library */
  HALO_P2P,      /* MPI_Isend and MPI_Irecv, to and from each neighbor */
  HALO_TRANSPORTS
} halo_transport;

/* Their names in output. */
extern const char *const halo_names[HALO_TRANSPORTS];

typedef struct halo {
  ovk_ctx *ctx;
  const box *box;
  halo_transport transport;        /* used by the next exchange */
  double *send, *receive;          /* faces, in the order of directions */
  int *counts, *offsets;           /* by rank; the same for sending and receiving */
  ovk_collective *all_to_all;      /* of HALO_NBC */
  MPI_Request requests[2 * FACES]; /* of HALO_P2P */
} halo;

/* Sets up all transports. `spec`: of the all-to-all of the library; b must outlive the halo.
 * Collective. Free it with halo_destroy(), also after a failure. */
ovk_err halo_create(ovk_ctx *ctx, const box *b, const char *spec, halo *out);
void halo_destroy(halo *h);

/* Begins to send the faces of x and to receive those of the neighbors. */
ovk_err halo_begin(halo *h, const double *x);

/* The poll callback: progresses the exchange. `self` is the halo. */
void halo_progress(void *self);

/* Waits for the neighbors' faces, and subtracts them from those of y. */
ovk_err halo_end(halo *h, double *y);

#endif
