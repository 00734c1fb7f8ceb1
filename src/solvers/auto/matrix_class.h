/* SPDX-License-Identifier: BSD-2-Clause */
/* Which methods "auto" may take for a matrix. */
#ifndef OVK_SOLVERS_AUTO_MATRIX_CLASS_H
#define OVK_SOLVERS_AUTO_MATRIX_CLASS_H

#include "solvers/state/state.h"

/* The class of S->A and S->M as far as it shows: symmetric values and a positive diagonal are taken
 * for OVK__A_DEFINITE, symmetric ones with an M that is surely positive definite for
 * OVK__A_SYMMETRIC. With opts.symmetric only the diagonal counts. *why <- the reason against
 * OVK__A_DEFINITE, or that the options say so; NULL if there is neither. Of a shell only products
 * are seen. Collective; errors are agreed. */
ovk_err ovk__matrix_class_of(ovk_solver *S, ovk__matrix_class *out, const char **why);

/* Whether M is diagonal and positive on all ranks. Collective; errors are agreed. */
ovk_err ovk__precond_is_positive(ovk_solver *S, bool *positive);

#endif
