/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs of the user, started under the mpiexec of the build. */
#include "commands/program.h"
#include "launch/launch.h"
#include "launch/locate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Open MPI, the process managers of MPICH, and PMIx set these. */
static bool is_rank(void)
{
  static const char *const set[] = {"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMIX_RANK", NULL};
  for (int k = 0; set[k]; k++) {
    if (getenv(set[k])) return true;
  }
  return false;
}

int program_ranks(const args *given)
{
  int ranks = 0;
  args_int(given, PROGRAM_RANKS, &ranks);
  return ranks;
}

/* mpiexec would report it once a rank, in many lines. Words for env are left to env. */
static bool is_found(const char *name, const args *given, int *status)
{
  const char *word = given->program_words ? given->program[0] : "";
  if (!*word || *word == '-' || strchr(word, '=')) return true;
  const int err = locate_command(word);
  const int shell = err == ENOENT ? 127 : 126; /* as a shell has it */
  if (err) *status = program_fault(name, shell, "start", word, strerror(err));
  return !err;
}

bool program_start(const command *c, int argc, char **argv, int *status)
{
  args given;
  if (is_rank() || args_parse(NULL, c->options, ARGS_PROGRAM, argc, argv, &given) || given.help)
    return false;
  if (!is_found(c->name, &given, status)) return true;
  *status = c->start(&given);
  return *status >= 0;
}

ovk_err program_refuse(ovk_ctx *ctx, const command *c, const args *given)
{
  if (!given->program_words)
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "%s: which program? see ovk %s --help", c->name, c->name);
  return ovk_ctx_fail(ctx, OVK_ERR_ARG,
                      "%s starts mpiexec by itself: run it as one process, -n says how many ranks "
                      "the program gets",
                      c->name);
}

int program_fault(const char *name, int status, const char *action, const char *file,
                  const char *why)
{
  fprintf(stderr, "ovk: %s: cannot %s %s: %s\n", name, action, file, why);
  return status;
}

bool program_can_load(const char *name, const char *library, const char *separators, int *status)
{
  char why[64];
  const char *at = strpbrk(library, separators);
  if (!at) return true;
  snprintf(why, sizeof why, "its path has a '%c': install ovkrylov in another folder", *at);
  *status = program_fault(name, STATUS_FAULT, "load", library, why);
  return false;
}

static int count(char *const *words)
{
  int n = 0;
  while (words[n]) n++;
  return n;
}

bool program_run(const char *name, char *const *settings, const args *given, int *status)
{
  static char mpiexec[] = OVK_MPIEXEC, n[] = "-n", env[] = "env";
  char number[16];
  char *const start[] = {mpiexec, n, number, env};
  enum { START = sizeof start / sizeof *start };
  const int nsettings = count(settings), nprogram = given->program_words;
  char **words = calloc((size_t)START + (size_t)nsettings + (size_t)nprogram + 1, sizeof *words);
  if (!words) {
    *status = program_fault(name, STATUS_FAULT, "start", OVK_MPIEXEC, "out of memory");
    return false;
  }
  snprintf(number, sizeof number, "%d", program_ranks(given));
  memcpy(words, start, sizeof start);
  memcpy(words + START, settings, (size_t)nsettings * sizeof *words);
  memcpy(words + START + nsettings, given->program, (size_t)nprogram * sizeof *words);
  const int err = launch(words, status);
  if (err) *status = program_fault(name, STATUS_FAULT, "start", OVK_MPIEXEC, strerror(err));
  free(words);
  return !err;
}
