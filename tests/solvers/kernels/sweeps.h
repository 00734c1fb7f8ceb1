/* SPDX-License-Identifier: BSD-2-Clause */
/* References for the tests of fused sweeps: random vectors in two copies, diagonals, and inner
 * products in the order of the sweeps. */
#ifndef OVK_TEST_SWEEPS_H
#define OVK_TEST_SWEEPS_H

#include "solvers/kernels/updates/updates.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lengths around the lanes and the blocks; vectors have a row more, which sweeps must not change.
 */
enum { LANES = 8, MAX = 2099, GUARD = 1 };
extern const int sweep_lengths[];
extern const int sweep_nlengths;

#define FOR_EACH_LENGTH(n)                                                                         \
  for (int k_ = 0, n = 0; k_ < sweep_nlengths && (n = sweep_lengths[k_], true); k_++)

/* The same numbers in two copies, for the sweep and for its formulas; and other diagonals. */
void make_vectors(uint64_t seed, void *vectors, void *copy, size_t bytes);

/* The two kinds of diagonal: one number per row, and one for all rows; entry() is row i. The kind
 * after them is none: D.d is NULL, M is not diagonal. */
enum { KINDS = 2 };
ovk__diagonal diagonal(int kind);
double entry(ovk__diagonal D, int i);

/* Each length with each kind of diagonal, and with false and true. */
#define FOR_EACH_DIAGONAL_AND_CHOICE(n, D, choice)                                                 \
  for (int kind_ = 0, choice = 0; kind_ < 2 * KINDS; choice = ++kind_ >= KINDS)                    \
    for (ovk__diagonal D = diagonal(kind_ % KINDS), *once_ = &D; once_; once_ = NULL)              \
      FOR_EACH_LENGTH(n)
/* The same, and without a diagonal. */
#define FOR_EACH_CASE(n, D, choice)                                                                \
  for (int kind_ = 0, choice = 0; kind_ <= 2 * KINDS + 1; choice = ++kind_ > KINDS)                \
    for (ovk__diagonal D = diagonal(kind_ % (KINDS + 1)), *once_ = &D; once_; once_ = NULL)        \
      FOR_EACH_LENGTH(n)
#define FOR_EACH_DIAGONAL(n, D)                                                                    \
  for (int kind_ = 0; kind_ < KINDS; kind_++)                                                      \
    for (ovk__diagonal D = diagonal(kind_), *once_ = &D; once_; once_ = NULL)                      \
      FOR_EACH_LENGTH(n)

/* ovk__pipecg_arrays of a struct of arrays with these names. */
#define PIPECG_ARRAYS(v)                                                                           \
  ((ovk__pipecg_arrays){.r = (v).r,                                                                \
                        .u = (v).u,                                                                \
                        .w = (v).w,                                                                \
                        .m = (v).m,                                                                \
                        .n = (v).n,                                                                \
                        .z = (v).z,                                                                \
                        .q = (v).q,                                                                \
                        .s = (v).s,                                                                \
                        .p = (v).p,                                                                \
                        .x = (v).x})

/* (x, y) in the order specified in lanes.h: LANES interleaved sums, added up pairwise. */
double dot(int n, const double *x, const double *y);

#endif
