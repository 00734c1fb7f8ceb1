/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of -ovk_report: a line for each kind of solve. */
#include "take/count.h"

#include <stdio.h>
#include <string.h>

static void print_reason(FILE *file, const ovkpetsc_row *r)
{
  switch (r->why) {
  case OURS:
    break;
  case ESTIMATES:
    fputs(": estimates eigenvalues, as the program or a PC requests", file);
    break;
  case BOTH_SIDES:
    fputs(": has the PC on both sides (-ksp_pc_side symmetric)", file);
    break;
  case GIVEN_BACK:
    fputs(": keeps more directions than ovk can, or has vectors without an array", file);
    break;
  case ASKED_FOR:
    fputs(": asked for by this name", file);
    break;
  case NAMED:
    fprintf(file,
            ": named in the code, or -ksp_type ovk lacks its prefix; -ovk_take %s takes it (ovk "
            "petsc --take)",
            r->type);
    break;
  case NO_METHOD:
    fputs(": ovk has no method in its place", file);
    break;
  }
}

/* A KSP inside of another one that only applies its PC, such as a block of bjacobi: no Krylov
 * solve. */
static bool is_applied_pc(const ovkpetsc_row *r)
{
  return r->inside && strcmp(r->type, KSPPREONLY) == 0;
}

static void print_rows(const ovkpetsc_row *rows, int n, FILE *file, bool inside)
{
  for (int k = 0; k < n; k++) {
    const ovkpetsc_row *r = &rows[k];
    if (r->inside != inside || is_applied_pc(r)) continue;
    const bool taken = r->why == OURS && strcmp(r->type, "ovk") != 0;
    fprintf(file, "  %ld %s by %s%s%s%s (%ld %s, %.3g s)", r->solves,
            r->solves == 1 ? "solve" : "solves", r->why == OURS ? "ovk" : r->type,
            *r->method ? " with " : "", r->method, inside ? " inside of others" : "", r->iterations,
            r->iterations == 1 ? "iteration" : "iterations", r->seconds);
    if (taken) fprintf(file, " as %s", r->type);
    print_reason(file, r);
    fputs("\n", file);
  }
}

void ovkpetsc_count_print(const ovkpetsc_row *rows, int n, const char *name)
{
  FILE *file = *name ? fopen(name, "a") : stderr; /* PETSc may be started twice */
  if (!file) return;
  fprintf(file, "ovk: linear solves of this program, times of rank 0%s\n", n ? "" : ": none");
  print_rows(rows, n, file, false);
  print_rows(rows, n, file, true);
  if (file != stderr) fclose(file);
}
