/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages that ranks exchange repeatedly: those of a halo, or between the ranks of two levels. */
#ifndef OVK_MODEL_EXCHANGE_H
#define OVK_MODEL_EXCHANGE_H

#include "core/context/check.h"
#include "model/network/links.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ovk__post {
  int32_t from, to;
  int32_t place; /* of its arrival */
  float rows;    /* on average, as coarse levels have fractions; at least 1 */
} ovk__post;

/* A message that has arrived. */
typedef struct ovk__arrived {
  double arrival, cost;
  int32_t place;
} ovk__arrived;

/* The arrivals of two exchanges suffice: a rank that sends exchange n + 2 knows, by a message in
 * return, that its receivers have ended exchange n. */
typedef struct ovk__model_exchange {
  const ovk_model_machine *machine;
  int32_t nposts;
  ovk__post *posts;       /* by sender */
  int32_t *first_post;    /* [rank]: its first one; [nranks]: their number */
  int32_t *first_arrival; /* [rank]: the place of its first one; likewise */
  int32_t *received;      /* [place]: index into `posts` */
  double *arrival[2];     /* [place], for exchanges of even and of odd number */
  int32_t *arrived[2];    /* [rank]: messages that have arrived */
  uint32_t *number;       /* [rank]: exchanges that it has ended */
  ovk__arrived *sorted;   /* room for the messages of a rank */
} ovk__model_exchange;

/* *out <- no messages, with room for `most`. ovk__exchange_free() must be called, also after a
 * failure. */
ovk_err ovk__exchange_make(ovk_ctx *ctx, const ovk_model *model, size_t most,
                           ovk__model_exchange *out);
void ovk__exchange_free(ovk__model_exchange *x);

/* Adds a message. */
void ovk__exchange_add(ovk__model_exchange *x, int from, int to, double rows);

/* Orders the messages by sender; to be called after the last one was added. */
ovk_err ovk__exchange_order(ovk_ctx *ctx, const ovk_model *model, ovk__model_exchange *x);

/* Messages that a rank receives. */
static inline int32_t ovk__exchange_receives(const ovk__model_exchange *x, int rank)
{
  return x->first_arrival[rank + 1] - x->first_arrival[rank];
}

/* Whether the messages of the next exchange that a rank ends have all arrived. */
static inline bool ovk__exchange_has_all(const ovk__model_exchange *x, int rank)
{
  return x->arrived[x->number[rank] & 1][rank] == ovk__exchange_receives(x, rank);
}

/* Processor time of sending or receiving a message with the rows of `vectors` vectors. */
double ovk__exchange_cost(const ovk__model_exchange *x, const ovk__post *post, int vectors);

/* Processor time of receiving all messages of a rank. */
double ovk__exchange_load(const ovk__model_exchange *x, int rank, int vectors);

/* The time at which a rank that is free from `time` on has received all messages, one after the
 * other in the order of their arrival. */
double ovk__exchange_end_of(const ovk__model_exchange *x, int rank, int vectors, double time);

#endif
