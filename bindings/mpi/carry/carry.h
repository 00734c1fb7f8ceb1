/* SPDX-License-Identifier: BSD-2-Clause */
/* libovk_mpi.so: all-reduces, reductions, broadcasts and barriers of any MPI program, carried over
 * boards (ovkrylov/comm/board.h) where ranks share a node, by the MPI's profiling interface.
 *
 * Whether an operation is carried must be decided alike on all ranks of its communicator. So it
 * depends on nothing but what MPI demands to be equal there: the order of collective calls, whether
 * they block, the operation, the type of a reduction, the bytes of a broadcast; and what the ranks
 * agreed on when the communicator's boards were made.
 *
 * State is global: there is one MPI in a process, and its calls carry no context. */
#ifndef OVK_CARRY_H
#define OVK_CARRY_H

#include <mpi.h>
#include <ovkrylov/comm/board.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The functions that replace the MPI's own; all other names stay local to the library. */
#define CARRY_REPLACES __attribute__((visibility("default")))

/* Of a thread; the library is loaded at the program's start, so these are reached without a call.
 */
#define CARRY_THREADS_OWN _Thread_local __attribute__((tls_model("initial-exec")))

/* What a program calls, for the log. */
typedef enum carry_call {
  CARRY_ALLREDUCE,
  CARRY_REDUCE,
  CARRY_BCAST,
  CARRY_BARRIER,
  CARRY_IALLREDUCE,
  CARRY_IREDUCE,
  CARRY_IBCAST,
  CARRY_IBARRIER,
  CARRY_ALLREDUCE_INIT,
  CARRY_REDUCE_INIT,
  CARRY_BCAST_INIT,
  CARRY_BARRIER_INIT,
  CARRY_NCALLS
} carry_call;

/* Why an operation is handed back to the MPI. */
typedef enum carry_reason {
  CARRY_CARRIED, /* it is not */
  CARRY_OFF,
  CARRY_NO_WORLD,
  CARRY_SESSION,
  CARRY_WORLDS,
  CARRY_ONE_RANK,
  CARRY_INTER,
  CARRY_NODES,
  CARRY_NO_SETUP,
  CARRY_COMMS,
  CARRY_LAYER,
  CARRY_NOT_YET,
  CARRY_TYPE,
  CARRY_LARGE,
  CARRY_EMPTY,
  CARRY_MANY,
  CARRY_NREASONS
} carry_reason;

/* settings.c: the environment. */
typedef struct carry_settings {
  bool on;
  long most;       /* bytes of an operation that is carried between two ranks */
  const char *log; /* file name, or NULL */
} carry_settings;
extern carry_settings carry_settings_of_process;

/* world.c: whether MPI_COMM_WORLD exists, as between MPI_Init and MPI_Finalize. Communicators of
 * sessions may be used without. */
bool carry_has_world(void);

/* MPI_THREAD_MULTIPLE: several threads may be in here. */
bool carry_is_threaded(void);

/* CARRY_CARRIED, or why nothing of this communicator is; the same on all its ranks. Not collective.
 */
carry_reason carry_judge_comm(MPI_Comm comm);

/* team.c: an ordered set of ranks, and a context that they share. */
typedef struct carry_team {
  MPI_Group group;
  ovk_ctx *ctx;
  int comms; /* communicators of it with boards on this rank */
} carry_team;

/* persistent.c: a board with two places for a persistent operation. */
enum { CARRY_KEPT = 32 };
typedef struct carry_kept {
  ovk_board *board;
  bool freed; /* the request is */
} carry_kept;

/* communicator.c: the state of a communicator. */
typedef struct carry_comm {
  carry_reason reason; /* why nothing of it is carried, and the rest is not set; or CARRY_CARRIED */
  MPI_Comm comm;       /* MPI_COMM_SELF once it is freed */
  bool freed;          /* but perhaps in use by requests */
  carry_team *team;
  carry_team own;         /* where it shares none */
  pthread_mutex_t boards; /* with MPI_THREAD_MULTIPLE: held by who touches them */
  ovk_board *small;       /* for what fits there */
  ovk_board *large;       /* for longer operations that block; NULL before the first */
  int rank;
  carry_kept kept[CARRY_KEPT]; /* for persistent ones */
  int nkept;
  bool begins;   /* carries what does not block, as agreed */
  long most;     /* bytes of an operation, as agreed */
  int in_flight; /* operations that do not block */
  int requests;  /* persistent ones, and those that the program has not seen complete yet */
  struct carry_comm *next;
} carry_comm;

