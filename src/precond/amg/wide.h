/* SPDX-License-Identifier: BSD-2-Clause */
/* The hierarchy for blocks of columns. */
#ifndef OVK_PRECOND_AMG_WIDE_H
#define OVK_PRECOND_AMG_WIDE_H

#include "precond/amg/hierarchy.h"

/* *out <- a hierarchy whose cycles are of blocks of `width` columns. It is of use until H is
 * updated or freed; NULL after a failure. Collective; errors are agreed. */
ovk_err ovk__amg_wide_create(const ovk__amg_hierarchy *H, int width, ovk__amg_hierarchy **out);
void ovk__amg_wide_free(ovk__amg_hierarchy **wide);

#endif
