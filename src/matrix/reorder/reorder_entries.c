/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of this rank on their way into another order. */
#include "matrix/reorder/reorder_entries.h"
#include "core/base/cpu_dispatch.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "matrix/mat_impl.h"
#include "matrix/near_nullspace/find_block.h"
#include "matrix/order/rcm.h"

#include <stdlib.h>
#include <string.h>

/* The rows of A on their way to B. */
typedef struct move {
  const ovk_mat *A;
  int block;            /* rows of a point, which may be found */
  ovk__csr rows;        /* of the local block */
  ovk_lidx *remote;     /* [row]: its row of the remote block, or -1 */
  ovk_lidx *place;      /* [row]: its row in B */
  double *number;       /* [row]: the number of that among the rows of all ranks */
  const double *ghosts; /* the same for the ghosts */
  bool given;           /* B has the entries of the local block */
  ovk_gidx *col;        /* of one row */
  double *val;
} move;

static void move_free(move *m)
{
  ovk__csr_free(&m->rows);
  free(m->remote);
  free(m->place);
  free(m->number);
  free(m->col);
  free(m->val);
}

static int64_t move_longest_row(const move *m)
{
  int64_t longest = 0;
  for (ovk_lidx i = 0; i < m->rows.rows; i++) {
    const ovk_lidx r = m->remote[i];
    int64_t n = m->rows.ptr[i + 1] - m->rows.ptr[i];
    if (r >= 0) n += m->A->remote.ptr[r + 1] - m->A->remote.ptr[r];
    if (n > longest) longest = n;
  }
  return longest;
}

/* Reads the rows of A. */
static ovk_err move_read(move *m)
{
  const ovk_mat *A = m->A;
  const ovk_lidx n = A->layout.local;
  OVK_TRY(ovk__csr_alloc(A->ctx, n, A->local_nnz, &m->rows));
  ovk__format_count(A->format, A->local, 0, n, m->rows.ptr);
  OVK_TRY(ovk__format_unfold(A->ctx, A->format, A->local, 0, &m->rows));
  OVK_NEW_ARRAY(A->ctx, m->remote, n);
  OVK_NEW_ARRAY(A->ctx, m->place, n);
  OVK_NEW_ARRAY(A->ctx, m->number, n);
  for (ovk_lidx i = 0; i < n; i++) m->remote[i] = -1;
  for (ovk_lidx r = 0; r < A->remote.rows; r++) m->remote[A->remote_rows[r]] = r;
  const int64_t longest = move_longest_row(m);
  OVK_NEW_ARRAY(A->ctx, m->col, longest);
  OVK_NEW_ARRAY(A->ctx, m->val, longest);
  return OVK_OK;
}

/* order <- rows, those of a point one after the other, in the order of the first that comes */
static ovk_err move_find_order(const move *m, ovk_lidx *order)
{
  const ovk_lidx n = m->rows.rows, block = m->block;
  OVK_TRY(ovk__rcm(m->A->ctx, n, m->rows.ptr, m->rows.col, order));
  if (block == 1) return OVK_OK;
  ovk_lidx *rows, points = 0;
  OVK_NEW_ARRAY(m->A->ctx, rows, n);
  if (n) memcpy(rows, order, (size_t)n * sizeof *rows);
  for (ovk_lidx i = 0; i < n; i++) m->place[i] = -1;
  for (ovk_lidx i = 0; i < n; i++) {
    const ovk_lidx first = rows[i] - rows[i] % block;
    if (m->place[first] >= 0) continue;
    m->place[first] = points;
    for (ovk_lidx k = 0; k < block; k++) order[points * block + k] = first + k;
    points++;
  }
  free(rows);
  return OVK_OK;
}

