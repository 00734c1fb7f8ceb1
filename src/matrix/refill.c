/* SPDX-License-Identifier: BSD-2-Clause */
/* New values on the pattern of an assembled matrix: its local block is unfolded to compressed
 * sparse rows, entries are summed into their places, and the block takes the values back. Ghosts,
 * halo and the plans of the format stay as they are. */
#include "matrix/refill.h"
#include "base/mem.h"

#include <stdlib.h>

/* -0.0 + value is value for all values, also for -0.0, so that sums get the bits that they have in
 * a new matrix. */
static void clear_values(int64_t n, double *val)
{
  for (int64_t k = 0; k < n; k++) val[k] = -0.0;
}

/* Clears the values of the local block up to row i, those that are not cleared yet: just before the
 * first one is added to, so that they are in cache then. */
static inline void clear_up_to(ovk_mat *A, ovk_lidx i)
{
  if (i < A->cleared) return;
  const int64_t from = A->again.ptr[A->cleared];
  clear_values(A->again.ptr[i + 1] - from, A->again.val + from);
  A->cleared = i + 1;
}

/* A->again <- the local block in CSR; its values are still those of before, or not set. Writes
 * nothing in the block. */
static ovk_err unfold(ovk_mat *A)
{
  const ovk__format *format = A->format;
  if (format->csr) {
    A->again = *format->csr(A->local);
    return OVK_OK;
  }
  ovk__csr *to = &A->unfolded;
  *to = (ovk__csr){.rows = A->layout.local};
  if (!format->values) OVK_NEW_ARRAY(A->ctx, to->val, A->local_nnz); /* the longest first */
  OVK_NEW_ARRAY(A->ctx, to->col, A->local_nnz);
  OVK_NEW_ARRAY(A->ctx, to->ptr, (size_t)to->rows + 1);
  A->again = (ovk__csr){to->rows, to->ptr, to->col, NULL};
  OVK_TRY(ovk__format_unfold(A->ctx, format, A->local, &A->again));
  A->again.val = format->values ? format->values(A->local) : to->val;
  return OVK_OK;
}

static ovk_err check_reset(const ovk_mat *A)
{
  OVK_CHECK(A->state == OVK__MAT_ASSEMBLED || A->state == OVK__MAT_NO_VALUES, A->ctx, OVK_ERR_STATE,
            "values can be reset of an assembled matrix only");
  return OVK_OK;
}

ovk_err ovk_mat_reset_values(ovk_mat *A)
{
  if (!A) return OVK_ERR_ARG;
  const double start = MPI_Wtime();
  OVK_TRY(ovk__agree(A->ctx, check_reset(A)));
  const ovk_err err = ovk__agree(A->ctx, unfold(A));
  if (err) {
    ovk__csr_free(&A->unfolded);
  } else {
    A->cleared = 0;
    clear_values(ovk__csr_nnz(&A->remote), A->remote.val);
    A->again_at = A->remote_at = 0;
    A->state = OVK__MAT_REFILLED;
    A->resets++;
  }
  ovk__log_add(&A->ctx->log, OVK_EVENT_ASSEMBLE, start);
  return err;
}

/* So few columns are compared one and all, in vectors, rather than searched by halves: branches
 * that depend on the column are predicted badly. */
enum { FEW = 32 };

/* The place of a column among those of a row, at *next if it follows the last entry; -1: none. */
static int64_t find(const ovk_lidx *cols, int64_t begin, int64_t end, ovk_lidx col, int64_t *next)
{
  if (*next >= begin && *next < end && cols[*next] == col) return (*next)++;
  int64_t high = end;
  while (high - begin > FEW) { /* columns from `high` on are larger than col */
    const int64_t middle = begin + (high - begin) / 2;
    if (cols[middle] <= col) {
      begin = middle;
    } else {
      high = middle;
    }
  }
  ovk_lidx less = 0;
  for (int64_t k = begin; k < high; k++) less += cols[k] < col;
  const int64_t at = begin + less;
  if (at >= end || cols[at] != col) return -1;
  *next = at + 1;
  return at;
}

static double *local_place(ovk_mat *A, ovk_lidx i, ovk_lidx col)
{
  const ovk__csr *again = &A->again;
  clear_up_to(A, i);
  const int64_t at = find(again->col, again->ptr[i], again->ptr[i + 1], col, &A->again_at);
  return at < 0 ? NULL : again->val + at;
}

