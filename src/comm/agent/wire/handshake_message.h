/* SPDX-License-Identifier: BSD-2-Clause */
/* The handshakes of the request of an agent as control messages: to its rank, and with the answers
 * of the peers. */
#ifndef OVK_COMM_AGENT_WIRE_HANDSHAKE_MESSAGE_H
#define OVK_COMM_AGENT_WIRE_HANDSHAKE_MESSAGE_H

#include "comm/engine/channels/handshake.h"
#include "comm/engine/schedule/schedule.h"

/* *words, to be freed with free(), and *n <- HANDSHAKES: their number; then for each of them peer,
 * nout, nin and the words. */
ovk_err ovk__handshakes_write(ovk_ctx *ctx, const ovk__handshakes *handshakes, uint64_t **words,
                              size_t *n);

/* Read and check a message HANDSHAKES on the rank whose schedule the agent has. There is one
 * handshake for this rank, *own, with the peer MPI_PROC_NULL, and one for each rank with which the
 * schedule has messages, of the length that both sides expect. ovk__handshakes_free() must be
 * called also after an error. */
ovk_err ovk__handshakes_read(ovk_ctx *ctx, const uint64_t *words, size_t n,
                             const ovk__schedule *schedule, ovk__handshakes *out,
                             ovk__handshake **own);

/* *words, to be freed with free(), and *n <- CONNECT: id of the list and the words that were
 * received for its handshakes, in order. */
ovk_err ovk__connect_message_write(ovk_ctx *ctx, uint64_t id, const ovk__handshakes *handshakes,
                                   uint64_t **words, size_t *n);

/* Read the words of CONNECT after the id into the handshakes; false: they do not match. */
bool ovk__connect_message_read(const uint64_t *words, size_t n, const ovk__handshakes *handshakes);

#endif
