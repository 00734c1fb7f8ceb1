/* SPDX-License-Identifier: BSD-2-Clause */
/* Reduction schedules: what one rank does in an all-reduce, as plain data. No communication happens
 * here: an executor carries a schedule out over whatever moves messages, and a test can carry out
 * all ranks' schedules in one process. */
#ifndef OVK_BACKENDS_SCHEDULE_SCHEDULE_H
#define OVK_BACKENDS_SCHEDULE_SCHEDULE_H

#include "core/check.h"

#include <ovkrylov/spec.h>

typedef enum ovk__action_kind {
  OVK__SEND,    /* buffer `from` goes to rank `peer` */
  OVK__RECEIVE, /* buffer `to` comes from rank `peer` */
  OVK__COMBINE, /* buffer `to` <- buffer `to` + buffer `from` */
  OVK__COPY     /* buffer `to` <- buffer `from` */
} ovk__action_kind;

typedef struct ovk__action {
  ovk__action_kind kind;
  int peer;
  int from, to;
} ovk__action;

/* A round starts its messages together; once all are through, its combinations and copies follow in
 * their order. Messages from one rank to another arrive in the order of rounds. */
typedef struct ovk__round {
  int first;     /* action */
  int nmessages; /* sends and receives, */
  int nlocal;    /* and combinations and copies behind them */
} ovk__round;

/* Buffer 0 holds this rank's part at the start and the total at the end; the bits of the total are
 * the same on all ranks. */
typedef struct ovk__schedule {
  int nbuffers;
  int nactions, nrounds;
  ovk__action *actions;
  ovk__round *rounds;
} ovk__schedule;

typedef enum ovk__algorithm { OVK__FLAT, OVK__KARY, OVK__TREE } ovk__algorithm;

/* Which all-reduce:
 * flat  everyone sends to everyone; one round
 * kary  recursive k-ing: in each round groups of k exchange; ranks beyond the largest power of k
 * are served by proxies (Graham et al., "Cheetah", CCGrid 2011); k = 2 is recursive doubling tree
 * k-nomial tree to rank 0, and back over another one */
typedef struct ovk__shape {
  ovk__algorithm algorithm;
  int k;             /* of kary */
  int reduce, bcast; /* degrees of the trees */
} ovk__shape;

/* The keys of a shape in specs, for a backend's list of keys: alg=flat|doubling|kary|tree, k,
 * reduce, bcast. */
#define OVK__SHAPE_KEYS "alg", "k", "reduce", "bcast"

/* Reads a shape from a spec; what is not given has its default. Not collective. */
ovk_err ovk__shape_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__shape *shape);

/* Builds the schedule of one of `nranks` ranks. Not collective. Also after a failure,
 * ovk__schedule_free() is due. */
ovk_err ovk__schedule_build(ovk_ctx *ctx, const ovk__shape *shape, int nranks, int rank,
                            ovk__schedule *out);
void ovk__schedule_free(ovk__schedule *schedule);

#endif
