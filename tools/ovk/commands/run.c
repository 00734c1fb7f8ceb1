/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk run`: any MPI program with libovk_mpi.so preloaded, and a table of its calls. A correct
 * command line starts the program before the MPI is initialized; the command reports an error after
 * that. */
#include "commands/commands.h"
#include "commands/program.h"
#include "commands/run_log.h"

#include <stdlib.h>
#include <string.h>

enum { LOG = PROGRAM_RANKS + 1, BACKEND, MAX_BYTES, EXACT };

static const option options[] = {
    PROGRAM_RANKS_OPTION,
    [LOG] = OPTION_TEXT("--log", "FILE", NULL, "keep the logs of the ranks, in FILE.RANK"),
    [BACKEND] = OPTION_WORD("--backend", NULL, "backend of the library; none hands everything back",
                            "auto", "shm", "none"),
    [MAX_BYTES] = OPTION_INTEGER("--max-bytes", "N", 0, 1 << 26, NULL,
                                 "longest call between two ranks that is carried"),
    [EXACT] = OPTION_FLAG("--exact", "sums of reals are correctly rounded, in any order of ranks"),
    {0}};

/* The environment of the ranks. */
typedef struct settings {
  char *at[6];
  int n;
  char most[48], backend[48], exact[32], preload[2 * PATH_SIZE], log[PATH_SIZE + 16];
} settings;

static void add(settings *s, char *setting)
{
  s->at[s->n++] = setting;
}

static void make_settings(settings *s, const args *given, const char *library, const char *log)
{
  const char *others = getenv("LD_PRELOAD");
  const bool more = others && *others;
  *s = (settings){.n = 0};
  snprintf(s->preload, sizeof s->preload, "LD_PRELOAD=%s%s%s", library, more ? ":" : "",
           more ? others : "");
  snprintf(s->log, sizeof s->log, "OVK_MPI_LOG=%s", log);
  add(s, s->preload);
  add(s, s->log);
  if (args_has(given, BACKEND)) {
    snprintf(s->backend, sizeof s->backend, "OVK_MPI_BACKEND=%s", args_text(given, BACKEND));
    add(s, s->backend);
  }
  if (args_has(given, MAX_BYTES)) {
    snprintf(s->most, sizeof s->most, "OVK_MPI_MAX_BYTES=%s", args_text(given, MAX_BYTES));
    add(s, s->most);
  }
  if (args_has(given, EXACT)) {
    snprintf(s->exact, sizeof s->exact, "OVK_MPI_EXACT=sums");
    add(s, s->exact);
  }
}

static int run_with_log(const args *given, const char *library, const run_log *log)
{
  settings s;
  int status = 0;
  make_settings(&s, given, library, log->name);
  if (program_run("run", s.at, given, &status)) run_log_print(log, status, stderr);
  return status;
}

static int run_start_program(const args *given)
{
  static const char *const places[] = {OVK_CARRY_INSTALLED, OVK_CARRY_BUILT, NULL};
  char library[PATH_SIZE];
  int status;
  run_log log;
  if (!given->program_words) return -1;
  if (!find_beside(places, library)) {
    return program_fault("run", STATUS_FAULT, "find", "libovk_mpi.so",
                         "its place is " OVK_CARRY_INSTALLED);
  }
  if (!program_can_load("run", library, " :", &status)) return status; /* as LD_PRELOAD has them */
  const char *name = args_has(given, LOG) ? args_text(given, LOG) : getenv("OVK_MPI_LOG");
  const int err = run_log_open(&log, name && *name ? name : NULL, program_ranks(given));
  status = err ? program_fault("run", STATUS_USAGE, "write", log.name, strerror(err))
               : run_with_log(given, library, &log);
  run_log_close(&log);
  return status;
}

const command run_command = {
    .name = "run",
    .usage = "[OPTIONS] [--] PROGRAM [ARGUMENTS]",
    .summary = "run any MPI program with its collectives carried by libovk_mpi.so",
    .notes =
        "After the program's end a table on standard error says which of its calls were carried,\n"
        "and why others were passed to the MPI. The exit status is the program's.\n"
        "Run it as one process, without mpiexec. See docs/comm/drop-in.md.\n",
    .options = options,
    .words = ARGS_PROGRAM,
    .start = run_start_program,
};
