/* SPDX-License-Identifier: BSD-2-Clause */
/* The internals of a halo exchange: its rows, and the state of its transports. */
#ifndef OVK_MATRIX_HALO_HALO_IMPL_H
#define OVK_MATRIX_HALO_HALO_IMPL_H

#include "core/context/ctx_impl.h"
#include "matrix/halo/halo.h"
#include "matrix/layout/exchange.h"

#include <ovkrylov/comm/collectives.h>

/* Rows to one rank, in send_rows. */
typedef struct ovk__halo_rows {
  size_t first, count;
} ovk__halo_rows;

typedef struct ovk__halo_near ovk__halo_near;

/* The values of this rank's rows: an array for each of the vectors or, where that is NULL, a block
 * with the values of a row side by side. */
typedef struct ovk__halo_values {
  const double *const *vectors;
  const double *block;
} ovk__halo_values;

/* A transport to the ghosts of other ranks. */
typedef struct ovk__halo_transport {
  /* Rows are sent to the ranks of `sends` and received from those of `receives`, ordered by rank.
   * Collective; errors are agreed. release must be called, also after a failure. */
  ovk_err (*prepare)(ovk__halo *halo, const ovk__neighbor_messages *receives,
                     const ovk__neighbor_messages *sends);
  void (*release)(ovk__halo *halo);
  ovk_err (*begin)(ovk__halo *halo, ovk__halo_values x); /* also packs */
  void (*progress)(ovk__halo *halo);
  ovk_err (*end)(ovk__halo *halo);
} ovk__halo_transport;

extern const ovk__halo_transport ovk__halo_p2p, ovk__halo_shm, ovk__halo_nbc;

struct ovk__halo {
  ovk_ctx *ctx;
  const ovk__halo_transport *transport;
  int width;           /* number of vectors; the values of a row are contiguous in buffers */
  ovk_lidx *send_rows; /* local rows to send, ordered by neighbor */
  size_t nsend_rows;
  double *ghosts; /* received rows */
  ovk_lidx nghosts;

  /* p2p and nbc */
  double *send_buffer; /* of all rows to send; those of near ranks are not used */

  /* p2p: messages with ranks that are not near */
  int tag;
  int nreceives, nsends; /* neighbors in each direction */
  ovk__halo_rows *sends;
  MPI_Request *requests; /* receives, then sends */
  int nrequests;         /* those created so far */
  bool running;
  ovk_err failed; /* a failure during progress, returned by end */

  ovk__halo_near *near; /* shm, which uses p2p, too; else NULL */

  /* nbc */
  ovk_collective *alltoall;
};

/* to <- rows of x, number first to first + count - 1 of those to send. */
void ovk__halo_pack(const ovk__halo *halo, ovk__halo_values x, size_t first, size_t count,
                    double *to);

/* Allocates the send buffer. */
ovk_err ovk__halo_buffer(ovk__halo *halo);

/* Whether shm carries the messages from and to a rank. */
bool ovk__halo_is_near(const ovk__halo *halo, int rank);

/* Rows for which shm's places have room; 0 for other transports. */
size_t ovk__halo_near_rows(const ovk__halo *halo);

#endif
