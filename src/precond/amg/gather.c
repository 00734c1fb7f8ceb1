/* SPDX-License-Identifier: BSD-2-Clause */
/* Chooses the ranks of a coarse level. The choice depends on the number of rows and of ranks only,
 * so it is the same on all ranks. The points of consecutive ranks go to the first of these. */
#include "precond/amg/gather.h"

static int gather_divide_up(int a, int b)
{
  return a / b + (a % b > 0);
}

/* Most rows stay on the rank of their fine rows, as the stride is a multiple of the one before. */
int ovk__amg_gather_stride(int size, int before, ovk_gidx rows, int least)
{
  const int ranks = gather_divide_up(size, before);
  if (rows >= (ovk_gidx)least * ranks) return before;
  const int wanted = rows > least ? (int)(rows / least) : 1;
  const int64_t stride = (int64_t)before * gather_divide_up(ranks, wanted);
  return stride < size ? (int)stride : size;
}

ovk_err ovk__amg_gather(ovk_ctx *ctx, int least, int rows, ovk__layout *coarse, int *stride)
{
  const int before = *stride;
  const ovk__layout spread = *coarse;
  *stride = ovk__amg_gather_stride(ovk_ctx_size(ctx), before, coarse->global * rows, least);
  return *stride == before ? OVK_OK : ovk__layout_merge(ctx, &spread, *stride, coarse);
}
