/* SPDX-License-Identifier: BSD-2-Clause */
/* The exchange of faces between neighbouring boxes, in three ways. */
#ifndef OVK_TOOL_HALO_H
#define OVK_TOOL_HALO_H

#include "bench/poisson/box.h"

typedef enum halo_way {
  HALO_BLOCKING, /* MPI_Alltoallv, all of it in begin */
  HALO_NBC,      /* the library's non-blocking all-to-all */
  HALO_P2P,      /* MPI_Isend and MPI_Irecv, to and from each neighbour */
  HALO_WAYS
} halo_way;

/* What the ways are called. */
extern const char *const halo_names[HALO_WAYS];

typedef struct halo {
  ovk_ctx *ctx;
  const box *box;
  halo_way way;                    /* of the exchanges to come */
  double *send, *receive;          /* faces, in the order of directions */
  int *counts, *offsets;           /* by rank, of what is sent and of what is received alike */
  ovk_collective *all_to_all;      /* of HALO_NBC */
  MPI_Request requests[2 * FACES]; /* of HALO_P2P */
} halo;

/* Sets up all ways. `spec`: of the library's all-to-all; b must live as long as the halo.
 * Collective. Free it with halo_destroy(), also after a failure. */
ovk_err halo_create(ovk_ctx *ctx, const box *b, const char *spec, halo *out);
void halo_destroy(halo *h);

/* Begins to send the faces of x and to receive those of the neighbours. */
ovk_err halo_begin(halo *h, const double *x);

/* A poll: moves the exchange on. `self` is the halo. */
void halo_progress(void *self);

/* Waits for the neighbours' faces, and subtracts them from those of y. */
ovk_err halo_end(halo *h, double *y);

#endif
