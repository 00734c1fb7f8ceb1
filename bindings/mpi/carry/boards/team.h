/* SPDX-License-Identifier: BSD-2-Clause */
/* Teams: ordered sets of ranks with a context that their communicators share. */
#ifndef OVK_CARRY_TEAM_H
#define OVK_CARRY_TEAM_H

#include "carry/nodes/nodes.h"
#include "carry/process/log.h"

#include <mpi.h>
#include <ovkrylov/ctx.h>
#include <stdbool.h>

typedef struct carry_team {
  MPI_Group group;
  ovk_ctx *ctx;       /* of its ranks, or of those on this node */
  carry_nodes *nodes; /* NULL: its ranks share one */
  int most_tag;       /* of messages between its ranks */
  int moves;          /* calls that move items so far: the tag of their messages */
  int comms;          /* communicators of the team with boards on this rank */
} carry_team;

struct carry_comm;

/* Agrees on whether a communicator is carried, and sets up `c`, its state on this rank. NULL: this
 * rank has no memory for it. *able: all ranks have memory. Collective. */
carry_reason carry_team_join(MPI_Comm comm, struct carry_comm *c, bool *able);

/* Leaves the team, after the boards are destroyed. Not collective. */
void carry_team_leave(struct carry_comm *c);

/* Frees all teams. Collective. */
void carry_teams_end(void);

#endif
