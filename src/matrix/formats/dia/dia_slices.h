/* SPDX-License-Identifier: BSD-2-Clause */
/* A dictionary of slices. A slice is the part of a diagonal in a chunk of eight rows: as many
 * values as there are in a cache line. Slices are compared bit for bit. Products read those in a
 * dictionary in place of those of a chunk, without decoding any. */
#ifndef OVK_MATRIX_FORMATS_DIA_DIA_SLICES_H
#define OVK_MATRIX_FORMATS_DIA_DIA_SLICES_H

#include "core/context/check.h"

enum {
  OVK__SLICE = 8,           /* rows */
  OVK__MAX_SLICES = 1 << 13 /* as many as stay in the second cache together with x and y */
};

/* All zero: empty, no arrays. */
typedef struct ovk__slices {
  int32_t n, most; /* slices, and how many there may be, at most OVK__MAX_SLICES */
  double *val;     /* [most][OVK__SLICE]; not written from n on, but where there have been slices */
  float *narrow;   /* the same in a block with values in float, in place of val and table */
  uint16_t *table; /* hash table with open addressing: slice + 1, or 0 */
} ovk__slices;

/* Room for `most` slices. After a failure ovk__slices_free() must be called. */
ovk_err ovk__slices_make(ovk_ctx *ctx, int32_t most, ovk__slices *out);
/* *out <- the same slices in float, for products; to be freed also after a failure. */
ovk_err ovk__slices_copy_narrow(ovk_ctx *ctx, const ovk__slices *s, ovk__slices *out);
void ovk__slices_free(ovk__slices *s);

/* Forgets all slices. */
void ovk__slices_clear(ovk__slices *s);

/* The number of the slice with these values, which is added if it is new; -1: there is no room. */
int32_t ovk__slices_enter(ovk__slices *s, const double *val);

#endif