/* The number of a value in an increasing list of them, or -1. */
static ovk_lidx search_rows(const ovk_lidx *list, ovk_lidx n, ovk_lidx value)
{
  int64_t none = -1;
  return (ovk_lidx)find(list, 0, n, value, &none);
}

static ovk_lidx search_ghosts(const ovk__ghosts *ghosts, ovk_gidx col)
{
  ovk_lidx low = 0, high = ghosts->count;
  while (low < high) {
    const ovk_lidx middle = low + (high - low) / 2;
    if (ghosts->col[middle] < col) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < ghosts->count && ghosts->col[low] == col ? low : -1;
}

static double *remote_place(ovk_mat *A, ovk_lidx i, ovk_gidx j)
{
  const ovk__csr *R = &A->remote;
  const ovk_lidx ghost = search_ghosts(&A->ghosts, j);
  const ovk_lidx row = search_rows(A->remote_rows, R->rows, i);
  if (ghost < 0 || row < 0) return NULL;
  const int64_t at = find(R->col, R->ptr[row], R->ptr[row + 1], ghost, &A->remote_at);
  return at < 0 ? NULL : R->val + at;
}

ovk_err ovk__mat_refill_add(ovk_mat *A, ovk_lidx i, ovk_gidx j, double value)
{
  const uint64_t own = (uint64_t)j - (uint64_t)A->layout.first; /* wraps if j < first */
  double *place =
      own < (uint64_t)A->layout.local ? local_place(A, i, (ovk_lidx)own) : remote_place(A, i, j);
  OVK_CHECK(place, A->ctx, OVK_ERR_RANGE,
            "entry (%lld,%lld) is not in the pattern of the first assembly",
            (long long)(A->layout.first + i), (long long)j);
  *place += value;
  return OVK_OK;
}

/* How many leading columns of two lists of n are the same, those of the second plus `first`: found
 * in vectors, piece by piece, up to the first piece that differs. */
static int64_t equal_columns(int64_t n, const ovk_gidx *col, ovk_gidx first, const ovk_lidx *own)
{
  int64_t same = 0;
  for (int64_t end; same < n; same = end) {
    ovk_gidx unlike = 0;
    end = n - same < FEW ? n : same + FEW;
    for (int64_t k = same; k < end; k++) unlike |= col[k] ^ (first + own[k]);
    if (unlike) break;
  }
  while (same < n && col[same] == first + own[same]) same++;
  return same;
}

int64_t ovk__mat_refill_take(ovk_mat *A, ovk_lidx i, int64_t n, const ovk_gidx *col,
                             const double *val)
{
  const ovk__csr *again = &A->again;
  const int64_t begin = again->ptr[i], end = again->ptr[i + 1];
  const int64_t at = A->again_at >= begin && A->again_at <= end ? A->again_at : begin;
  const int64_t most = n < end - at ? n : end - at;
  const int64_t same = equal_columns(most, col, A->layout.first, again->col + at);
  double *to = again->val + at;
  clear_up_to(A, i);
  for (int64_t k = 0; k < same; k++) to[k] += val[k];
  A->again_at = at + same;
  return same;
}

/* The block anew, in a format that may be "auto". */
static ovk_err rebuild(ovk_mat *A, const ovk__format *format)
{
  void *block = NULL;
  OVK_TRY(ovk__format_build(A->ctx, &format, &A->unfolded, &block));
  A->format->destroy(A->local);
  A->format = format;
  A->local = block;
  return OVK_OK;
}

ovk_err ovk__mat_refill_finish(ovk_mat *A)
{
  const ovk__format *format = A->format;
  clear_up_to(A, A->again.rows - 1);
  if (format->csr) return OVK_OK;
  ovk_err err = format->refill ? format->refill(A->ctx, &A->again, A->local) : rebuild(A, format);
  if (err == OVK_ERR_UNSUPPORTED && A->wanted != format) err = rebuild(A, A->wanted);
  ovk__csr_free(&A->unfolded);
  return err;
}

void ovk__mat_refill_abandon(ovk_mat *A)
{
  ovk__csr_free(&A->unfolded);
  ovk__stash_clear(&A->off);
  A->kept = OVK_OK;
  A->state = OVK__MAT_NO_VALUES;
}
