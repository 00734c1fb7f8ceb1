/* SPDX-License-Identifier: BSD-2-Clause */
/* The inside of a halo exchange: which rows travel; and its two ways to move them. */
#ifndef OVK_MATRIX_HALO_IMPL_H
#define OVK_MATRIX_HALO_IMPL_H

#include "core/ctx_impl.h"
#include "matrix/exchange.h"
#include "matrix/halo.h"

#include <ovkrylov/collectives.h>

/* How the rows of send_buffer get into others' ghosts. */
typedef struct ovk__halo_way {
  /* Rows go to the ranks of `sends`, and come from those of `receives`, one rank's behind the
   * other's. Collective; errors are agreed. Whatever happens, release is due. */
  ovk_err (*prepare)(ovk__halo *halo, const ovk__parcels *receives, const ovk__parcels *sends);
  void (*release)(ovk__halo *halo);
  ovk_err (*begin)(ovk__halo *halo, const double *const x[]); /* packs, too */
  void (*progress)(ovk__halo *halo);
  ovk_err (*end)(ovk__halo *halo);
} ovk__halo_way;

extern const ovk__halo_way ovk__halo_p2p, ovk__halo_nbc;

struct ovk__halo {
  ovk_ctx *ctx;
  const ovk__halo_way *way;
  int width;           /* vectors; buffers have the values of a row one after the other */
  ovk_lidx *send_rows; /* local rows that go out, neighbour after neighbour */
  size_t nsend_rows;
  double *send_buffer;
  double *ghosts; /* received rows */
  ovk_lidx nghosts;

  /* p2p */
  int tag;
  int nreceives, nsends; /* neighbours in each direction */
  MPI_Request *requests; /* receives, then sends */
  int nrequests;         /* those made so far */
  bool running;
  ovk_err failed; /* a failure while progressing, returned at the end */

  /* nbc */
  ovk_collective *alltoall;
};

/* Fills the send buffer with rows of the vectors x. */
void ovk__halo_pack(ovk__halo *halo, const double *const x[]);

#endif
