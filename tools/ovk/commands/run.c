/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk run`: any MPI program with libovk_mpi.so preloaded, and what became of its calls. What is
 * asked for rightly is done before the MPI is initialized; what is wrong is said by the command,
 * after. */
#include "commands/run.h"
#include "commands/run_log.h"
#include "launch.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS, LOG, BACKEND, MAX_BYTES };

static const option options[] = {
    [RANKS] = {"-n", 1, "N", "number of ranks (default: 2)"},
    [LOG] = {"--log", 1, "FILE", "keep what each rank writes, in FILE.RANK"},
    [BACKEND] = {"--backend", 1, "SPEC", "auto, shm, or none, which hands everything back"},
    [MAX_BYTES] = {"--max-bytes", 1, "N", "longest call between two ranks that is carried"},
    {0}};

/* What is asked for. */
typedef struct request {
  const args *given;
  int ranks, most;
} request;

static ovk_err check_backend(ovk_ctx *ctx, const args *given)
{
  static const char *const names[] = {"auto", "shm", "none"};
  enum { N = sizeof names / sizeof *names };
  const char *name = args_text(given, BACKEND, names[0]);
  for (int k = 0; k < N; k++) {
    if (strcmp(name, names[k]) == 0) return OVK_OK;
  }
  return args_unknown(ctx, "backend", name, names, N);
}

static ovk_err read_request(ovk_ctx *ctx, const args *given, request *out)
{
  enum { MOST_RANKS = 1 << 16, MOST_BYTES = 1 << 26 };
  *out = (request){.given = given, .ranks = 2};
  TRY(args_int(ctx, given, RANKS, 1, MOST_RANKS, &out->ranks));
  TRY(args_int(ctx, given, MAX_BYTES, 0, MOST_BYTES, &out->most));
  TRY(check_backend(ctx, given));
  if (given->program_words > 0) return OVK_OK;
  return ovk_ctx_fail(ctx, OVK_ERR_ARG, "run: which program? see ovk run --help");
}

/* Started by a launcher: these are set by Open MPI, by MPICH's process managers and by PMIx. */
static bool is_rank(void)
{
  static const char *const set[] = {"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMIX_RANK", NULL};
  for (int k = 0; set[k]; k++) {
    if (getenv(set[k])) return true;
  }
  return false;
}

/* A command line. The settings are set by env for the ranks alone. */
typedef struct words {
  char **at;
  int n;
  char ranks[16], most[48], backend[48];
  char preload[2 * PATH_SIZE], log[PATH_SIZE + 16];
} words;

static void add(words *w, char *word)
{
  w->at[w->n++] = word;
}

static void add_settings(words *w, const args *given, const char *library, const char *log)
{
  const char *others = getenv("LD_PRELOAD");
  const bool more = others && *others;
  snprintf(w->preload, sizeof w->preload, "LD_PRELOAD=%s%s%s", library, more ? ":" : "",
           more ? others : "");
  snprintf(w->log, sizeof w->log, "OVK_MPI_LOG=%s", log);
  add(w, w->preload);
  add(w, w->log);
  if (args_has(given, BACKEND)) {
    snprintf(w->backend, sizeof w->backend, "OVK_MPI_BACKEND=%s", args_text(given, BACKEND, ""));
    add(w, w->backend);
  }
  if (args_has(given, MAX_BYTES)) {
    snprintf(w->most, sizeof w->most, "OVK_MPI_MAX_BYTES=%s", args_text(given, MAX_BYTES, ""));
    add(w, w->most);
  }
}

/* mpiexec -n RANKS env NAME=VALUE... PROGRAM... */
static bool make_words(words *w, const request *r, const char *library, const char *log)
{
  static char mpiexec[] = OVK_MPIEXEC, n[] = "-n", env[] = "env";
  enum { OTHERS = 9 };
  w->n = 0;
  w->at = calloc((size_t)r->given->program_words + OTHERS, sizeof *w->at);
  if (!w->at) return false;
  snprintf(w->ranks, sizeof w->ranks, "%d", r->ranks);
  add(w, mpiexec);
  add(w, n);
  add(w, w->ranks);
  add(w, env);
  add_settings(w, r->given, library, log);
  for (int k = 0; k < r->given->program_words; k++) add(w, r->given->program[k]);
  return true;
}

static int fault(int status, const char *action, const char *file, const char *why)
{
  fprintf(stderr, "ovk: run: cannot %s %s: %s\n", action, file, why);
  return status;
}

static int run_with_log(const request *r, const char *library, const run_log *log)
{
  words w;
  int status = 0;
  if (!make_words(&w, r, library, log->name)) {
    return fault(STATUS_FAULT, "start", OVK_MPIEXEC, "out of memory");
  }
  const int err = launch(w.at, &status);
  if (err) {
    status = fault(STATUS_FAULT, "start", OVK_MPIEXEC, strerror(err));
  } else {
    run_log_print(log, stderr);
  }
  free(w.at);
  return status;
}

static int start(const request *r)
{
  static const char *const places[] = {OVK_CARRY_INSTALLED, OVK_CARRY_BUILT, NULL};
  char library[PATH_SIZE];
  run_log log;
  if (!find_beside(places, library)) {
    return fault(STATUS_FAULT, "find", "libovk_mpi.so", "its place is " OVK_CARRY_INSTALLED);
  }
  const char *name = args_text(r->given, LOG, getenv("OVK_MPI_LOG"));
  const int err = run_log_open(&log, name && *name ? name : NULL, r->ranks);
  const int status =
      err ? fault(STATUS_USAGE, "write", log.name, strerror(err)) : run_with_log(r, library, &log);
  run_log_close(&log);
  return status;
}

bool run_program(int argc, char **argv, int *status)
{
  args given;
  request r;
  if (is_rank() || args_parse(NULL, options, ARGS_PROGRAM, argc, argv, &given) || given.help ||
      read_request(NULL, &given, &r)) {
    return false;
  }
  *status = start(&r);
  return true;
}

/* Of requests that are right only those of ranks arrive here. */
static ovk_err run(ovk_ctx *ctx, const args *given, int *status)
{
  request r;
  (void)status;
  TRY(read_request(ctx, given, &r));
  return ovk_ctx_fail(ctx, OVK_ERR_ARG,
                      "run starts mpiexec by itself: run it as one process, -n says how many ranks "
                      "the program gets");
}

const command run_command = {
    .name = "run",
    .usage = "[OPTIONS] [--] PROGRAM [ARGUMENTS]",
    .summary = "run any MPI program with its reductions carried by libovk_mpi.so",
    .notes =
        "After the program's end a table on standard error says which of its calls were carried,\n"
        "and why others were handed back to the MPI. The exit status is the program's.\n"
        "Run it as one process, without mpiexec. See docs/drop-in.md.\n",
    .options = options,
    .words = ARGS_PROGRAM,
    .run = run,
};
