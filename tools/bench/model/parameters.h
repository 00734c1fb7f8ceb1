/* SPDX-License-Identifier: BSD-2-Clause */
/* The numbers that a simulation starts from: a machine, what a row costs, and noise. */
#ifndef OVK_TOOL_PARAMETERS_H
#define OVK_TOOL_PARAMETERS_H

#include "bench/table.h"

#include <ovkrylov/model.h>

typedef enum parameter {
  NET_L, /* of the ways between nodes, and then within one: as ovk_model_link has them */
  NET_o,
  NET_O,
  NET_g,
  NET_G,
  NODE_L,
  NODE_o,
  NODE_O,
  NODE_g,
  NODE_G,
  RANKS_PER_NODE,
  BEGIN,
  POLL,
  COMBINE,
  ASYNC,
  ENTRY,    /* of the matrix, in a product, */
  BOUNDARY, /* and one that needs what other ranks have */
  PAIR,     /* products that two at once take as long as */
  STREAM,   /* to read or write one double a row */
  DOT,      /* an inner product of two of them that are in the first cache, a row */
  CACHE,    /* where a rank's rows fit into so much, */
  CACHED,   /* entry, boundary and stream are this part of what they are else */
  PRECOND,  /* a row of a preconditioner that is not diagonal */
  EXPONENTIAL,
  SPIKE,
  SPIKES,
  SLOW,
  SEED,
  PARAMETERS
} parameter;

typedef struct parameters {
  double value[PARAMETERS]; /* in the units that people give them in */
} parameters;

/* How many seconds, or whatever else the library counts in, such a unit is. */
double parameter_unit(parameter which);

/* The parameters of a machine known by name. */
ovk_err parameters_named(ovk_ctx *ctx, const char *name, parameters *out);

/* Changes those that `text`, "L=1.2,node.o=0.1", has. */
ovk_err parameters_set(ovk_ctx *ctx, const char *text, parameters *p);

/* Sets machine, noise and, for model->n, work. sides: in how many of the two directions along x, y
 * and z a rank has neighbours. */
void parameters_apply(const parameters *p, const int sides[3], ovk_model *model);

/* A table of them, called what `machine` and `more` say. `p` must outlive it. Collective. */
ovk_err parameters_table(ovk_ctx *ctx, const char *machine, const char *more, parameters *p,
                         table *out);

#endif
