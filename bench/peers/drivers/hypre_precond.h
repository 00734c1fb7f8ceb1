/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioners of hypre by the names of the driver. */
#ifndef OVK_BENCH_HYPRE_PRECOND_H
#define OVK_BENCH_HYPRE_PRECOND_H

#include "peer.h"

#include <HYPRE_parcsr_ls.h>

/* Returns from the caller if the call fails. */
#define TRY_HYPRE(ctx, call)                                                                       \
  do {                                                                                             \
    const HYPRE_Int try_code_ = (call);                                                            \
    if (try_code_) return hypre_failed(ctx, #call, try_code_);                                     \
  } while (0)

/* The error of a call that returned `code`. */
ovk_err hypre_failed(ovk_ctx *ctx, const char *call, HYPRE_Int code);

typedef struct hypre_precond {
  HYPRE_PtrToParSolverFcn setup, apply;
  HYPRE_Int (*destroy)(HYPRE_Solver);
  HYPRE_Solver solver; /* NULL for diagonal scaling */
} hypre_precond;

/* `name`: jacobi; ilu, euclid (level 0 on the block of each rank); ssor, chebyshev (degree 4): the
 * relaxations of BoomerAMG, on one level; boomeramg and parasails with the defaults of hypre;
 * boomeramg3d with the threshold for three dimensions. `unknowns`: of a point. Free it with
 * hypre_precond_destroy(). */
ovk_err hypre_precond_create(ovk_ctx *ctx, const char *name, int unknowns, hypre_precond *out);
void hypre_precond_destroy(hypre_precond *M);

#endif
