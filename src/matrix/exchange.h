/* SPDX-License-Identifier: BSD-2-Clause */
/* Sparse all-to-all for set-up work: every rank sends items to a few ranks that do not know of it.
 */
#ifndef OVK_MATRIX_EXCHANGE_H
#define OVK_MATRIX_EXCHANGE_H

#include "core/check.h"

#include <stddef.h>

/* What goes to, or came from, one rank. */
typedef struct ovk__parcel {
  int rank;
  int count; /* items */
} ovk__parcel;

/* Parcels in the order of ranks, and their items one after the other. All zero: nothing. */
typedef struct ovk__parcels {
  ovk__parcel *list;
  int n;
  void *items;
  size_t total;
} ovk__parcels;

/* Frees list and items. */
void ovk__parcels_free(ovk__parcels *parcels);

/* Delivers all parcels of `out`; `in` gets what the others sent to this rank. Collective; errors
 * are agreed, and leave `in` empty. */
ovk_err ovk__exchange(ovk_ctx *ctx, size_t item_size, const ovk__parcels *out, ovk__parcels *in);

#endif
