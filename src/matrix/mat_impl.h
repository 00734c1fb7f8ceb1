/* SPDX-License-Identifier: BSD-2-Clause */
/* The inside of a matrix: what it is before, and what after assembly. */
#ifndef OVK_MATRIX_MAT_IMPL_H
#define OVK_MATRIX_MAT_IMPL_H

#include "core/ctx_impl.h"
#include "matrix/csr.h"
#include "matrix/formats/format.h"
#include "matrix/ghosts.h"
#include "matrix/halo.h"
#include "matrix/layout.h"
#include "matrix/rows.h"
#include "matrix/stash.h"

#include <ovkrylov/matrix.h>

typedef enum ovk__mat_state {
  OVK__MAT_OPEN,      /* takes entries */
  OVK__MAT_ASSEMBLED, /* local and remote block and halo are there */
  OVK__MAT_SHELL,     /* a user's function */
  OVK__MAT_FAILED     /* assembly failed: fit for destruction only */
} ovk__mat_state;

struct ovk_mat {
  ovk_ctx *ctx;
  ovk__layout layout;
  ovk__mat_state state;

  ovk__ghosts ghosts; /* columns of other ranks; increasing after assembly */

  /* open */
  ovk__rows own, other; /* this rank's rows: columns of this rank, and of others, which
                         * are numbers of ghosts */
  ovk__stash off;       /* entries for rows of other ranks */
  ovk_err kept;         /* the first failure of an add, */
  char kept_message[OVK__MESSAGE_SIZE]; /* and its sentence, for assembly to agree on */

  /* assembled: A x = local block times own rows of x + remote block times ghost rows */
  const ovk__format *format;
  void *local;           /* the local block, in `format` */
  ovk__csr remote;       /* the rest; columns are numbers of ghosts */
  ovk_lidx *remote_rows; /* the local row that each row of `remote` adds to */
  ovk__halo *halo;
  int64_t nnz, bytes; /* of all ranks */

  /* shell */
  ovk_shell_ops ops;
  void *user;
};

/* A(i,j) <- A(i,j) + value for a row of this rank and any column of A. Not collective. */
ovk_err ovk__mat_add_own(ovk_mat *A, ovk_lidx i, ovk_gidx j, double value);

/* OVK_ERR_STATE unless A can be multiplied with. The same answer on all ranks. */
ovk_err ovk__mat_check_ready(const ovk_mat *A);

/* OVK_ERR_ARG unless v, called `name`, has the rows of A. The same answer on all ranks. */
ovk_err ovk__mat_check_vec(const ovk_mat *A, const ovk_vec *v, const char *name);

/* Gives all entries of this rank's rows, with global indices, rows and columns increasing, to
 * `entry`; stops at the first failure. A is assembled. Not collective. */
ovk_err ovk__mat_for_each_entry(const ovk_mat *A,
                                ovk_err (*entry)(void *arg, ovk_gidx i, ovk_gidx j, double value),
                                void *arg);

/* y <- A x; *dot <- this rank's part of (x, y). Collective. Arguments are not checked, and failures
 * of a shell are this rank's own: the caller agrees. */
ovk_err ovk__mat_mult_dot(const ovk_mat *A, const ovk_vec *x, ovk_vec *y, ovk_poll poll,
                          double *dot);

/* *out <- the halo exchange of two vectors that ovk__mat_mult_pair() needs: the caller's, and no
 * part of A, as most matrices need none. NULL for a shell. Collective; errors are agreed. */
ovk_err ovk__mat_pair_halo(const ovk_mat *A, ovk__halo **out);

/* y[v] <- A x[v] for v = 0, 1, to the same bits as by two products: with one halo exchange, and one
 * pass over A where its format can. As ovk__mat_mult_dot(). */
ovk_err ovk__mat_mult_pair(const ovk_mat *A, ovk__halo *halo, const ovk_vec *const x[2],
                           ovk_vec *const y[2], ovk_poll poll);

#endif
