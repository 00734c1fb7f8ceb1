/* SPDX-License-Identifier: BSD-2-Clause */
/* The inside of an endpoint. */
#ifndef OVK_ENGINE_VERBS_ENDPOINT_IMPL_H
#define OVK_ENGINE_VERBS_ENDPOINT_IMPL_H

#include "engine/verbs/endpoint.h"

struct ovk__endpoint {
  ovk_ctx *ctx;
  MPI_Comm comm;
  const ovk__nic_ops *ops;
  ovk__nic *nic;
  ovk__nic_limits limits;
  int depth;
  double timeout, ask_every; /* seconds */
  ovk__slab *slabs;
  ovk__pair **pairs; /* [rank]; NULL: not added */
  ovk__fault fault;
  bool failed;
  char why[OVK__WHY_SIZE];
  ovk__alarm *alarm; /* told of a failure, or NULL */
  void *alarmed;
};

#endif
