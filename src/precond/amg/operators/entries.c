/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows with columns of the whole problem: building, fetching, transposing. */
#include "precond/amg/operators/entries.h"
#include "core/context/agree.h"
#include "core/context/mem.h"

#include <stdlib.h>

ovk_err ovk__amg_entries_begin(ovk_ctx *ctx, ovk_lidx rows, ovk__amg_entries *out)
{
  *out = (ovk__amg_entries){.rows = rows};
  OVK_NEW_ZEROS(ctx, out->ptr, rows + 1);
  return OVK_OK;
}

ovk_err ovk__amg_entries_reserve(ovk_ctx *ctx, ovk__amg_entries *e, int64_t n)
{
  const int64_t more = e->room ? e->room + e->room / 2 : 4 * (int64_t)e->rows + 16;
  const int64_t room = more > n ? more : n;
  if (n <= e->room) return OVK_OK;
  if (e->room) {
    OVK_RESIZE(ctx, e->col, room);
    OVK_RESIZE(ctx, e->val, room);
  } else { /* not with realloc, whose pages are small */
    OVK_NEW_ARRAY(ctx, e->col, room);
    OVK_NEW_ARRAY(ctx, e->val, room);
  }
  e->room = room;
  return OVK_OK;
}

ovk_err ovk__amg_entries_append(ovk_ctx *ctx, ovk__amg_entries *e, int64_t at, ovk_gidx col,
                                double val)
{
  OVK_TRY(ovk__amg_entries_reserve(ctx, e, at + 1));
  e->col[at] = col;
  e->val[at] = val;
  return OVK_OK;
}

void ovk__amg_entries_free(ovk__amg_entries *e)
{
  free(e->ptr);
  free(e->col);
  free(e->val);
  *e = (ovk__amg_entries){0};
}

/* The state of fetching. */
typedef struct fetch {
  ovk_gidx *first;                        /* rows of ranks */
  ovk__neighbor_messages asked, requests; /* row numbers: of this rank, to this rank */
  ovk__stash answers;                     /* here the row of an item is the rank that asked */
  ovk_gidx *ranks;                        /* 0, 1, ...: each rank owns the row of its number */
} fetch;

static void entries_fetch_free(fetch *f)
{
  free(f->first);
  free(f->ranks);
  ovk__neighbor_messages_free(&f->asked);
  ovk__neighbor_messages_free(&f->requests);
  ovk__stash_clear(&f->answers);
}

/* Lists the rows wanted of each rank. */
static ovk_err entries_fetch_list(ovk_ctx *ctx, const ovk_gidx *wanted, ovk_lidx n, fetch *f)
{
  const int size = ovk_ctx_size(ctx);
  OVK_NEW_ARRAY(ctx, f->asked.list, size);
  OVK_NEW_ARRAY(ctx, f->ranks, size + 1);
  f->asked.items = ovk__array((size_t)n, sizeof *wanted);
  OVK_CHECK(f->asked.items, ctx, OVK_ERR_MEMORY, "no memory for %lld row numbers", (long long)n);
  for (int rank = 0; rank <= size; rank++) f->ranks[rank] = rank;
  for (ovk_lidx k = 0; k < n; k++) {
    const int rank = ovk__layout_owner(f->first, size, wanted[k]);
    ((ovk_gidx *)f->asked.items)[k] = wanted[k];
    const bool same = f->asked.n && f->asked.list[f->asked.n - 1].rank == rank;
    if (!same) f->asked.list[f->asked.n++] = (ovk__neighbor_message){rank, 0};
    f->asked.list[f->asked.n - 1].count++;
  }
  f->asked.total = (size_t)n;
  return OVK_OK;
}

