/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk report` starts many runs of this program. It is written in Python and replaces this process
 * by exec, so that it receives the signals and its exit status is returned to the caller. */
#include "exec_report.h"

#include "locate.h"
#include "tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEADING_WORDS = 4 };

/* Possible places of the script relative to this program: installed, and in the build folder. */
static const char *const places[] = {OVK_REPORT_INSTALLED, OVK_REPORT_BUILT, NULL};

int exec_report(int argc, char **argv)
{
  char program[PATH_SIZE], script[PATH_SIZE];
  if (!find_program(program) || !find_beside(places, script)) {
    fputs("ovk: report: its files are missing: they belong beside the program, see `ovk report` in "
          "docs/benchmarks.md\n",
          stderr);
    return STATUS_FAULT;
  }
  char python[] = "python3", mpiexec[] = OVK_MPIEXEC;
  char **words = calloc((size_t)argc + LEADING_WORDS + 1, sizeof *words);
  if (!words) {
    fputs("ovk: report: out of memory\n", stderr);
    return STATUS_FAULT;
  }
  words[0] = python;
  words[1] = script;
  words[2] = program;
  words[3] = mpiexec;
  for (int k = 0; k < argc; k++) words[LEADING_WORDS + k] = argv[k];
  execvp(python, words);
  fprintf(stderr, "ovk: report needs python3 (3.8 or newer), which cannot be started: %s\n",
          strerror(errno));
  free(words);
  return STATUS_FAULT;
}
