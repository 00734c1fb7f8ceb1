/* SPDX-License-Identifier: BSD-2-Clause */
/* A matrix in order: the bits of its products depend neither on the partition nor on the formats
 * of the ranks. All formats sum rows in that order, and rows with columns of other ranks are
 * stored whole (order/whole_rows.h). */
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "matrix/mat_impl.h"

#include <stdlib.h>
#include <string.h>

/* Keys travel in a halo exchange, as doubles. */
static const int64_t MOST_KEY = (int64_t)1 << 53;

static int64_t order_key(const ovk_mat *A, ovk_lidx i)
{
  return A->keys ? A->keys[i] : A->layout.first + i;
}

/* *out <- the keys of the ghosts; to be freed. Collective. */
static ovk_err order_ghost_keys(const ovk_mat *A, int64_t **out)
{
  const size_t n = (size_t)A->layout.local, nghosts = (size_t)A->ghosts.count;
  double *own = ovk__array(n, sizeof *own);
  const double *ghosts = NULL;
  *out = ovk__array(nghosts, sizeof **out);
  ovk_err err =
      own && *out ? OVK_OK : OVK_FAIL(A->ctx, OVK_ERR_MEMORY, "no memory for %zu keys", nghosts);
  err = ovk__agree(A->ctx, err);
  for (size_t i = 0; !err && i < n; i++) own[i] = (double)order_key(A, (ovk_lidx)i);
  const double *x = own;
  if (!err) err = ovk__halo_begin(A->halo, &x);
  if (!err) err = ovk__halo_end(A->halo, &ghosts);
  for (size_t k = 0; !err && k < nghosts; k++) (*out)[k] = (int64_t)ghosts[k];
  free(own);
  return ovk__agree(A->ctx, err);
}

/* Local row i, with the row r of the remote block. */
static ovk_lidx order_gather(const ovk_mat *A, ovk_lidx i, ovk_lidx r, const int64_t *ghost_keys,
                             ovk_lidx *col, double *val, ovk__keyed_entry *entries)
{
  const ovk__csr *R = &A->remote;
  ovk_lidx n = A->format->row(A->local, i, col, val);
  for (ovk_lidx k = 0; k < n; k++) {
    entries[k] = (ovk__keyed_entry){order_key(A, col[k]), col[k], val[k]};
  }
  for (int64_t k = R->ptr[r]; k < R->ptr[r + 1]; k++) {
    entries[n++] =
        (ovk__keyed_entry){ghost_keys[R->col[k]], A->layout.local + R->col[k], R->val[k]};
  }
  return n;
}

static ovk_err order_fill(const ovk_mat *A, const int64_t *ghost_keys, ovk_lidx *col, double *val,
                          ovk__keyed_entry *entries, ovk__whole_rows *out)
{
  for (ovk_lidx r = 0; r < A->remote.rows; r++) {
    const ovk_lidx i = A->remote_rows[r];
    const ovk_lidx n = order_gather(A, i, r, ghost_keys, col, val, entries);
    OVK_TRY(ovk__whole_rows_set(A->ctx, out, r, i, order_key(A, i), n, entries));
  }
  return OVK_OK;
}

/* Not collective. */
static ovk_err order_build(const ovk_mat *A, const int64_t *ghost_keys, ovk__whole_rows *out)
{
  const ovk__csr *R = &A->remote;
  int64_t nnz = ovk__csr_nnz(R);
  size_t longest = 0;
  for (ovk_lidx r = 0; r < R->rows; r++) {
    const ovk_lidx local = A->format->row(A->local, A->remote_rows[r], NULL, NULL);
    const size_t all = (size_t)local + (size_t)(R->ptr[r + 1] - R->ptr[r]);
    nnz += local;
    if (all > longest) longest = all;
  }
  OVK_TRY(ovk__whole_rows_make(A->ctx, R->rows, nnz, out));
  ovk_lidx *col = ovk__array(longest, sizeof *col);
  double *val = ovk__array(longest, sizeof *val);
  ovk__keyed_entry *entries = ovk__array(longest, sizeof *entries);
  const ovk_err err = col && val && entries
                          ? order_fill(A, ghost_keys, col, val, entries, out)
                          : OVK_FAIL(A->ctx, OVK_ERR_MEMORY, "no memory for %zu entries", longest);
  free(col);
  free(val);
  free(entries);
  return err;
}