/* With its header a part of a small board fills 17 cache lines. */
enum { CARRY_SMALL = 1072, CARRY_MOST = 1 << 26 };

/* NULL: no blocking call has set it up yet. */
carry_comm *carry_comm_find(MPI_Comm comm);

/* Sets it up, where that has not been done. Collective. NULL only for MPI_COMM_NULL. */
carry_comm *carry_comm_open(MPI_Comm comm);

/* Leaves it to the MPI for this reason, which all its ranks know. Not collective. */
carry_comm *carry_comm_hand_back(MPI_Comm comm, carry_reason reason);

/* Agrees on whether a communicator is carried, and sets up `c`, its state on this rank; NULL: this
 * rank has no memory for it. *able: all ranks have it. Collective. */
carry_reason carry_team_join(MPI_Comm comm, carry_comm *c, bool *able);

/* Gives up its team, once its boards are gone. Not collective. */
void carry_team_leave(carry_comm *c);

/* Frees all teams. Collective. */
void carry_teams_end(void);

/* Makes the board for long operations. Collective. Without it they are too large from now on. */
void carry_comm_enlarge(carry_comm *c);

/* Makes another board. Collective; errors are agreed. */
ovk_err carry_comm_board(carry_comm *c, int places, size_t bytes, ovk_board **out);

/* Counts operations in flight, and requests: the state of a freed communicator ends after the last
 * one. While locked. */
void carry_comm_count(carry_comm *c, int more, int more_requests);

/* True while the library itself calls the MPI to set up or to free: what is called then is left to
 * the MPI. */
bool carry_is_inside(void);

/* Moves on the operations in flight of all communicators. Returns whether this rank is behind with
 * posting some. While locked. */
bool carry_progress(void);

/* boards.c: progresses the operations in flight on the boards of one communicator. Returns whether
 * this rank is behind. While locked. */
bool carry_comm_progress(carry_comm *c);

/* Whether an operation of its boards is complete. While locked. */
bool carry_comm_has_completed(carry_comm *c, const ovk_board_operation *operation);

/* Begins one; *behind: this rank is. Waits until it is complete. Both not while locked. */
ovk_err carry_comm_begin(carry_comm *c, ovk_board *board, ovk_board_operation *operation,
                         bool *behind);
void carry_comm_wait(carry_comm *c, ovk_board *board, ovk_board_operation *operation);

/* Lets the MPI and other threads make progress while a thread waits. */
void carry_let_others_run(void);

/* progress_thread.c: a thread that calls carry_progress() while this rank is behind. Between lock
 * and unlock alone the list of communicators, requests and teams are touched, and what changes of a
 * communicator.
 *
 * Boards, too, where the MPI was initialized with less than MPI_THREAD_MULTIPLE. With it each
 * communicator has a mutex for its own, which may be taken while locked but not the other way
 * round, and no wait holds either: what a thread waits for may need a call of another one.
 *
 * The library does not call the MPI while it holds either. The MPI may hold an internal lock while
 * it calls the callbacks of requests and attributes, and these callbacks lock. */
void carry_lock(void);
void carry_unlock(void);
void carry_progress_thread_start(void); /* starts it, unless it runs; while locked */
void carry_progress_thread_end(void);   /* ends it; while not locked */

/* types.c: type, op, items and count of a reduction of `count` items of MPI's, and its bytes; false
 * for those that are not carried. */
bool carry_numbers(MPI_Datatype type, MPI_Op op, int count, ovk_board_operation *out,
                   int64_t *bytes);

/* pairs.c: their items for MPI_MAXLOC and MPI_MINLOC. */
typedef struct carry_pairs {
  size_t extent, gap; /* bytes from one to the next; of these, behind the index */
  ovk_board_items maxloc, minloc;
} carry_pairs;
extern const carry_pairs carry_double_int, carry_float_int, carry_long_int, carry_short_int,
    carry_int_int, carry_float_float, carry_double_double;

/* True if items of this type lie in memory without gaps, so that they can be moved as they are. */
bool carry_is_plain(MPI_Datatype type);

