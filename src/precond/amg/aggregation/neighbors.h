/* SPDX-License-Identifier: BSD-2-Clause */
/* The neighbors of rows in a graph. Rows of a lattice have the lists of the rows before them, so
 * these take little memory. */
#ifndef OVK_PRECOND_AMG_AGGREGATION_NEIGHBORS_H
#define OVK_PRECOND_AMG_AGGREGATION_NEIGHBORS_H

#include <ovkrylov/ctx.h>

/* All zero: no rows, no arrays. */
typedef struct ovk__amg_neighbors {
  int64_t *place;  /* of each row: its list in `lists` */
  ovk_lidx *lists; /* one after the other: the number of neighbors, then j - i of each, where j are
                      the columns of row i */
  ovk_lidx rows;
  int64_t end;
  ovk_lidx most; /* neighbors of a row */
} ovk__amg_neighbors;

/* *out <- no rows yet, with room for n rows of so many columns, to be freed also after a failure.
 * Not collective. */
ovk_err ovk__amg_neighbors_create(ovk_ctx *ctx, ovk_lidx n, int64_t columns,
                                  ovk__amg_neighbors *out);
void ovk__amg_neighbors_free(ovk__amg_neighbors *neighbors);

/* Where the list of the next row is to be written: there is room for all of its columns. Then
 * add() appends the row with the first n of them. */
static inline ovk_lidx *ovk__amg_neighbors_next(const ovk__amg_neighbors *neighbors)
{
  return neighbors->lists + neighbors->end + 1;
}
void ovk__amg_neighbors_add(ovk__amg_neighbors *neighbors, ovk_lidx n);

/* The numbers j - i of the neighbors of row i, in the order of its columns; *n <- how many. */
static inline const ovk_lidx *ovk__amg_neighbors_of(const ovk__amg_neighbors *neighbors, ovk_lidx i,
                                                    ovk_lidx *n)
{
  const ovk_lidx *list = neighbors->lists + neighbors->place[i];
  *n = list[0];
  return list + 1;
}

#endif
