/* SPDX-License-Identifier: BSD-2-Clause */
/* PCG-Algorithm1, PCG-Algorithm2 and PCG-Overlap as printed in the paper, with one timed library
 * call for each operation, and two for an inner product that overlaps with others. Separate from
 * the methods of the library, which fuse several operations in one sweep. */
#ifndef OVK_TOOL_TEXTBOOK_H
#define OVK_TOOL_TEXTBOOK_H

#include "bench/support/testbed.h"

typedef enum textbook_operation {
  TEXTBOOK_PRODUCT,
  TEXTBOOK_SDOTP,
  TEXTBOOK_GAMMA,
  TEXTBOOK_IPROD,
  TEXTBOOK_PRECOND,
  TEXTBOOK_AXPY,
  TEXTBOOK_SCALING,
  TEXTBOOK_OPERATIONS
} textbook_operation;

typedef enum textbook_algorithm {
  TEXTBOOK_CG,
  TEXTBOOK_SPLIT_CG,
  TEXTBOOK_OVERLAP
} textbook_algorithm;

typedef struct textbook textbook;

/* Collective; the testbed must outlive it. Free it with textbook_destroy(), also after a failure.
 */
ovk_err textbook_create(testbed *t, const char *backend, textbook **out);
void textbook_destroy(textbook **u);

/* Solves to 1e-8 from x = 0. seconds[] <- the time of this rank for
 * each operation in all iterations, without operations before the first. Collective. */
ovk_err textbook_solve(textbook *u, textbook_algorithm which, double seconds[TEXTBOOK_OPERATIONS],
                       int *iterations);

#endif