/* requests.c: operations that do not block. */
typedef struct carry_request {
  MPI_Request request; /* a generalized request of the MPI's; complete when the operation is */
  ovk_board_operation operation;
  ovk_board *board;
  carry_comm *on;
  struct carry_request *next; /* of those in use, or of those that may be used again */
  bool told;                  /* of one that has failed: the MPI is */
  /* of a broadcast of items with gaps: they travel packed */
  void *items;
  int count;
  MPI_Datatype type; /* or MPI_DATATYPE_NULL: nothing to unpack */
  _Alignas(16) char packed[CARRY_SMALL];
} carry_request;

/* layer.c: whether the program's calls that complete requests, and start persistent ones, reach
 * this library: not those of a layer in front of it, which go on to the MPI's. */
bool carry_completes_requests(void);

/* A request that is not in flight yet; NULL without memory. */
carry_request *carry_request_new(void);

/* Begins its operation; or gives it back. */
int carry_request_begin(carry_request *r, MPI_Request *out);
void carry_request_drop(carry_request *r);

/* Moves on what is in flight, and completes the requests whose operations are complete. */
void carry_requests_advance(void);

/* Waits until this request is complete for the MPI, if it is one of these. */
void carry_request_settle(MPI_Request request);

/* The error of a request whose operation is complete, until the MPI completes it, too: it may do
 * so only after this. */
typedef struct carry_failure {
  MPI_Comm comm; /* whose error handler gets it */
  int code;      /* MPI_SUCCESS: none */
} carry_failure;
carry_failure carry_request_failure(MPI_Request request);
bool carry_requests_failed(void); /* whether there may be any */

/* Whether the MPI may be told of one of them by this thread alone. */
bool carry_requests_any(int n, const MPI_Request *requests);

/* A count that changes only while locked. A thread may compare it with 0 without the lock if it
 * received the counted object from the thread that counted it. */
typedef atomic_int carry_number;

static inline bool carry_number_is_zero(carry_number *n)
{
  return atomic_load_explicit(n, memory_order_relaxed) == 0;
}

static inline void carry_number_add(carry_number *n, int more)
{
  const int before = atomic_load_explicit(n, memory_order_relaxed);
  atomic_store_explicit(n, before + more, memory_order_relaxed);
}

/* persistent.c: what a call that completes requests is to give the MPI for this one, none for one
 * that is not started; and what the program's request is after that call has made of it `seen`. */
bool carry_persistent_any(void);
MPI_Request carry_persistent_active(MPI_Request request);
MPI_Request carry_persistent_after(MPI_Request request, MPI_Request seen);

/* plan.c: what is decided about a call. */
typedef struct carry_plan {
  double start;
  carry_comm *on;   /* may be NULL where nothing is carried */
  ovk_board *board; /* of a persistent operation; or NULL */
  carry_reason reason;
  ovk_board_operation operation;
  int64_t bytes; /* < 0: an argument is wrong, of which the MPI is to complain */
  /* a broadcast's items; type MPI_DATATYPE_NULL: they need not be packed */
  void *items;
  int count;
  MPI_Datatype type;
} carry_plan;

/* Blocks; begins, and must not wait for other ranks; or makes a persistent request, which may wait
 * for them now, but not when it is started. */
typedef enum carry_way { CARRY_BLOCKS, CARRY_BEGINS, CARRY_KEEPS } carry_way;

/* A reduction to all ranks, or to one. */
void carry_allreduce(carry_plan *p, const void *send, void *receive, int count, MPI_Datatype type,
                     MPI_Op op);
void carry_reduce(carry_plan *p, const void *send, void *receive, int count, MPI_Datatype type,
                  MPI_Op op, int root);
void carry_barrier(carry_plan *p);

/* Of bytes; decided by their number alone, as ranks may give different types for them. */
void carry_broadcast(carry_plan *p, void *items, int count, MPI_Datatype type, int root);

void carry_decide(carry_plan *p, MPI_Comm comm, carry_way way);

/* Packs this rank's items if it is the root. Without memory the board gets no buffer, which is an
 * error on this rank, and on all if it is the root. */
void carry_pack(const carry_plan *p, void *packed);

/* Begins what is to be carried. */
int carry_begin(const carry_plan *p, MPI_Request *request);

/* An error of the library's as one of the MPI's; and the code of an operation that is complete. */
int carry_error(MPI_Comm comm, ovk_err err);
int carry_operation_code(const carry_comm *c, const ovk_board_operation *operation);

/* Calls the communicator's error handler, and returns `code`. */
int carry_report(MPI_Comm comm, int code);

/* log.c */
double carry_now(void); /* 0 without a log */
void carry_note(carry_call call, carry_reason reason, int64_t bytes, double start);

#endif
