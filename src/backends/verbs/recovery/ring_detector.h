/* SPDX-License-Identifier: BSD-2-Clause */
/* A ring failure detector: every rank monitors the next one while it waits for anything. So the
 * death of any rank is detected, whichever ranks the algorithm connects, and even if no rank waits
 * for it. */
#ifndef OVK_BACKENDS_VERBS_RECOVERY_RING_DETECTOR_H
#define OVK_BACKENDS_VERBS_RECOVERY_RING_DETECTOR_H

#include "comm/net/endpoint.h"

/* Initially zero: monitors no rank. */
typedef struct ovk__ring_detector {
  ovk__endpoint *endpoint;
  ovk__connection *connection; /* NULL: there is no other rank */
  ovk__timer timer;
  unsigned calls; /* of ovk__ring_detector_look() */
} ovk__ring_detector;

/* Connects the ranks in a ring. Collective, with the same tag; errors are agreed. */
ovk_err ovk__ring_detector_open(ovk_ctx *ctx, ovk__endpoint *endpoint, int tag,
                                ovk__ring_detector *out);

/* Checks the next rank at intervals, unless another thread has entered the endpoint; does not
 * block. A failure becomes the endpoint's. */
void ovk__ring_detector_look(ovk__ring_detector *detector);

#endif
