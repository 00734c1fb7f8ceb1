/* SPDX-License-Identifier: BSD-2-Clause */
/* The statements of ranks about a sum in check mode, before and after it, as records of
 * all-gathers; and the error messages if they differ. */
#ifndef OVK_BACKENDS_SUM_CLAIMS_H
#define OVK_BACKENDS_SUM_CLAIMS_H

#include "core/context/allgather.h"
#include "core/kept_error.h"

#include <ovkrylov/plugin/backend.h>

enum { OVK__NOTE = 160, OVK__CLAIM_NAME = OVK__NOTE + 120 };

/* The sum that a rank begins. Padding is zero. */
typedef struct ovk__claim {
  int64_t time; /* number of this begin, from 1 */
  int number, count;
  char note[OVK__NOTE];
} ovk__claim;

enum { OVK__SHOWN = 8, OVK__WHY = 200 };

/* The result of a sum. */
typedef struct ovk__verdict {
  int64_t failed; /* error code; if not 0, mark, hash and shown are 0 */
  double mark;
  uint64_t hash;            /* of all totals */
  double shown[OVK__SHOWN]; /* the first totals */
  char why[OVK__WHY];
} ovk__verdict;

/* The value that marks a sum: its last value on every rank. Its total is exact up to 2^23 ranks. */
double ovk__claim_mark(const ovk__claim *claim);

/* "number 3, of 4 values, time 12, in iteration 5 of groppcg" */
const char *ovk__claim_name(char text[OVK__CLAIM_NAME], const ovk__claim *claim);

/* Fails if the ranks begin different sums of `spec`. */
ovk_err ovk__claims_compare(ovk_ctx *ctx, const char *spec, const ovk__allgather *claims);

/* Fills the verdict on a sum that has failed, or whose totals and mark are complete. */
void ovk__verdict_make(const ovk_sum *sum, const ovk__kept_error *failed, ovk__verdict *out);

/* Fails unless all ranks have the same totals of this sum and of nothing else, or all failed with
 * the same code. */
ovk_err ovk__verdicts_compare(ovk_ctx *ctx, const char *spec, const ovk__allgather *verdicts,
                              const ovk__claim *claim);

#endif
