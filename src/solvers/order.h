/* SPDX-License-Identifier: BSD-2-Clause */
/* The conditions of exact=all for a method, a preconditioner and the matrices. */
#ifndef OVK_SOLVERS_ORDER_H
#define OVK_SOLVERS_ORDER_H

#include "solvers/state/state.h"

/* Puts A and the preconditioner in order (matrix/order.c), unless they depend on the partition:
 * then OVK_ERR_UNSUPPORTED, which names a remedy. Collective; errors are agreed. */
ovk_err ovk__order_require(ovk_solver *S);

#endif
