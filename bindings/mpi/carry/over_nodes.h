/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocking operations of ranks on several nodes. */
#ifndef OVK_CARRY_OVER_NODES_H
#define OVK_CARRY_OVER_NODES_H

#include "carry/boards/boards.h"

/* Carries an operation over a board of each node and an exchange between the nodes. Returns
 * MPI_SUCCESS or an error, which it does not report. Collective. */
int carry_run_over_nodes(carry_comm *c, ovk_board *board, const ovk_board_operation *operation);

#endif
