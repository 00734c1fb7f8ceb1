/* SPDX-License-Identifier: BSD-2-Clause */
/* n-way dissemination: a rank that knows that the w ranks ending at itself have entered sends to n
 * others, at distances w, 2 w, ..., n w, and then knows it of (n + 1) w ranks. */
#include "comm/engine/schedule/algorithms/pairwise_exchange.h"

void ovk__build_dissemination(ovk__builder *b, int ways)
{
  static const ovk_place nothing = {OVK_WORK, 0};
  const int size = b->group.size;
  for (int64_t heard = 1; heard < size; heard *= ways + 1) {
    ovk__build_round(b);
    for (int64_t distance = heard; distance < size && distance <= ways * heard; distance += heard) {
      ovk__build_send(b, ovk__pairwise_to(b, (int)distance), nothing, 0);
      ovk__build_receive(b, ovk__pairwise_from(b, (int)distance), nothing, 0);
    }
  }
}