/* Answers each request with a head, the number of entries of a row, and its entries. */
static ovk_err entries_fetch_answer(ovk_ctx *ctx, const ovk__layout *layout,
                                    const ovk__amg_entries *own, fetch *f)
{
  const ovk_gidx *row = f->requests.items;
  for (int m = 0; m < f->requests.n; m++) {
    const int rank = f->requests.list[m].rank;
    for (int k = 0; k < f->requests.list[m].count; k++, row++) {
      const ovk_lidx i = (ovk_lidx)(*row - layout->first);
      const ovk__entry head = {rank, own->ptr[i + 1] - own->ptr[i], 0};
      OVK_TRY(ovk__stash_add(ctx, &f->answers, head));
      for (int64_t e = own->ptr[i]; e < own->ptr[i + 1]; e++) {
        const ovk__entry item = {rank, own->col[e], own->val[e]};
        OVK_TRY(ovk__stash_add(ctx, &f->answers, item));
      }
    }
  }
  return OVK_OK;
}

/* Answers come in the order of ranks, so in that of the rows wanted. */
static ovk_err entries_fetch_unpack(ovk_ctx *ctx, const ovk__neighbor_messages *in, ovk_lidx n,
                                    ovk__amg_entries *out)
{
  const ovk__entry *item = in->items;
  OVK_TRY(ovk__amg_entries_begin(ctx, n, out));
  for (ovk_lidx k = 0; k < n; k++) {
    const int64_t count = item++->col;
    out->ptr[k + 1] = out->ptr[k] + count;
    for (int64_t e = out->ptr[k]; e < out->ptr[k + 1]; e++, item++) {
      OVK_TRY(ovk__amg_entries_append(ctx, out, e, item->col, item->value));
    }
  }
  return OVK_OK;
}

static ovk_err entries_fetch_rows(ovk_ctx *ctx, const ovk__layout *layout,
                                  const ovk__amg_entries *own, const ovk_gidx *wanted, ovk_lidx n,
                                  fetch *f, ovk__amg_entries *out)
{
  ovk__neighbor_messages in;
  OVK_TRY(ovk__layout_gather(ctx, layout, &f->first));
  OVK_TRY(ovk__agree(ctx, entries_fetch_list(ctx, wanted, n, f)));
  OVK_TRY(ovk__exchange(ctx, sizeof *wanted, &f->asked, &f->requests));
  OVK_TRY(ovk__stash_exchange(ctx, entries_fetch_answer(ctx, layout, own, f), f->ranks, &f->answers,
                              &in));
  const ovk_err err = ovk__agree(ctx, entries_fetch_unpack(ctx, &in, n, out));
  ovk__neighbor_messages_free(&in);
  return err;
}

ovk_err ovk__amg_entries_fetch(ovk_ctx *ctx, const ovk__layout *layout, const ovk__amg_entries *own,
                               const ovk_gidx *wanted, ovk_lidx nwanted, ovk__amg_entries *out)
{
  fetch f = {0};
  *out = (ovk__amg_entries){0};
  const ovk_err err = entries_fetch_rows(ctx, layout, own, wanted, nwanted, &f, out);
  entries_fetch_free(&f);
  return err;
}

/* Lists the entries for transposed rows of other ranks. */
static ovk_err transpose_pack(ovk_ctx *ctx, const ovk__amg_entries *in, const ovk__layout *rows,
                              const ovk__layout *columns, ovk__stash *stash)
{
  for (ovk_lidx i = 0; i < in->rows; i++) {
    for (int64_t e = in->ptr[i]; e < in->ptr[i + 1]; e++) {
      if (ovk__layout_owns(columns, in->col[e])) continue;
      const ovk__entry item = {in->col[e], rows->first + i, in->val[e]};
      OVK_TRY(ovk__stash_add(ctx, stash, item));
    }
  }
  return OVK_OK;
}

/* The entries in the order of the whole problem: those of lower ranks, of this rank and of higher
 * ranks. */
typedef struct order {
  const ovk__amg_entries *own;
  const ovk__layout *rows, *columns;
  const ovk__neighbor_messages *in;
  int rank;
} order;

