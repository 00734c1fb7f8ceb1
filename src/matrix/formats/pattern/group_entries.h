/* SPDX-License-Identifier: BSD-2-Clause */
/* For the format "pattern": the entries of a group's rows, each once, with the rows that have it.
 */
#ifndef OVK_MATRIX_FORMATS_PATTERN_GROUP_ENTRIES_H
#define OVK_MATRIX_FORMATS_PATTERN_GROUP_ENTRIES_H

#include "matrix/formats/pattern/pattern_product.h"

#include <stdbool.h>

/* Where a whole group begins: its first row, and the run of that. */
typedef struct ovk__group_place {
  ovk_lidx first, run;
} ovk__group_place;

/* The rows of a group that are of one run: from the end of the piece before to `end`. */
typedef struct ovk__group_piece {
  ovk_lidx end;
  int32_t pattern;
} ovk__group_piece;

/* The piece of a group that is of the run at.run. */
static inline ovk__group_piece ovk__group_piece_of(const ovk__pattern_block *b, ovk__group_place at)
{
  const ovk_lidx rest = b->runs[at.run].end - at.first;
  return (ovk__group_piece){rest < OVK__GROUP ? rest : OVK__GROUP, b->runs[at.run].pattern};
}

/* Adds the entries of the group at a place to those of other kinds; there may be so many parts and
 * entries of all. Returns false, and adds nothing, if they are too many or
 * their product would take longer than that of the rows run by run. */
bool ovk__group_entries_add(const ovk__pattern_block *b, ovk__group_place at,
                            ovk__pattern_groups *groups, int32_t most_parts, int32_t most_entries);

#endif
