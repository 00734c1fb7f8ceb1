/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend "auto": a name for the one that suits where the ranks run. */
#ifndef OVK_BACKENDS_CHOOSE_H
#define OVK_BACKENDS_CHOOSE_H

#include <ovkrylov/backend.h>

/* Only for lists: it is never opened, but what it stands for. */
extern const ovk_backend_ops ovk__backend_auto;

/* What suits `ranks` of which `here` are on this rank's node. */
const char *ovk__backend_suits(int here, int ranks);

/* The spec that "auto" stands for in this context. Collective; errors are agreed. */
ovk_err ovk__backend_choose(ovk_ctx *ctx, const char **spec);

#endif
