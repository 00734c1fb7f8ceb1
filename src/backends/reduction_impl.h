/* SPDX-License-Identifier: BSD-2-Clause */
/* A reduction: created and destroyed by reduction_create.c, begun and waited for by reduction.c. */
#ifndef OVK_BACKENDS_REDUCTION_IMPL_H
#define OVK_BACKENDS_REDUCTION_IMPL_H

#include "backends/open.h"
#include "core/context/handle.h"
#include "core/kept_error.h"

typedef enum state { IDLE, RUNNING, BROKEN } state;

struct ovk_reduction {
  ovk_ctx *ctx, *held;
  const ovk_backend_ops *ops;
  const char *spec;
  ovk_sum sum;
  bool prepared;
  state state;
  bool complete;          /* running, and the totals are available */
  unsigned empty_polls;   /* tests without completion */
  ovk_lidx interval;      /* rows between polls, where the library chooses them */
  int polls;              /* since begin: calls of the hook that the reduction needed */
  ovk__kept_error failed; /* running, and will not complete */
};
OVK_IS_HANDLE(ovk_reduction);

/* Intervals between polls. The shorter one gains up to 16 % of an iteration if polls advance
 * reductions from round to round (simulated), and costs 1 to 3 % if reductions complete at once
 * (measured): see docs/lessons.md. */
enum { SHORTEST = 512, LONGEST = 4096 };

#endif
