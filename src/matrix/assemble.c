/* SPDX-License-Identifier: BSD-2-Clause */
/* Assembly: entries go to their owners, rows are sorted and cut into a local block (columns of this
 * rank) and a remote block (columns of other ranks, the ghosts), and the halo exchange is set up.
 */
#include "core/log_impl.h"
#include "core/mem.h"
#include "matrix/mat_impl.h"
#include "matrix/rows.h"

#include <stdlib.h>
#include <string.h>

static bool is_own(const ovk_mat *A, ovk_gidx col)
{
  return col >= A->layout.first && col < A->layout.first + A->layout.local;
}

static int by_value(const void *a, const void *b)
{
  const ovk_gidx x = *(const ovk_gidx *)a, y = *(const ovk_gidx *)b;
  return (x > y) - (x < y);
}

/* A->ghosts <- the columns of other ranks that occur, increasing. */
static ovk_err find_ghosts(ovk_mat *A, const ovk__rows *rows, int64_t nremote, ovk_lidx *nghosts)
{
  ovk_ctx *ctx = A->ctx;
  OVK_NEW_ARRAY(ctx, A->ghosts, nremote);
  int64_t n = 0;
  for (ovk_lidx i = 0; i < rows->n; i++) {
    const ovk__entry *row = rows->entries + rows->ptr[i];
    for (int64_t k = 0; k < rows->length[i]; k++) {
      if (!is_own(A, row[k].col)) A->ghosts[n++] = row[k].col;
    }
  }
  qsort(A->ghosts, (size_t)n, sizeof *A->ghosts, by_value);
  int64_t distinct = 0;
  for (int64_t k = 0; k < n; k++) {
    if (k == 0 || A->ghosts[k] != A->ghosts[k - 1]) A->ghosts[distinct++] = A->ghosts[k];
  }
  OVK_CHECK(distinct <= INT32_MAX, ctx, OVK_ERR_RANGE,
            "rank %d needs %lld columns of other ranks, more than 2^31 - 1", ctx->rank,
            (long long)distinct);
  *nghosts = (ovk_lidx)distinct;
  if (distinct == 0) return OVK_OK;
  ovk_gidx *fitting = realloc(A->ghosts, (size_t)distinct * sizeof *fitting);
  OVK_CHECK(fitting, ctx, OVK_ERR_MEMORY, "no memory for %lld columns", (long long)distinct);
  A->ghosts = fitting;
  return OVK_OK;
}

/* Which ghost a global column is. */
static ovk_lidx ghost_number(const ovk_mat *A, ovk_lidx nghosts, ovk_gidx col)
{
  const ovk_gidx *found = bsearch(&col, A->ghosts, (size_t)nghosts, sizeof col, by_value);
  return (ovk_lidx)(found - A->ghosts);
}

/* Counts entries in both blocks and the rows that have a remote one. */
static void measure(const ovk_mat *A, const ovk__rows *rows, int64_t *nlocal, int64_t *nremote,
                    ovk_lidx *remote_rows)
{
  *nlocal = *nremote = 0;
  *remote_rows = 0;
  for (ovk_lidx i = 0; i < rows->n; i++) {
    const ovk__entry *row = rows->entries + rows->ptr[i];
    int64_t own = 0;
    for (int64_t k = 0; k < rows->length[i]; k++) own += is_own(A, row[k].col);
    *nlocal += own;
    *nremote += rows->length[i] - own;
    *remote_rows += own < rows->length[i];
  }
}

/* Copies the rows into the two blocks. */
static void fill(ovk_mat *A, const ovk__rows *rows, ovk_lidx nghosts, ovk__csr *local)
{
  ovk__csr *remote = &A->remote;
  int64_t l = 0, r = 0;
  ovk_lidx row_of_remote = 0;
  for (ovk_lidx i = 0; i < rows->n; i++) {
    const ovk__entry *row = rows->entries + rows->ptr[i];
    const int64_t before = r;
    for (int64_t k = 0; k < rows->length[i]; k++) {
      if (is_own(A, row[k].col)) {
        local->col[l] = (ovk_lidx)(row[k].col - A->layout.first);
        local->val[l++] = row[k].value;
      } else {
        remote->col[r] = ghost_number(A, nghosts, row[k].col);
        remote->val[r++] = row[k].value;
      }
    }
    local->ptr[i + 1] = l;
    if (r == before) continue;
    A->remote_rows[row_of_remote++] = i;
    remote->ptr[row_of_remote] = r;
  }
}

