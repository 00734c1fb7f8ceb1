/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts about the levels: the description, the warning, the table. */
#ifndef OVK_PRECOND_AMG_REPORT_H
#define OVK_PRECOND_AMG_REPORT_H

#include "precond/amg/hierarchy.h"
#include "precond/precond_impl.h"

#include <stdio.h>

/* text <- the levels, the entries of all over those of A, the hash. */
void ovk__amg_describe(const ovk__amg_hierarchy *H, char text[OVK__PRECOND_INFO]);

/* text <- the defects of the levels; "": none. */
void ovk__amg_warn(const ovk__amg_hierarchy *H, char text[OVK__PRECOND_INFO]);

/* Writes a line for each level, and the times of this rank. */
void ovk__amg_view(const ovk__amg_hierarchy *H, FILE *file);

#endif
