/* SPDX-License-Identifier: BSD-2-Clause */
/* The blocks of a band of rows of P, by column group: the terms P_iJ (A P)_i of each own coarse row
 * J. */
#ifndef OVK_PRECOND_AMG_OPERATORS_TERMS_H
#define OVK_PRECOND_AMG_OPERATORS_TERMS_H

#include "precond/amg/operators/product.h"

/* A block of P. */
typedef struct ovk__amg_term {
  int64_t k;    /* its number */
  ovk_lidx row; /* counted from the first row of the band */
} ovk__amg_term;

typedef struct ovk__amg_terms {
  ovk_lidx *group; /* the groups of the band */
  ovk_lidx n;      /* how many */
  int64_t *end;    /* of each of all groups: the end of its terms; those of group[g] begin at the
                      end of group[g - 1]. All 0 where a band has no terms */
  ovk__amg_term *term; /* those of a group by increasing row */
  int64_t room;
  bool *needed; /* whether a row of the band has terms */
} ovk__amg_terms;

/* *out <- no terms, for `groups` groups; to be freed also after a failure. Not collective. */
ovk_err ovk__amg_terms_create(ovk_ctx *ctx, ovk_lidx groups, ovk__amg_terms *out);
void ovk__amg_terms_free(ovk__amg_terms *terms);

/* Lists the terms of rows `from` to `to` - 1 of P, at most OVK__AMG_BAND, for own columns. */
ovk_err ovk__amg_terms_list(ovk_ctx *ctx, const ovk__amg_factor *P, ovk_lidx from, ovk_lidx to,
                            const ovk__amg_numbering *columns, ovk__amg_terms *terms);

#endif
