/* SPDX-License-Identifier: BSD-2-Clause */
/* The tentative prolongator T: on each aggregate its columns are an orthonormal basis of the modes,
 * so that T times the modes of the coarse level are the modes of the fine one. Source: Vanek,
 * Mandel, Brezina, "Algebraic multigrid by smoothed aggregation" (1996), algorithm 7. */
#ifndef OVK_PRECOND_AMG_PROLONGATOR_TENTATIVE_H
#define OVK_PRECOND_AMG_PROLONGATOR_TENTATIVE_H

#include "precond/amg/aggregation/aggregates.h"
#include "precond/amg/operators/entries.h"

/* The vectors that coarse levels represent. */
typedef struct ovk__amg_modes {
  int block; /* rows of a point */
  int count;
  ovk_lidx rows;
  double *val; /* count x rows; NULL: the constant, one mode */
} ovk__amg_modes;

/* *out <- the near-null space of A; without one the constant of each of the `block` unknowns of a
 * point. To be freed also after a failure. Not collective. */
ovk_err ovk__amg_modes_create(const ovk_mat *A, int block, ovk__amg_modes *out);
void ovk__amg_modes_free(ovk__amg_modes *modes);

typedef struct ovk__amg_tentative {
  ovk__layout coarse;           /* the rows of the coarse level */
  int modes;                    /* columns of an aggregate */
  const double *of;             /* the constant: T is 1 for the aggregate of each row; else NULL */
  ovk__amg_entries own, ghosts; /* other modes: rows of T */
} ovk__amg_tentative;

/* *out <- T; *coarse <- the modes of the coarse level. Column k of an aggregate is empty where mode
 * k depends on those before it. `aggregates` must outlive *out. Both are to be freed also after a
 * failure. Collective; errors are agreed. */
ovk_err ovk__amg_tentative_create(const ovk__amg_rows *rows, const ovk__amg_aggregates *aggregates,
                                  const ovk__amg_modes *modes, ovk__amg_tentative *out,
                                  ovk__amg_modes *coarse);
void ovk__amg_tentative_free(ovk__amg_tentative *T);

#endif
