/* SPDX-License-Identifier: BSD-2-Clause */
/* A level of a multigrid preconditioner. */
#ifndef OVK_PRECOND_AMG_LEVEL_H
#define OVK_PRECOND_AMG_LEVEL_H

#include "precond/amg/aggregation/rows.h"
#include "precond/amg/operators/accumulator.h"
#include "precond/amg/smoother.h"
#include "precond/amg/transfer/transfer.h"

/* The parts that an update replaces, besides matrices, smoothers and the inverse. */
typedef enum ovk__amg_update {
  OVK__AMG_RENEW_MATRICES,     /* nothing: aggregates and prolongators stay */
  OVK__AMG_RENEW_PROLONGATORS, /* the prolongators, on the aggregates of the setup */
  OVK__AMG_RENEW_ALL
} ovk__amg_update;

typedef enum ovk__amg_cycle_kind {
  OVK__AMG_V,
  OVK__AMG_W,
  OVK__AMG_MIXED /* V, but level 1 or 2, the first that is small, is visited twice */
} ovk__amg_cycle_kind;

typedef struct ovk__amg_options {
  double theta;   /* strength threshold */
  int block;      /* rows of a point */
  double omega;   /* damping of the prolongator; 0: it is not smoothed */
  int degree;     /* of the smoother */
  int levels;     /* at most */
  int coarse;     /* a level of at most so many rows is solved directly */
  int gather;     /* rows a rank, below which a level moves to fewer ranks; 0: none */
  int cycle;      /* an ovk__amg_cycle_kind */
  int update;     /* an ovk__amg_update */
  int in_float;   /* values of the cycle */
  bool symmetric; /* A is, except for rounding; an update may change it */
  bool found;     /* `block` is: the user has not set it */
} ovk__amg_options;

/* Vectors are those of this rank's rows. */
typedef struct ovk__amg_level {
  int number;
  ovk_mat *A;         /* the user's on level 0; on others kept if there is no copy in float */
  ovk_mat *S;         /* the symmetric part, while aggregates and prolongators are made; NULL: A is
                         symmetric */
  ovk_mat *F;         /* the copy in float; NULL: A has the values of the cycle */
  double skewness;    /* of A, see ovk__amg_symmetric_part() */
  ovk__layout layout; /* of its rows */
  int stride;         /* ranks 0, stride, 2 stride, ... may have rows */
  int ranks;          /* that have rows */
  int64_t nnz, bytes; /* of A, of all ranks */
  ovk__amg_smoother smoother;
  int modes;                  /* columns of P for each aggregate */
  ovk__amg_transfer P;        /* from and to the next level */
  ovk__amg_sums_pattern next; /* of the next level's matrix, for updates that keep P */
  double *b, *x;              /* of levels above 0 */
  bool twice;                 /* each visit of the level before visits it twice */
  double *kept;               /* of a level that is visited twice: x of the first visit */
} ovk__amg_level;

/* Checks the memory for the setup of the level after number `level`, which has so many rows on this
 * rank, and so many entries at a time, of those of all ranks. Collective; OVK_ERR_MEMORY on all
 * ranks. */
ovk_err ovk__amg_check_memory(ovk_ctx *ctx, int level, double rows, double entries, double all_rows,
                              double all_entries);

/* *out <- level `number` with the matrix A, which it owns unless it is level 0.
 * `stride` and `twice` are the members. To be freed also after a failure. Collective; errors are
 * agreed. */
ovk_err ovk__amg_level_create(int number, int stride, bool twice, ovk_mat *A, ovk__amg_level *out);
void ovk__amg_level_free(ovk__amg_level *level);

void ovk__amg_level_set_matrix(ovk__amg_level *level, ovk_mat *A);

/* Frees the data that depend on values, except P. */
void ovk__amg_level_clear_values(ovk__amg_level *level);

/* Makes the smoother of A, and S if A is not symmetric. OVK_ERR_ARG if it is too nonsymmetric.
 * Collective; errors are agreed. */
ovk_err ovk__amg_level_add_smoother(const ovk__amg_options *options, ovk__amg_level *level);

/* The matrix that decides on aggregates and prolongators. */
static inline const ovk_mat *ovk__amg_level_symmetric(const ovk__amg_level *level)
{
  return level->S ? level->S : level->A;
}

/* The damping of the prolongator: less where A is nonsymmetric. */
double ovk__amg_level_damping(const ovk__amg_options *options, const ovk__amg_level *level);

/* *A <- the next level's matrix P^T A P; `rows` are those of ovk__amg_level_symmetric(). P has
 * level->modes columns for each aggregate; `coarse` is the layout of all of them. *hash <- a hash
 * of the entries. Collective; errors are agreed. */
ovk_err ovk__amg_level_multiply(const ovk__amg_options *options, ovk__amg_level *level,
                                ovk__amg_rows *rows, const ovk__amg_entries *P,
                                const ovk__layout *coarse, ovk_mat **A, uint64_t *hash);

/* Gives a level its copy in float, after which only level 0 needs its matrix. Matrices of few
 * values are not copied, nor those that need to be scaled for the range of float. Frees S.
 * Collective; errors are agreed. */
ovk_err ovk__amg_level_copy(const ovk__amg_options *options, ovk__amg_level *level);

/* This rank's bytes. */
int64_t ovk__amg_level_bytes(const ovk__amg_level *level);

#endif
