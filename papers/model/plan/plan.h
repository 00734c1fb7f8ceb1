/* SPDX-License-Identifier: BSD-2-Clause */
/* The schedules of all ranks for sums of a given number of values, in compact form, with the
 * receiving round of every message. */
#ifndef OVK_MODEL_PLAN_H
#define OVK_MODEL_PLAN_H

#include "model/network/links.h"
#include "model/plan/resolve.h"

/* A message. */
typedef struct ovk__plan_send {
  int32_t peer;
  int32_t round;   /* the round of the peer that receives it, an index of `rounds` */
  uint32_t count;  /* values */
  uint8_t channel; /* ovk__channel */
  uint8_t link;
} ovk__plan_send;

/* A round: its messages, and the work when they have arrived. */
typedef struct ovk__plan_round {
  int32_t first_send, nsends;
  int32_t first_receive; /* index into the receives; there are as many as sends in all */
  int32_t nreceives[OVK__LINKS];
  uint32_t received[OVK__LINKS]; /* values */
  uint32_t combined;             /* additions of one value */
} ovk__plan_round;

/* Messages that a round receives. */
static inline int32_t ovk__plan_receives(const ovk__plan_round *round)
{
  return round->nreceives[OVK__NODE_LINK] + round->nreceives[OVK__NET_LINK];
}

typedef struct ovk__model_plan {
  int count; /* values of a sum */
  int nranks;
  int32_t *end; /* [rank]: the index of the round after its last one */
  int32_t nrounds, nsends;
  ovk__plan_round *rounds; /* index r nranks + rank for round r of a rank; some are unused */
  ovk__plan_send *sends;   /* messages of the same time are near each other in memory */
} ovk__model_plan;

/* ovk__plan_free() must be called, also after a failure. */
ovk_err ovk__plan_make(ovk_ctx *ctx, const ovk_model *model, const ovk__algorithm_spec *algorithms,
                       int count, ovk__model_plan *out);
void ovk__plan_free(ovk__model_plan *plan);

#endif
