/* SPDX-License-Identifier: BSD-2-Clause */
/* The levels of a multigrid preconditioner, and the cycle over them. */
#ifndef OVK_PRECOND_AMG_HIERARCHY_H
#define OVK_PRECOND_AMG_HIERARCHY_H

#include "precond/amg/aggregation/aggregates.h"
#include "precond/amg/coarsest.h"
#include "precond/amg/level.h"

/* The parts of a setup or an update that take time. */
typedef enum ovk__amg_phase {
  OVK__AMG_AGGREGATES, /* and strength */
  OVK__AMG_PROLONGATORS,
  OVK__AMG_PRODUCTS, /* P^T A P */
  OVK__AMG_FORMATS,  /* copies in float */
  OVK__AMG_SMOOTHERS,
  OVK__AMG_INVERSE,
  OVK__AMG_PHASES
} ovk__amg_phase;

enum { OVK__AMG_MOST_LEVELS = 30 };

typedef struct ovk__amg_hierarchy {
  ovk_ctx *ctx;
  ovk__amg_options options;
  int width; /* columns of the vectors, side by side: 1, but see wide.h */
  int n;     /* levels */
  ovk__amg_level level[OVK__AMG_MOST_LEVELS];
  bool dense; /* the last level has an inverse, instead of a smoother */
  ovk__amg_coarsest coarsest;
  uint64_t hash;    /* of all levels: the same on any number of ranks */
  bool stalled;     /* coarsening ended early */
  bool lacks_modes; /* A may be of elasticity, but has no near-null space */

  /* for OVK__AMG_RENEW_PROLONGATORS: those of the setup, of all levels but the last */
  ovk__amg_aggregates kept[OVK__AMG_MOST_LEVELS];
  int nkept;
  bool renewing; /* takes these, instead of new ones */

  /* Times of this rank. */
  bool updated;                    /* `seconds` are of the last update, instead of the setup */
  double seconds[OVK__AMG_PHASES]; /* of each phase */
  double clock;                    /* when the last phase ended */
  double cycle_seconds;            /* of all cycles since then, */
  int64_t cycles;                  /* and their number */
} ovk__amg_hierarchy;

/* *out <- the levels for an assembled A, to be freed also after a failure. Collective; errors are
 * agreed. */
ovk_err ovk__amg_hierarchy_create(const ovk_mat *A, ovk__amg_options options,
                                  ovk__amg_hierarchy *out);

/* The levels for new values of A on the same pattern, by the policy of the options; `symmetric`
 * replaces that of the options. After a failure
 * only this function and ovk__amg_hierarchy_free() may be called. Collective; errors are agreed. */
ovk_err ovk__amg_hierarchy_update(const ovk_mat *A, bool symmetric, ovk__amg_hierarchy *H);

void ovk__amg_hierarchy_free(ovk__amg_hierarchy *H);

/* x <- M^-1 b: one cycle from zero. Collective; failures are this rank's own. */
ovk_err ovk__amg_cycle(const ovk__amg_hierarchy *H, const double *b, double *x, ovk_poll poll);

/* This rank's bytes. */
int64_t ovk__amg_hierarchy_bytes(const ovk__amg_hierarchy *H);

#endif
