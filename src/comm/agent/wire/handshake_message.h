/* SPDX-License-Identifier: BSD-2-Clause */
/* The handshakes of an agent's request as control messages: to its rank, and with what has come
 * back.
 */
#ifndef OVK_COMM_AGENT_WIRE_HANDSHAKE_MESSAGE_H
#define OVK_COMM_AGENT_WIRE_HANDSHAKE_MESSAGE_H

#include "comm/engine/channels/handshake.h"
#include "comm/engine/schedule/schedule.h"

/* *words, to be freed with free(), and *n <- HANDSHAKES: their number and, of each, peer, nout, nin
 * and the words. */
ovk_err ovk__handshakes_write(ovk_ctx *ctx, const ovk__handshakes *handshakes, uint64_t **words,
                              size_t *n);

/* Reads and checks one as the rank whose schedule the agent has: there is one handshake to this
 * rank, *own, whose peer is MPI_PROC_NULL here, and one to each rank that the schedule has messages
 * with, of the length that both sides expect. ovk__handshakes_free() must be called also after an
 * error. */
ovk_err ovk__handshakes_read(ovk_ctx *ctx, const uint64_t *words, size_t n,
                             const ovk__schedule *schedule, ovk__handshakes *out,
                             ovk__handshake **own);

/* *words, to be freed with free(), and *n <- CONNECT: id of the list and the words that have come
 * for its handshakes, in order. */
ovk_err ovk__connect_message_write(ovk_ctx *ctx, uint64_t id, const ovk__handshakes *handshakes,
                                   uint64_t **words, size_t *n);

/* Reads one, behind its id, into the handshakes; false: it is not theirs. */
bool ovk__connect_message_read(const uint64_t *words, size_t n, const ovk__handshakes *handshakes);

#endif
