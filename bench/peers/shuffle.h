/* SPDX-License-Identifier: BSD-2-Clause */
/* A fixed reordering of 0 to size - 1 that moves numbers within windows of 4096 only. */
#ifndef OVK_BENCH_SHUFFLE_H
#define OVK_BENCH_SHUFFLE_H

#include <ovkrylov/base.h>

/* The row where point i of `size` goes. */
ovk_gidx shuffle_row(ovk_gidx i, ovk_gidx size);

/* The point that is in a row: the inverse. */
ovk_gidx shuffle_point(ovk_gidx row, ovk_gidx size);

#endif
