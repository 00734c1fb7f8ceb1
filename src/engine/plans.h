/* SPDX-License-Identifier: BSD-2-Clause */
/* The schedules of a backend's sums: built at their first use, and shared by all sums of as many
 * values. */
#ifndef OVK_ENGINE_PLANS_H
#define OVK_ENGINE_PLANS_H

#include "engine/schedule/shape.h"

typedef struct ovk__plan ovk__plan;

typedef struct ovk__plans {
  ovk__shape shape;
  ovk__hierarchy hierarchy;
  ovk__plan *list;
} ovk__plans;

/* Reads the shape that a spec gives; on this rank alone. Zeros before. Whatever happens,
 * ovk__plans_free() is due. */
ovk_err ovk__plans_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__plans *plans);

/* Looks at the machine. Collective over comm; errors are not agreed, but no rank hangs. */
ovk_err ovk__plans_locate(ovk_ctx *ctx, MPI_Comm comm, ovk__plans *plans);

/* The all-reduce of so many values. Not collective. */
ovk_err ovk__plans_find(ovk_ctx *ctx, ovk__plans *plans, int count, const ovk__schedule **out);

void ovk__plans_free(ovk__plans *plans);

#endif
