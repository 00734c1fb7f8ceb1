/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns of ranks: each waits for the rank before it, and then lets the next one continue. The
 * others have not called the library meanwhile. */
#ifndef OVK_TEST_TURNS_H
#define OVK_TEST_TURNS_H

#include "support/test_main.h"

static inline void wait_for_turn(void)
{
  if (test_rank == 0) return;
  MPI_Recv(NULL, 0, MPI_INT, test_rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static inline void pass_turn_on(void)
{
  if (!is_last()) MPI_Send(NULL, 0, MPI_INT, test_rank + 1, 1, MPI_COMM_WORLD);
}

#endif
