/* SPDX-License-Identifier: BSD-2-Clause */
/* The notice that a preconditioner keeps parts of old values for too long. */
#ifndef OVK_SOLVERS_CONVERGENCE_PACE_H
#define OVK_SOLVERS_CONVERGENCE_PACE_H

#include "solvers/state/state.h"

/* After a solve: compares the first one after an update of M with the first one after its setup,
 * and issues the notice. Not collective; all ranks issue it. */
void ovk__pace_compare(ovk_solver *S);

#endif
