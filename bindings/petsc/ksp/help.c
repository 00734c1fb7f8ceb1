/* SPDX-License-Identifier: BSD-2-Clause */
/* The option -help: values of the options of the KSP, from the tables of the library. */
#include "ksp/ksp.h"

#include <string.h>

typedef bool (*list_fn)(const ovk_ctx *ctx, int index, ovk_choice *choice);

/* The names of a list, in lines of at most WIDTH letters. */
static PetscErrorCode print_names(MPI_Comm comm, const ovk_ctx *ctx, const char *option,
                                  list_fn list)
{
  enum { WIDTH = 100 };
  ovk_choice choice = OVK_CHOICE;
  size_t column = WIDTH;
  PetscFunctionBegin;
  PetscCall((*PetscHelpPrintf)(comm, "  -ksp_ovk_%s takes", option));
  for (int k = 0; list(ctx, k, &choice); k++) {
    if (strncmp(choice.name, "petsc", 5) == 0) continue; /* the PC of the KSP */
    const size_t length = strlen(choice.name) + 1;
    const bool fits = column + length < WIDTH;
    PetscCall((*PetscHelpPrintf)(comm, "%s%s", fits ? " " : "\n    ", choice.name));
    column = fits ? column + length : 4 + length;
  }
  PetscCall((*PetscHelpPrintf)(comm, "\n"));
  PetscFunctionReturn(0);
}

/* The keys of the specs of a list, with values, defaults and summaries. */
static PetscErrorCode print_keys(MPI_Comm comm, const ovk_ctx *ctx, list_fn list)
{
  enum { SIZE = 160 };
  ovk_choice choice = OVK_CHOICE;
  PetscFunctionBegin;
  for (int k = 0; list(ctx, k, &choice); k++) {
    for (const ovk_option *o = choice.keys; o && o->name; o++) {
      char values[SIZE], preset[SIZE];
      if (ovk_option_is_for_tests(o)) continue;
      ovk_option_values(o, values, sizeof values);
      ovk_option_default(o, preset, sizeof preset);
      PetscCall((*PetscHelpPrintf)(comm, "    %s:%s <%s%s%s> %s\n", choice.name, o->name, values,
                                   *preset ? "; default " : "", preset, o->summary));
    }
  }
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_help(KSP ksp)
{
  static const struct {
    const char *option;
    list_fn list;
  } lists[] = {{"method", ovk_list_methods},
               {"backend", ovk_list_backends},
               {"format", ovk_list_formats},
               {"pc", ovk_list_preconds}};
  MPI_Comm comm = PetscObjectComm((PetscObject)ksp);
  ovkpetsc_context *context;
  PetscFunctionBegin;
  PetscCall(ovkpetsc_context_of(comm, &context));
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
    PetscCall(print_names(comm, context->ctx, lists[k].option, lists[k].list));
    PetscCall(print_keys(comm, context->ctx, lists[k].list));
  }
  PetscFunctionReturn(0);
}
