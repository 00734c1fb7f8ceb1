/* SPDX-License-Identifier: BSD-2-Clause */
/* Decisions about a call: whether it is carried, and on which board. */
#ifndef OVK_CARRY_PLAN_H
#define OVK_CARRY_PLAN_H

#include "carry/boards/boards.h"

#include <stdint.h>

typedef struct carry_plan {
  double start;
  carry_comm *on;   /* may be NULL if the call is not carried */
  ovk_board *board; /* of a persistent operation; or NULL */
  carry_lane *lane; /* of a persistent operation between nodes */
  carry_reason reason;
  ovk_board_operation operation;
  int64_t bytes; /* < 0: an argument is wrong, and the MPI reports it */
  /* items of a broadcast; type MPI_DATATYPE_NULL: they need not be packed. Or of a reduction that
   * is handed back for them */
  void *items;
  int count;
  MPI_Datatype type;
  MPI_Op op;  /* of a reduction that is handed back for its operation or `type` */
  int failed; /* the code of the MPI that packed nothing, and has reported that; or MPI_SUCCESS */
} carry_plan;

/* The call blocks. Or it begins an operation and must not wait for other ranks. Or it creates a
 * persistent request, which may wait for other ranks now, but not when it is started. */
typedef enum carry_way { CARRY_BLOCKS, CARRY_BEGINS, CARRY_KEEPS } carry_way;

/* A reduction to all ranks, or to one. */
void carry_allreduce(carry_plan *p, const void *send, void *receive, int count, MPI_Datatype type,
                     MPI_Op op);
void carry_reduce(carry_plan *p, const void *send, void *receive, int count, MPI_Datatype type,
                  MPI_Op op, int root);
void carry_barrier(carry_plan *p);

/* A broadcast of bytes. Only their number decides, as ranks may give different types for them. */
void carry_broadcast(carry_plan *p, void *items, int count, MPI_Datatype type, int root);

/* Parts of up to `bytes` bytes, which all ranks know. */
void carry_parts(carry_plan *p, const ovk_board_parts *parts, int64_t bytes, int root);

void carry_decide(carry_plan *p, MPI_Comm comm, carry_way way);

/* In two steps, for a plan that depends on the communicator: where it is, and whether its boards
 * take the operation. */
void carry_find(carry_plan *p, MPI_Comm comm, carry_way way);
void carry_judge(carry_plan *p, carry_way way);

/* Packs the items of this rank if it is the root. Returns `packed`; or NULL if that is NULL, or if
 * the MPI does not pack the type, which sets p->failed. A board without a buffer has an error on
 * this rank, and on all ranks if this one is the root. */
void *carry_pack(carry_plan *p, void *packed);

/* Begins a nonblocking operation that is carried. */
int carry_begin(carry_plan *p, MPI_Request *request);

/* Adds the call to the log; `code`: its result. */
void carry_note_plan(const carry_plan *p, carry_call call, int code);

#endif
