/* SPDX-License-Identifier: BSD-2-Clause */
/* The process: settings from its environment, state of its MPI, other profiling layers. */
#ifndef OVK_CARRY_PROCESS_H
#define OVK_CARRY_PROCESS_H

#include "carry/process/log.h"

#include <mpi.h>
#include <stdbool.h>

/* A variable of a thread. The library is loaded when the program starts, so the access needs no
 * call. */
#define CARRY_THREADS_OWN _Thread_local __attribute__((tls_model("initial-exec")))

/* Bytes: no longer operation is ever carried. */
enum { CARRY_MOST = 1 << 26 };

/* A rank never sends more messages in a nonblocking operation over nodes. */
enum { CARRY_MOST_MESSAGES = 8 };

/* settings.c: the environment. */
typedef struct carry_settings {
  bool on;
  bool exact;      /* sums of reals are correctly rounded */
  long most;       /* bytes of the longest operation that is carried between two ranks */
  long messages;   /* of a rank at most, in a nonblocking operation over nodes */
  const char *log; /* file name, or NULL */
} carry_settings;
extern carry_settings carry_settings_of_process;

/* world.c: whether MPI_COMM_WORLD exists, between MPI_Init and MPI_Finalize. Without it, a program
 * may still use communicators of sessions. */
bool carry_has_world(void);

/* MPI_THREAD_MULTIPLE: several threads may call this library at the same time. */
bool carry_is_threaded(void);

/* CARRY_CARRIED, or why no operation of this communicator is carried; the same on all its ranks.
 * CARRY_NO_COMM: it is none, and the MPI reports it. Not collective. */
carry_reason carry_judge_comm(MPI_Comm comm);

/* The largest tag of a message. */
int carry_most_tag(void);

/* inside.c: true while this thread is between enter and leave, in which the library calls the MPI
 * to set up or to free, and after the end of the library. Calls are then left to the MPI. */
bool carry_is_inside(void);
void carry_enter(void);
void carry_leave(void);

/* From now on every call is left to the MPI, in a child of fork() as well. */
void carry_end(void);
bool carry_has_ended(void);

/* layer.c: whether calls of the program that complete requests, or start persistent ones, reach
 * this library. They do not if a layer in front of it calls the MPI directly. */
bool carry_completes_requests(void);

/* The function of this name after this library in line: that of another layer, or of the MPI. */
typedef void carry_function(void);
carry_function *carry_next(const char *name, carry_function *of_mpi);

/* f08.c: whether a call that does not block is left to the MPI: it comes from the library itself,
 * or from code whose calls to complete requests do not reach this library. The latter is logged. */
bool carry_is_left(carry_call call, const void *caller);

/* Where a function returns to. */
#define CARRY_CALLER __builtin_return_address(0)

#endif
