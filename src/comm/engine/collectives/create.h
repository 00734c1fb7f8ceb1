/* SPDX-License-Identifier: BSD-2-Clause */
/* The creation of collective operations: each operation is a row of a table (move.c, reduce.c),
 * which defines its arguments. ovk__collective_create() does the rest. */
#ifndef OVK_COMM_ENGINE_COLLECTIVES_CREATE_H
#define OVK_COMM_ENGINE_COLLECTIVES_CREATE_H

#include "comm/engine/pipeline.h"
#include "comm/engine/schedule/algorithm_spec.h"
#include "comm/engine/schedule/algorithms/collectives.h"

#include <ovkrylov/comm/collective.h>

/* The layout of a buffer of a call: a block of `count` items, or a share of items for each rank. */
typedef struct ovk__side {
  int count; /* of the block, or of each share */
  const int *counts;
  const int64_t *offsets;
  ovk__segment *segments; /* the shares if this rank uses them; otherwise NULL */
} ovk__side;

/* `count` items, for this rank or for each. */
static inline ovk__side ovk__uniform(int count)
{
  return (ovk__side){.count = count};
}

static inline ovk__side ovk__shares(const int *counts, const int64_t *offsets)
{
  return (ovk__side){.counts = counts, .offsets = offsets};
}

/* The arguments of a call, and values derived from them. Members that an operation does not use are
 * 0. */
typedef struct ovk__call {
  ovk_ctx *ctx;
  const char *text; /* the spec */
  const void *send;
  void *receive;
  ovk__side out, in; /* layouts of `send` and `receive` */
  int nshares;       /* of a side: one for each rank, or for each neighbor */
  int *neighbors;    /* in the grid, with OVK__NEIGHBORS: see ovk__schedule_neighbors() */
  size_t size;       /* bytes of an item */
  int root;
  ovk_type type;
  ovk_op op;
  bool by_mpi; /* mpi_type and mpi_op are used in place of type and op */
  MPI_Datatype mpi_type;
  MPI_Op mpi_op;
  const ovk_schedule *schedule; /* the schedule of the user, with OVK__SCHEDULED */
  /* from the spec */
  ovk_spec *spec;
  bool over_verbs; /* the spec names verbs: messages go over a NIC by default */
  bool by_agent;   /* an agent executes the schedule */
  int writes;      /* maximum number of RDMA writes in flight; 0: no limit */
  ovk__fragments fragments;
  ovk__algorithm_spec algorithms;
  int ways, window; /* window: steps per round of the schedule */
  bool ring, bruck;
  /* for `build` */
  ovk__hierarchy hierarchy; /* of the levels of `algorithms` */
  int fragment;             /* items, with OVK__IN_FRAGMENTS */
} ovk__call;

/* The keys of a spec, and the function that reads them, by their options, into the call. Same
 * result on all ranks. */
enum { OVK__MAX_CALL_KEYS = 8 };
typedef struct ovk__call_keys {
  ovk_option options[OVK__MAX_CALL_KEYS + 1]; /* with an end */
  ovk_err (*read)(const ovk_option *options, ovk__call *call);
} ovk__call_keys;

typedef enum ovk__side_kind {
  OVK__UNUSED,
  OVK__BLOCK,
  OVK__OWN_SHARE, /* a block: the share of this rank on the other side */
  OVK__SHARES,
} ovk__side_kind;

/* Properties of an operation. */
enum {
  OVK__FROM_ROOT = 1 << 0,     /* only the root uses `send` */
  OVK__TO_ROOT = 1 << 1,       /* only the root uses `receive` */
  OVK__VARIES = 1 << 2,        /* each share has its own count */
  OVK__COMBINES = 1 << 3,      /* items have a type and an operation */
  OVK__IN_PLACE = 1 << 4,      /* the schedule works on `receive` alone */
  OVK__APART = 1 << 5,         /* `receive` must not be `send` */
  OVK__HAS_LEVELS = 1 << 6,    /* each level has a channel; `build` needs the hierarchy */
  OVK__IN_ORDER = 1 << 7,      /* combines neighbors only: the operation need not be commutative */
  OVK__SCHEDULED = 1 << 8,     /* the user provides the schedule */
  OVK__NEIGHBORS = 1 << 9,     /* shares are those of the neighbors in a grid */
  OVK__IN_FRAGMENTS = 1 << 10, /* fragment= may cut the block: no item depends on another one */
};

/* The meaning of the arguments of an operation. */
typedef struct ovk__operation {
  const char *name;
  ovk__side_kind out, in;
  const ovk__call_keys *keys; /* keys of specs over MPI; NULL: none */
  ovk_err (*build)(const ovk__call *call, ovk__schedule *out); /* not collective */
  unsigned properties;
} ovk__operation;

/* Whether the operation has one of the properties. */
static inline bool ovk__has(const ovk__operation *o, unsigned properties)
{
  return o->properties & properties;
}

/* Create an operation. Collective; errors are agreed. A call without a context fails on this rank
 * alone. */
ovk_err ovk__collective_create(const ovk__operation *operation, ovk__call call,
                               ovk_collective **out);

/* Check the values of the arguments on this rank and list the shares. */
ovk_err ovk__call_check(const ovk__operation *operation, ovk__call *call);

/* Check that the calls of all ranks match. Collective; errors are agreed. */
ovk_err ovk__call_compare(const ovk__operation *operation, const ovk__call *call);

#endif
