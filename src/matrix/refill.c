/* SPDX-License-Identifier: BSD-2-Clause */
/* New values on the pattern of an assembled matrix: entries are summed into their places in the
 * remote block and in rows of the local one in CSR (refill_rows.c). Ghosts, halo and the plans of
 * the format stay as they are. */
#include "matrix/refill.h"
#include "core/base/cpu_dispatch.h"
#include "core/context/agree.h"

static ovk_err check_reset(const ovk_mat *A)
{
  OVK_CHECK(A->state == OVK__MAT_ASSEMBLED || A->state == OVK__MAT_NO_VALUES, A->ctx, OVK_ERR_STATE,
            "only an assembled matrix has values to reset");
  OVK_CHECK_UNUSED(A, "the matrix");
  return OVK_OK;
}

ovk_err ovk_mat_reset_values(ovk_mat *A)
{
  if (!A) return OVK_ERR_ARG;
  const double start = ovk__log_now(&A->ctx->log);
  const ovk_err ready = check_reset(A);
  const ovk_err err = ovk__agree(A->ctx, ready ? ready : ovk__refill_rows_start(A));
  if (err) {
    if (!ready) ovk__refill_rows_free(A);
  } else {
    for (int64_t k = 0; k < ovk__csr_nnz(&A->remote); k++) A->remote.val[k] = -0.0;
    A->again_at = A->remote_at = 0;
    A->state = OVK__MAT_REFILLED;
    A->resets++;
    A->odd = (ovk__odd_entries){0};
  }
  ovk__log_add(&A->ctx->log, OVK_EVENT_RESET, start);
  return err;
}

/* Up to this many columns are all compared, in vectors, instead of a binary search: branches that
 * depend on the column are often mispredicted. */
enum { FEW = 32 };

/* The place of a column among those of a row, at *next if it follows the last entry; -1: none. */
static int64_t refill_find(const ovk_lidx *cols, int64_t begin, int64_t end, ovk_lidx col,
                           int64_t *next)
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

/* The place in row i, which A->again has. */
static double *local_place(ovk_mat *A, ovk_lidx i, ovk_lidx col)
{
  const ovk__csr *again = &A->again;
  const int64_t *ptr = again->ptr + (i - A->again_first);
  ovk__refill_rows_clear(A, i);
  const int64_t at = refill_find(again->col, ptr[0], ptr[1], col, &A->again_at);
  return at < 0 ? NULL : again->val + at;
}

/* The number of a value in an increasing list of them, or -1. */
static ovk_lidx search_rows(const ovk_lidx *list, ovk_lidx n, ovk_lidx value)
{
  int64_t none = -1;
  return (ovk_lidx)refill_find(list, 0, n, value, &none);
}

static double *remote_place(ovk_mat *A, ovk_lidx i, ovk_gidx j)
{
  const ovk__csr *R = &A->remote;
  const ovk_lidx ghost = ovk__ghosts_find(&A->ghosts, j);
  const ovk_lidx row = search_rows(A->remote_rows, R->rows, i);
  if (ghost < 0 || row < 0) return NULL;
  const int64_t at = refill_find(R->col, R->ptr[row], R->ptr[row + 1], ghost, &A->remote_at);
  return at < 0 ? NULL : R->val + at;
}

ovk_err ovk__mat_refill_add(ovk_mat *A, ovk_lidx i, ovk_gidx j, double value)
{
  const uint64_t own = (uint64_t)j - (uint64_t)A->layout.first; /* wraps if j < first */
  double *place;
  if (own < (uint64_t)A->layout.local) {
    OVK_TRY(ovk__refill_rows_reach(A, i));
    place = local_place(A, i, (ovk_lidx)own);
  } else {
    place = remote_place(A, i, j);
  }
  OVK_CHECK(place, A->ctx, OVK_ERR_RANGE,
            "entry (%lld,%lld) is not in the pattern of the first assembly",
            (long long)(A->layout.first + i), (long long)j);
  *place += value;
  return OVK_OK;
}

/* to <- to + val for the leading entries of two lists of n columns that are the same, those of the
 * second plus `first`; returns their number. The columns are compared in vectors, piece by piece,
 * up to the first piece that differs. */
OVK_FOR_EACH_CPU
static int64_t add_same(int64_t n, const ovk_gidx *restrict col, ovk_gidx first,
                        const ovk_lidx *restrict own, const double *restrict val,
                        double *restrict to)
{
  int64_t same = 0;
  for (int64_t end; same < n; same = end) {
    ovk_gidx unlike = 0;
    end = n - same < FEW ? n : same + FEW;
    for (int64_t k = same; k < end; k++) unlike |= col[k] ^ (first + own[k]);
    if (unlike) break;
  }
  while (same < n && col[same] == first + own[same]) same++;
  for (int64_t k = 0; k < same; k++) to[k] += val[k];
  return same;
}

ovk_err ovk__mat_refill_take(ovk_mat *A, ovk_lidx i, int64_t n, const ovk_gidx *col,
                             const double *val, int64_t *taken)
{
  *taken = 0;
  OVK_TRY(ovk__refill_rows_reach(A, i));
  ovk__refill_rows_clear(A, i);
  const ovk__csr *again = &A->again;
  const ovk_lidx row = i - A->again_first;
  const int64_t begin = again->ptr[row], end = again->ptr[row + 1];
  const int64_t at = A->again_at >= begin && A->again_at <= end ? A->again_at : begin;
  const int64_t most = n < end - at ? n : end - at;
  *taken = add_same(most, col, A->layout.first, again->col + at, val, again->val + at);
  A->again_at = at + *taken;
  return OVK_OK;
}

void ovk__mat_refill_abandon(ovk_mat *A)
{
  ovk__refill_rows_free(A);
  ovk__stash_clear(&A->off);
  A->kept.err = OVK_OK;
  A->state = OVK__MAT_NO_VALUES;
}
