/* SPDX-License-Identifier: BSD-2-Clause */
/* Exact sums in the memory of one rank, its root, as used by one of the ranks that add to them.
 * Only the root's NIC adds and reads, no processor takes part. accumulator.c explains why this
 * is correct. */
#ifndef OVK_BACKENDS_VERBS_ATOMIC_ACCUMULATOR_H
#define OVK_BACKENDS_VERBS_ATOMIC_ACCUMULATOR_H

#include "comm/net/endpoint.h"

/* An addition to one word of a set. */
typedef struct ovk__addition {
  size_t word;
  uint64_t addend; /* two's complement */
} ovk__addition;

typedef struct ovk__accumulator {
  ovk__endpoint *endpoint;
  ovk__connection *connection; /* to the root */
  int count;                   /* number of sums */
  double *values;
  uint64_t contributors; /* number of ranks that add, the root included */
  size_t words;          /* words in a set */
  uint64_t remote;       /* address of the sets */
  uint32_t key;          /* and their key */

  ovk__block block;  /* memory for results of works: a word that is never read, and */
  uint64_t *landing; /* the set as last read */
  uint64_t *seen[2]; /* the contents of each set after its last use */

  ovk__addition *additions;
  size_t n;            /* number of additions in this generation */
  size_t posted;       /* posted works: additions, then reads */
  size_t span, piece;  /* words to read now; words that one work reads */
  uint64_t last;       /* id of the last posted work */
  uint64_t generation; /* counts from 1 */
  bool running;
} ovk__accumulator;

/* Bytes that `count` sums need at their root, initially zero. */
size_t ovk__accumulator_bytes(int count);

/* For the root's connection, which exists; at most `most` words of each number are added to. Not
 * collective. ovk__accumulator_free() must be called also after an error. */
ovk_err ovk__accumulator_make(ovk_ctx *ctx, ovk__endpoint *endpoint, int root, int contributors,
                              double *values, int count, int most, ovk__accumulator *out);

/* Sets the address and key of the sets at the root. */
void ovk__accumulator_find(ovk__accumulator *accumulator, uint64_t remote, uint32_t key);

/* Frees it. If it was started and is not complete, works may be in flight: then its registered
 * memory stays allocated. */
void ovk__accumulator_free(ovk__accumulator *accumulator);

/* These return false once the endpoint has failed, and do not block. start adds the numbers (see
 * exact.h) or, if NULL, the values. When complete, the totals are in the values. */
bool ovk__accumulator_start(ovk__accumulator *accumulator, const uint64_t *numbers);
bool ovk__accumulator_advance(ovk__accumulator *accumulator, bool *complete);

#endif