typedef ovk_err visit_fn(ovk_ctx *ctx, ovk__amg_entries *out, ovk_lidx row, ovk_gidx col,
                         double val);

static ovk_err order_visit_received(ovk_ctx *ctx, const order *o, bool lower, visit_fn *visit,
                                    ovk__amg_entries *out)
{
  const ovk__entry *item = o->in->items;
  for (int m = 0; m < o->in->n; m++) {
    for (int k = 0; k < o->in->list[m].count; k++, item++) {
      if ((o->in->list[m].rank < o->rank) != lower) continue;
      OVK_TRY(visit(ctx, out, (ovk_lidx)(item->row - o->columns->first), item->col, item->value));
    }
  }
  return OVK_OK;
}

static ovk_err order_visit(ovk_ctx *ctx, const order *o, visit_fn *visit, ovk__amg_entries *out)
{
  OVK_TRY(order_visit_received(ctx, o, true, visit, out));
  for (ovk_lidx i = 0; i < o->own->rows; i++) {
    for (int64_t e = o->own->ptr[i]; e < o->own->ptr[i + 1]; e++) {
      if (!ovk__layout_owns(o->columns, o->own->col[e])) continue;
      const ovk_lidx j = (ovk_lidx)(o->own->col[e] - o->columns->first);
      OVK_TRY(visit(ctx, out, j, o->rows->first + i, o->own->val[e]));
    }
  }
  return order_visit_received(ctx, o, false, visit, out);
}

static ovk_err visit_count(ovk_ctx *ctx, ovk__amg_entries *out, ovk_lidx row, ovk_gidx col,
                           double val)
{
  (void)ctx;
  (void)col;
  (void)val;
  out->ptr[row + 1]++;
  return OVK_OK;
}

/* ptr[row] is where the next entry of the row goes. */
static ovk_err visit_place(ovk_ctx *ctx, ovk__amg_entries *out, ovk_lidx row, ovk_gidx col,
                           double val)
{
  (void)ctx;
  out->col[out->ptr[row]] = col;
  out->val[out->ptr[row]++] = val;
  return OVK_OK;
}

static ovk_err transpose_fill(ovk_ctx *ctx, const order *o, ovk__amg_entries *out)
{
  OVK_TRY(ovk__amg_entries_begin(ctx, o->columns->local, out));
  OVK_TRY(order_visit(ctx, o, visit_count, out));
  for (ovk_lidx i = 0; i < out->rows; i++) out->ptr[i + 1] += out->ptr[i];
  out->room = out->ptr[out->rows];
  OVK_NEW_ARRAY(ctx, out->col, out->room);
  OVK_NEW_ARRAY(ctx, out->val, out->room);
  OVK_TRY(order_visit(ctx, o, visit_place, out));
  for (ovk_lidx i = out->rows; i > 0; i--) out->ptr[i] = out->ptr[i - 1];
  out->ptr[0] = 0;
  return OVK_OK;
}

ovk_err ovk__amg_entries_transpose(ovk_ctx *ctx, const ovk__amg_entries *in,
                                   const ovk__layout *rows, const ovk__layout *columns,
                                   ovk__amg_entries *out)
{
  ovk_gidx *first = NULL;
  ovk__stash stash = {0};
  ovk__neighbor_messages received = {0};
  *out = (ovk__amg_entries){0};
  ovk_err err = ovk__layout_gather(ctx, columns, &first);
  if (!err) {
    err = ovk__stash_exchange(ctx, transpose_pack(ctx, in, rows, columns, &stash), first, &stash,
                              &received);
  }
  const order o = {in, rows, columns, &received, ovk_ctx_rank(ctx)};
  if (!err) err = ovk__agree(ctx, transpose_fill(ctx, &o, out));
  ovk__neighbor_messages_free(&received);
  ovk__stash_clear(&stash);
  free(first);
  return err;
}
