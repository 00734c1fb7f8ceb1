/* SPDX-License-Identifier: BSD-2-Clause */
/* Why columns of a solve with several right-hand sides have failed: a message for each. */
#ifndef OVK_SOLVERS_MANY_MESSAGES_H
#define OVK_SOLVERS_MANY_MESSAGES_H

#include "solvers/state/state.h"

/* Forgets the messages of the last solve; room for those of so many columns. Collective; errors are
 * agreed. */
ovk_err ovk__messages_begin(ovk_solver *S, int columns);

/* Not collective. */
ovk_err ovk__messages_keep(ovk_solver *S, int column, const char *message);

/* The message of the context <- that of the first column that has failed. */
void ovk__messages_report(ovk_solver *S);

void ovk__messages_destroy(ovk_solver *S);

#endif
