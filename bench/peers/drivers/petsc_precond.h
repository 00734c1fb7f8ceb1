/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioners of PETSc by the names of the driver. */
#ifndef OVK_BENCH_PETSC_PRECOND_H
#define OVK_BENCH_PETSC_PRECOND_H

#include "peer.h"

#include <petscksp.h>

/* Returns from the caller if the call fails; PETSc has printed the reason on standard error. */
#define TRY_PETSC(ctx, call)                                                                       \
  do {                                                                                             \
    const PetscErrorCode try_code_ = (call);                                                       \
    if (try_code_)                                                                                 \
      return ovk_ctx_fail(ctx, OVK_ERR_USER, "%s returned %d", #call, (int)try_code_);             \
  } while (0)

/* `name`: jacobi; icc, ilu (block Jacobi with level 0 on each rank's block); sor (symmetric sweeps
 * on each rank's block); chebyshev (degree 4 in jacobi); gamg, also with a threshold of 0.02
 * as gamg-drop; ml (Trilinos ML); hypre (BoomerAMG), hypre3d. Before
 * the solver's setup. */
ovk_err petsc_precond_choose(ovk_ctx *ctx, PC pc, const char *name);

/* After the solver's setup, with the same name: the blocks' factors. */
ovk_err petsc_precond_factor(ovk_ctx *ctx, PC pc, const char *name);

#endif
