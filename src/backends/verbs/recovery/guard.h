/* SPDX-License-Identifier: BSD-2-Clause */
/* Every rank looks after the next one while it waits for anything: so the death of any is noticed,
 * whoever the algorithm connects, and whether or not somebody waits for it. */
#ifndef OVK_BACKENDS_VERBS_RECOVERY_GUARD_H
#define OVK_BACKENDS_VERBS_RECOVERY_GUARD_H

#include "engine/verbs/endpoint.h"

/* All zeros: of nobody. */
typedef struct ovk__guard {
  ovk__endpoint *endpoint;
  ovk__pair *pair; /* NULL: there is no other rank */
  ovk__patience patience;
} ovk__guard;

/* Connects the ranks to a ring. Collective, with the same tag; errors are agreed. */
ovk_err ovk__guard_open(ovk_ctx *ctx, ovk__endpoint *endpoint, int tag, ovk__guard *out);

/* Looks now and then; does not block. A failure is the endpoint's. */
void ovk__guard_look(ovk__guard *guard);

#endif
