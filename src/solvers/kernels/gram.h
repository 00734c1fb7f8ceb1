/* SPDX-License-Identifier: BSD-2-Clause */
/* Small Gram matrices of block methods. In plain C: all ranks must find the same factors, also
 * where their processors differ, and a LAPACK selects its kernels for the processor. */
#ifndef OVK_SOLVERS_KERNELS_GRAM_H
#define OVK_SOLVERS_KERNELS_GRAM_H

#include <stdbool.h>

enum { OVK__GRAM = 8 };
typedef double ovk__gram[OVK__GRAM][OVK__GRAM];

/* A block T of vectors as T = Q factor, Q = T inverse, where the vectors of Q are orthonormal in
 * the inner product of the Gram matrix. Q has `rank` vectors; its other ones are 0. */
typedef struct ovk__gram_factors {
  ovk__gram factor, inverse;
  int vectors, rank; /* those that are not 0, and the independent ones of them */
  bool drops;        /* Q lacks a vector that is not 0 */
  double least;      /* pivot of those of Q for length 1: the errors are 1e-16 / least */
} ovk__gram_factors;

/* The fate of a vector that depends on others, as far as rounding errors show. */
typedef enum ovk__gram_dependent {
  OVK__GRAM_KEEP, /* it is kept, in a length that a next factorization finds out */
  OVK__GRAM_DROP
} ovk__gram_dependent;

/* The factors of the leading w x w Gram matrix G: Cholesky factors with pivots. Vectors with
 * squares up to `zero` are dropped. Returns false if a number is not finite or G is not
 * semidefinite. */
bool ovk__gram_factor(int w, ovk__gram G, double zero, ovk__gram_dependent dependent,
                      ovk__gram_factors *out);

/* C <- A B; C <- A B^T. C is another matrix. */
void ovk__gram_multiply(int w, ovk__gram A, ovk__gram B, ovk__gram C);
void ovk__gram_multiply_transpose(int w, ovk__gram A, ovk__gram B, ovk__gram C);

/* s_c^T G s_c for column c of s */
double ovk__gram_square(int w, ovk__gram G, ovk__gram s, int c);

#endif
