/* SPDX-License-Identifier: BSD-2-Clause */
/* From a level of a hierarchy to the next one. Functions with an error are collective, and errors
 * are agreed. */
#ifndef OVK_PRECOND_AMG_COARSEN_H
#define OVK_PRECOND_AMG_COARSEN_H

#include "precond/amg/hierarchy.h"
#include "precond/amg/prolongator/tentative.h"

/* Adds the time since the end of the last phase to this one. */
void ovk__amg_end_phase(ovk__amg_hierarchy *H, ovk__amg_phase phase);

/* Appends a level with this matrix. */
ovk_err ovk__amg_append(ovk__amg_hierarchy *H, ovk_mat *A, int stride);

/* As ovk__amg_level_multiply() for level k, in order if its matrix is; adds the hash to that of H.
 */
ovk_err ovk__amg_multiply(ovk__amg_hierarchy *H, int k, ovk__amg_rows *rows,
                          const ovk__amg_entries *P, const ovk__layout *coarse, ovk_mat **A);

/* *enough <- whether the last level can be made coarser, then appends a level, and *modes <- its
 * modes */
ovk_err ovk__amg_coarsen(ovk__amg_hierarchy *H, ovk__amg_modes *modes, bool *enough);

#endif
