/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls that move items without combining them: gathers, scatters, all-to-alls. Each pair of ranks
 * knows the bytes that travel between the two. If all ranks know the longest block, the call is
 * carried or handed back as a whole. In the others (MPI_Gatherv, MPI_Scatterv, MPI_Alltoallv) long
 * blocks travel by messages of the MPI, as they do there. */
#ifndef OVK_CARRY_MOVE_H
#define OVK_CARRY_MOVE_H

#include "carry/parts/blocks.h"
#include "carry/plan.h"

typedef struct carry_move {
  carry_call call;
  carry_blocks send;
  int nsend; /* blocks: 0, 1 for all ranks that need it, or one for each rank */
  carry_blocks receive;
  int first, end;   /* ranks to receive from, block r from rank r */
  int root;         /* 0 if there is none */
  bool rooted;      /* one block goes to the root alone */
  bool known;       /* all ranks know the longest part */
  carry_plan *plan; /* apart, as clearing it takes long */
} carry_move;

/* Looks the communicator up. Returns whether its calls are carried; then its ranks are known. */
bool carry_move_opens(carry_move *m, MPI_Comm comm);

/* Decides, and carries the call. False if it is handed back; the caller notes it. */
bool carry_move_run(carry_move *m, int *code);

#endif
