/* SPDX-License-Identifier: BSD-2-Clause */
/* The keys that specs of collective operations have over MPI. */
#ifndef OVK_COMM_ENGINE_COLLECTIVES_KEYS_H
#define OVK_COMM_ENGINE_COLLECTIVES_KEYS_H

#include "comm/engine/collectives/create.h"

extern const ovk__call_keys ovk__ways_keys;   /* ways=, levels= and channel= */
extern const ovk__call_keys ovk__window_keys; /* window= */
/* alg=flat with window=; alg=ring, alg=bruck, or both */
extern const ovk__call_keys ovk__ring_keys, ovk__bruck_keys, ovk__ring_bruck_keys;
extern const ovk__call_keys
    ovk__fragment_keys; /* OVK__ALGORITHM_OPTIONS, fragment= and its window= */
extern const ovk__call_keys ovk__channel_keys; /* channel=, without levels */

#endif
