/* SPDX-License-Identifier: BSD-2-Clause */
/* Which sums keep a method's vectors out of the null space of A, where M is not diagonal. */
#ifndef OVK_SOLVERS_STATE_PROJECTION_H
#define OVK_SOLVERS_STATE_PROJECTION_H

#include "solvers/state/state.h"

/* Inner products with the null space that a sum has after its own values. */
static inline int ovk__projection_values(const ovk_solver *S, const ovk__sum_shape *sum)
{
  int vectors = 0;
  for (unsigned left = sum->projects; left; left >>= 1) vectors += (int)(left & 1);
  return vectors * S->null.count;
}

/* Whether the method's own sums project its vectors. A test in the preconditioned norm needs
 * M^-1 r itself without its part in the null space. */
static inline bool ovk__projection_rides(const ovk_solver *S, const ovk__method *method)
{
  unsigned vectors = 0;
  for (int k = 0; k < OVK__MAX_SUMS; k++) vectors |= method->sums[k].projects;
  return vectors && S->opts.norm != OVK_NORM_PRECONDITIONED;
}

/* The blocking reductions that projections add to an iteration: one for each application of M^-1,
 * unless they ride in others. */
static inline int ovk__projection_sums(const ovk_solver *S, const ovk__method *method)
{
  int sums = 0;
  if (!S->null.count || S->M_kind != OVK__M_OTHER || ovk__projection_rides(S, method)) return 0;
  for (const ovk__phase *p = method->phases; p->kind != OVK__NO_PHASE; p++) {
    sums += p->kind == OVK__PRECOND || p->kind == OVK__PRECOND_RIGHT;
  }
  return sums;
}

#endif
