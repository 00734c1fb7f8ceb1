/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages of nonblocking operations between nodes, and their receives. Tags are used again after
 * many operations, and senders differ, so a message may arrive in the receive of another operation.
 * Its number shows whose it is, and it is kept for that one. */
#ifndef OVK_CARRY_RECEIVE_H
#define OVK_CARRY_RECEIVE_H

#include "carry/nodes/nodes.h"

/* The start of a message. */
typedef struct carry_message {
  uint64_t number;    /* of the operation in its lane */
  uint64_t arguments; /* 0: the operation has failed on the node of the sender */
  char data[];
} carry_message;

/* A receive of the message with this tag and number. */
typedef struct carry_receive {
  MPI_Request request;
  carry_message *to;
  uint64_t number;
  int tag, bytes; /* at most */
} carry_receive;

/* Begins it. False: the MPI has failed. */
bool carry_receive_open(const carry_nodes *nodes, carry_receive *r);

/* Whether the message has arrived; *failed <- true if the MPI has failed, or without memory for a
 * message of another operation. */
bool carry_receive_has_arrived(carry_nodes *nodes, carry_receive *r, bool *failed);

/* Frees kept messages that no operation wants. */
void carry_receive_forget(carry_nodes *nodes);

#endif
