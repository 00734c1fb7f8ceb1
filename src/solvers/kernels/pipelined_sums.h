/* SPDX-License-Identifier: BSD-2-Clause */
/* The inner products of the pipelined method, a block of rows at a time. */
#ifndef OVK_SOLVERS_KERNELS_PIPELINED_SUMS_H
#define OVK_SOLVERS_KERNELS_PIPELINED_SUMS_H

#include "solvers/kernels/lanes.h"
#include "solvers/kernels/updates_hiding.h"

/* Adds those of n rows from row i, where u and q are these rows of the vectors: for a diagonal D
 * temporaries in the L1 cache. */
OVK_ALWAYS_INLINE void add_pipelined_sums(const ovk__pipelined *v, ovk_lidx i, ovk_lidx n,
                                          const double *u, const double *q, double lanes[][LANES])
{
  add_dot(n, v->r + i, u, lanes[OVK__RU]);
  add_dot(n, v->w + i, u, lanes[OVK__WU]);
  add_dot(n, v->r + i, v->r + i, lanes[OVK__RR]);
  add_dot(n, v->x + i, v->x + i, lanes[OVK__XX]);
  add_dot(n, u, u, lanes[OVK__UU]);
  add_dot(n, v->w + i, v->w + i, lanes[OVK__WW]);
  add_dot(n, v->p + i, v->p + i, lanes[OVK__PP]);
  add_dot(n, v->s + i, v->s + i, lanes[OVK__SS]);
  add_dot(n, q, q, lanes[OVK__QQ]);
  add_dot(n, v->z + i, v->z + i, lanes[OVK__ZZ]);
}

OVK_ALWAYS_INLINE void end_pipelined_sums(double lanes[][LANES], double sums[OVK__PIPELINED_SUMS])
{
  for (int k = 0; k < OVK__PIPELINED_SUMS; k++) sums[k] = sum_lanes(lanes[k]);
}

#endif
