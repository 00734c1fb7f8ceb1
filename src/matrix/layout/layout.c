/* SPDX-License-Identifier: BSD-2-Clause */
/* Row layouts. */
#include "matrix/layout/layout.h"
#include "core/base/hash64.h"
#include "core/base/sorted.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "core/memory_limit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Hash of one rank's size; for different layouts the sums over ranks are equal with probability
 * 2^-64. */
static uint64_t layout_hash(uint64_t rank, uint64_t nlocal)
{
  return ovk__mix(rank * 0x9e3779b97f4a7c15u + nlocal * 0xd1342543de82ef95u + 0x632be59bd9b4e019u);
}

/* The layout of many ranks. */
static ovk_err layout_scan(ovk_ctx *ctx, ovk_lidx nlocal, ovk__layout *out)
{
  const MPI_Comm comm = ovk_ctx_comm(ctx);
  const ovk_gidx mine = nlocal;
  ovk_gidx end;
  OVK_TRY_MPI(ctx, MPI_Scan(&mine, &end, 1, MPI_INT64_T, MPI_SUM, comm));
  uint64_t total[2] = {(uint64_t)mine, layout_hash((uint64_t)ovk_ctx_rank(ctx), (uint64_t)mine)};
  OVK_TRY(ovk__total_of(ctx, total, 2, MPI_UINT64_T, MPI_SUM));
  *out = (ovk__layout){
      .first = end - mine, .global = (ovk_gidx)total[0], .local = nlocal, .fingerprint = total[1]};
  return OVK_OK;
}

/* The layout of few ranks, all of whose sizes are in one sum, with their errors. */
static ovk_err layout_collect(ovk_ctx *ctx, ovk_err mine, ovk_lidx nlocal, ovk__layout *out)
{
  const int size = ovk_ctx_size(ctx), rank = ovk_ctx_rank(ctx);
  uint64_t rows[OVK__MAX_TOTALS] = {0};
  rows[rank] = (uint64_t)nlocal;
  OVK_TRY(ovk__agree_total(ctx, mine, rows, size, MPI_UINT64_T, MPI_SUM));
  *out = (ovk__layout){.local = nlocal};
  for (int k = 0; k < size; k++) {
    if (k == rank) out->first = out->global;
    out->global += (ovk_gidx)rows[k];
    out->fingerprint += layout_hash((uint64_t)k, rows[k]);
  }
  return OVK_OK;
}

ovk_err ovk__layout_create(ovk_ctx *ctx, ovk_lidx nlocal, ovk__layout *out)
{
  return ovk_ctx_size(ctx) <= OVK__MAX_TOTALS ? layout_collect(ctx, OVK_OK, nlocal, out)
                                              : layout_scan(ctx, nlocal, out);
}

ovk_err ovk__layout_agree(ovk_ctx *ctx, ovk_err mine, ovk_lidx nlocal, ovk__layout *out)
{
  if (ovk_ctx_size(ctx) <= OVK__MAX_TOTALS) return layout_collect(ctx, mine, nlocal, out);
  OVK_TRY(ovk__agree(ctx, mine));
  return ovk__agree(ctx, layout_scan(ctx, nlocal, out));
}

bool ovk__layout_same(const ovk__layout *a, const ovk__layout *b)
{
  return a->global == b->global && a->fingerprint == b->fingerprint;
}

ovk_err ovk__layout_check(ovk_ctx *ctx, const ovk__layout *a, const char *a_name,
                          const ovk__layout *b, const char *b_name)
{
  OVK_CHECK(ovk__layout_same(a, b), ctx, OVK_ERR_ARG,
            "layouts do not match: %s has %lld rows, %s %lld%s", a_name, (long long)a->global,
            b_name, (long long)b->global,
            a->global == b->global ? ", but distributed differently over the ranks" : "");
  return OVK_OK;
}

ovk_err ovk__layout_check_new(ovk_ctx *ctx, ovk_lidx nlocal, void *out)
{
  OVK_CHECK(out, ctx, OVK_ERR_ARG, "out is NULL");
  memset(out, 0, sizeof(void *)); /* a pointer of any type */
  OVK_CHECK(nlocal >= 0, ctx, OVK_ERR_ARG,
            "the number of rows is %d on this rank, but must be >= 0", nlocal);
  return OVK_OK;
}

ovk_err ovk__layout_check_memory(ovk_ctx *ctx, const ovk__layout *layout, double each,
                                 const char *format, ...)
{
  char what[96];
  va_list args;
  va_start(args, format);
  const int used = vsnprintf(what, sizeof what, format, args);
  va_end(args);
  snprintf(what + used, sizeof what - (size_t)used, " of %lld rows", (long long)layout->global);
  return ovk__memory_check(ctx, what, each * layout->local, each * (double)layout->global);
}

ovk_err ovk__layout_gather(ovk_ctx *ctx, const ovk__layout *layout, ovk_gidx **first)
{
  const int size = ovk_ctx_size(ctx);
  *first = ovk__array((size_t)size + 1, sizeof **first);
  OVK_CHECK_ALL(*first, ctx, OVK_ERR_MEMORY, "no memory for %d ranks", size);
  OVK_TRY_MPI(ctx, MPI_Allgather(&layout->first, 1, MPI_INT64_T, *first, 1, MPI_INT64_T,
                                 ovk_ctx_comm(ctx)));
  (*first)[size] = layout->global;
  return OVK_OK;
}

/* The number of rows of a group of ranks on its first rank; 0 on the others. */
static ovk_gidx layout_group_rows(ovk_ctx *ctx, const ovk_gidx *first, int group)
{
  const int rank = ovk_ctx_rank(ctx), size = ovk_ctx_size(ctx);
  const int end = group < size - rank ? rank + group : size;
  return rank % group == 0 ? first[end] - first[rank] : 0;
}

ovk_err ovk__layout_merge(ovk_ctx *ctx, const ovk__layout *layout, int group, ovk__layout *out)
{
  ovk_gidx *first = NULL;
  ovk_err err = ovk__layout_gather(ctx, layout, &first);
  const ovk_gidx rows = err ? 0 : layout_group_rows(ctx, first, group);
  free(first);
  if (!err && rows > INT32_MAX) {
    err = OVK_FAIL(ctx, OVK_ERR_RANGE, "%lld rows of %d ranks on one: 2^31 - 1 are the most",
                   (long long)rows, group);
  }
  OVK_TRY(ovk__agree(ctx, err));
  return ovk__agree(ctx, ovk__layout_create(ctx, (ovk_lidx)rows, out));
}

int ovk__layout_owner(const ovk_gidx *first, int nranks, ovk_gidx row)
{
  OVK_BISECT(int, next, 1, nranks, first[middle] <= row);
  return next - 1;
}

ovk_err ovk__layout_even(ovk_ctx *ctx, ovk_gidx n, ovk_lidx *nlocal)
{
  const int size = ovk_ctx_size(ctx);
  const ovk_gidx share = n / size + (ovk_ctx_rank(ctx) < n % size);
  OVK_CHECK(n / size + (n % size > 0) <= INT32_MAX, ctx, OVK_ERR_RANGE,
            "%lld rows on %d ranks are more than 2^31 - 1 on a rank", (long long)n, size);
  *nlocal = (ovk_lidx)share;
  return OVK_OK;
}
