/* SPDX-License-Identifier: BSD-2-Clause */
/* Internals of an endpoint. */
#ifndef OVK_COMM_NET_ENDPOINT_IMPL_H
#define OVK_COMM_NET_ENDPOINT_IMPL_H

#include "comm/net/endpoint.h"

#include <pthread.h>
#include <stdatomic.h>

struct ovk__endpoint {
  ovk_ctx *ctx;
  MPI_Comm comm;
  const ovk__nic_ops *ops;
  ovk__nic *nic;
  ovk__nic_limits limits;
  int depth;
  double timeout, probe_interval; /* seconds */
  ovk__slab *slabs;
  ovk__connection **connections; /* [peer]; NULL: not added */
  size_t nconnections, connections_most, memory_most;
  ovk__fault fault;
  pthread_mutex_t mutex; /* recursive; locked by each user of a listening endpoint */
  bool listens, hung_up;
  atomic_bool failed; /* set when `why` is written */
  char why[OVK__WHY_SIZE];
  ovk__alarm *alarm; /* called at a failure, or NULL */
  void *alarm_arg;
};

#endif
