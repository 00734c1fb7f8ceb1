/* SPDX-License-Identifier: BSD-2-Clause */
/* What the operations with shares have in common: the keys of their specs. */
#ifndef OVK_ENGINE_COLLECTIVES_SHARES_H
#define OVK_ENGINE_COLLECTIVES_SHARES_H

#include "engine/collectives/create.h"

/* Keys: window=; and alg=flat|ring with window=, which needs alg=flat. */
extern const char *const ovk__window_keys[];
extern const char *const ovk__ring_keys[];

ovk_err ovk__read_window(ovk__call *call);
ovk_err ovk__read_ring(ovk__call *call);

#endif
