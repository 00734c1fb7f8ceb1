/* SPDX-License-Identifier: BSD-2-Clause */
/* The channel shm: a schedule's messages through memory that a node's ranks share. */
#ifndef OVK_ENGINE_WIRES_H
#define OVK_ENGINE_WIRES_H

#include "engine/channel.h"
#include "engine/engine.h"

/* Where one message arrives from: its sender's two places, for generations in turn. */
typedef struct ovk__inlet {
  const struct ovk__line *line[2];
  void *to;
  size_t bytes;
} ovk__inlet;

/* A wire is a place in its sender's part of a slot: a sequence number and, behind it, the data. The
 * sender writes it once, and all who are sent the same read it there. */
typedef struct ovk__wires {
  ovk__slot slot;        /* none without messages */
  ovk__letters letters;  /* what goes out, */
  struct ovk__head *own; /* to this rank's part */
  int ninlets;
  ovk__inlet *inlets;         /* what comes in, round by round */
  int *first_inlet;           /* [round]; and the end */
  MPI_Request *requests;      /* one for each send, while wires are connected */
  int arrived;                /* inlets that have been read in this generation */
  struct ovk__head **readers; /* those who must have read before a wire is written again; */
  int nreaders;               /* none in schedules that are barriers, see run.c */
} ovk__wires;

/* Checks that all peers are on this node, and makes the lists. Not collective. Whatever happens,
 * ovk__wires_free() is due. */
ovk_err ovk__wires_make(const ovk__engine *engine, const ovk__schedule *schedule,
                        const ovk__buffers *buffers, ovk__wires *out);
void ovk__wires_free(ovk__wires *wires);

/* Bytes of this rank's part of a slot; 0 if it has no messages. */
size_t ovk__wires_part(const ovk__wires *wires);

/* Puts the wires into a slot, and tells receivers where they are. Collective on the node; no rank
 * hangs, but for MPI's own failures: one in here on some ranks leaves their peers waiting. */
ovk_err ovk__wires_connect(const ovk__engine *engine, const ovk__schedule *schedule,
                           const ovk__slot *slot, int tag, ovk__wires *wires);

/* True when this generation may begin: what it overwrites has been read. */
bool ovk__wires_ready(const ovk__wires *wires, uint64_t generation);

/* Start the messages of a round, tell whether it is through, and tell others that the generation
 * is. */
void ovk__wires_start(ovk__wires *wires, int round, uint64_t generation);
bool ovk__wires_test(ovk__wires *wires, int round, uint64_t generation);
void ovk__wires_finish(ovk__wires *wires, uint64_t generation);

#endif
