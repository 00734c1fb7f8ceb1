/* SPDX-License-Identifier: BSD-2-Clause */
/* Sparse all-to-all for set-up work: every rank sends items to a few ranks, which do not know their
 * senders in advance. */
#ifndef OVK_MATRIX_LAYOUT_EXCHANGE_H
#define OVK_MATRIX_LAYOUT_EXCHANGE_H

#include "core/context/check.h"

#include <stddef.h>

/* A message to or from one rank. */
typedef struct ovk__neighbor_message {
  int rank;
  int count; /* items */
} ovk__neighbor_message;

/* Messages in the order of ranks, with their items contiguous. All zero: none. */
typedef struct ovk__neighbor_messages {
  ovk__neighbor_message *list;
  int n;
  void *items;
  size_t total;
} ovk__neighbor_messages;

/* Frees list and items. */
void ovk__neighbor_messages_free(ovk__neighbor_messages *messages);

/* Delivers all messages of `out`; `in` gets the messages sent to this rank. Collective; errors are
 * agreed, and leave `in` empty. */
ovk_err ovk__exchange(ovk_ctx *ctx, size_t item_size, const ovk__neighbor_messages *out,
                      ovk__neighbor_messages *in);

#endif
