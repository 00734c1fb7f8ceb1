/* SPDX-License-Identifier: BSD-2-Clause */
/* Which of several backends is the fastest for reductions of one length. */
#ifndef OVK_TOOL_TRIAL_H
#define OVK_TOOL_TRIAL_H

#include "bench/support/lists.h"

enum { TRIAL_ROUNDS = 99 };

typedef struct trial {
  int iterations, rounds;
} trial;

typedef struct trial_result {
  char spec[LIST_LENGTH]; /* as it was measured: never "auto" */
  double seconds;         /* of one reduction */
  double plain;           /* of the first spec, which stays unless another is clearly faster */
} trial_result;

/* Measures reductions of `bytes` bytes over the ranks of ctx. The result is the same on all of
 * them. Specs that this machine does not support are omitted, except for the first one. Collective;
 * errors are those of all ranks. */
ovk_err trial_run(ovk_ctx *ctx, const trial *with, const words *specs, int bytes,
                  trial_result *out);

#endif
