/* SPDX-License-Identifier: BSD-2-Clause */
/* The halo exchange: fetches the rows of x that a rank's remote block needs from their owners. The
 * transport is selected by OVK_HALO: shm (the default), memory that ranks of a node share, and p2p
 * with those of other nodes, or with all where none can be had and nothing was selected; p2p,
 * persistent point-to-point messages; nbc, the library's own all-to-all, with its keys; or verbs,
 * the same over an RDMA NIC. The results are bitwise equal. */
#ifndef OVK_MATRIX_HALO_HALO_H
#define OVK_MATRIX_HALO_HALO_H

#include "core/context/check.h"

typedef struct ovk__halo ovk__halo;

/* Sets up the exchange of `width` vectors at once, for `nghosts` global rows, increasing, none of
 * them on this rank. `first` is from ovk__layout_gather(). Collective; errors are agreed. */
ovk_err ovk__halo_create(ovk_ctx *ctx, const ovk_gidx *first, const ovk_gidx *ghosts,
                         ovk_lidx nghosts, int width, ovk__halo **out);
void ovk__halo_destroy(ovk__halo **halo);

/* Starts the exchange of `width` vectors; x has the rows of this rank. */
ovk_err ovk__halo_begin(ovk__halo *halo, const double *const x[]);

/* The same for a block: `width` values a row, one row after the other. */
ovk_err ovk__halo_begin_block(ovk__halo *halo, const double *block);

/* Progresses an active exchange. */
void ovk__halo_progress(ovk__halo *halo);

/* Waits for the exchange; *ghost_values are the ghost rows in the order given at creation, each
 * with its `width` values contiguous. */
ovk_err ovk__halo_end(ovk__halo *halo, const double **ghost_values);

/* Bytes of index lists and buffers. */
int64_t ovk__halo_bytes(const ovk__halo *halo);

#endif
