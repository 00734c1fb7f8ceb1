/* SPDX-License-Identifier: BSD-2-Clause */
/* Sorts blocks by group, by counting. */
#include "precond/amg/operators/terms.h"
#include "core/context/mem.h"

#include <stdlib.h>

ovk_err ovk__amg_terms_create(ovk_ctx *ctx, ovk_lidx groups, ovk__amg_terms *out)
{
  *out = (ovk__amg_terms){0};
  OVK_NEW_ARRAY(ctx, out->group, groups);
  OVK_NEW_ZEROS(ctx, out->end, groups);
  OVK_NEW_ARRAY(ctx, out->needed, OVK__AMG_BAND);
  return OVK_OK;
}

void ovk__amg_terms_free(ovk__amg_terms *terms)
{
  free(terms->group);
  free(terms->end);
  free(terms->term);
  free(terms->needed);
  *terms = (ovk__amg_terms){0};
}

/* Lists the groups, with end[] as the numbers of their terms; returns the number of all terms. */
static int64_t terms_count(const ovk__amg_factor *P, ovk_lidx from, ovk_lidx to,
                           const ovk__amg_numbering *columns, ovk__amg_terms *terms)
{
  int64_t count = 0;
  for (ovk_lidx i = from; i < to; i++) {
    terms->needed[i - from] = false;
    for (int64_t k = P->ptr[i]; k < P->ptr[i + 1]; k++) {
      const ovk_lidx group = P->group[k];
      if (!ovk__amg_numbering_owns(columns, group)) continue;
      if (terms->end[group]++ == 0) terms->group[terms->n++] = group;
      terms->needed[i - from] = true;
      count++;
    }
  }
  return count;
}

/* Makes end[] of each group the place of its first term. */
static void terms_place_groups(ovk__amg_terms *terms)
{
  int64_t at = 0;
  for (ovk_lidx g = 0; g < terms->n; g++) {
    int64_t *end = &terms->end[terms->group[g]];
    const int64_t count = *end;
    *end = at;
    at += count;
  }
}

ovk_err ovk__amg_terms_list(ovk_ctx *ctx, const ovk__amg_factor *P, ovk_lidx from, ovk_lidx to,
                            const ovk__amg_numbering *columns, ovk__amg_terms *terms)
{
  for (ovk_lidx g = 0; g < terms->n; g++) terms->end[terms->group[g]] = 0;
  terms->n = 0;
  const int64_t count = terms_count(P, from, to, columns, terms);
  if (count > terms->room) {
    free(terms->term);
    terms->room = 0;
    OVK_NEW_ARRAY(ctx, terms->term, count + count / 2);
    terms->room = count + count / 2;
  }
  terms_place_groups(terms);
  for (ovk_lidx i = from; i < to; i++) {
    for (int64_t k = P->ptr[i]; k < P->ptr[i + 1]; k++) {
      const ovk_lidx group = P->group[k];
      if (!ovk__amg_numbering_owns(columns, group)) continue;
      terms->term[terms->end[group]++] = (ovk__amg_term){k, i - from};
    }
  }
  return OVK_OK;
}
