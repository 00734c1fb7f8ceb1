/* SPDX-License-Identifier: BSD-2-Clause */
/* The log of the calls of the program, a file a rank, written when the process exits. */
#include "carry/process/log.h"
#include "carry/process/names.h"
#include "carry/process/process.h"
#include "core/base/clock.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static struct {
  int64_t calls, bytes;
  double seconds;
} table[CARRY_NCALLS][CARRY_NREASONS];
/* Type and operation of the first reduction of CARRY_TYPE. */
static char refused[CARRY_NCALLS][CARRY_NAMES];
static int rank = -1; /* of MPI_COMM_WORLD; -1: nothing has been called */
static pid_t process; /* of the rank: a child of fork() writes no log */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* for MPI_THREAD_MULTIPLE */

double carry_now(void)
{
  return carry_settings_of_process.log ? ovk__clock() : 0;
}

static void add(carry_call call, carry_reason reason, int64_t bytes, double start)
{
  if (rank < 0 && carry_has_world()) {
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    process = getpid();
  }
  table[call][reason].calls++;
  table[call][reason].bytes += bytes > 0 ? bytes : 0;
  table[call][reason].seconds += carry_now() - start;
}

void carry_note(carry_call call, carry_reason reason, int64_t bytes, double start)
{
  const bool threaded = carry_settings_of_process.log && carry_is_threaded();
  if (!carry_settings_of_process.log) return;
  if (threaded) pthread_mutex_lock(&mutex);
  add(call, reason, bytes, start);
  if (threaded) pthread_mutex_unlock(&mutex);
}

void carry_note_refused(carry_call call, MPI_Datatype type, MPI_Op op, int count)
{
  MPI_Count size = 0;
  const bool threaded = carry_settings_of_process.log && carry_is_threaded();
  if (!carry_settings_of_process.log) return;
  PMPI_Type_size_x(type, &size);
  if (threaded) pthread_mutex_lock(&mutex);
  table[call][CARRY_TYPE].bytes += (int64_t)size * count;
  if (!*refused[call]) carry_name_reduction(type, op, refused[call]);
  if (threaded) pthread_mutex_unlock(&mutex);
}

static const char *const calls[CARRY_NCALLS] = {[CARRY_ALLREDUCE] = "MPI_Allreduce",
                                                [CARRY_REDUCE] = "MPI_Reduce",
                                                [CARRY_BCAST] = "MPI_Bcast",
                                                [CARRY_BARRIER] = "MPI_Barrier",
                                                [CARRY_IALLREDUCE] = "MPI_Iallreduce",
                                                [CARRY_IREDUCE] = "MPI_Ireduce",
                                                [CARRY_IBCAST] = "MPI_Ibcast",
                                                [CARRY_IBARRIER] = "MPI_Ibarrier",
                                                [CARRY_ALLREDUCE_INIT] = "MPI_Allreduce_init",
                                                [CARRY_REDUCE_INIT] = "MPI_Reduce_init",
                                                [CARRY_BCAST_INIT] = "MPI_Bcast_init",
                                                [CARRY_BARRIER_INIT] = "MPI_Barrier_init",
                                                [CARRY_SCAN] = "MPI_Scan",
                                                [CARRY_EXSCAN] = "MPI_Exscan",
                                                [CARRY_REDUCE_SCATTER] = "MPI_Reduce_scatter",
                                                [CARRY_REDUCE_SCATTER_BLOCK] =
                                                    "MPI_Reduce_scatter_block",
                                                [CARRY_GATHER] = "MPI_Gather",
                                                [CARRY_GATHERV] = "MPI_Gatherv",
                                                [CARRY_ALLGATHER] = "MPI_Allgather",
                                                [CARRY_ALLGATHERV] = "MPI_Allgatherv",
                                                [CARRY_SCATTER] = "MPI_Scatter",
                                                [CARRY_SCATTERV] = "MPI_Scatterv",
                                                [CARRY_ALLTOALL] = "MPI_Alltoall",
                                                [CARRY_ALLTOALLV] = "MPI_Alltoallv",
                                                [CARRY_ALLTOALLW] = "MPI_Alltoallw"};

static const char *const reasons[CARRY_NREASONS] = {[CARRY_CARRIED] = "carried",
                                                    [CARRY_OFF] = "switched off",
                                                    [CARRY_NO_WORLD] = "no MPI_Init",
                                                    [CARRY_SESSION] = "of a session",
                                                    [CARRY_NO_COMM] = "no communicator",
                                                    [CARRY_WORLDS] = "processes of another world",
                                                    [CARRY_ONE_RANK] = "one rank",
                                                    [CARRY_INTER] = "intercommunicator",
                                                    [CARRY_NODES] = "ranks on several nodes",
                                                    [CARRY_NO_SETUP] = "could not be set up",
                                                    [CARRY_FREEING] = "is being freed",
                                                    [CARRY_COMMS] = "too many communicators",
                                                    [CARRY_LAYER] = "another library's MPI_Wait",
                                                    [CARRY_F08] = "use mpi_f08",
                                                    [CARRY_NOT_YET] = "no blocking call before",
                                                    [CARRY_TYPE] = "type or operation",
                                                    [CARRY_IN_PLACE] = "in place",
                                                    [CARRY_LARGE] = "too large",
                                                    [CARRY_EMPTY] = "empty",
                                                    [CARRY_MANY] = "too many persistent",
                                                    [CARRY_EXACT] = "exact sum"};

static void write_table(FILE *f)
{
  fputs("rank,call,what became of it,calls,bytes,seconds,first\n", f);
  for (int c = 0; c < CARRY_NCALLS; c++) {
    for (int r = 0; r < CARRY_NREASONS; r++) {
      if (table[c][r].calls == 0) continue;
      fprintf(f, "%d,%s,%s,%lld,%lld,%.6f,%s\n", rank, calls[c], reasons[r],
              (long long)table[c][r].calls, (long long)table[c][r].bytes, table[c][r].seconds,
              r == CARRY_TYPE ? refused[c] : "");
    }
  }
}

__attribute__((destructor)) static void write_log(void)
{
  char name[4096];
  if (rank < 0 || getpid() != process) return;
  snprintf(name, sizeof name, "%s.%d", carry_settings_of_process.log, rank);
  FILE *f = fopen(name, "w");
  if (!f) {
    fprintf(stderr, "libovk_mpi: cannot write %s\n", name);
    return;
  }
  write_table(f);
  fclose(f);
}
