/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries by diagonals, in chunks of rows: the storage of the formats "dia" and "symdia". The
 * offset of an entry is its column minus its row. A chunk has a list of the offsets that occur in
 * its rows; for each of them it has one slot per row, which is 0 if the row has no such entry. The
 * slots are in an array, or, in chunks of OVK__SLICE rows, in a dictionary if few of the slices
 * differ. */
#ifndef OVK_MATRIX_FORMATS_DIA_DIAGONALS_H
#define OVK_MATRIX_FORMATS_DIA_DIAGONALS_H

#include "matrix/formats/chunks.h"
#include "matrix/formats/csr.h"
#include "matrix/formats/dia/dia_lists.h"
#include "matrix/formats/dia/dia_slices.h"

#include <stdbool.h>

enum {
  OVK__MAX_CHUNK_HEIGHT = 24, /* of a chunk: the bits of a diagonal's slots are in 4 bytes then */
  OVK__STORED_PADDING = 4     /* bytes from that of the last slot on which may be read */
};

/* All zero: empty, no arrays. */
typedef struct ovk__diagonals {
  bool upper;                  /* without the entries below the diagonal */
  bool down;                   /* lists, and slots of chunks, begin with the last diagonal */
  ovk_lidx rows, chunk_height; /* the latter: rows of a chunk; the last may have fewer */
  ovk_lidx nchunks;
  ovk__offset_lists lists;
  int32_t *list;   /* [chunk] */
  int64_t *first;  /* [chunk]: its first slot; nchunks + 1 */
  double *val;     /* [slot]; NULL if they are in slices, or in float */
  float *narrow;   /* [slot], in a block with values in float */
  uint16_t *slice; /* [chunk and diagonal]: its number; NULL if slots are in val */
  ovk__slices slices;
  unsigned char *stored; /* a bit for each slot: it is an entry; not read by products. NULL in a
                            block with values in float */
} ovk__diagonals;

/* Whether chunks drawn from all of A show that it has more offsets than ovk__diagonals_plan() with
 * this `limit` has room for. It need not be called, but a plan takes longer to find the same. The
 * answer depends on A only. Not collective. */
bool ovk__diagonals_are_hopeless(const ovk__csr *A, bool upper, ovk_lidx chunk_height,
                                 int64_t limit);

/* Finds chunks and lists of A, without values. *bytes <- the bytes that a product would read; -1 if
 * they are not below `limit`, or if the block would take over 5 % more memory than A: then it stops
 * early. ovk__diagonals_free() must be called, also after a failure. */
ovk_err ovk__diagonals_plan(ovk_ctx *ctx, const ovk__csr *A, bool upper, ovk_lidx chunk_height,
                            int64_t limit, ovk__diagonals *out, int64_t *bytes);

/* OVK_ERR_UNSUPPORTED if the plan of A came to `bytes` = -1 without a limit. */
ovk_err ovk__diagonals_check(ovk_ctx *ctx, const ovk__csr *A, int64_t bytes);

/* The values of A, of whose entries, all of them, d is the plan. */
ovk_err ovk__diagonals_fill(ovk_ctx *ctx, const ovk__csr *A, ovk__diagonals *d);

/* The same in slices; *few <- whether they are at most a quarter of all and find room. If they are
 * not, d stays without values. */
ovk_err ovk__diagonals_fill_few(ovk_ctx *ctx, const ovk__csr *A, ovk__diagonals *d, bool *few);

/* From slices to slots. Those of chunks whose slices have been forgotten are 0 or not, but 0 where
 * there is no entry. */
ovk_err ovk__diagonals_spread(ovk_ctx *ctx, ovk__diagonals *d);

/* As ovk__format.copy_narrow, .bytes and .diagonal. A block is an ovk__diagonals, or begins with
 * one. */
ovk_err ovk__diagonals_copy_narrow(ovk_ctx *ctx, const void *block, void *out);
int64_t ovk__diagonals_bytes(const void *block);
void ovk__diagonals_diagonal(const void *block, double *out);

void ovk__diagonals_free(ovk__diagonals *d);

/* Slots from one offset of a chunk to the next: its number of rows. */
static inline ovk_lidx ovk__diagonals_stride(const ovk__diagonals *d, ovk_lidx chunk)
{
  const ovk_lidx rest = d->rows - chunk * d->chunk_height;
  return rest < d->chunk_height ? rest : d->chunk_height;
}

/* Where in their array the values of chunk c on its diagonal number k begin. `few`: they are in
 * slices. */
static inline int64_t ovk__diagonals_place(const ovk__diagonals *d, bool few, ovk_lidx c,
                                           ovk_lidx k)
{
  return few ? (int64_t)OVK__SLICE * d->slice[d->first[c] / OVK__SLICE + k]
             : d->first[c] + (int64_t)k * ovk__diagonals_stride(d, c);
}

/* These values, in a block with values in double. */
static inline double *ovk__diagonals_at(const ovk__diagonals *d, bool few, ovk_lidx c, ovk_lidx k)
{
  return (few ? d->slices.val : d->val) + ovk__diagonals_place(d, few, c, k);
}

static inline bool ovk__diagonals_holds(const ovk__diagonals *d, int64_t slot)
{
  return d->stored[slot / 8] >> (slot % 8) & 1;
}

/* As ovk__chunks_until(), ovk__chunks_poll(). */
static inline ovk_lidx ovk__diagonals_until(const ovk__diagonals *d, ovk_poll poll, ovk_lidx from)
{
  return ovk__chunks_until(d->rows, d->chunk_height, poll, from);
}

static inline void ovk__diagonals_poll(const ovk__diagonals *d, ovk_poll poll, ovk_lidx from,
                                       ovk_lidx to)
{
  ovk__chunks_poll(d->rows, poll, from, to);
}

#endif