/* Loads the lines of a row that is read soon; rows that follow each other in B are apart in A. */
OVK_ALWAYS_INLINE void move_prefetch(const ovk__csr *A, const ovk_lidx *order, ovk_lidx i)
{
  enum { AHEAD = 8, COLUMNS = 64 / sizeof *A->col, VALUES = 64 / sizeof *A->val }; /* of a line */
  if (i + 2 * AHEAD >= A->rows) return;
  const int64_t first = A->ptr[order[i + AHEAD]], end = A->ptr[order[i + AHEAD] + 1];
  OVK_PREFETCH(A->ptr + order[i + 2 * AHEAD]);
  for (int64_t k = first; k < end; k += COLUMNS) OVK_PREFETCH(A->col + k);
  for (int64_t k = first; k < end; k += VALUES) OVK_PREFETCH(A->val + k);
}

/* *own <- the entries of the local block, in the order of B */
static ovk_err move_own(const move *m, const ovk_mat *B, ovk__csr *own)
{
  const ovk__csr *A = &m->rows;
  int64_t n = 0;
  OVK_TRY(ovk__csr_alloc(B->ctx, A->rows, ovk__csr_nnz(A), own));
  for (ovk_lidx i = 0; i < A->rows; i++) {
    own->ptr[i] = n;
    move_prefetch(A, B->order, i);
    for (int64_t k = A->ptr[B->order[i]]; k < A->ptr[B->order[i] + 1]; k++, n++) {
      own->col[n] = m->place[A->col[k]];
      own->val[n] = A->val[k];
    }
  }
  own->ptr[A->rows] = n;
  return OVK_OK;
}

/* Gives B the entries of the local block: faster than rows that are added. The assembly sorts them.
 */
static ovk_err move_give(move *m, ovk_mat *B)
{
  ovk__csr own = {0};
  ovk_err err = move_own(m, B, &own);
  if (!err) err = ovk__mat_give_rows(B, &own);
  ovk__csr_free(&own);
  B->own.unsorted = !err;
  m->given = !err;
  return err;
}

/* Adds to row i of B the entries of row `row` of A that have not been given. */
static ovk_err move_row(const move *m, ovk_lidx row, ovk_lidx i, ovk_mat *B)
{
  const ovk__csr *R = &m->A->remote;
  const ovk_lidx r = m->remote[row];
  int64_t n = 0;
  for (int64_t k = m->rows.ptr[row]; !m->given && k < m->rows.ptr[row + 1]; k++) {
    m->col[n] = m->A->layout.first + m->place[m->rows.col[k]];
    m->val[n++] = m->rows.val[k];
  }
  for (int64_t k = r < 0 ? 0 : R->ptr[r]; r >= 0 && k < R->ptr[r + 1]; k++) {
    m->col[n] = (ovk_gidx)m->ghosts[R->col[k]];
    m->val[n++] = R->val[k];
  }
  return ovk__mat_add_row(B, i, n, m->col, m->val);
}

/* Moves all rows; a failure is kept for the assembly of B. */
static void move_rows(move *m, ovk_mat *B)
{
  ovk_err err = B->state == OVK__MAT_OPEN ? move_give(m, B) : ovk__mat_fill(B);
  for (ovk_lidx i = 0; i < m->rows.rows && !err; i++) err = move_row(m, B->order[i], i, B);
  (void)ovk__mat_keep(B, err);
}

ovk_err ovk__reorder_entries(const ovk_mat *A, bool find, ovk_mat *B)
{
  move m = {.A = A};
  if (find) OVK_TRY(ovk__mat_find_block(A, &m.block));
  ovk_err err = move_read(&m);
  if (!err && find) err = move_find_order(&m, B->order);
  err = ovk__agree(A->ctx, err);
  for (ovk_lidx i = 0; i < A->layout.local && !err; i++) {
    m.place[B->order[i]] = i;
    m.number[B->order[i]] = (double)(A->layout.first + i);
  }
  const double *own = m.number;
  if (!err) err = ovk__halo_begin(A->halo, &own);
  if (!err) err = ovk__halo_end(A->halo, &m.ghosts);
  err = ovk__agree(A->ctx, err);
  if (!err && !find) err = ovk_mat_reset_values(B);
  if (!err) move_rows(&m, B);
  move_free(&m);
  return err ? err : ovk_mat_assemble(B);
}
