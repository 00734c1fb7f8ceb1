/* SPDX-License-Identifier: BSD-2-Clause */
/* The schedules of a backend's sums: built at the first use of a size and shared by all sums of
 * that size. */
#ifndef OVK_COMM_ENGINE_PLANS_H
#define OVK_COMM_ENGINE_PLANS_H

#include "comm/engine/schedule/shape.h"

typedef struct ovk__plan ovk__plan;

typedef struct ovk__plans {
  ovk__shape shape;
  ovk__hierarchy hierarchy;
  ovk__plan *list;
} ovk__plans;

/* Reads the shape from a spec; *plans is zero before. Not collective. ovk__plans_free() must be
 * called also after an error. */
ovk_err ovk__plans_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__plans *plans);

/* Finds the hierarchy of the machine. Collective over comm; errors are not agreed, but no rank
 * hangs. */
ovk_err ovk__plans_locate(ovk_ctx *ctx, MPI_Comm comm, ovk__plans *plans);

/* *out <- the schedule of an all-reduce of `count` values. Not collective. */
ovk_err ovk__plans_find(ovk_ctx *ctx, ovk__plans *plans, int count, const ovk__schedule **out);

void ovk__plans_free(ovk__plans *plans);

#endif
