/* SPDX-License-Identifier: BSD-2-Clause */
/* The rounds of an operation of the leaders of nodes. */
#ifndef OVK_CARRY_ROUNDS_H
#define OVK_CARRY_ROUNDS_H

#include "carry/nodes/nodes.h"
#include "comm/engine/schedule/schedule.h"

#include <ovkrylov/comm/board.h>
#include <stdint.h>

/* An operation that runs. */
typedef struct carry_rounds {
  const carry_nodes *nodes;
  const ovk_board_operation *operation;
  const ovk__schedule *schedule;
  bool is_short;         /* of two schedules of its kind */
  MPI_Request *requests; /* for the messages of a round */
  char *part, *work;     /* the buffers of the schedule */
  int number, kind, tag; /* set by carry_rounds_run() */
  int code;              /* not MPI_SUCCESS: the operation has failed on this node */
} carry_rounds;

/* All arguments that are the same on all ranks, in a number that is not 0. */
uint64_t carry_rounds_arguments(const ovk_board_operation *operation);

/* Runs all rounds. Returns MPI_SUCCESS or an error; MPI_ERR_ARG also if nodes differ in the
 * operation. Messages of an operation that has failed reach no later one if all ranks make the same
 * number of calls. */
int carry_rounds_run(carry_rounds *r);

#endif
