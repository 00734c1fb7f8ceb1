/* SPDX-License-Identifier: BSD-2-Clause */
/* How long all-reduces are delayed, and waiting for the delay to end. */
#define _GNU_SOURCE /* sched_getaffinity, CPU_COUNT */
#include "delay.h"
#include "own_mpi.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int64_t latency;       /* nanoseconds */
static bool share_processors; /* several ranks run on one processor */

/* Runs before main(), and so before the program sets a locale with another decimal point. */
__attribute__((constructor)) static void read_environment(void)
{
  const double most = 1e7;
  const char *text = getenv("OVK_DELAY_US");
  own_mpi_require("libovk_delay");
  if (!text || !*text) return;
  char *end;
  const double us = strtod(text, &end);
  if (*end || !(us >= 0 && us <= most)) {
    fprintf(stderr, "libovk_delay: OVK_DELAY_US needs microseconds from 0 to %g, not '%s'\n", most,
            text);
    exit(2); /* an invalid value must not lead to a measurement without the delay */
  }
  latency = (int64_t)(1e3 * us);
}

/* Makes collective calls, so every rank calls it, with a delay or without. The processors are those
 * that any rank of the node may run on. */
static void inspect_node(void)
{
  MPI_Comm node;
  int ranks = 0;
  cpu_set_t set;
  CPU_ZERO(&set);
  (void)sched_getaffinity(0, sizeof set, &set); /* fails if the set is too small; it stays empty */
  PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  PMPI_Comm_size(node, &ranks);
  PMPI_Allreduce(MPI_IN_PLACE, &set, (int)sizeof set, MPI_BYTE, MPI_BOR, node);
  PMPI_Comm_free(&node);
  const int bound = CPU_COUNT(&set);
  share_processors = ranks > (bound > 0 ? bound : sysconf(_SC_NPROCESSORS_ONLN));
}

DELAY_REPLACES int MPI_Init(int *argc, char ***argv)
{
  const int err = PMPI_Init(argc, argv);
  if (!err) inspect_node();
  return err;
}

DELAY_REPLACES int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
  const int err = PMPI_Init_thread(argc, argv, required, provided);
  if (!err) inspect_node();
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

/* Sleeps for most of a long wait, but not to its end: a sleeper is woken some 50 us late. */
static void sleep_until_near(int64_t left)
{
  enum { LATE = 100000, LONGEST = 1000000 };
  if (left > LATE) {
    const int64_t nap = left - LATE < LONGEST ? left - LATE : LONGEST;
    nanosleep(&(struct timespec){.tv_nsec = (long)nap}, NULL);
  } else {
    sched_yield();
  }
}

void delay_yield(void)
{
  if (share_processors) sched_yield();
}

void delay_progress_mpi(void)
{
  int flag; /* any call that makes MPI progress messages will do */
  (void)PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
}

void delay_hold(int64_t due)
{
  for (int64_t left; due && (left = due - delay_now()) > 0;) {
    delay_progress_mpi();
    if (share_processors) sleep_until_near(left);
  }
}
