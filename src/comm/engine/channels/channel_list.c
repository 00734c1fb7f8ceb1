/* SPDX-License-Identifier: BSD-2-Clause */
/* The channels. A new one needs a line here. */
#include "comm/engine/channels/channel.h"

extern const ovk__channel_ops ovk__shm_channel, ovk__rdma_channel, ovk__p2p_channel;

const ovk__channel_ops *const ovk__channels[OVK__NCHANNELS] = {
    &ovk__shm_channel, &ovk__rdma_channel, &ovk__p2p_channel};
