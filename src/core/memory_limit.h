/* SPDX-License-Identifier: BSD-2-Clause */
/* Limits of memory. Systems that overcommit return arrays of any size and kill the process that
 * writes to them, so a request that cannot fit is rejected before it is written. */
#ifndef OVK_CORE_MEMORY_LIMIT_H
#define OVK_CORE_MEMORY_LIMIT_H

#include "core/context/check.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ovk__memory {
  double bytes;      /* bytes still available; infinite if no limit is known */
  const char *limit; /* the source of this limit, for messages */
} ovk__memory;

/* The memory available to all processes of the machine and of this process's control groups (v2, or
 * v1) together: the least of these limits. Caches that the system would release count as free, swap
 * does not. `root` is prepended to the paths of /proc and /sys; "" except in tests. */
ovk__memory ovk__memory_shared(const char *root);

/* The memory available in this process's address space, RLIMIT_AS. */
ovk__memory ovk__memory_own(const char *root);

/* Whether this machine has less than `bytes` of memory, used or not. Cheap and local, for frequent
 * requests. */
bool ovk__memory_never(size_t bytes);

/* Collective. OVK_ERR_MEMORY on all ranks if some rank's `mine` bytes, or those of its node's ranks
 * together, are not available; `what` names their use. `all` is the total of all ranks, the same on
 * all of them: less than 1 GiB is not checked, at no cost. */
ovk_err ovk__memory_check(ovk_ctx *ctx, const char *what, double mine, double all);

#endif
