/* SPDX-License-Identifier: BSD-2-Clause */
/* LAPACK, for preconditioners with dense blocks. */
#ifndef OVK_PRECOND_LAPACK_H
#define OVK_PRECOND_LAPACK_H

#include "core/context/check.h"

#include <lapacke.h>

/* OVK_ERR_UNSUPPORTED if the LAPACK of the program has longer integers than the one that the
 * library was built for: another library of the program may have loaded one. `who` is the
 * preconditioner, for the message. */
ovk_err ovk__lapack_check(ovk_ctx *ctx, const char *who);

#endif
