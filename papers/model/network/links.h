/* SPDX-License-Identifier: BSD-2-Clause */
/* Transport of messages over adapters and links. */
#ifndef OVK_MODEL_LINKS_H
#define OVK_MODEL_LINKS_H

#include "model/model.h"
#include "model/network/medium.h"

enum { OVK__NODE_LINK, OVK__NET_LINK, OVK__LINKS };

static inline int ovk__link_between(const ovk_model_machine *machine, int a, int b)
{
  return a / machine->ranks_per_node == b / machine->ranks_per_node ? OVK__NODE_LINK
                                                                    : OVK__NET_LINK;
}

static inline const ovk_model_link *ovk__link_at(const ovk_model_machine *machine, int link)
{
  return link == OVK__NODE_LINK ? &machine->node : &machine->net;
}

/* Time taken from the receiver of a message that has arrived while it computed. */
static inline double ovk__link_interrupt(const ovk_model_machine *machine, int link)
{
  return link == OVK__NET_LINK ? machine->interrupt : 0;
}

/* Time taken from the sender of a message that has left. */
static inline double ovk__link_forward(const ovk_model_machine *machine, int link)
{
  return link == OVK__NET_LINK ? machine->forward : 0;
}

/* The time from which the adapter, which sends one message after the other, is free. */
typedef struct ovk__model_adapter {
  double free[OVK__LINKS];
} ovk__model_adapter;

/* The arrival time of a message that the processor posts at `time`. */
static inline double ovk__adapter_send(ovk__model_adapter *adapter, ovk__medium *medium,
                                       const ovk_model_machine *machine, int link, double time,
                                       double bytes)
{
  const ovk_model_link *l = ovk__link_at(machine, link);
  double *free = &adapter->free[link];
  double leaves = time > *free ? time : *free;
  *free = leaves + l->g + bytes * l->G;
  if (link == OVK__NET_LINK) leaves = ovk__medium_take(medium, leaves);
  return leaves + l->L + bytes * l->G;
}

#endif
