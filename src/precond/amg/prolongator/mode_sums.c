/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums rows of T by aggregate. Neighboring rows often have the same one. */
#include "precond/amg/prolongator/mode_sums.h"
#include "core/base/cpu_dispatch.h"
#include "core/context/mem.h"

#include <math.h>
#include <stdlib.h>

void ovk__amg_mode_sums_free(ovk__amg_mode_sums *sums)
{
  free(sums->first);
  free(sums->val);
  free(sums->added);
  free(sums->order);
  *sums = (ovk__amg_mode_sums){0};
}

ovk_err ovk__amg_mode_sums_begin(ovk_ctx *ctx, ovk__amg_mode_sums *sums, ovk_lidx aggregates)
{
  sums->n = 0;
  if (aggregates <= sums->room) return OVK_OK;
  const int64_t room = 2 * (int64_t)aggregates;
  const ovk_lidx size = sums->size;
  ovk__amg_mode_sums_free(sums);
  sums->size = size;
  OVK_NEW_ARRAY(ctx, sums->first, room);
  OVK_NEW_ARRAY(ctx, sums->val, room * size);
  OVK_NEW_ARRAY(ctx, sums->added, room * size);
  OVK_NEW_ARRAY(ctx, sums->order, room);
  sums->room = (ovk_lidx)room;
  return OVK_OK;
}

/* The place of the aggregate with this first column, which is new if none has it: the last one is
 * the most likely. */
static ovk_lidx mode_sums_find(ovk__amg_mode_sums *sums, ovk_gidx first)
{
  ovk_lidx k = sums->n;
  while (k > 0 && sums->first[k - 1] != first) k--;
  if (k > 0) return k - 1;
  const ovk_lidx place = sums->n++;
  sums->first[place] = first;
  for (ovk_lidx l = 0; l < sums->size; l++) {
    sums->val[(int64_t)place * sums->size + l] = -0.; /* -0 + x = x, bit for bit */
    sums->added[(int64_t)place * sums->size + l] = 0;
  }
  return place;
}

OVK_ALWAYS_INLINE void mode_sums_add_numbers(ovk_lidx size, const double *restrict from,
                                             double weight, double *restrict val,
                                             double *restrict added)
{
  for (ovk_lidx l = 0; l < size; l++) {
    val[l] += weight * from[l];
    added[l] += fabs(from[l]);
  }
}

void ovk__amg_mode_sums_add(ovk__amg_mode_sums *sums, const ovk__amg_entries *T, ovk_lidx j,
                            double weight)
{
  const int64_t from = T->ptr[j];
  if (T->ptr[j + 1] == from) return;
  const int64_t at = (int64_t)mode_sums_find(sums, T->col[from]) * sums->size;
  if (sums->size == 6) { /* the rigid body motions of space */
    mode_sums_add_numbers(6, T->val + from, weight, sums->val + at, sums->added + at);
  } else {
    mode_sums_add_numbers(sums->size, T->val + from, weight, sums->val + at, sums->added + at);
  }
}

/* Insertion sort: a row has few aggregates. */
static void mode_sums_sort(ovk__amg_mode_sums *sums)
{
  for (ovk_lidx k = 0; k < sums->n; k++) {
    ovk_lidx to = k;
    for (; to > 0 && sums->first[sums->order[to - 1]] > sums->first[k]; to--) {
      sums->order[to] = sums->order[to - 1];
    }
    sums->order[to] = k;
  }
}

ovk_err ovk__amg_mode_sums_append(ovk_ctx *ctx, ovk__amg_mode_sums *sums, ovk__amg_entries *P,
                                  int64_t *end)
{
  int64_t to = *end;
  OVK_TRY(ovk__amg_entries_reserve(ctx, P, to + (int64_t)sums->n * sums->size));
  mode_sums_sort(sums);
  for (ovk_lidx k = 0; k < sums->n; k++) {
    const int64_t at = (int64_t)sums->order[k] * sums->size;
    for (ovk_lidx l = 0; l < sums->size; l++) {
      if (sums->added[at + l] == 0) continue;
      P->col[to] = sums->first[sums->order[k]] + l;
      P->val[to++] = sums->val[at + l];
    }
  }
  *end = to;
  return OVK_OK;
}
