/* SPDX-License-Identifier: BSD-2-Clause */
/* Connections that have not proved yet that they know the secret: few, for a short time, and few of
 * one address. They take no process and no place of a rank. */
#ifndef OVK_AGENT_STRANGERS_H
#define OVK_AGENT_STRANGERS_H

#include "address.h"

#include <ovkrylov/comm/agent.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

enum { STRANGERS = 64 };

/* The address that a connection comes from: IPv4, or the network (/64) of IPv6. */
typedef struct stranger_source {
  uint8_t bytes[8];
  int family;
} stranger_source;

/* A place. It is taken for PLACE_MS at least, unless its stranger proves to be a rank. This limits
 * the handshakes a second, however fast connections come and go. */
typedef struct stranger {
  ovk_agent_client *client; /* NULL: the place is free, or its stranger has disconnected */
  int socket;
  short events;  /* that it waits for */
  int64_t since; /* milliseconds; 0: free */
  bool refused;  /* a rank that has got the reason; a connection closed at once would lose it */
  stranger_source source;
  char from[ADDRESS_SIZE];
} stranger;

typedef struct strangers {
  ovk_agent_server *server;
  int listener;
  int64_t rests_until; /* after connections that were turned away */
  stranger places[STRANGERS];
} strangers;

/* Waits for connections, for strangers, or for a signal of `signals`; for as long as the next
 * limit allows. files[STRANGERS] is the listener. */
void strangers_wait(const strangers *s, const sigset_t *signals,
                    struct pollfd files[STRANGERS + 1]);

/* Accepts connections. */
void strangers_accept(strangers *s, const struct pollfd *file);

/* Proceeds with the handshake of one that is ready; true: it is a rank. */
bool strangers_proceed(strangers *s, stranger *one, const struct pollfd *file);

/* Frees the place of a rank, and closes the socket of this process. */
void strangers_remove(stranger *one);

/* Sends a rank the reason why it is not served. */
void strangers_refuse(stranger *one, const char *why);

/* Closes those whose time has expired. */
void strangers_expire(strangers *s);

/* In the process of a rank: closes all sockets except for its own. */
void strangers_keep_only(strangers *s, const stranger *rank);

#endif