/* Sorts the entries and builds both blocks. Local work; `local` is to be freed also after a
 * failure. */
static ovk_err build_blocks(ovk_mat *A, ovk__rows *rows, ovk__csr *local, int64_t *nlocal,
                            ovk_lidx *nghosts)
{
  ovk_ctx *ctx = A->ctx;
  OVK_TRY(ovk__rows_sort(ctx, &A->layout, &A->own, rows));
  int64_t nremote;
  ovk_lidx remote_rows;
  measure(A, rows, nlocal, &nremote, &remote_rows);
  OVK_TRY(find_ghosts(A, rows, nremote, nghosts));
  OVK_TRY(ovk__csr_alloc(ctx, A->layout.local, *nlocal, local));
  OVK_TRY(ovk__csr_alloc(ctx, remote_rows, nremote, &A->remote));
  OVK_NEW_ARRAY(ctx, A->remote_rows, remote_rows);
  fill(A, rows, *nghosts, local);
  ovk__rows_free(rows);
  return ovk__format_build(ctx, &A->format, local, &A->local);
}

/* Totals over the ranks. */
static ovk_err sum_sizes(ovk_mat *A, int64_t nlocal, ovk_lidx nghosts)
{
  const int64_t lists =
      A->remote.rows * (int64_t)sizeof *A->remote_rows + nghosts * (int64_t)sizeof *A->ghosts;
  const int64_t mine[2] = {nlocal + ovk__csr_nnz(&A->remote), A->format->bytes(A->local) +
                                                                  ovk__csr_bytes(&A->remote) +
                                                                  lists + ovk__halo_bytes(A->halo)};
  int64_t total[2];
  OVK_TRY_MPI(A->ctx, MPI_Allreduce(mine, total, 2, MPI_INT64_T, MPI_SUM, A->ctx->comm));
  A->nnz = total[0];
  A->bytes = total[1];
  return OVK_OK;
}

static ovk_err assemble(ovk_mat *A, ovk_gidx *first)
{
  ovk_ctx *ctx = A->ctx;
  OVK_TRY(ovk__layout_gather(ctx, &A->layout, first));
  OVK_TRY(ovk__stash_exchange(ctx, first, &A->off, &A->own));
  ovk__rows rows = {0};
  ovk__csr local = {0};
  int64_t nlocal = 0;
  ovk_lidx nghosts = 0;
  ovk_err err = build_blocks(A, &rows, &local, &nlocal, &nghosts);
  ovk__rows_free(&rows);
  ovk__csr_free(&local);
  OVK_TRY(ovk__agree(ctx, err));
  OVK_TRY(ovk__halo_create(ctx, first, A->ghosts, nghosts, &A->halo));
  return sum_sizes(A, nlocal, nghosts);
}

/* A failure that was kept, or a call at the wrong time. */
static ovk_err check_ready(const ovk_mat *A)
{
  OVK_CHECK(A->state == OVK__MAT_OPEN, A->ctx, OVK_ERR_STATE,
            "only a new matrix can be assembled, once");
  if (A->kept) ovk__say(A->ctx, "%s", A->kept_message);
  return A->kept;
}

ovk_err ovk_mat_assemble(ovk_mat *A)
{
  if (!A) return OVK_ERR_ARG;
  const double start = MPI_Wtime();
  OVK_TRY(ovk__agree(A->ctx, check_ready(A)));
  ovk_gidx *first = ovk__array((size_t)A->ctx->size + 1, sizeof *first);
  ovk_err err = ovk__agree(
      A->ctx,
      first ? OVK_OK : OVK_FAIL(A->ctx, OVK_ERR_MEMORY, "no memory for %d ranks", A->ctx->size));
  if (!err) err = assemble(A, first);
  free(first);
  A->state = err ? OVK__MAT_FAILED : OVK__MAT_ASSEMBLED;
  ovk__log_add(&A->ctx->log, OVK_EVENT_ASSEMBLE, start);
  return err;
}
