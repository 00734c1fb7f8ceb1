/* SPDX-License-Identifier: BSD-2-Clause */
/* The way of messages. */
#ifndef OVK_MODEL_LINKS_H
#define OVK_MODEL_LINKS_H

#include <ovkrylov/model.h>

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

/* When what gives messages on, one after the other, has time again. */
typedef struct ovk__adapter {
  double free[OVK__LINKS];
} ovk__adapter;

/* When a message arrives that the processor hands over at that time. */
static inline double ovk__adapter_send(ovk__adapter *adapter, const ovk_model_machine *machine,
                                       int link, double time, double bytes)
{
  const ovk_model_link *l = ovk__link_at(machine, link);
  double *free = &adapter->free[link];
  const double leaves = time > *free ? time : *free;
  *free = leaves + l->g + bytes * l->G;
  return leaves + l->L + bytes * l->G;
}

#endif
