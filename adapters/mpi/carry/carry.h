/* SPDX-License-Identifier: BSD-2-Clause */
/* libovk_mpi.so: all-reduces, reductions, broadcasts and barriers of any MPI program, carried over
 * boards (ovkrylov/board.h) where ranks share a node, by the MPI's profiling interface.
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
#include <ovkrylov/board.h>
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
  CARRY_NCALLS
} carry_call;

/* Why an operation is handed back to the MPI. */
typedef enum carry_reason {
  CARRY_CARRIED, /* it is not */
  CARRY_OFF,
  CARRY_THREADS,
  CARRY_ONE_RANK,
  CARRY_INTER,
  CARRY_NODES,
  CARRY_NO_SETUP,
  CARRY_NOT_YET,
  CARRY_TYPE,
  CARRY_LARGE,
  CARRY_EMPTY,
  CARRY_NREASONS
} carry_reason;

/* settings.c: the environment. */
typedef struct carry_settings {
  bool on;
  long most;       /* bytes of an operation that is carried between two ranks */
  const char *log; /* file name, or NULL */
} carry_settings;
extern carry_settings carry_settings_of_process;

/* communicator.c: the state of a communicator. */
typedef struct carry_comm {
  carry_reason reason; /* why nothing of it is carried, and the rest is not set; or CARRY_CARRIED */
  MPI_Comm comm;
  ovk_ctx *ctx;
  ovk_board *small; /* for what fits there */
  ovk_board *large; /* for longer operations that block; NULL before the first */
  int rank;
  long most;     /* bytes of an operation, as agreed */
  int in_flight; /* operations that do not block */
  struct carry_comm *next;
} carry_comm;

/* With its header a part of a small board fills 17 cache lines. */
enum { CARRY_SMALL = 1072, CARRY_MOST = 1 << 26 };

/* NULL: no blocking call has set it up yet. */
carry_comm *carry_comm_find(MPI_Comm comm);

/* Sets it up, where that has not been done. Collective. NULL only for MPI_COMM_NULL. */
carry_comm *carry_comm_open(MPI_Comm comm);

/* Makes the board for long operations. Collective. Without it they are too large from now on. */
void carry_comm_enlarge(carry_comm *c);

/* Counts operations in flight. */
void carry_comm_count(carry_comm *c, int more);

/* MPI_THREAD_MULTIPLE: several threads may be in here, and nothing is carried. */
bool carry_is_threaded(void);

/* True while the library itself calls the MPI to set up or to free: what is called then is left to
 * the MPI. */
bool carry_is_inside(void);

/* Moves on the operations in flight of all communicators. Returns whether this rank is behind with
 * posting some. */
bool carry_progress(void);
extern const ovk_poll carry_idle; /* does so */

/* stand_in.c: a thread that calls carry_progress() while this rank is behind. Boards, and the list
 * of them, are touched between lock and unlock only. */
void carry_lock(void);
void carry_unlock(void);
void carry_stand_in(void);     /* starts it, unless it runs; while locked */
void carry_stand_in_end(void); /* ends it; while not locked */

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
  carry_comm *on;
  struct carry_request *next;
  /* of a broadcast of items with gaps: they travel packed */
  void *items;
  int count;
  MPI_Datatype type; /* or MPI_DATATYPE_NULL: nothing to unpack */
  _Alignas(16) char packed[CARRY_SMALL];
} carry_request;

/* A request that is not in flight yet; NULL without memory. */
carry_request *carry_request_new(void);

/* Begins its operation. */
int carry_request_begin(carry_request *r, MPI_Request *out);

/* Moves on what is in flight, and completes the requests whose operations are complete. */
void carry_requests_advance(void);

/* Waits until this request is complete for the MPI, if it is one of these. */
void carry_request_settle(MPI_Request request);

/* Whether one of them is in flight. */
bool carry_requests_any(int n, const MPI_Request *requests);

/* carry.c: an error of the library's as one of the MPI's, by the communicator's error handler. */
int carry_error(MPI_Comm comm, ovk_err err);

/* log.c */
double carry_now(void); /* 0 without a log */
void carry_note(carry_call call, carry_reason reason, int64_t bytes, double start);

#endif
