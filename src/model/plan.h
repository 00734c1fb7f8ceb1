/* SPDX-License-Identifier: BSD-2-Clause */
/* The schedules of all ranks, for sums of so many values: in little memory, and with every message
 * led to the round that receives it. */
#ifndef OVK_MODEL_PLAN_H
#define OVK_MODEL_PLAN_H

#include "model/follow.h"
#include "model/links.h"

/* A message. */
typedef struct ovk__plan_send {
  int32_t peer;
  int32_t round;   /* the peer's that receives it, among all rounds of the plan */
  uint32_t count;  /* values */
  uint8_t channel; /* ovk__channel */
  uint8_t link;
} ovk__plan_send;

/* A round: its messages, and what is done when they are there. */
typedef struct ovk__plan_round {
  int32_t first_send, nsends;
  int32_t first_receive; /* as many are received as sent, in all */
  int32_t nreceives[OVK__LINKS];
  uint32_t received[OVK__LINKS]; /* values */
  uint32_t combined;             /* additions of one value */
} ovk__plan_round;

/* Messages that a round receives. */
static inline int32_t ovk__plan_receives(const ovk__plan_round *round)
{
  return round->nreceives[OVK__NODE_LINK] + round->nreceives[OVK__NET_LINK];
}

typedef struct ovk__plan {
  int count; /* values of a sum */
  int nranks;
  int32_t *end; /* [rank]: the number that its next round would have */
  int32_t nrounds, nsends;
  ovk__plan_round *rounds; /* round r of a rank is number r nranks + rank; some may not be used: */
  ovk__plan_send *sends;   /* what happens at about the same time is near in memory */
} ovk__plan;

/* Whatever happens, ovk__plan_free() is due. */
ovk_err ovk__plan_make(ovk_ctx *ctx, const ovk_model *model, const ovk__shape *shape, int count,
                       ovk__plan *out);
void ovk__plan_free(ovk__plan *plan);

#endif
