/* SPDX-License-Identifier: BSD-2-Clause */
/* Assembly: sends entries to their owners, builds the local block (columns of this rank) and the
 * remote block (columns of other ranks, the ghosts), and sets up the halo exchange. */
#include "core/context/agree.h"
#include "core/context/log_impl.h"
#include "core/context/mem.h"
#include "matrix/mat_impl.h"
#include "matrix/refill.h"

#include <stdlib.h>

/* Adds the entries received from other ranks. */
static ovk_err add_arrived(ovk_mat *A, const ovk__neighbor_messages *arrived)
{
  const ovk__entry *e = arrived->items;
  for (size_t k = 0; k < arrived->total; k++, e++) {
    OVK_TRY(ovk__mat_add_own(A, (ovk_lidx)(e->row - A->layout.first), e->col, e->value));
  }
  return OVK_OK;
}

/* A->remote and A->remote_rows <- the rows of `all` that have entries. Takes over the arrays of
 * `all`. */
static ovk_err pick_rows(ovk_mat *A, ovk__csr *all)
{
  ovk__csr *remote = &A->remote;
  *remote = *all;
  *all = (ovk__csr){0};
  ovk_lidx n = 0;
  for (ovk_lidx i = 0; i < remote->rows; i++) n += remote->ptr[i] < remote->ptr[i + 1];
  OVK_NEW_ARRAY(A->ctx, A->remote_rows, n);
  ovk_lidx picked = 0;
  for (ovk_lidx i = 0; i < remote->rows; i++) {
    const int64_t end = remote->ptr[i + 1];
    if (remote->ptr[picked] == end) continue; /* the row is empty: the last picked row ends here */
    A->remote_rows[picked++] = i;
    remote->ptr[picked] = end;
  }
  remote->rows = n;
  OVK_RESIZE(A->ctx, remote->ptr, (size_t)n + 1);
  return OVK_OK;
}

/* Builds the remote block: ghosts are renumbered in the order of their columns. */
static ovk_err build_remote(ovk_mat *A)
{
  if (A->ghosts.count == 0) {
    OVK_NEW_ARRAY(A->ctx, A->remote_rows, 0);
    return ovk__csr_alloc(A->ctx, 0, 0, &A->remote);
  }
  ovk_lidx *map = NULL;
  ovk_err err = ovk__ghosts_sort(A->ctx, &A->ghosts, &map);
  if (!err) ovk__rows_renumber(&A->other, map);
  free(map);
  ovk__csr all = {0};
  if (!err) err = ovk__rows_finish(A->ctx, &A->other, &all);
  return err ? err : pick_rows(A, &all);
}

/* Local work; `local` is to be freed also after a failure. */
static ovk_err build_blocks(ovk_mat *A, ovk__neighbor_messages *arrived, ovk__csr *local)
{
  OVK_TRY(add_arrived(A, arrived));
  ovk__neighbor_messages_free(arrived);
  OVK_TRY(build_remote(A));
  OVK_TRY(ovk__rows_finish(A->ctx, &A->own, local));
  A->local_nnz = ovk__csr_nnz(local);
  ovk__odd_entries_count_empty(&A->odd, local, A->remote_rows, A->remote.rows, A->layout.first);
  OVK_TRY(ovk__format_build(A->ctx, A->wanted, local, &A->format, &A->local));
  A->rounded = local->rounded;
  return OVK_OK;
}

/* Bytes of this rank's part. */
static int64_t own_bytes(const ovk_mat *A)
{
  return A->format->bytes(A->local) + ovk__csr_bytes(&A->remote) +
         A->remote.rows * (int64_t)sizeof *A->remote_rows +
         A->ghosts.count * (int64_t)sizeof *A->ghosts.col + ovk__halo_bytes(A->halo) +
         ovk__whole_rows_bytes(&A->whole);
}

