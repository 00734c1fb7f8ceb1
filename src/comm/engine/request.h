/* SPDX-License-Identifier: BSD-2-Clause */
/* Internals of a request. */
#ifndef OVK_COMM_ENGINE_REQUEST_H
#define OVK_COMM_ENGINE_REQUEST_H

#include "comm/engine/executor.h"
#include "comm/engine/tags.h"
#include "comm/net/endpoint.h"

/* A channel over which this request has messages. */
typedef struct ovk__request_channel {
  const ovk__channel_ops *ops;
  void *state;
} ovk__request_channel;

struct ovk__request {
  ovk__engine *engine;
  ovk__tag tag;
  const ovk__schedule *schedule;
  ovk__combine *combine; /* as in ovk__op_desc: combine, or type and op */
  MPI_Datatype type;
  MPI_Op op;
  ovk__buffers buffers;
  ovk__channel_args args;
  ovk__request_channel channels[OVK__NCHANNELS]; /* in the order of ovk__channels */
  int nchannels;
  uint64_t generation; /* counts from 1 */
  int round;           /* the current one */
  bool started;        /* the messages of `round` have been started */
  ovk__timer timer;    /* used if the engine has an endpoint */
  int failed;          /* MPI error code, or OVK__NETWORK_FAILED */
};

/* Return the state of a channel; NULL if the request has no messages over it. */
void *ovk__request_state(const ovk__request *request, const ovk__channel_ops *ops);

#endif
