/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of communicators, an attribute of each. */
#ifndef OVK_CARRY_COMMUNICATOR_H
#define OVK_CARRY_COMMUNICATOR_H

#include "carry/boards/boards.h"

/* NULL: no blocking call has set it up yet. */
carry_comm *carry_comm_find(MPI_Comm comm);

/* Sets it up, unless that has been done. Collective. NULL only for MPI_COMM_NULL. */
carry_comm *carry_comm_open(MPI_Comm comm);

/* Leaves it to the MPI for this reason, which all its ranks know. Not collective. */
carry_comm *carry_comm_hand_back(MPI_Comm comm, carry_reason reason);

#endif
