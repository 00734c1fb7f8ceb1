/* SPDX-License-Identifier: BSD-2-Clause */
/* The parameters of a simulation: a machine, the cost of a row, and noise. */
#ifndef OVK_TOOL_PARAMETERS_H
#define OVK_TOOL_PARAMETERS_H

#include "bench/support/table.h"

#include "model/model.h"

typedef enum parameter {
  NET_L, /* links between nodes, then within a node: as in ovk_model_link */
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
  POLL_ROWS,
  BEGIN,
  POLL,
  COMBINE,
  ASYNC,
  LOOPBACK,
  AGENT,
  INTERRUPT,
  FORWARD,
  MEDIUM,
  ENTRY,    /* time of a matrix entry in a product, */
  BOUNDARY, /* and of one that needs other ranks' rows */
  PAIR,     /* time of two products at once, in units of a single one */
  STREAM,   /* reading or writing one double per row */
  DOT,      /* an inner product of two vectors in the first-level cache, per row */
  CACHE,    /* if the rows of a rank fit into this size, */
  CACHED,   /* entry, boundary and stream are multiplied by this factor */
  PRECOND,  /* a row of a preconditioner that is not diagonal, */
  PRECOND1, /* and in cg, if that is not 0 */
  EXPONENTIAL,
  NODE_EXPONENTIAL,
  SPIKE,
  SPIKES,
  SLOW,
  SEED,
  PARAMETERS
} parameter;

typedef struct parameters {
  double value[PARAMETERS]; /* in the units of the command line */
} parameters;

/* The factor from that unit to seconds, or to the unit of the library. */
double parameter_unit(parameter which);

/* The parameters of a machine by name. */
ovk_err parameters_named(ovk_ctx *ctx, const char *name, parameters *out);

/* Changes the parameters listed in `text`, such as "L=1.2,node.o=0.1". */
ovk_err parameters_set(ovk_ctx *ctx, const char *text, parameters *p);

/* Sets machine, noise and, for model->n, work. sides: the number of directions (0 to 2) along x, y
 * and z in which a rank has neighbors. */
void parameters_apply(const parameters *p, const int sides[3], ovk_model *model);

/* The multigrid cycle of the preconditioner "amg" for a 27-point stencil, with its defaults, except
 * that nothing gathers. */
ovk_model_cycle parameters_cycle(const parameters *p);

/* A table of the parameters, titled with `machine` and `more`. `p` must outlive it. Collective. */
ovk_err parameters_table(ovk_ctx *ctx, const char *machine, const char *more, parameters *p,
                         table *out);

#endif
