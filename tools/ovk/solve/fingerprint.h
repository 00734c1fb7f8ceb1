/* SPDX-License-Identifier: BSD-2-Clause */
/* Fingerprints of a system and of its solution, which do not depend on the partition: sums of
 * hashes of (row, column, bits). Two runs that differ are compared by them: in A, in b, or in the
 * solve. */
#ifndef OVK_TOOL_FINGERPRINT_H
#define OVK_TOOL_FINGERPRINT_H

#include "tool.h"

#include <ovkrylov/ovkrylov.h>

typedef struct fingerprint {
  uint64_t A, b, sums, x;
} fingerprint;

/* out->A, b and x. Collective; errors are agreed. */
ovk_err fingerprint_system(const ovk_mat *A, const ovk_vec *b, const ovk_vec *x, fingerprint *out);

#endif
