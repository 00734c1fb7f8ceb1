/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of all ranks are numbered in the order of ranks. Each rank sends the numbers of the
 * parts to the owners of their rows; the halo exchange then fetches these. */
#include "precond/amg/transfer/partial_sums.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "precond/amg/operators/entries.h"

#include <stdlib.h>

/* Lists the row and the number of each part of this rank, whose numbers start at `first`. */
static ovk_err partial_sums_list(ovk_ctx *ctx, const ovk_gidx *rows, ovk_lidx n, ovk_gidx first,
                                 ovk__stash *stash)
{
  for (ovk_lidx k = 0; k < n; k++) {
    const ovk__entry item = {rows[k], first + k, 0};
    OVK_TRY(ovk__stash_add(ctx, stash, item));
  }
  return OVK_OK;
}

/* S->row, *numbers <- the rows and the numbers that other ranks have sent. */
static ovk_err partial_sums_read(ovk_ctx *ctx, const ovk__neighbor_messages *in,
                                 const ovk__layout *layout, ovk__amg_partial_sums *S,
                                 ovk_gidx **numbers)
{
  const ovk__entry *item = in->items;
  OVK_CHECK(in->total <= INT32_MAX, ctx, OVK_ERR_RANGE,
            "amg: %zu partial sums for a rank, 2^31 - 1 are the most", in->total);
  S->nrows = (ovk_lidx)in->total;
  OVK_NEW_ARRAY(ctx, S->row, S->nrows);
  OVK_NEW_ARRAY(ctx, *numbers, S->nrows);
  for (ovk_lidx k = 0; k < S->nrows; k++) {
    S->row[k] = (ovk_lidx)(item[k].row - layout->first);
    (*numbers)[k] = item[k].col;
  }
  return OVK_OK;
}

/* The state of the setup. */
typedef struct announcement {
  ovk__layout parts;                  /* of all ranks */
  ovk_gidx *first_row, *first_number; /* of ranks */
  ovk__stash stash;
  ovk__neighbor_messages in;
  ovk_gidx *numbers; /* of the parts that this rank receives */
} announcement;

static void announcement_free(announcement *a)
{
  free(a->first_row);
  free(a->first_number);
  free(a->numbers);
  ovk__stash_clear(&a->stash);
  ovk__neighbor_messages_free(&a->in);
}

static ovk_err partial_sums_announce(ovk_ctx *ctx, const ovk__layout *layout, const ovk_gidx *rows,
                                     announcement *a, ovk__amg_partial_sums *S)
{
  OVK_TRY(ovk__agree(ctx, ovk__layout_create(ctx, S->nparts, &a->parts)));
  OVK_TRY(ovk__layout_gather(ctx, layout, &a->first_row));
  OVK_TRY(ovk__layout_gather(ctx, &a->parts, &a->first_number));
  const ovk_err err = partial_sums_list(ctx, rows, S->nparts, a->parts.first, &a->stash);
  OVK_TRY(ovk__stash_exchange(ctx, err, a->first_row, &a->stash, &a->in));
  OVK_TRY(ovk__agree(ctx, partial_sums_read(ctx, &a->in, layout, S, &a->numbers)));
  return ovk__halo_create(ctx, a->first_number, a->numbers, S->nrows, S->width, &S->halo);
}

static ovk_err partial_sums_allocate(ovk_ctx *ctx, ovk_lidx n, ovk__amg_partial_sums *S)
{
  S->nparts = n;
  OVK_NEW_ZEROS(ctx, S->part, (size_t)n * (size_t)S->width);
  return OVK_OK;
}

ovk_err ovk__amg_partial_sums_create(ovk_ctx *ctx, const ovk__layout *layout, const ovk_gidx *rows,
                                     ovk_lidx n, int width, ovk__amg_partial_sums *out)
{
  announcement a = {0};
  *out = (ovk__amg_partial_sums){.width = width};
  OVK_TRY(ovk__agree(ctx, partial_sums_allocate(ctx, n, out)));
  const ovk_err err = partial_sums_announce(ctx, layout, rows, &a, out);
  announcement_free(&a);
  return err;
}

void ovk__amg_partial_sums_free(ovk__amg_partial_sums *S)
{
  free(S->part);
  free(S->row);
  ovk__halo_destroy(&S->halo);
  *S = (ovk__amg_partial_sums){0};
}

ovk_err ovk__amg_partial_sums_begin(const ovk__amg_partial_sums *S)
{
  return ovk__halo_begin_block(S->halo, S->part);
}

ovk_err ovk__amg_partial_sums_end(const ovk__amg_partial_sums *S, double *y)
{
  const double *received;
  OVK_TRY(ovk__halo_end(S->halo, &received));
  for (ptrdiff_t k = 0; k < S->nrows; k++) {
    double *to = y + (ptrdiff_t)S->row[k] * S->width;
    for (int c = 0; c < S->width; c++) to[c] += received[k * S->width + c];
  }
  return OVK_OK;
}

int64_t ovk__amg_partial_sums_bytes(const ovk__amg_partial_sums *S)
{
  return (int64_t)S->nparts * S->width * (int64_t)sizeof *S->part +
         S->nrows * (int64_t)sizeof *S->row + (S->halo ? ovk__halo_bytes(S->halo) : 0);
}
