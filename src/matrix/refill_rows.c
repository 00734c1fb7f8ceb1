/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a local block in CSR while they take new values. A block that is CSR takes them
 * itself. Of other blocks OVK__ROW_BLOCK rows are unfolded at a time, in arrays that stay in cache.
 * They refill the block when a later row is reached. Once an earlier row is reached, or the block
 * cannot hold their values, all rows are unfolded. */
#include "core/context/mem.h"
#include "matrix/refill.h"

#include <stdlib.h>
#include <string.h>

void ovk__refill_rows_free(ovk_mat *A)
{
  ovk__csr_free(&A->unfolded);
  A->room = 0;
}

/* The row after the last one in A->again. */
static ovk_lidx end_of(const ovk_mat *A)
{
  return A->again_first + A->again.rows;
}

/* Room for the entries of a piece. */
static ovk_err refill_make_room(ovk_mat *A, int64_t entries)
{
  ovk__csr *to = &A->unfolded;
  const int64_t room = entries + entries / 4;
  if (to->col && entries <= A->room) return OVK_OK;
  free(to->col);
  free(to->val);
  to->col = NULL;
  to->val = NULL;
  OVK_NEW_ARRAY(A->ctx, to->val, room);
  OVK_NEW_ARRAY(A->ctx, to->col, room);
  A->room = room;
  return OVK_OK;
}

/* A->again <- the piece after it, without values. It has no rows before, also after a failure. */
static ovk_err unfold_piece(ovk_mat *A)
{
  ovk__csr *to = &A->unfolded;
  const ovk_lidx first = A->again_first, rest = A->layout.local - first;
  to->rows = rest < OVK__ROW_BLOCK ? rest : OVK__ROW_BLOCK;
  if (!to->ptr) OVK_NEW_ARRAY(A->ctx, to->ptr, OVK__ROW_BLOCK + 1);
  ovk__format_count(A->format, A->local, first, to->rows, to->ptr);
  OVK_TRY(refill_make_room(A, to->ptr[to->rows]));
  ovk__csr piece = {.rows = to->rows, .ptr = to->ptr, .col = to->col};
  OVK_TRY(ovk__format_unfold(A->ctx, A->format, A->local, first, &piece));
  A->again = *to;
  return OVK_OK;
}

/* all <- the local block, with the new values up to now of those rows that are cleared. */
static ovk_err unfold_to(const ovk_mat *A, ovk__csr *all)
{
  OVK_TRY(ovk__csr_alloc(A->ctx, A->layout.local, A->local_nnz, all));
  ovk__csr rows = *all;
  if (A->cleared == 0) rows.val = NULL;
  ovk__format_count(A->format, A->local, 0, rows.rows, rows.ptr);
  OVK_TRY(ovk__format_unfold(A->ctx, A->format, A->local, 0, &rows));
  const int64_t added = A->again.rows ? A->again.ptr[A->cleared - A->again_first] : 0;
  if (added) {
    memcpy(all->val + all->ptr[A->again_first], A->again.val, (size_t)added * sizeof *all->val);
  }
  return OVK_OK;
}

/* A->again <- all rows. */
static ovk_err unfold_all(ovk_mat *A)
{
  ovk__csr all = {0};
  const ovk_err err = unfold_to(A, &all);
  if (err) {
    ovk__csr_free(&all);
    return err;
  }
  ovk__refill_rows_free(A);
  A->again = A->unfolded = all;
  A->again_first = 0;
  return OVK_OK;
}

/* Rebuilds the block. A->again has all rows. */
static ovk_err refill_rebuild(ovk_mat *A, ovk__wanted wanted)
{
  const ovk__format *format;
  void *block;
  OVK_TRY(ovk__format_build(A->ctx, wanted, &A->unfolded, &format, &block));
  A->rounded = A->unfolded.rounded;
  A->format->destroy(A->local);
  A->format = format;
  A->local = block;
  return OVK_OK;
}

/* Moves the values of A->again to the block; then A->again has no rows. If the block cannot hold
 * them, A->again gets all rows; if it has these, that is an error. */
static ovk_err refill_fold(ovk_mat *A)
{
  const ovk__format *format = A->format;
  if (A->again.rows == 0) return OVK_OK;
  ovk__refill_rows_clear(A, end_of(A) - 1);
  const ovk_err err = format->refill ? format->refill(A->ctx, &A->again, A->again_first, A->local)
                                     : refill_rebuild(A, (ovk__wanted){.format = format,
                                                                       .exact = A->wanted.exact,
                                                                       .ordered = A->ordered});
  if (err == OVK_ERR_UNSUPPORTED && A->again.rows < A->layout.local) {
    ovk__clear_message(A->ctx);
    return unfold_all(A);
  }
  OVK_TRY(err);
  A->again_first += A->again.rows;
  A->again.rows = 0;
  return OVK_OK;
}

/* Continues with the next piece, or with all rows. */
static ovk_err go_on(ovk_mat *A)
{
  OVK_TRY(refill_fold(A));
  return A->again.rows ? OVK_OK : unfold_piece(A);
}

ovk_err ovk__refill_rows_start(ovk_mat *A)
{
  const ovk__format *format = A->format;
  A->again = (ovk__csr){0};
  A->again_first = A->cleared = 0;
  if (!format->is_csr) return format->refill ? OVK_OK : unfold_all(A);
  A->again = *(const ovk__csr *)A->local;
  return OVK_OK;
}

ovk_err ovk__refill_rows_go(ovk_mat *A, ovk_lidx i)
{
  while (i >= end_of(A)) OVK_TRY(go_on(A));
  return i < A->again_first ? unfold_all(A) : OVK_OK;
}

ovk_err ovk__refill_rows_finish(ovk_mat *A)
{
  const ovk__format *format = A->format;
  ovk_err err = OVK_OK;
  while (!err && end_of(A) < A->layout.local) err = go_on(A);
  if (format->is_csr) {
    ovk__refill_rows_clear(A, A->again.rows - 1);
    return OVK_OK;
  }
  if (!err) err = refill_fold(A);
  if (!err) err = refill_fold(A); /* all rows, if the last piece was refused */
  if (err == OVK_ERR_UNSUPPORTED) err = refill_rebuild(A, A->wanted);
  ovk__refill_rows_free(A);
  return err;
}
