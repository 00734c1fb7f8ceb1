/* SPDX-License-Identifier: BSD-2-Clause */
/* The table that OVK_TUNING names: the backends that "auto" stands for, by levels, ranks and
 * bytes. */
#ifndef OVK_BACKENDS_TUNING_H
#define OVK_BACKENDS_TUNING_H

#include "core/context/ctx_impl.h"

/* *spec <- the spec of the first line that fits reductions of `count` doubles over the ranks of the
 * context, which share one node or not; NULL: there is none, or no table. The first call reads the
 * table, on rank 0 for all ranks. Collective; errors are agreed. */
ovk_err ovk__tuning_find(ovk_ctx *ctx, bool one_node, int count, const char **spec);

#endif
