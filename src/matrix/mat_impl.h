/* SPDX-License-Identifier: BSD-2-Clause */
/* The internals of a matrix, before and after assembly. */
#ifndef OVK_MATRIX_MAT_IMPL_H
#define OVK_MATRIX_MAT_IMPL_H

#include "core/context/ctx_impl.h"
#include "core/in_use.h"
#include "core/kept_error.h"
#include "matrix/assembly/ghosts.h"
#include "matrix/assembly/odd_entries.h"
#include "matrix/assembly/rows.h"
#include "matrix/assembly/stash.h"
#include "matrix/formats/csr.h"
#include "matrix/formats/format.h"
#include "matrix/halo/halo.h"
#include "matrix/layout/layout.h"
#include "matrix/order/whole_rows.h"
#include "matrix/vector/multivec_impl.h"
#include "matrix/vector/vec_list.h"

#include <ovkrylov/matrix.h>

typedef enum ovk__mat_state {
  OVK__MAT_OPEN,      /* takes entries */
  OVK__MAT_ASSEMBLED, /* local block, remote block and halo exist */
  OVK__MAT_REFILLED,  /* the same, and takes entries with new values */
  OVK__MAT_NO_VALUES, /* the same, but the second assembly failed: takes none before a reset */
  OVK__MAT_SHELL,     /* a user's function */
  OVK__MAT_FAILED     /* the first assembly failed: can only be destroyed */
} ovk__mat_state;

/* The part of a matrix that products with blocks of columns need, see many.h. */
typedef struct ovk__mat_many {
  bool ready[OVK__WIDEST + 1];      /* by width */
  ovk__halo *halo[OVK__WIDEST + 1]; /* of `ready` widths above 1, unless A is a shell */
  double *column;                   /* a column of x, then one of y, for products one by one */
} ovk__mat_many;

struct ovk_mat {
  OVK_OBJECT;
  ovk__layout layout;
  ovk__mat_state state;
  unsigned resets; /* how often its values have been reset, the same on all ranks */
  bool filling;    /* entries have been added since then, for the first time at */
  double filling_since;
  ovk__odd_entries odd;
  ovk__mat_many *many; /* for products with several columns */

  ovk__ghosts ghosts; /* columns of other ranks; increasing after assembly */

  /* open */
  ovk__rows own,
      other; /* this rank's rows: with columns of this rank, and with ghost numbers as columns */
  ovk__stash off;       /* entries for rows of other ranks */
  ovk__kept_error kept; /* the first failure of an add, for assembly to agree on */

  /* refilled: rows of the local block in CSR, its own arrays or those of `unfolded`, and the
   * entries after the last that were added to them and to the remote block, which are tried first
   */
  ovk__csr unfolded, again; /* `again` owns nothing */
  ovk_lidx again_first;     /* the first row in `again` */
  ovk_lidx cleared;         /* the values of all rows before this one have been cleared */
  int64_t room;             /* entries in the arrays of a piece */
  int64_t again_at, remote_at;

  /* assembled: A x = local block times own rows of x + remote block times ghost rows */
  ovk__wanted wanted; /* the format asked for, which may be "auto" */
  const ovk__format *format;
  void *local;           /* the local block, in `format` */
  ovk__csr remote;       /* the remote block; columns are ghost numbers */
  ovk_lidx *remote_rows; /* the local row that each row of `remote` adds to */
  ovk__halo *halo;
  bool rounded;       /* a symmetric format has rounded values of the local block */
  bool ordered;       /* see ovk__mat_put_in_order() */
  int64_t local_nnz;  /* entries of the local block */
  int64_t nnz, bytes; /* of all ranks */

  /* in order */
  int64_t *keys;         /* the user's, of this rank's rows; NULL: global row numbers */
  ovk__whole_rows whole; /* the rows of the remote block, with their local entries */

  ovk_lidx *order; /* of a copy by ovk_mat_reorder(): row i is row order[i] of the source */

  /* shell */
  ovk_shell_ops ops;
  void *user;

  /* the description of the problem by the user, for preconditioners */
  int block;           /* unknowns of a point, which are consecutive rows */
  int dim;             /* coordinates of a point; 0: none are known */
  ovk__vec_list near;  /* the user's vectors near the null space */
  ovk__vec_list rigid; /* the rigid body modes of the coordinates, where the unknowns are
                        * displacements */
  double *coordinates; /* of this rank's points, `dim` each */
};
OVK_IS_HANDLE(ovk_mat);

