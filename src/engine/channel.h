/* SPDX-License-Identifier: BSD-2-Clause */
/* What the channels have in common: a run's buffers, and what leaves them. */
#ifndef OVK_ENGINE_CHANNEL_H
#define OVK_ENGINE_CHANNEL_H

#include "engine/schedule/schedule.h"

/* Where a run's buffers are. */
typedef struct ovk__buffers {
  char *at[OVK__NBUFFERS]; /* NULL: the schedule does not use it */
  size_t element;          /* bytes */
} ovk__buffers;

/* The address of a place. */
void *ovk__buffers_at(const ovk__buffers *buffers, ovk__place place);

/* True for a message of that kind that travels over that channel. */
bool ovk__is_message(const ovk__action *action, ovk__action_kind kind, ovk__channel channel);

/* How many such messages a schedule has. */
int ovk__count_messages(const ovk__schedule *schedule, ovk__action_kind kind, ovk__channel channel);

/* A copy that a channel sends from: it has two places, for generations in turn; see run.c for when
 * one may be written again. Sends of the same data that follow each other in a round share one. */
typedef struct ovk__letter {
  const void *from;
  size_t bytes;
  size_t offset; /* of the first place, among all of a channel's copies */
  size_t stride; /* from there to the second */
} ovk__letter;

/* All letters of a schedule over one channel. */
typedef struct ovk__letters {
  ovk__letter *list; /* in the order of rounds */
  int *first;        /* [round]: its first letter; and the end */
  int *of_send;      /* the letter of each send over the channel, in the order of actions */
  size_t bytes;      /* of all places */
} ovk__letters;

/* Makes the list; places start on cache lines. `head`: bytes in front of the data, for the channel.
 * Whatever happens, ovk__letters_free() is due. */
ovk_err ovk__letters_make(ovk_ctx *ctx, const ovk__schedule *schedule, ovk__channel channel,
                          const ovk__buffers *buffers, size_t head, ovk__letters *out);
/* The stride of a letter of so many bytes with their head. */
size_t ovk__letter_stride(size_t bytes);
void ovk__letters_free(ovk__letters *letters);

#endif
