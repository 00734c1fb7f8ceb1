/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the rows of a chunk of "symdia" find the entries below their diagonals: in the chunks
 * before, and in their own. That depends on the diagonals of these chunks alone, and is the same
 * for most chunks of a grid. */
#ifndef OVK_MATRIX_FORMATS_SYMDIA_SYMDIA_MIRRORS_H
#define OVK_MATRIX_FORMATS_SYMDIA_SYMDIA_MIRRORS_H

#include "matrix/formats/symdia/symdia_mult.h"

#include <stdbool.h>
#include <stddef.h>

enum { OVK__MIRRORS_MOST = 32, OVK__MIRRORS_PAIRS = OVK__SYMDIA_CHUNK_HEIGHT / 2 };

/* Which rows of a pair have an entry. */
enum {
  OVK__MIRROR_FIRST,
  OVK__MIRROR_SECOND,
  OVK__MIRROR_THREE /* both, on three neighboring diagonals */
};

/* An entry below the diagonal: its value, from the first one of the rows' chunk on, and where it
 * has x, in doubles from the first row of the pair on. Of three diagonals, in a chunk of full
 * height: the value of the first row on the first of them, and x that it has on the last. */
typedef struct ovk__mirrored {
  int64_t value, kind;
  ptrdiff_t x;
} ovk__mirrored;

/* Such entries of the rows of a chunk, a pair of rows at a time, in the order of their sums. */
typedef struct ovk__mirrors {
  int n[OVK__MIRRORS_PAIRS];
  int64_t all; /* not 0: the rows have no others */
  ovk__mirrored entry[OVK__MIRRORS_PAIRS][OVK__MIRRORS_MOST];
} ovk__mirrors;

/* The next diagonal to be searched for such entries. */
typedef struct ovk__mirror_place {
  ovk_lidx reach;    /* in b->reach; -1: that of the chunk itself */
  ovk_lidx diagonal; /* in the list of the other chunk; -1: its first one that reaches so far */
} ovk__mirror_place;

/* m <- the entries from p on of the `rows` rows of chunk c, for blocks of w columns; p moves to the
 * next ones, and begins with {b->nreach - 1, -1}. Returns whether these are all. */
bool ovk__mirrors_collect(int w, const ovk__symdia *b, ovk_lidx c, ovk_lidx rows,
                          ovk__mirror_place *p, ovk__mirrors *m);

/* Whether the entries of a chunk c > 0 of full height are where those of chunk c - 1 are. */
bool ovk__mirrors_are_same(const ovk__symdia *b, ovk_lidx c);

#endif
