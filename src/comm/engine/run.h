/* SPDX-License-Identifier: BSD-2-Clause */
/* Internals of a run. */
#ifndef OVK_COMM_ENGINE_RUN_H
#define OVK_COMM_ENGINE_RUN_H

#include "comm/engine/executor.h"
#include "comm/engine/tags.h"
#include "comm/net/endpoint.h"

/* A channel on which this run has messages. */
typedef struct ovk__run_channel {
  const ovk__channel_ops *ops;
  void *state;
} ovk__run_channel;

struct ovk__run {
  ovk__engine *engine;
  ovk__tag tag;
  const ovk__schedule *schedule;
  ovk__combine *combine; /* as in the task: combine, or type and op */
  MPI_Datatype type;
  MPI_Op op;
  ovk__buffers buffers;
  ovk__traffic traffic;
  ovk__run_channel channels[OVK__NCHANNELS]; /* in the order of ovk__channels */
  int nchannels;
  uint64_t generation; /* counts from 1 */
  int round;           /* the current one */
  bool started;        /* the messages of `round` have been started */
  ovk__timer timer;    /* used if the engine has an endpoint */
  int failed;          /* MPI's error code, or OVK__NETWORK_FAILED */
};

/* The state of a channel; NULL if the run has no messages on it. */
void *ovk__run_state(const ovk__run *run, const ovk__channel_ops *ops);

#endif
