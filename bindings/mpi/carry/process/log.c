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

#define TEXT(name, text) [name] = (text),
static const char *const calls[] = {CARRY_CALLS(TEXT)}, *const reasons[] = {CARRY_REASONS(TEXT)};
#undef TEXT

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
