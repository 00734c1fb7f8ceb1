/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of a cycle as in src/precond/amg/cycle.c. Restriction and prolongation communicate
 * values of the coarse level; ranks gather as those of that preconditioner. */
#include "model/cycle.h"
#include "core/context/mem.h"
#include "model/network/grid.h"
#include "precond/amg/gather.h"

#include <math.h>
#include <stdlib.h>

/* A level. Only its ranks have rows. */
typedef struct level {
  ovk__rank_grid grid;
  int64_t rows;
  int ranks;
  double share; /* rows of a rank, on average */
  double speed; /* factor of the times of a row */
  ovk__model_exchange *halo;
} level;

typedef struct levels {
  ovk_ctx *ctx;
  const ovk_model *model;
  int n;
  level at[OVK__MOST_LEVELS];
  ovk__cycle *cycle;
} levels;

static void level_share(const ovk_model *model, level *l)
{
  l->ranks = (model->nranks - 1) / l->grid.stride + 1;
  l->share = (double)l->rows / l->ranks;
  l->speed = l->share <= model->cycle.cache_rows ? model->cycle.cached : 1;
}

/* The next level, without its halo. */
static level level_coarsen(const ovk_model *model, const level *fine)
{
  const ovk_model_cycle *c = &model->cycle;
  level coarse = {.grid = fine->grid, .rows = (int64_t)ceil((double)fine->rows / c->coarsening)};
  const int least = c->gather > 0 ? c->gather : 1;
  coarse.grid.stride = ovk__amg_gather_stride(model->nranks, fine->grid.stride, coarse.rows, least);
  for (int k = 0; k < 3; k++) coarse.grid.n[k] /= cbrt(c->coarsening);
  level_share(model, &coarse);
  return coarse;
}

/* *out <- the messages between the ranks of two levels, or the halo of one. */
static ovk_err cycle_exchange(levels *L, const level *fine, const level *coarse, bool up,
                              ovk__model_exchange **out)
{
  *out = &L->cycle->exchanges[L->cycle->nexchanges++];
  return ovk__rank_grid_exchange(L->ctx, L->model, &fine->grid, &coarse->grid, up, *out);
}

static ovk_err levels_make(levels *L)
{
  const ovk_model *m = L->model;
  level *first = &L->at[0];
  OVK_TRY(ovk__rank_grid_make(L->ctx, m, &first->grid));
  first->rows = (int64_t)m->nranks * m->n[0] * m->n[1] * m->n[2];
  level_share(m, first);
  L->n = 1;
  while (L->at[L->n - 1].rows > m->cycle.coarse) {
    L->at[L->n] = level_coarsen(m, &L->at[L->n - 1]);
    L->n++;
  }
  for (int k = 0; k < L->n; k++) {
    level *l = &L->at[k];
    const bool transfers = k > 0 && l->grid.stride == l[-1].grid.stride;
    if (k < L->n - 1 || transfers) OVK_TRY(cycle_exchange(L, l, l, false, &l->halo));
  }
  return OVK_OK;
}

static void cycle_add(levels *L, const level *l, ovk__model_exchange *exchange, double work,
                      double rest)
{
  L->cycle->steps[L->cycle->n++] = (ovk__step){
      .exchange = exchange, .stride = l->grid.stride, .work = work, .rest = rest, .rows = l->share};
}

/* Work on all rows of the ranks of a level, without messages. */
static void cycle_add_work(levels *L, const level *l, double seconds)
{
  cycle_add(L, l, NULL, seconds * l->share * l->speed, 0);
}

/* A rank's rows are as a cube with neighbors on all sides: in a direction with n of them, 2 of
 * 3 n - 2 + 2 entries need the halo. */
static void cycle_add_products(levels *L, const level *l, int n)
{
  const double side = fmax(cbrt(l->share), 1), own = pow(1 - 2 / (3 * side), 3);
  const double seconds = L->model->cycle.product * l->share * l->speed;
  for (int k = 0; k < n; k++) cycle_add(L, l, l->halo, own * seconds, (1 - own) * seconds);
}

/* A rank whose rows move sends only values that it has computed before. */
static ovk_err cycle_add_restriction(levels *L, const level *fine, const level *coarse)
{
  const double seconds = L->model->cycle.transfer * fine->share * fine->speed;
  ovk__model_exchange *down;
  if (fine->grid.stride == coarse->grid.stride) {
    cycle_add(L, fine, coarse->halo, seconds, 0);
  } else {
    OVK_TRY(cycle_exchange(L, fine, coarse, false, &down));
    cycle_add(L, fine, NULL, seconds, 0);
    cycle_add(L, fine, down, 0, 0);
  }
  return OVK_OK;
}

