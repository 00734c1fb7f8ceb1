/* SPDX-License-Identifier: BSD-2-Clause */
/* A rank and its remote agent in one process, and a relay between them that sees, and may change,
 * their messages. */
#ifndef OVK_TEST_AGENT_PAIR_H
#define OVK_TEST_AGENT_PAIR_H

#include "comm/agent/stream/stream.h"

#include <ovkrylov/comm/agent.h>

/* Is given the bytes that one side has sent, before the other side has them. */
typedef void agent_relay(void *arg, ovk__side from, unsigned char *bytes, size_t n);

typedef struct agent_pair {
  ovk_ctx *ctx; /* the rank's */
  ovk__tls *tls;
  ovk__stream *stream;
  ovk_agent_server *server;
  ovk_agent_client *client;
  int rank[2], agent[2];          /* sockets: a side's own end, and the relay's */
  ovk_err rank_err, agent_err;    /* of the handshake */
  bool rank_proved, agent_proved; /* a side has completed its handshake */
  agent_relay *relay;             /* or NULL */
  void *arg;
} agent_pair;

/* Writes a secret to a file that only its owner may read; false: it cannot. */
bool agent_write_secret(const char *path, const void *bytes, size_t n);

/* `secret`, `its`: paths of the rank's and the agent's file. Returns the first error; closed also
 * then. */
ovk_err agent_pair_open(agent_pair *p, ovk_ctx *ctx, const char *secret, const char *its);
void agent_pair_close(agent_pair *p);
#define scoped_agent_pair SCOPED(agent_pair_close) agent_pair

/* The handshake, until both sides have completed it, or one has failed, or neither proceeds. */
void agent_pair_shake(agent_pair *p);

/* The agent alone, with bytes that the test has sent to p->agent[1]. */
void agent_pair_shake_agent(agent_pair *p);

/* Moves the sent bytes to the other side; returns their number. */
size_t agent_pair_move(agent_pair *p);

#endif
