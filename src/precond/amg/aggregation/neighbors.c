/* SPDX-License-Identifier: BSD-2-Clause */
/* Appends lists of neighbors. A list that is equal to the one before is not stored again. */
#include "precond/amg/aggregation/neighbors.h"
#include "core/context/mem.h"

#include <stdlib.h>
#include <string.h>

ovk_err ovk__amg_neighbors_create(ovk_ctx *ctx, ovk_lidx n, int64_t columns,
                                  ovk__amg_neighbors *out)
{
  *out = (ovk__amg_neighbors){0};
  OVK_NEW_ARRAY(ctx, out->place, n);
  OVK_NEW_ARRAY(ctx, out->lists, columns + n); /* pages that are not written take no memory */
  return OVK_OK;
}

void ovk__amg_neighbors_free(ovk__amg_neighbors *neighbors)
{
  free(neighbors->place);
  free(neighbors->lists);
  *neighbors = (ovk__amg_neighbors){0};
}

void ovk__amg_neighbors_add(ovk__amg_neighbors *neighbors, ovk_lidx n)
{
  const ovk_lidx i = neighbors->rows++;
  ovk_lidx *list = neighbors->lists + neighbors->end;
  list[0] = n;
  if (n > neighbors->most) neighbors->most = n;
  neighbors->place[i] = neighbors->end;
  if (i > 0) {
    const int64_t before = neighbors->place[i - 1];
    const size_t bytes = ((size_t)n + 1) * sizeof *list;
    if (neighbors->lists[before] == n && memcmp(neighbors->lists + before, list, bytes) == 0) {
      neighbors->place[i] = before;
      return;
    }
  }
  neighbors->end += n + 1;
}
