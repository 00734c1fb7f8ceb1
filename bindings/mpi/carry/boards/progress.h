/* SPDX-License-Identifier: BSD-2-Clause */
/* The communicators with boards, and progress of their operations. */
#ifndef OVK_CARRY_PROGRESS_H
#define OVK_CARRY_PROGRESS_H

#include "carry/boards/boards.h"

/* Adds a communicator to the list. */
void carry_progress_enlist(carry_comm *c);

/* Removes one that is no longer used, or any, and returns it; NULL: there is none. */
carry_comm *carry_progress_unlist(bool any);

/* Adds to the numbers of operations in flight and of requests. The state of a freed communicator
 * ends after its last request. While locked. */
void carry_comm_count(carry_comm *c, int more, int more_requests);

/* Whether operations are in flight on any communicator. */
bool carry_is_in_flight(void);

/* Progresses the operations in flight of all communicators. Returns whether this rank is late:
 * some of its operations are not posted yet. While locked. */
bool carry_progress(void);

/* Waits until an operation is complete. Not while locked. */
void carry_comm_wait(carry_comm *c, ovk_board *board, ovk_board_operation *operation);

/* Lets the MPI and other threads make progress while a thread waits. */
void carry_let_others_run(void);

#endif
