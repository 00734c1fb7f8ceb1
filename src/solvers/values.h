/* SPDX-License-Identifier: BSD-2-Clause */
/* The data that a solver derives from the values of A and M. */
#ifndef OVK_SOLVERS_VALUES_H
#define OVK_SOLVERS_VALUES_H

#include "solvers/state/state.h"

/* Derives all of it, when the solver is made and for new values. Collective; errors are agreed. */
ovk_err ovk__values_derive(ovk_solver *S);

#endif
