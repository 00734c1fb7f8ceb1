/* SPDX-License-Identifier: BSD-2-Clause */
/* A dictionary of offset lists: chunks of rows with entries on the same diagonals share one. */
#ifndef OVK_MATRIX_FORMATS_DIA_DIA_LISTS_H
#define OVK_MATRIX_FORMATS_DIA_DIA_LISTS_H

#include "core/context/check.h"

#include <stddef.h>

/* All zero: empty, no arrays. */
typedef struct ovk__offset_lists {
  int32_t n;        /* lists */
  int64_t *begin;   /* [list]: its first offset; n + 1 */
  ovk_lidx *offset; /* of all lists, increasing within each, or decreasing */

  size_t room_begin, room_offset; /* allocated elements */
  int32_t
      *slots; /* hash table with open addressing: list + 1, or 0; until ovk__offset_lists_close() */
  size_t nslots; /* a power of two */
} ovk__offset_lists;

/* *number <- the number of the list with these n offsets, which is added if it is new. */
ovk_err ovk__offset_lists_enter(ovk_ctx *ctx, ovk__offset_lists *lists, const ovk_lidx *offset,
                                ovk_lidx n, int32_t *number);

/* Ends adding lists and frees the hash table. */
ovk_err ovk__offset_lists_close(ovk_ctx *ctx, ovk__offset_lists *lists);

/* *out <- the same closed lists; to be freed also after a failure. */
ovk_err ovk__offset_lists_copy(ovk_ctx *ctx, const ovk__offset_lists *lists,
                               ovk__offset_lists *out);
void ovk__offset_lists_free(ovk__offset_lists *lists);

int64_t ovk__offset_lists_bytes(const ovk__offset_lists *lists);

/* The offsets of a list, and their number. */
static inline const ovk_lidx *ovk__offset_list(const ovk__offset_lists *lists, int32_t number,
                                               ovk_lidx *n)
{
  const int64_t begin = lists->begin[number];
  *n = (ovk_lidx)(lists->begin[number + 1] - begin);
  return lists->offset + begin;
}

/* The index of offset d in a list; -1: none. */
ovk_lidx ovk__offset_list_find(const ovk__offset_lists *lists, int32_t number, ovk_lidx d);

#endif
