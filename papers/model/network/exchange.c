/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of messages, by sender and by receiver. */
#include "model/network/exchange.h"
#include "core/context/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ovk_err ovk__exchange_make(ovk_ctx *ctx, const ovk_model *model, size_t most,
                           ovk__model_exchange *out)
{
  *out = (ovk__model_exchange){.machine = &model->machine};
  OVK_NEW_ARRAY(ctx, out->posts, most);
  return OVK_OK;
}

void ovk__exchange_free(ovk__model_exchange *x)
{
  free(x->posts);
  free(x->first_post);
  free(x->first_arrival);
  free(x->received);
  for (int odd = 0; odd < 2; odd++) {
    free(x->arrival[odd]);
    free(x->arrived[odd]);
  }
  free(x->number);
  free(x->sorted);
  *x = (ovk__model_exchange){0};
}

void ovk__exchange_add(ovk__model_exchange *x, int from, int to, double rows)
{
  x->posts[x->nposts++] = (ovk__post){.from = from, .to = to, .rows = (float)rows};
}

/* first[k] <- the sum of the counts first[1], ..., first[k]. */
static void exchange_add_up(int32_t *first, int n)
{
  for (int k = 0; k < n; k++) first[k + 1] += first[k];
}

/* Orders the posts by sender, those of a sender as they are. */
static ovk_err exchange_order_posts(ovk_ctx *ctx, int nranks, ovk__model_exchange *x)
{
  ovk__post *given = x->posts;
  int32_t *next = NULL;
  OVK_NEW_ZEROS(ctx, x->first_post, (size_t)nranks + 1);
  for (int32_t k = 0; k < x->nposts; k++) x->first_post[given[k].from + 1]++;
  exchange_add_up(x->first_post, nranks);
  OVK_NEW_ARRAY(ctx, next, nranks);
  memcpy(next, x->first_post, (size_t)nranks * sizeof *next);
  x->posts = ovk__array((size_t)x->nposts, sizeof *x->posts);
  for (int32_t k = 0; x->posts && k < x->nposts; k++) x->posts[next[given[k].from]++] = given[k];
  free(next);
  free(given);
  OVK_CHECK(x->posts, ctx, OVK_ERR_MEMORY, "no memory for %d simulated messages", (int)x->nposts);
  return OVK_OK;
}

/* Gives each post its place: messages of a receiver are ordered by sender. */
static ovk_err exchange_place(ovk_ctx *ctx, int nranks, ovk__model_exchange *x)
{
  int32_t most = 0;
  OVK_NEW_ZEROS(ctx, x->first_arrival, (size_t)nranks + 1);
  for (int32_t k = 0; k < x->nposts; k++) x->first_arrival[x->posts[k].to + 1]++;
  exchange_add_up(x->first_arrival, nranks);
  for (int rank = 0; rank < nranks; rank++) {
    const int32_t n = ovk__exchange_receives(x, rank);
    most = n > most ? n : most;
  }
  OVK_NEW_ARRAY(ctx, x->sorted, most);
  for (int32_t k = 0; k < x->nposts; k++) { /* arrived[0] counts, and is 0 again at the end */
    ovk__post *post = &x->posts[k];
    post->place = x->first_arrival[post->to] + x->arrived[0][post->to]++;
    post->rows = fmaxf(post->rows, 1);
    x->received[post->place] = k;
  }
  memset(x->arrived[0], 0, (size_t)nranks * sizeof *x->arrived[0]);
  return OVK_OK;
}

ovk_err ovk__exchange_order(ovk_ctx *ctx, const ovk_model *model, ovk__model_exchange *x)
{
  OVK_TRY(exchange_order_posts(ctx, model->nranks, x));
  OVK_NEW_ARRAY(ctx, x->received, x->nposts);
  OVK_NEW_ZEROS(ctx, x->number, model->nranks);
  for (int odd = 0; odd < 2; odd++) {
    OVK_NEW_ARRAY(ctx, x->arrival[odd], x->nposts);
    OVK_NEW_ZEROS(ctx, x->arrived[odd], model->nranks);
  }
  return exchange_place(ctx, model->nranks, x);
}

double ovk__exchange_cost(const ovk__model_exchange *x, const ovk__post *post, int vectors)
{
  const int link = ovk__link_between(x->machine, post->from, post->to);
  const ovk_model_link *l = ovk__link_at(x->machine, link);
  return l->o + (double)post->rows * vectors * (double)sizeof(double) * l->O;
}

double ovk__exchange_load(const ovk__model_exchange *x, int rank, int vectors)
{
  double seconds = 0;
  for (int32_t k = x->first_arrival[rank]; k < x->first_arrival[rank + 1]; k++) {
    seconds += ovk__exchange_cost(x, &x->posts[x->received[k]], vectors);
  }
  return seconds;
}

static double exchange_interrupt(const ovk__model_exchange *x, const ovk__post *post)
{
  return ovk__link_interrupt(x->machine, ovk__link_between(x->machine, post->from, post->to));
}

static int exchange_compare(const void *left, const void *right)
{
  const ovk__arrived *a = left, *b = right;
  if (a->arrival != b->arrival) return a->arrival < b->arrival ? -1 : 1;
  return (a->place > b->place) - (a->place < b->place);
}

double ovk__exchange_end_of(const ovk__model_exchange *x, int rank, int vectors, double time)
{
  const double *arrival = x->arrival[x->number[rank] & 1];
  const int32_t first = x->first_arrival[rank], n = ovk__exchange_receives(x, rank);
  bool waits = false;
  for (int32_t k = 0; k < n; k++) {
    const ovk__post *post = &x->posts[x->received[first + k]];
    double cost = ovk__exchange_cost(x, post, vectors);
    if (arrival[first + k] < time) cost += exchange_interrupt(x, post);
    x->sorted[k] = (ovk__arrived){arrival[first + k], cost, first + k};
    waits = waits || arrival[first + k] > time;
  }
  if (waits) qsort(x->sorted, (size_t)n, sizeof *x->sorted, exchange_compare);
  for (int32_t k = 0; k < n; k++) time = fmax(time, x->sorted[k].arrival) + x->sorted[k].cost;
  return time;
}
