/* SPDX-License-Identifier: BSD-2-Clause */
/* The program ovk-tool, which ovk starts: runs the command, prints errors, returns the exit status.
 */
#include "cli/help.h"
#include "commands/commands.h"
#include "commands/program.h"
#include "launch/exec_report.h"
#include "problem/plugins.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

static ovk_err find_and_run(ovk_ctx *ctx, int argc, char **argv, int *status)
{
  static const option no_options[] = {{0}};
  const command *group, *c;
  int used;
  TRY(command_find(ctx, argc, argv, &group, &c, &used));
  args given;
  TRY(args_parse(ctx, c->options ? c->options : no_options, c->words, argc - used, argv + used,
                 &given));
  if (given.help) {
    if (ovk_ctx_rank(ctx) == 0) help_print(stdout, group, c);
    return OVK_OK;
  }
  if (c->run) return c->run(ctx, &given);
  if (c->judge) return c->judge(ctx, &given, status);
  if (c->start) return program_refuse(ctx, c, &given);
  if (ovk_ctx_rank(ctx) == 0) help_print(stderr, group, c);
  *status = STATUS_USAGE;
  return OVK_OK;
}

/* The notices that have been printed: benchmarks repeat their set-up in each round. */
typedef struct notices {
  int n;
  char text[32][200];
} notices;

static void print_notice(void *arg, const char *message)
{
  notices *printed = arg;
  enum { MOST = sizeof printed->text / sizeof *printed->text, LONGEST = sizeof *printed->text };
  for (int k = 0; k < printed->n; k++) {
    if (strncmp(printed->text[k], message, LONGEST - 1) == 0) return;
  }
  fprintf(stderr, "ovk: %s\n", message);
  if (printed->n < MOST) snprintf(printed->text[printed->n++], LONGEST, "%s", message);
}

/* Arguments for which main() has not printed a manual page or the completion. */
static ovk_err refuse_print(ovk_ctx *ctx, const char *name, int most, int argc, char **argv)
{
  const command *group, *c;
  int used;
  if (argc <= most) TRY(command_find(ctx, argc, argv, &group, &c, &used));
  return ovk_ctx_fail(ctx, OVK_ERR_ARG, "%s: %d arguments, but at most %d is allowed", name, argc,
                      most);
}

/* argv without the name of the program. */
static ovk_err ovk_run_command(ovk_ctx *ctx, int argc, char **argv, int *status)
{
  const bool speaks = ovk_ctx_rank(ctx) == 0;
  if (argc < 1) {
    if (speaks) help_print_overview(stderr, commands);
    *status = STATUS_USAGE;
  } else if (strcmp(argv[0], "--version") == 0) {
    if (speaks) printf("ovk %s\n", ovk_version());
  } else if (strcmp(argv[0], "man") == 0) {
    return refuse_print(ctx, argv[0], 1, argc - 1, argv + 1);
  } else if (strcmp(argv[0], "completion") == 0) {
    return refuse_print(ctx, argv[0], 0, argc - 1, argv + 1);
  } else if (strcmp(argv[0], "help") == 0 && argc > 1) {
    const command *group, *c;
    int used;
    TRY(command_find(ctx, argc - 1, argv + 1, &group, &c, &used));
    if (speaks) help_print(stdout, group, c);
  } else if (strcmp(argv[0], "help") == 0 || args_ask_for_help(argv[0])) {
    if (speaks) help_print_overview(stdout, commands);
  } else {
    return find_and_run(ctx, argc, argv, status);
  }
  return OVK_OK;
}

static int status_of(ovk_err err)
{
  switch (err) {
  case OVK_ERR_ARG:
  case OVK_ERR_RANGE:
  case OVK_ERR_UNKNOWN:
  case OVK_ERR_UNSUPPORTED:
  case OVK_ERR_INDEFINITE:
  case OVK_ERR_IO:
  case OVK_ERR_FORMAT:
    return STATUS_USAGE;
  default:
    return STATUS_FAULT;
  }
}

static bool asks_for_thread(const char *text)
{
  return text && strstr(text, "progress=thread");
}

/* A progress thread needs MPI_THREAD_MULTIPLE, which makes some MPIs slower, so it is requested
 * only for that. MPI_THREAD_FUNNELED costs nothing and allows threads that never call MPI, as in
 * `bench noise`. */
static int start_mpi(int argc, char **argv)
{
  bool thread = asks_for_thread(getenv("OVK_BACKEND"));
  for (int k = 1; k < argc; k++) thread = thread || asks_for_thread(argv[k]);
  int provided; /* the library checks the level and reports if it is too low */
  return MPI_Init_thread(NULL, NULL, thread ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &provided);
}

/* `ovk man [COMMAND]`; false: there is no such command. */
static bool print_manual(int argc, char **argv)
{
  const command *group, *c;
  int used;
  if (argc == 0) {
    manual_print_overview(stdout, commands);
  } else if (argc == 1 && command_find(NULL, argc, argv, &group, &c, &used) == OVK_OK) {
    manual_print(stdout, c);
  } else {
    return false;
  }
  return true;
}

/* `ovk completion`; false: with arguments. */
static bool print_completion(int argc)
{
  if (argc == 0) completion_print(stdout, commands);
  return argc == 0;
}

/* Texts need no MPI. Their errors come as those of the commands. */
static bool is_done_without_mpi(int argc, char **argv)
{
  if (argc < 2) return false;
  if (strcmp(argv[1], "man") == 0) return print_manual(argc - 2, argv + 2);
  return strcmp(argv[1], "completion") == 0 && print_completion(argc - 2);
}

int main(int argc, char **argv)
{
  int rank = 0, status = STATUS_CONVERGED;
  if (is_done_without_mpi(argc, argv)) return status;
  if (start_mpi(argc, argv) != MPI_SUCCESS) return STATUS_FAULT;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ovk_ctx *ctx = NULL;
  notices printed = {.n = 0};
  ovk_err err = ovk_ctx_create(MPI_COMM_WORLD, &ctx);
  if (!err) {
    if (rank == 0) ovk_ctx_on_notice(ctx, print_notice, &printed);
    err = plugins_register(ctx);
    if (!err) err = ovk_run_command(ctx, argc - 1, argv + 1, &status);
  }
  if (err) {
    const char *message = ovk_ctx_error(ctx);
    if (rank == 0) fprintf(stderr, "ovk: %s\n", *message ? message : ovk_err_text(err));
    status = status_of(err);
  }
  ovk_ctx_destroy(&ctx);
  if ((fflush(stdout) || ferror(stdout)) && status <= STATUS_NOT_CONVERGED) {
    fputs("ovk: standard output cannot be written\n", stderr);
    status = STATUS_USAGE;
  }
  MPI_Finalize();
  return status == STATUS_HAND_OVER ? exec_report(argc - 2, argv + 2) : status;
}
