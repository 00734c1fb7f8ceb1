/* SPDX-License-Identifier: BSD-2-Clause */
/* The smoothed prolongator P = (I - omega D_F^-1 A_F) T: T is the tentative prolongator, A_F
 * is A without its weak couplings, which are added to the diagonal. Source: Vanek, Mandel,
 * Brezina, "Algebraic multigrid by smoothed aggregation" (1996). */
#ifndef OVK_PRECOND_AMG_PROLONGATOR_PROLONGATOR_H
#define OVK_PRECOND_AMG_PROLONGATOR_PROLONGATOR_H

#include "precond/amg/prolongator/tentative.h"

/* *P <- the own rows of P, with values that a float holds; to be freed also after a failure.
 * `omega` is the damping divided by the largest eigenvalue of D^-1 A; 0: P = T. `strength` is
 * that of the rows, or NULL for A_F = A. Collective; errors are agreed. */
ovk_err ovk__amg_prolongator_create(ovk__amg_rows *rows, const ovk__amg_strength *strength,
                                    const ovk__amg_tentative *T, double omega, ovk__amg_entries *P);

#endif