static ovk_err order_check(const ovk_mat *A)
{
  OVK_CHECK(!A->rounded, A->ctx, OVK_ERR_UNSUPPORTED,
            "exact = 'all': the format '%s' has rounded values to make the local block symmetric, "
            "which depends on the partition; call ovk_mat_set_keys(A, NULL) before assembly",
            A->format->name);
  OVK_CHECK(!A->order, A->ctx, OVK_ERR_UNSUPPORTED,
            "exact = 'all': the matrix is from ovk_mat_reorder(), whose order depends on the "
            "partition");
  return OVK_OK;
}

ovk_err ovk__mat_order_rows(ovk_mat *A)
{
  int64_t *ghost_keys = NULL;
  ovk__whole_rows rows = {0};
  A->wanted.ordered = true;
  ovk_err err = ovk__agree(A->ctx, order_check(A));
  if (!err && A->format->put_in_order) A->format->put_in_order(A->local);
  if (!err) err = order_ghost_keys(A, &ghost_keys);
  if (!err) err = ovk__agree(A->ctx, order_build(A, ghost_keys, &rows));
  free(ghost_keys);
  if (err) {
    ovk__whole_rows_free(&rows);
    return err;
  }
  ovk__whole_rows_free(&A->whole);
  A->whole = rows;
  A->ordered = true;
  return OVK_OK;
}

/* *own <- a copy of the keys; NULL: none were given. */
static ovk_err order_take_keys(const ovk_mat *A, const int64_t *key, int64_t **own)
{
  const ovk_lidx n = A->layout.local;
  *own = NULL;
  OVK_CHECK(A->state == OVK__MAT_OPEN, A->ctx, OVK_ERR_STATE,
            "keys can be set only before assembly");
  if (!key) return OVK_OK;
  for (ovk_lidx i = 0; i < n; i++) {
    OVK_CHECK(key[i] >= 0 && key[i] < MOST_KEY, A->ctx, OVK_ERR_RANGE,
              "key %lld of row %d on this rank: must be >= 0 and below 2^53", (long long)key[i], i);
    OVK_CHECK(i == 0 || key[i] > key[i - 1], A->ctx, OVK_ERR_ARG,
              "the keys of a rank must increase: row %d on this rank has %lld after %lld", i,
              (long long)key[i], (long long)key[i - 1]);
  }
  *own = ovk__array((size_t)n, sizeof **own);
  OVK_CHECK(*own, A->ctx, OVK_ERR_MEMORY, "no memory for %d keys", n);
  if (n) memcpy(*own, key, (size_t)n * sizeof **own);
  return OVK_OK;
}

ovk_err ovk_mat_set_keys(ovk_mat *A, const int64_t *key)
{
  if (!A) return OVK_ERR_ARG;
  int64_t *own;
  const bool rows = A->layout.local > 0;
  ovk_err err = ovk__agree(A->ctx, order_take_keys(A, key, &own));
  bool all_have = !rows || key, none_has = !rows || !key;
  if (!err) err = ovk__agree_flag(A->ctx, OVK_OK, &all_have);
  if (!err) err = ovk__agree_flag(A->ctx, OVK_OK, &none_has);
  if (!err && !all_have && !none_has) {
    err = ovk__agree(A->ctx, OVK_FAIL(A->ctx, OVK_ERR_ARG, "some ranks give keys, others do not"));
  }
  if (err) {
    free(own);
    return err;
  }
  free(A->keys);
  A->keys = own;
  A->wanted.ordered = true;
  return OVK_OK;
}
