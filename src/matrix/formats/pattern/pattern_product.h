/* SPDX-License-Identifier: BSD-2-Clause */
/* For the format "pattern": the block, its entries and its products. */
#ifndef OVK_MATRIX_FORMATS_PATTERN_PATTERN_PRODUCT_H
#define OVK_MATRIX_FORMATS_PATTERN_PATTERN_PRODUCT_H

#include "core/base/cpu_dispatch.h"
#include "matrix/formats/csr.h"

/* Consecutive rows with the same pattern: from the end of the previous run to `end`. */
typedef struct ovk__pattern_run {
  ovk_lidx end;
  int32_t pattern;
} ovk__pattern_run;

/* Rows of a group: a bit for each row in a mask. */
enum { OVK__GROUP = 32 };

/* One entry, or three at neighboring offsets; of one only value[0] is used. */
typedef struct ovk__group_entry {
  double value[3];
  ovk_lidx offset; /* column - row, of the first */
} ovk__group_entry;

/* Entries that the same rows of a group have. If they are mirrored, value[2] of each is value[0].
 * So the sum of the third entries of a row is that of the first ones two rows later. */
typedef struct ovk__group_part {
  int32_t begin, end; /* in `entries` */
  int16_t width;      /* of each: 1 or 3 */
  int16_t equal;    /* -1, or for a mirrored part: of so many first entries all values are equal */
  uint32_t rows[3]; /* which have the entry of value[0], [1], [2] */
} ovk__group_part;

/* Groups with the same runs at the same places are of one kind. The last group has fewer rows if
 * the block's are no multiple. */
typedef struct ovk__pattern_groups {
  ovk_lidx count;
  ovk_lidx reach; /* the last offset of most rows: how far ahead of a row x is read */
  int32_t *kind;  /* [group]; of one that shares no entries: ~(the run of its first row) */
  int32_t nkinds, nparts;
  int32_t *begin; /* nkinds + 1: a kind's first part */
  ovk__group_part *parts;
  ovk__group_entry *entries;
} ovk__pattern_groups;

typedef struct ovk__pattern_block {
  ovk_lidx rows, nruns;
  int32_t npatterns;
  int32_t *begin;   /* npatterns + 1: a pattern's first entry */
  ovk_lidx *offset; /* of an entry: column - row; increasing within a pattern */
  double *value;
  ovk__pattern_run *runs;
  ovk__pattern_groups groups;
} ovk__pattern_block;

/* Prefetches for the groups after that of row `first`. */
OVK_ALWAYS_INLINE void ovk__pattern_ask(const ovk__pattern_groups *groups, int64_t first,
                                        const double *x, const double *y)
{
  ovk__prefetch_rows(x + first + groups->reach, OVK__GROUP);
  ovk__prefetch_rows(y + first, OVK__GROUP);
}

/* pattern_entries.c: functions of ovk__format. */
void ovk__pattern_diagonal(const void *block, double *d);
ovk_lidx ovk__pattern_row(const void *block, ovk_lidx i, ovk_lidx *col, double *val);
void ovk__pattern_lengths(const void *block, ovk_lidx first, ovk_lidx rows, int64_t *length);
ovk_err ovk__pattern_unfold(ovk_ctx *ctx, const void *block, ovk_lidx first, ovk__csr *out);

/* As ovk__products.dot, .ordered and .many. */
double ovk__pattern_mult_dot(const void *block, const double *x, double *y, ovk_poll poll,
                             const ovk__finish *finish);
void ovk__pattern_mult_ordered(const void *block, const double *x, double *y, ovk_poll poll,
                               const ovk__finish *finish);
void ovk__pattern_mult_many(const void *block, int width, const double *x, double *y, ovk_poll poll,
                            const ovk__finish *finish, double *dots);

#endif
