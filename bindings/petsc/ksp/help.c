/* SPDX-License-Identifier: BSD-2-Clause */
/* The option -help: values of the options of the KSP, from the tables of the library. */
#include "ksp/ksp.h"

#include <string.h>

typedef bool (*list_fn)(const ovk_ctx *ctx, int index, ovk_choice *choice);

/* The names of a list, of which a line takes as many as fit. */
static PetscErrorCode print_names(MPI_Comm comm, const ovk_ctx *ctx, const char *option,
                                  list_fn list)
{
  enum { WIDTH = 100 };
  ovk_choice choice = OVK_CHOICE;
  size_t column = WIDTH;
  PetscFunctionBegin;
  PetscCall((*PetscHelpPrintf)(comm, "  -ksp_ovk_%s takes", option));
  for (int k = 0; list(ctx, k, &choice); k++) {
    if (strcmp(choice.name, "petsc") == 0) continue; /* the KSP's PC itself */
    const size_t length = strlen(choice.name) + 1;
    const bool fits = column + length < WIDTH;
    PetscCall((*PetscHelpPrintf)(comm, "%s%s", fits ? " " : "\n    ", choice.name));
    column = fits ? column + length : 4 + length;
  }
  PetscCall((*PetscHelpPrintf)(comm, "\n"));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_help(KSP ksp)
{
  MPI_Comm comm = PetscObjectComm((PetscObject)ksp);
  ovkpetsc_context *context;
  PetscFunctionBegin;
  PetscCall(ovkpetsc_context_of(comm, &context));
  PetscCall(print_names(comm, context->ctx, "method", ovk_list_methods));
  PetscCall(print_names(comm, context->ctx, "backend", ovk_list_backends));
  PetscCall(print_names(comm, context->ctx, "format", ovk_list_formats));
  PetscCall(print_names(comm, context->ctx, "pc", ovk_list_preconds));
  PetscFunctionReturn(0);
}
