/* SPDX-License-Identifier: BSD-2-Clause */
/* What bjacobi may take for its blocks. */
#ifndef OVK_PRECOND_BJACOBI_BJACOBI_H
#define OVK_PRECOND_BJACOBI_BJACOBI_H

#include "precond/block.h"

#include <ovkrylov/precond.h>

/* A way to solve with blocks. */
typedef struct ovk__block_solver {
  /* The state for a rank's diagonal block that has been split into so many blocks. Not collective.
   */
  ovk_err (*setup)(const ovk__block *B, int blocks, const ovk_spec *spec, void **state);
  const ovk_precond_ops *ops; /* its other functions */
} ovk__block_solver;

extern const ovk__block_solver ovk__block_dense, ovk__block_ic, ovk__block_ilu;

#endif