/* To be called before entries are added: OVK_ERR_STATE unless A takes some. Not collective. */
ovk_err ovk__mat_fill(ovk_mat *A);

/* Agrees on the error with which this rank made the blocks and the halo. Then A->nnz and A->bytes
 * <- sums over the ranks; has entries that are hardly meant notified. Collective. */
ovk_err ovk__mat_sum_up(ovk_mat *A, ovk_err mine);

/* Remembers the first failure for ovk_mat_assemble(); returns err. Not collective. */
ovk_err ovk__mat_keep(ovk_mat *A, ovk_err err);

/* A(i,j) <- A(i,j) + value for a row of this rank and any column of A. Not collective. */
ovk_err ovk__mat_add_own(ovk_mat *A, ovk_lidx i, ovk_gidx j, double value);

/* The same for n columns of a row of this rank, stretches of own columns at once. */
ovk_err ovk__mat_add_row(ovk_mat *A, ovk_lidx i, int64_t n, const ovk_gidx *col, const double *val);

/* Adds all entries with rows and columns of this rank, numbered from 0, to a new matrix that has
 * none; takes over their arrays. Not collective. */
ovk_err ovk__mat_give_rows(ovk_mat *A, ovk__csr *own);

/* OVK_ERR_STATE unless A supports products. The same result on all ranks. */
ovk_err ovk__mat_check_ready(const ovk_mat *A);

/* OVK_ERR_ARG unless v, called `name`, has the rows of A. The same result on all ranks. */
ovk_err ovk__mat_check_vec(const ovk_mat *A, const ovk_vec *v, const char *name);

/* Calls `entry` for all entries of this rank's rows, with global indices, rows and columns
 * increasing; stops at the first failure. A must be assembled. Not collective. */
ovk_err ovk__mat_for_each_entry(const ovk_mat *A,
                                ovk_err (*entry)(void *arg, ovk_gidx i, ovk_gidx j, double value),
                                void *arg);

/* The same for the entries that decide whether A is symmetric: without those of the local block
 * where its format stores one half. */
ovk_err ovk__mat_for_each_unpaired(
    const ovk_mat *A, ovk_err (*entry)(void *arg, ovk_gidx i, ovk_gidx j, double value), void *arg);

/* From now on the bits of products with A do not depend on the partition. OVK_ERR_UNSUPPORTED for a
 * format by name that cannot; a shell stays as it is. Collective; errors are agreed. The second one
 * does so again, for new values; then ovk__mat_sum_up() is due. */
ovk_err ovk__mat_put_in_order(ovk_mat *A);
ovk_err ovk__mat_order_rows(ovk_mat *A);

/* y <- A x, d <- the diagonal of A, by the functions of a shell; failures are local. */
ovk_err ovk__shell_mult(const ovk_mat *A, const double *x, double *y, ovk_poll poll);
ovk_err ovk__shell_diagonal(const ovk_mat *A, double *d);

/* d <- the diagonal of this rank's rows, of an assembled A. Not collective. */
void ovk__mat_read_diagonal(const ovk_mat *A, double *d);

/* y <- A x; *dot, unless NULL, <- this rank's part of (x, y). Collective. Arguments are not
 * checked, and failures of a shell are local: the caller has to agree on them. */
ovk_err ovk__mat_mult_dot(const ovk_mat *A, const ovk_vec *x, ovk_vec *y, ovk_poll poll,
                          double *dot);

/* out <- F in, for any operator F. Collective; a failure is this rank's own. */
typedef ovk_err (*ovk__operator)(const void *F, const ovk_vec *in, ovk_vec *out);

/* The action of an ovk_mat. */
ovk_err ovk__mat_action(const void *A, const ovk_vec *in, ovk_vec *out);

/* y <- the part of A x from columns of other ranks, for an assembled A. Communicates as a product
 * does. */
ovk_err ovk__mat_mult_remote(const ovk_mat *A, const double *x, double *y);

/* *out <- a halo exchange of `width` values of each row that A needs, owned by the caller. NULL for
 * a shell. Collective; errors are agreed. */
ovk_err ovk__mat_halo(const ovk_mat *A, int width, ovk__halo **out);

/* y[v] <- A x[v] for v = 0, 1, bitwise equal to two products, with one halo exchange, of width 2,
 * and with one pass over A if its format supports that. Otherwise as ovk__mat_mult_dot(). */
ovk_err ovk__mat_mult_pair(const ovk_mat *A, ovk__halo *halo, const ovk_vec *const x[2],
                           ovk_vec *const y[2], ovk_poll poll);

#endif
