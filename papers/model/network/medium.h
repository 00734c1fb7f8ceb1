/* SPDX-License-Identifier: BSD-2-Clause */
/* A network that forwards one message after the other, whoever sends it. */
#ifndef OVK_MODEL_MEDIUM_H
#define OVK_MODEL_MEDIUM_H

/* The messages that it forwarded last, by time. Ranks are ahead of each other in simulated time, so
 * a message may be forwarded in a gap before others. */
typedef struct ovk__medium {
  double seconds; /* of a message; 0: the network forwards all at once */
  int count;
  double starts[256];
} ovk__medium;

/* The time at which the network takes a message that has left its sender at `time`. */
double ovk__medium_take(ovk__medium *medium, double time);

#endif
