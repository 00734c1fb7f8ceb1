/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of BoomerAMG as keys of a spec. */
#ifndef OVK_HYPRE_BOOMERAMG_H
#define OVK_HYPRE_BOOMERAMG_H

#include "calls.h"

#include <HYPRE_parcsr_ls.h>
#include <ovkrylov/plugin/spec.h>

extern const ovk_option ovk__boomeramg_options[];

/* *out <- a solver for one application, with the options of the spec. Not collective. */
ovk_err ovk__boomeramg_create(ovk_ctx *ctx, const ovk_spec *spec, HYPRE_Solver *out);

#endif
