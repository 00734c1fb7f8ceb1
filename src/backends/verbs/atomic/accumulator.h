/* SPDX-License-Identifier: BSD-2-Clause */
/* Exact sums in the memory of one rank, its home, as seen by one of those who add to them: the
 * adapter of the home adds and reads, and nobody's processor. See accumulator.c for why this is
 * sound. */
#ifndef OVK_BACKENDS_VERBS_ATOMIC_ACCUMULATOR_H
#define OVK_BACKENDS_VERBS_ATOMIC_ACCUMULATOR_H

#include "engine/verbs/endpoint.h"

/* What is added to one word of a set. */
typedef struct ovk__addition {
  size_t word;
  uint64_t addend; /* two's complement */
} ovk__addition;

typedef struct ovk__accumulator {
  ovk__endpoint *endpoint;
  ovk__pair *pair; /* to the home */
  int count;       /* sums */
  double *values;
  uint64_t parts;  /* who add, the home included */
  size_t words;    /* of a set */
  uint64_t remote; /* where the sets are, */
  uint32_t key;    /* and the key to them */

  ovk__block block;  /* where results of works go: a word that nobody looks at, and */
  uint64_t *landing; /* a set, as it is read */
  uint64_t *seen[2]; /* the sets as they were after their last use */

  ovk__addition *additions;
  size_t n;            /* of them, in this generation */
  size_t posted;       /* works: additions, and reads behind them */
  size_t span, piece;  /* words that are read now, and by one work */
  uint64_t last;       /* the last work that was posted */
  uint64_t generation; /* counts from 1 */
  bool running;
} ovk__accumulator;

/* Bytes that `count` sums take at their home: zeros at the start. */
size_t ovk__accumulator_bytes(int count);

/* For the rank `home`, to which there is a queue; `most` words of each number may be added to.
 * Not collective. Whatever happens, ovk__accumulator_free() is due. */
ovk_err ovk__accumulator_make(ovk_ctx *ctx, ovk__endpoint *endpoint, int home, int parts,
                              double *values, int count, int most, ovk__accumulator *out);

/* Where the home has the sets. */
void ovk__accumulator_find(ovk__accumulator *accumulator, uint64_t remote, uint32_t key);

/* Once it is complete, or was never started, nothing of it is under way any more. */
void ovk__accumulator_free(ovk__accumulator *accumulator);

/* These return false once the endpoint has failed, and do not wait. start adds the numbers (see
 * exact.h), or if they are NULL the values. When complete, the totals are in the values. */
bool ovk__accumulator_start(ovk__accumulator *accumulator, const uint64_t *numbers);
bool ovk__accumulator_advance(ovk__accumulator *accumulator, bool *complete);

#endif
