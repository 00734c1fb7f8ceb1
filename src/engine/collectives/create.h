/* SPDX-License-Identifier: BSD-2-Clause */
/* How all collective operations are made: each is an entry that says what its arguments mean, and
 * ovk__collective_create() does the rest. */
#ifndef OVK_ENGINE_COLLECTIVES_CREATE_H
#define OVK_ENGINE_COLLECTIVES_CREATE_H

#include "engine/combine.h"
#include "engine/schedule/collectives.h"
#include "engine/schedule/shape.h"

#include <ovkrylov/collectives.h>

/* How a buffer of a call is shared out: not, it is a block of `count` items; or among all ranks. */
typedef struct ovk__side {
  int count; /* of the block, or of each share */
  const int *counts;
  const int64_t *offsets;
  ovk__segment *segments; /* the shares, where this rank looks at them; else NULL */
} ovk__side;

/* What a caller says, and what is made of it; what an operation has no use for stays 0. */
typedef struct ovk__call {
  ovk_ctx *ctx;
  const char *text; /* the spec */
  const void *send;
  void *receive;
  ovk__side out, in; /* of `send`, of `receive` */
  size_t size;       /* bytes of an item */
  int root;
  ovk_type type;
  ovk_op op;
  /* from the spec */
  ovk_spec *spec;
  bool over_verbs; /* what is not over MPI or shared memory */
  int writes;      /* the window over verbs; 0: no limit */
  ovk__shape shape;
  int ways, window; /* the window in rounds of the schedule */
  bool ring;
  MPI_Comm comm; /* of the engine, for those who look at the machine */
} ovk__call;

typedef enum ovk__side_kind {
  OVK__UNUSED,
  OVK__BLOCK,
  OVK__OWN_SHARE, /* a block that is this rank's of the other side's shares */
  OVK__SHARES,
} ovk__side_kind;

/* What the arguments of an operation mean. */
typedef struct ovk__operation {
  const char *name;
  const char *const *keys; /* those that it has over MPI; NULL: none */
  ovk__side_kind out, in;
  bool from_root, to_root; /* only the root looks at `send`, at `receive` */
  bool varies;             /* shares have counts of their own */
  bool combines;           /* items have a type and an operation */
  bool in_place;           /* the schedule works on `receive` alone */
  bool apart;              /* `receive` must not be `send` */
  bool has_levels;         /* the shape says what messages travel over */

  /* OPTIONAL. Reads the spec's values. The same on all ranks. */
  ovk_err (*read)(ovk__call *call);
  /* Called on all ranks at once; failures are not agreed, but no rank hangs. */
  ovk_err (*build)(const ovk__call *call, ovk__schedule *out);
} ovk__operation;

/* Collective; errors are agreed. A call without a context is an error of this rank alone. */
ovk_err ovk__collective_create(const ovk__operation *operation, ovk__call call,
                               ovk_collective **out);

/* The parts of it that look at the arguments. On this rank alone: whether they make sense; lists
 * the shares. */
ovk_err ovk__call_check(const ovk__operation *operation, ovk__call *call);

/* Whether the ranks' calls fit together. Collective; errors are agreed. */
ovk_err ovk__call_compare(const ovk__operation *operation, const ovk__call *call);

#endif
