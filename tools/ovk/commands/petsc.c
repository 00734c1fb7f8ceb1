/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk petsc`: a program of PETSc with libovkpetsc.so loaded. At its end, a table of the linear
 * solves that ovkrylov executed. As in `ovk run`, a correct command line starts the program without
 * the MPI in this process. */
#include "commands/commands.h"
#include "commands/program.h"
#include "commands/run_log.h"

#include <stdlib.h>
#include <string.h>

enum { TAKE = PROGRAM_RANKS + 1, FILE_NAME };

static const option options[] = {
    PROGRAM_RANKS_OPTION,
    [TAKE] = OPTION_TEXT("--take", "LIST", "",
                         "replace these types of KSP in the code, such as cg,gmres, or all"),
    [FILE_NAME] =
        OPTION_FLAG("--options", "print the file for PETSC_OPTIONS=\"-options_file FILE\""),
    {0}};

static int missing(const char *file, const char *place)
{
  char why[PATH_SIZE];
  snprintf(why, sizeof why, "its place is %s, if ovkrylov was built with PETSc", place);
  return program_fault("petsc", STATUS_FAULT, "find", file, why);
}

static int print_options_file(void)
{
  static const char *const places[] = {OVK_PETSCRC_INSTALLED, OVK_PETSCRC_BUILT, NULL};
  char file[PATH_SIZE];
  if (!find_beside(places, file)) return missing("petscrc", OVK_PETSCRC_INSTALLED);
  puts(file);
  return STATUS_CONVERGED;
}

/* name <- the PETSc that the dynamic linker loads with this file; "": none, as for scripts. The
 * shell finds programs in PATH. */
static void find_petsc(const char *file, char name[PATH_SIZE])
{
  char line[PATH_SIZE];
  *name = '\0';
  if (setenv("OVK_PETSC_FILE", file, 1)) return;
  FILE *libraries = popen("ldd \"$(command -v \"$OVK_PETSC_FILE\")\" 2>/dev/null", "r");
  while (libraries && fgets(line, sizeof line, libraries)) {
    if (strstr(line, "libpetsc") && !*name) (void)sscanf(line, "%4095s", name);
  }
  if (libraries) (void)pclose(libraries);
  (void)unsetenv("OVK_PETSC_FILE");
}

/* The library compares indices, numbers and version when it is loaded; this reports a difference
 * before. */
static bool is_right_petsc(const char *program, const char *library)
{
  char wanted[PATH_SIZE], loaded[PATH_SIZE];
  find_petsc(library, wanted);
  find_petsc(program, loaded);
  if (!*wanted || !*loaded || strcmp(wanted, loaded) == 0) return true;
  fprintf(stderr,
          "ovk: petsc: %s uses %s, but libovkpetsc.so was built for %s: build ovkrylov with "
          "PETSC_DIR and PETSC_ARCH of that PETSc\n",
          program, loaded, wanted);
  return false;
}

/* PETSC_OPTIONS of the ranks: those of the user have priority, and libraries of both are loaded.
 * False: no memory. */
static bool make_options(const args *given, const char *library, const char *report, char **out)
{
  static const char load[] = "-dll_append ";
  const char *own = getenv("PETSC_OPTIONS");
  if (!own) own = "";
  const char *loads = strstr(own, load);
  const int before = loads ? (int)(loads - own) : (int)strlen(own);
  const char *after = loads ? loads + sizeof load - 1 : "";
  const char *take = args_text(given, TAKE);
  const size_t size = strlen(own) + strlen(library) + strlen(report) + strlen(take) + 128;
  *out = malloc(size);
  if (!*out) return false;
  snprintf(*out, size, "PETSC_OPTIONS=-ovk_report %s %s%s %.*s %s%s%s%s", report,
           *take ? "-ovk_take " : "-ksp_type ovk", take, before, own, load, library,
           loads ? "," : "", after);
  return true;
}

static void print_report(const char *file)
{
  char line[PATH_SIZE];
  FILE *report = fopen(file, "r");
  if (!report) {
    fputs("ovk petsc: no solves are reported: the program does not initialize PETSc, or ended "
          "without PetscFinalize()\n",
          stderr);
    return;
  }
  while (fgets(line, sizeof line, report)) fputs(line, stderr);
  fclose(report);
}

static int run_with_report(const args *given, const char *library, const char *report)
{
  char *petsc_options = NULL;
  int status = STATUS_FAULT;
  if (!make_options(given, library, report, &petsc_options)) {
    return program_fault("petsc", STATUS_FAULT, "start", OVK_MPIEXEC, "out of memory");
  }
  char *const settings[] = {petsc_options, NULL};
  if (program_run("petsc", settings, given, &status)) print_report(report);
  free(petsc_options);
  return status;
}

static int petsc_start_program(const args *given)
{
  static const char *const places[] = {OVK_PETSC_INSTALLED, OVK_PETSC_BUILT, NULL};
  char library[PATH_SIZE], report[PATH_SIZE + 16];
  int status;
  run_log log;
  if (args_has(given, FILE_NAME)) return print_options_file();
  if (!given->program_words) return -1;
  if (!find_beside(places, library)) return missing("libovkpetsc.so", OVK_PETSC_INSTALLED);
  if (!program_can_load("petsc", library, " ,", &status))
    return status; /* as PETSC_OPTIONS has them */
  if (!is_right_petsc(given->program[0], library)) return STATUS_USAGE;
  const int err = run_log_open(&log, NULL, 1);
  snprintf(report, sizeof report, "%s.0", log.name);
  status = err ? program_fault("petsc", STATUS_USAGE, "write", log.name, strerror(err))
               : run_with_report(given, library, report);
  run_log_close(&log);
  return status;
}

const command petsc_command = {
    .name = "petsc",
    .usage = "[OPTIONS] [--] PROGRAM [ARGUMENTS]",
    .summary = "run a program of PETSc with its linear solves by ovkrylov",
    .notes =
        "Without --take it gets -ksp_type ovk, which programs that name a type in code override.\n"
        "After the program's end lines on standard error say which solves were ovkrylov's, which\n"
        "were not, and why. The exit status is the program's. PETSC_OPTIONS and the program's own\n"
        "options count as always. Run it as one process, without mpiexec. See docs/petsc.md.\n",
    .options = options,
    .words = ARGS_PROGRAM,
    .start = petsc_start_program,
};
