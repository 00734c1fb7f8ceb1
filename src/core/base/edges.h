/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a row of a product with a block of columns reads x that no row shortly before it has read:
 * at the last of columns near each other. With 8 columns the rows between do not fit into the
 * nearest caches, and the hardware prefetches fewer streams than a grid has. */
#ifndef OVK_CORE_BASE_EDGES_H
#define OVK_CORE_BASE_EDGES_H

#include "core/base/cpu_dispatch.h"

#include <ovkrylov/base.h>

enum { OVK__NEAR = 256 /* rows, which the nearest cache keeps */, OVK__EDGES = 8 };

/* In rows from the row itself on. */
typedef struct ovk__edges {
  int n;
  ovk_lidx at[OVK__EDGES];
} ovk__edges;

/* Adds one, unless there are many. */
OVK_ALWAYS_INLINE void ovk__edges_add(ovk__edges *e, ovk_lidx at)
{
  if (e->n < OVK__EDGES) e->at[e->n++] = at;
}

/* Prefetches the rows of x, of w numbers, that rows `ahead` to ahead + rows - 1 have there. */
OVK_ALWAYS_INLINE void ovk__edges_prefetch(const ovk__edges *e, int w, ovk_lidx ahead, int rows,
                                           const double *x)
{
  for (int k = 0; k < e->n; k++) {
    ovk__prefetch(x, ((int64_t)ahead + e->at[k]) * w, sizeof *x, (int64_t)rows * w);
  }
}

#endif
