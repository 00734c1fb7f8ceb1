/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend "auto": selects a backend by where the ranks run. */
#ifndef OVK_BACKENDS_CHOOSE_H
#define OVK_BACKENDS_CHOOSE_H

#include <ovkrylov/plugin/backend.h>

/* Only for lists: "auto" itself is never opened, but the backend that it selects. */
extern const ovk_backend_ops ovk__backend_auto;

/* The spec for `ranks` ranks, with `here` of them on the node of this rank; `thread`: with one
 * that progresses reductions over messages. */
const char *ovk__backend_suits(int here, int ranks, bool thread);

/* The replacement of such a spec where shared memory cannot be allocated; NULL: there is none. */
const char *ovk__backend_without_shm(const char *spec);

/* The spec that "auto" stands for in this context, for reductions of `count` values; `silent`: they
 * overlap with work that does not poll. Collective; errors are agreed. */
ovk_err ovk__backend_choose(ovk_ctx *ctx, bool silent, int count, const char **spec);

#endif
