/* SPDX-License-Identifier: BSD-2-Clause */
/* The levels of a multigrid preconditioner, and the cycle over them. */
#ifndef OVK_PRECOND_AMG_HIERARCHY_H
#define OVK_PRECOND_AMG_HIERARCHY_H

#include "precond/amg/coarsest.h"
#include "precond/amg/smoother.h"
#include "precond/amg/transfer.h"

typedef struct ovk__amg_options {
  double theta; /* strength threshold */
  int block;    /* rows of a point */
  double omega; /* damping of the prolongator; 0: it is not smoothed */
  int degree;   /* of the smoother */
  int levels;   /* at most */
  int coarse;   /* a level of at most so many rows is solved directly */
  int gather;   /* rows a rank, below which a level moves to fewer ranks; 0: none */
  int cycle;    /* visits of the next level: 1: V, 2: W */
  int update;   /* the parts that an update keeps, see amg.c */
  int in_float; /* values of the cycle */
} ovk__amg_options;

enum { OVK__AMG_MOST_LEVELS = 30 };

/* Vectors are those of this rank's rows. */
typedef struct ovk__amg_level {
  ovk_mat *A;         /* the user's on level 0; on others kept if there is no copy in float */
  ovk_mat *F;         /* the copy in float; NULL: A has the values of the cycle */
  ovk__layout layout; /* of its rows */
  int stride;         /* ranks 0, stride, 2 stride, ... may have rows */
  int ranks;          /* that have rows */
  int64_t nnz, bytes; /* of A, of all ranks */
  ovk__amg_smoother smoother;
  int modes;              /* columns of P for each aggregate */
  ovk__amg_transfer P, R; /* from and to the next level */
  double *b, *x;          /* of levels above 0 */
  double *r;
  double *kept; /* of W-cycles: x of the first visit */
} ovk__amg_level;

typedef struct ovk__amg_hierarchy {
  ovk_ctx *ctx;
  ovk__amg_options options;
  int n; /* levels */
  ovk__amg_level level[OVK__AMG_MOST_LEVELS];
  bool dense; /* the last level has an inverse, instead of a smoother */
  ovk__amg_coarsest coarsest;
  uint64_t hash; /* of all levels: the same on any number of ranks */
  bool stalled;  /* coarsening ended early */
} ovk__amg_hierarchy;

/* *out <- the levels for an assembled A, to be freed also after a failure. Collective; errors are
 * agreed. */
ovk_err ovk__amg_hierarchy_create(const ovk_mat *A, ovk__amg_options options,
                                  ovk__amg_hierarchy *out);

/* The levels for new values of A on the same pattern: the prolongators stay, the matrices, the
 * smoothers and the inverse are new. After a failure only this function and
 * ovk__amg_hierarchy_free() may be called. Collective; errors are agreed. */
ovk_err ovk__amg_hierarchy_update(ovk__amg_hierarchy *H);

void ovk__amg_hierarchy_free(ovk__amg_hierarchy *H);

/* x <- M^-1 b: one cycle from zero. Collective; failures are this rank's own. */
ovk_err ovk__amg_cycle(const ovk__amg_hierarchy *H, const double *b, double *x, ovk_poll poll);

/* This rank's bytes. */
int64_t ovk__amg_hierarchy_bytes(const ovk__amg_hierarchy *H);

#endif
