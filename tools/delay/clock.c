/* SPDX-License-Identifier: BSD-2-Clause */
/* How long all-reduces are delayed, and waiting for it. */
#include "delay.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int64_t latency;       /* nanoseconds */
static bool share_processors; /* several ranks one processor */

/* Before the program starts, and so before it sets a locale with other decimal points. */
__attribute__((constructor)) static void read_environment(void)
{
  const double most = 1e7;
  const char *text = getenv("OVK_DELAY_US");
  if (!text || !*text) return;
  char *end;
  const double us = strtod(text, &end);
  if (*end || !(us >= 0 && us <= most)) {
    fprintf(stderr, "libovk_delay: OVK_DELAY_US needs microseconds from 0 to %g, not '%s'\n", most,
            text);
    exit(2); /* rather than measure something else than what was asked for */
  }
  latency = (int64_t)(1e3 * us);
}

/* A collective call, so it is made where all ranks come. */
static void look_around(void)
{
  MPI_Comm node;
  int ranks = 0;
  PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  PMPI_Comm_size(node, &ranks);
  PMPI_Comm_free(&node);
  share_processors = ranks > sysconf(_SC_NPROCESSORS_ONLN);
}

DELAY_REPLACES int MPI_Init(int *argc, char ***argv)
{
  const int err = PMPI_Init(argc, argv);
  if (!err && latency) look_around();
  return err;
}

DELAY_REPLACES int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
  const int err = PMPI_Init_thread(argc, argv, required, provided);
  if (!err && latency) look_around();
  return err;
}

int64_t delay_now(void)
{
  struct timespec t = {0};
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t delay_due(void)
{
  return latency ? delay_now() + latency : 0;
}

/* Sleeps through most of a long wait; the system wakes sleepers some 50 us late. */
static void rest(int64_t left)
{
  enum { LATE = 100000, LONGEST = 1000000 };
  if (left > LATE) {
    const int64_t nap = left - LATE < LONGEST ? left - LATE : LONGEST;
    nanosleep(&(struct timespec){.tv_nsec = (long)nap}, NULL);
  } else {
    sched_yield();
  }
}

void delay_make_room(void)
{
  if (share_processors) sched_yield();
}

void delay_let_mpi_work(void)
{
  int flag; /* any call does that looks for messages */
  (void)PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
}

void delay_hold(int64_t due)
{
  for (int64_t left; due && (left = due - delay_now()) > 0;) {
    delay_let_mpi_work();
    if (share_processors) rest(left);
  }
}
