/* SPDX-License-Identifier: BSD-2-Clause */
/* The boards of one communicator. */
#ifndef OVK_CARRY_BOARDS_H
#define OVK_CARRY_BOARDS_H

#include "carry/boards/team.h"
#include "carry/nodes/crossing.h"
#include "carry/nodes/exchange.h"
#include "carry/process/log.h"

#include <ovkrylov/comm/board.h>
#include <pthread.h>

/* Bytes of a part on a small board. With its header it fills 17 cache lines. */
enum { CARRY_SMALL = 1072 };

/* A board with two places, for a persistent operation. */
enum { CARRY_KEPT = 32 };
typedef struct carry_kept {
  ovk_board *board;
  bool freed; /* the request is */
} carry_kept;

/* Bytes for each rank that a blocking call may use. A call that could not allocate them would leave
 * the others waiting. */
enum { CARRY_SCRATCH = 64 };

/* The state of a communicator. */
typedef struct carry_comm {
  carry_reason
      reason;    /* CARRY_CARRIED; or why it is not carried, and the members below are not set */
  MPI_Comm comm; /* MPI_COMM_SELF after it is freed */
  bool freed;    /* requests may still use this state */
  carry_team *team;
  carry_team own;           /* the team, if it is not shared */
  pthread_mutex_t boards;   /* with MPI_THREAD_MULTIPLE: protects the boards */
  ovk_board *small;         /* for operations of at most CARRY_SMALL bytes */
  ovk_board *large;         /* for longer blocking operations; NULL before the first */
  carry_exchange *exchange; /* between the nodes of the ranks; NULL: they share one */
  bool crosses;             /* carries nonblocking operations between nodes, as agreed */
  carry_lane lane;          /* if so: of those on the small board */
  long messages;            /* that a rank sends in one of them at most, as agreed */
  int rank, ranks;
  void *scratch;               /* CARRY_SCRATCH bytes for each rank, for the blocking call */
  carry_kept kept[CARRY_KEPT]; /* for persistent operations */
  int nkept;
  bool begins;   /* carries nonblocking operations, as agreed */
  long most;     /* bytes of the longest operation, as agreed */
  int in_flight; /* nonblocking operations */
  int requests;  /* persistent ones, and those whose completion the program has not seen */
  struct carry_comm *next;
} carry_comm;

/* Whether all ranks of the communicator say yes. Collective. */
bool carry_comm_agree(const carry_comm *c, bool here);

/* Creates another board, for the ranks of the node. Collective over all ranks; errors are agreed.
 */
ovk_err carry_comm_board(carry_comm *c, int places, size_t bytes, ovk_board **out);

/* Creates the exchange between nodes for parts of up to `bytes` bytes, in place of a smaller one.
 * No effect if the ranks share a node. False without memory, on all ranks. Collective. */
bool carry_comm_connect(carry_comm *c, size_t bytes);

/* Creates the board for long operations. Collective. If this fails, long operations are too large
 * from now on. */
void carry_comm_enlarge(carry_comm *c);

/* Destroys all boards. The team remains. Not collective. */
void carry_comm_close(carry_comm *c);

/* Progresses the operations in flight. Returns whether this rank is late. While locked. */
bool carry_comm_progress(carry_comm *c);

/* The same for one board, where this rank may be elected to send to other nodes. While locked. */
void carry_comm_elect(carry_comm *c, ovk_board *board);

/* Whether an operation of these boards is complete. While locked. */
bool carry_comm_has_completed(carry_comm *c, const ovk_board_operation *operation);

/* Begins an operation; *late: this rank is. Not while locked. */
ovk_err carry_comm_begin(carry_comm *c, ovk_board *board, ovk_board_operation *operation,
                         bool *late);

/* Progresses one board, for a thread among others that waits for an operation of it. Returns
 * whether the operation is complete. Not while locked. */
bool carry_comm_look(carry_comm *c, ovk_board *board, const ovk_board_operation *operation);

#endif
