/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of bjacobi by incomplete factorisations: those of a matrix without entries between blocks
 * have none either. */
#include "precond/bjacobi/bjacobi.h"
#include "precond/incomplete/incomplete.h"

extern const ovk_precond_ops ovk__precond_ic, ovk__precond_ilu;

static ovk_err setup_ic(const ovk__block *B, int blocks, const ovk_spec *spec, void **state)
{
  (void)blocks;
  return ovk__incomplete_setup_block(B, spec, &ovk__incomplete_ic, state);
}

static ovk_err setup_ilu(const ovk__block *B, int blocks, const ovk_spec *spec, void **state)
{
  (void)blocks;
  return ovk__incomplete_setup_block(B, spec, &ovk__incomplete_ilu, state);
}

const ovk__block_solver ovk__block_ic = {setup_ic, &ovk__precond_ic};
const ovk__block_solver ovk__block_ilu = {setup_ilu, &ovk__precond_ilu};
