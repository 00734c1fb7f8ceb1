/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of a multigrid cycle, the same list for all ranks. */
#ifndef OVK_MODEL_CYCLE_H
#define OVK_MODEL_CYCLE_H

#include "model/network/exchange.h"

/* Ranks 0, stride, 2 stride, ... send the messages of an exchange (NULL: none), compute, receive,
 * and compute the rest. */
typedef struct ovk__step {
  ovk__model_exchange *exchange;
  int stride;
  double work, rest; /* seconds, */
  double rows;       /* and rows of one of these ranks */
} ovk__step;

/* Levels of INT_MAX rows on each of 2^20 ranks, each at most half of the one before; rounds of an
 * all-gather; and for each level a halo and, at each visit, two exchanges with the next one. */
enum { OVK__MOST_LEVELS = 52, OVK__MOST_ROUNDS = 20, OVK__MOST_VISITS = 2 };
enum { OVK__MOST_EXCHANGES = OVK__MOST_VISITS * (3 * OVK__MOST_LEVELS + OVK__MOST_ROUNDS) };

/* Must not be moved: steps point to exchanges. */
typedef struct ovk__cycle {
  ovk__step *steps;
  int n; /* 0: there is no cycle */
  int nexchanges;
  ovk__model_exchange exchanges[OVK__MOST_EXCHANGES];
} ovk__cycle;

/* *out <- the steps of the model's cycle, none if it has none. ovk__cycle_free() must be called,
 * also after a failure. */
ovk_err ovk__cycle_make(ovk_ctx *ctx, const ovk_model *model, ovk__cycle *out);
void ovk__cycle_free(ovk__cycle *cycle);

#endif
