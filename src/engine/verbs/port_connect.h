/* SPDX-License-Identifier: BSD-2-Clause */
/* What making ports and using them have in common. */
#ifndef OVK_ENGINE_VERBS_PORT_CONNECT_H
#define OVK_ENGINE_VERBS_PORT_CONNECT_H

#include "engine/verbs/port.h"

/* Behind a message's data, in its place: padding to whole words, and the seal. */
enum { OVK__SEAL_ROOM = 16 };

/* Memory for what ranks tell each other, before they do so. */
ovk_err ovk__port_make_exchange(ovk_ctx *ctx, ovk__port *port);

/* The last generation that this correspondent says it has finished. */
uint64_t ovk__finished_by(const ovk__correspondent *correspondent);

#endif
