/* SPDX-License-Identifier: BSD-2-Clause */
/* Dense random matrices with given singular values or eigenvalues. */
#ifndef TEST_SOLVERS_SPECTRA_H
#define TEST_SOLVERS_SPECTRA_H

#include <stdint.h>
#include <stdlib.h>

typedef enum spectrum {
  INDEFINITE,     /* symmetric, eigenvalues of both signs */
  NORMAL,         /* normal, eigenvalues in the right half of the plane */
  FAR_FROM_NORMAL /* other left singular vectors than right ones */
} spectrum;

/* A matrix of n rows, n even, whose singular values fall from 1 to 1 / condition; to be freed with
 * free(). */
double *random_of(spectrum kind, int n, double condition, uint64_t seed);

/* How many random systems a test solves: as many as usual, or OVK_TEST_SYSTEMS. */
static inline int count_systems(int usual)
{
  const char *text = getenv("OVK_TEST_SYSTEMS");
  return text ? atoi(text) : usual;
}

#endif
