/* SPDX-License-Identifier: BSD-2-Clause */
/* Strength of coupling, relative to the largest negative coupling of each of the two rows:
 * (i,j) is strong if 0 < -a_ij >= theta sqrt(m_i m_j), where m_i is the maximum of -a_ik over
 * k != i. */
#ifndef OVK_PRECOND_AMG_AGGREGATION_STRENGTH_H
#define OVK_PRECOND_AMG_AGGREGATION_STRENGTH_H

#include "precond/amg/aggregation/lattice.h"
#include "precond/amg/aggregation/neighbors.h"

typedef struct ovk__amg_strength {
  double theta;
  double *largest;              /* m_i of own rows */
  double *scale;                /* its square root, of own rows and ghosts */
  ovk__amg_neighbors strong;    /* of own rows: the columns of their strong couplings */
  bool *needs;                  /* of own rows: an aggregate, unless others are omitted */
  bool *single;                 /* of own rows: an aggregate of this row alone, see omit() */
  bool *dense;                  /* own rows that are no roots, and connect no other rows */
  ovk__amg_distances distances; /* of all couplings */
} ovk__amg_strength;

/* Finds the strong couplings; *out is to be freed also after a failure. Collective; errors are
 * agreed. */
ovk_err ovk__amg_strength_create(ovk__amg_rows *rows, double theta, ovk__amg_strength *out);
void ovk__amg_strength_free(ovk__amg_strength *strength);

/* Makes all couplings of some rows weak, so that they have no aggregates: rows coupled to much
 * stiffer ones, which the smoother solves where those are given. A row whose strong neighbors are
 * all omitted becomes an aggregate. To be called once. Collective; errors are agreed. */
ovk_err ovk__amg_strength_omit(ovk__amg_rows *rows, ovk__amg_strength *s);

/* Whether row i alone takes its coupling a_ij for strong: -a_ij >= theta m_i. For rows whose
 * neighbors have much larger couplings, such as soft cells between stiff ones. */
static inline bool ovk__amg_strong_for_row(const ovk__amg_strength *s, ovk_lidx i, ovk_lidx j,
                                           double value)
{
  return j != i && -value >= s->theta * s->largest[i] && value < 0;
}

/* The strong neighbors of a row, as its entries are gone through. */
typedef struct ovk__amg_strong_ones {
  const ovk_lidx *near, *end;
} ovk__amg_strong_ones;

static inline ovk__amg_strong_ones ovk__amg_strong_begin(const ovk__amg_strength *s, ovk_lidx i)
{
  ovk_lidx n;
  const ovk_lidx *near = ovk__amg_neighbors_of(&s->strong, i, &n);
  return (ovk__amg_strong_ones){near, near + n};
}

/* Whether the next entry of row i, of column j, is strong. */
static inline bool ovk__amg_strong_next(ovk__amg_strong_ones *ones, ovk_lidx i, ovk_lidx j)
{
  const bool strong = ones->near < ones->end && *ones->near == j - i;
  ones->near += strong;
  return strong;
}

#endif