/* A rank whose rows have moved waits for their values before it computes. */
static ovk_err cycle_add_prolongation(levels *L, const level *fine, const level *coarse)
{
  const double seconds = L->model->cycle.transfer * fine->share * fine->speed;
  ovk__model_exchange *up;
  if (fine->grid.stride == coarse->grid.stride) {
    cycle_add(L, fine, coarse->halo, seconds, 0);
  } else {
    OVK_TRY(cycle_exchange(L, fine, coarse, true, &up));
    cycle_add(L, fine, up, 0, 0);
    cycle_add(L, fine, NULL, seconds, 0);
  }
  return OVK_OK;
}

/* An all-gather of `rows` rows by all ranks: in round k a rank sends its 2^k parts, the last round
 * possibly less, 2^k ranks on. */
static ovk_err cycle_add_rounds(levels *L, double rows)
{
  const int nranks = L->model->nranks;
  const level all = {.grid = {.stride = 1}, .share = rows};
  for (int64_t step = 1; step < nranks; step *= 2) {
    const double parts = fmin((double)step, (double)(nranks - step));
    ovk__model_exchange *x = &L->cycle->exchanges[L->cycle->nexchanges++];
    OVK_TRY(ovk__exchange_make(L->ctx, L->model, (size_t)nranks, x));
    for (int rank = 0; rank < nranks; rank++) {
      ovk__exchange_add(x, rank, (int)((rank + step) % nranks), parts * rows / nranks);
    }
    OVK_TRY(ovk__exchange_order(L->ctx, L->model, x));
    cycle_add(L, &all, x, 0, 0);
  }
  return OVK_OK;
}

/* The last level: rows of the inverse times all values, which all ranks get if several have rows.
 */
static ovk_err cycle_add_last(levels *L, const level *last)
{
  const double rows = (double)last->rows;
  if (last->ranks > 1) OVK_TRY(cycle_add_rounds(L, rows));
  cycle_add(L, last, NULL, L->model->cycle.inverse * rows * last->share, 0);
  return OVK_OK;
}

/* Whether level k has at most a 20th of the rows, and so of the entries, of the first level. */
static bool cycle_level_is_small(const levels *L, int k)
{
  return 20 * L->at[k].rows <= L->at[0].rows;
}

/* Whether level k is visited twice: an inverse is not. */
static bool cycle_visits_twice(const levels *L, int k)
{
  const bool first = k == 1 || (k == 2 && !cycle_level_is_small(L, 1));
  return L->model->cycle.twice && first && cycle_level_is_small(L, k) && k < L->n - 1;
}

/* The steps of a visit of level k. */
static ovk_err cycle_add_visit(levels *L, int k)
{
  const int degree = L->model->cycle.degree + (k > 1 ? 1 : 0);
  const level *l = &L->at[k], *next = l + 1;
  if (k == L->n - 1) return cycle_add_last(L, l);
  cycle_add_work(L, l, L->model->cycle.start);
  cycle_add_products(L, l, degree); /* of all but the first step, and of the residual */
  OVK_TRY(cycle_add_restriction(L, l, next));
  OVK_TRY(cycle_add_visit(L, k + 1));
  if (cycle_visits_twice(L, k + 1)) {
    cycle_add_products(L, next, 1); /* of the residual */
    OVK_TRY(cycle_add_visit(L, k + 1));
  }
  OVK_TRY(cycle_add_prolongation(L, l, next));
  cycle_add_products(L, l, degree);
  return OVK_OK;
}

static ovk_err cycle_fill(levels *L)
{
  OVK_TRY(levels_make(L));
  const int each = 2 * L->model->cycle.degree + 8; /* steps of a visit of a level */
  OVK_NEW_ARRAY(L->ctx, L->cycle->steps, OVK__MOST_VISITS * (each * L->n + OVK__MOST_ROUNDS));
  return cycle_add_visit(L, 0);
}

ovk_err ovk__cycle_make(ovk_ctx *ctx, const ovk_model *model, ovk__cycle *out)
{
  levels *L = NULL;
  *out = (ovk__cycle){0};
  if (model->cycle.degree == 0) return OVK_OK;
  OVK_NEW(ctx, L);
  *L = (levels){.ctx = ctx, .model = model, .cycle = out};
  const ovk_err err = cycle_fill(L);
  free(L);
  return err;
}

void ovk__cycle_free(ovk__cycle *cycle)
{
  for (int k = 0; k < cycle->nexchanges; k++) ovk__exchange_free(&cycle->exchanges[k]);
  free(cycle->steps);
  *cycle = (ovk__cycle){0};
}
