/* SPDX-License-Identifier: BSD-2-Clause */
/* A fixed reordering of 0 to size - 1 that moves numbers only within windows of 4096. */
#ifndef OVK_TOOL_MODEL_SHUFFLE_H
#define OVK_TOOL_MODEL_SHUFFLE_H

#include <ovkrylov/base.h>

/* The row that point i of `size` is moved to. */
ovk_gidx shuffle_row(ovk_gidx i, ovk_gidx size);

/* The point that is in a row: the inverse. */
ovk_gidx shuffle_point(ovk_gidx row, ovk_gidx size);

#endif
