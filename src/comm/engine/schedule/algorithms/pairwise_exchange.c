/* SPDX-License-Identifier: BSD-2-Clause */
/* Pairwise exchanges. */
#include "comm/engine/schedule/algorithms/pairwise_exchange.h"

ovk__builder ovk__pairwise_begin(ovk_ctx *ctx, int size, int rank, ovk__schedule *out)
{
  ovk__builder b = ovk__build_begin(ctx, (ovk__group){.size = size, .index = rank}, out);
  ovk__build_round(&b);
  return b;
}

void ovk__pairwise_turn(ovk__builder *b, int step, int window)
{
  if (window != OVK__NO_WINDOW && step > 1 && (step - 1) % window == 0) ovk__build_round(b);
}

/* 64 bits: index + size may exceed INT_MAX. */
static int wrap(const ovk__builder *b, int64_t index)
{
  return (int)(index % b->group.size);
}

int ovk__pairwise_to(const ovk__builder *b, int step)
{
  return wrap(b, (int64_t)b->group.index + step);
}

int ovk__pairwise_from(const ovk__builder *b, int step)
{
  return wrap(b, (int64_t)b->group.index + b->group.size - step);
}

void ovk__pairwise_send(ovk__builder *b, int peer, ovk_buffer buffer, ovk__segment segment)
{
  const ovk_place from = {buffer, segment.first};
  if (segment.count) ovk__build_send(b, peer, from, segment.count);
}

void ovk__pairwise_receive(ovk__builder *b, int peer, ovk_buffer buffer, ovk__segment segment)
{
  const ovk_place to = {buffer, segment.first};
  if (segment.count) ovk__build_receive(b, peer, to, segment.count);
}

void ovk__pairwise_keep(ovk__builder *b, size_t from, size_t to, size_t count)
{
  ovk__build_copy(b, (ovk_place){OVK_INPUT, from}, (ovk_place){OVK_OUTPUT, to}, count);
}
