/* SPDX-License-Identifier: BSD-2-Clause */
/* Strength of coupling, relative to the largest negative coupling of each of the two rows:
 * (i,j) is strong if 0 < -a_ij >= theta sqrt(m_i m_j), where m_i is the maximum of -a_ik over
 * k != i. */
#ifndef OVK_PRECOND_AMG_AGGREGATION_STRENGTH_H
#define OVK_PRECOND_AMG_AGGREGATION_STRENGTH_H

#include "precond/amg/aggregation/rows.h"

typedef struct ovk__amg_strength {
  double theta;
  double *largest;       /* m_i of own rows */
  double *scale;         /* its square root, of own rows and ghosts */
  unsigned char *strong; /* of each entry; the diagonal is not */
  bool all;              /* all couplings of own rows are strong */
  bool *needs;           /* of own rows: an aggregate, unless others are omitted */
  bool *single;          /* of own rows: an aggregate of this row alone, see omit() */
} ovk__amg_strength;

/* Finds the strong couplings; *out is to be freed also after a failure. Collective; errors are
 * agreed. */
ovk_err ovk__amg_strength_create(const ovk__amg_rows *rows, double theta, ovk__amg_strength *out);
void ovk__amg_strength_free(ovk__amg_strength *strength);

/* Makes all couplings of some rows weak, so that they have no aggregates: rows coupled to much
 * stiffer ones, which the smoother solves where those are given. A row whose strong neighbors are
 * all omitted becomes an aggregate. To be called once. Collective; errors are agreed. */
ovk_err ovk__amg_strength_omit(const ovk__amg_rows *rows, ovk__amg_strength *s);

/* Whether row i alone takes entry k for strong: -a_ij >= theta m_i. For rows whose neighbors have
 * much larger couplings, such as soft cells between stiff ones. */
static inline bool ovk__amg_strong_for_row(const ovk__amg_rows *rows, const ovk__amg_strength *s,
                                           ovk_lidx i, int64_t k)
{
  return rows->col[k] != i && -rows->val[k] >= s->theta * s->largest[i] && rows->val[k] < 0;
}

#endif