ovk_err ovk__mat_sum_up(ovk_mat *A, ovk_err mine)
{
  enum { NNZ, BYTES, NOT_FINITE, EMPTY_ROWS, SUMS };
  int64_t total[SUMS] = {0};
  if (!mine) {
    total[NNZ] = A->local_nnz + ovk__csr_nnz(&A->remote);
    total[BYTES] = own_bytes(A);
    total[NOT_FINITE] = A->odd.not_finite;
    total[EMPTY_ROWS] = A->odd.empty_rows;
  }
  OVK_TRY(ovk__agree_total(A->ctx, mine, total, SUMS, MPI_INT64_T, MPI_SUM));
  A->nnz = total[NNZ];
  A->bytes = total[BYTES];
  return ovk__odd_entries_report(A->ctx, &A->odd, total[NOT_FINITE], total[EMPTY_ROWS],
                                 A->layout.global);
}

static ovk_err assemble_first(ovk_mat *A, const ovk_gidx *first, ovk__neighbor_messages *arrived)
{
  ovk__csr local = {0};
  const ovk_err err = build_blocks(A, arrived, &local);
  ovk__csr_free(&local);
  OVK_TRY(ovk__agree(A->ctx, err));
  OVK_TRY(ovk__halo_create(A->ctx, first, A->ghosts.col, A->ghosts.count, 1, &A->halo));
  if (A->wanted.ordered) OVK_TRY(ovk__mat_order_rows(A));
  return ovk__mat_sum_up(A, OVK_OK);
}

/* The second assembly and later ones. */
static ovk_err assemble_again(ovk_mat *A, ovk__neighbor_messages *arrived)
{
  ovk_err err = add_arrived(A, arrived);
  ovk__neighbor_messages_free(arrived);
  if (!err) err = ovk__refill_rows_finish(A);
  if (!A->ordered) return ovk__mat_sum_up(A, err);
  OVK_TRY(ovk__agree(A->ctx, err));
  OVK_TRY(ovk__mat_order_rows(A));
  return ovk__mat_sum_up(A, OVK_OK);
}

/* Fails for a recorded failure, or for a call in the wrong state. */
static ovk_err check_ready(const ovk_mat *A)
{
  OVK_CHECK(A->state != OVK__MAT_SHELL, A->ctx, OVK_ERR_STATE,
            "a matrix that is a function has no entries to assemble");
  OVK_CHECK(A->state == OVK__MAT_OPEN || A->state == OVK__MAT_REFILLED, A->ctx, OVK_ERR_STATE,
            "a matrix can be assembled once, and again after ovk_mat_reset_values()");
  return ovk__kept_error_of(A->ctx, &A->kept);
}

/* `off`: some rank has entries in rows of others. */
static ovk_err assemble_blocks(ovk_mat *A, bool off)
{
  const bool new = A->state == OVK__MAT_OPEN;
  ovk_gidx *first = NULL;
  ovk__neighbor_messages arrived = {0};
  ovk_err err = new || off ? ovk__layout_gather(A->ctx, &A->layout, &first) : OVK_OK;
  if (!err && off) err = ovk__stash_exchange(A->ctx, OVK_OK, first, &A->off, &arrived);
  if (!err) err = new ? assemble_first(A, first, &arrived) : assemble_again(A, &arrived);
  ovk__neighbor_messages_free(&arrived);
  free(first);
  return err;
}

ovk_err ovk__mat_put_in_order(ovk_mat *A)
{
  if (A->state == OVK__MAT_SHELL || A->ordered) return OVK_OK;
  OVK_TRY(ovk__mat_order_rows(A));
  return ovk__mat_sum_up(A, OVK_OK);
}

ovk_err ovk_mat_assemble(ovk_mat *A)
{
  if (!A) return OVK_ERR_ARG;
  double start = ovk__log_now(&A->ctx->log);
  if (A->filling) start = ovk__log_add(&A->ctx->log, OVK_EVENT_ADD, A->filling_since);
  A->filling = false;
  bool none_off = A->off.count == 0;
  ovk_err err = ovk__agree_flag(A->ctx, check_ready(A), &none_off);
  const bool new = A->state == OVK__MAT_OPEN, again = A->state == OVK__MAT_REFILLED;
  if (!new && !again) return err;
  if (!err) err = assemble_blocks(A, !none_off);
  if (err && again) {
    ovk__mat_refill_abandon(A);
  } else {
    A->state = err ? OVK__MAT_FAILED : OVK__MAT_ASSEMBLED;
  }
  ovk__log_add(&A->ctx->log, OVK_EVENT_ASSEMBLE, start);
  return err;
}
