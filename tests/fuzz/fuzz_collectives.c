/* SPDX-License-Identifier: BSD-2-Clause */
/* Schedules of the collective operations without levels, and barriers: for any shares, none among
 * them, every element arrives where it belongs when all ranks' schedules are carried out
 * (schedule_machine.h). Input: ranks, operation, root, window, seed, a byte each; then how many
 * elements each rank has for each other, and gaps between them. */
#include "comm/engine/schedule/algorithm_spec.h"
#include "comm/engine/schedule/algorithms/collectives.h"
#include "support/comm/schedule_machine.h"
#include "support/fuzz/fuzz.h"

enum { MOST_RANKS = 12, MOST_SHARE = 6, MOST_WINDOW = 5 };

typedef struct world {
  int n, root, window;
  bool ring;
  unsigned seed;
  size_t count[MOST_RANKS][MOST_RANKS]; /* [from][to] */
  size_t gap[MOST_RANKS];               /* before the share of a rank */
  machine *m;
} world;

/* Shares in one buffer. */
typedef struct shares {
  ovk__segment list[MOST_RANKS];
  size_t length;
} shares;

static void add_share(shares *s, const world *w, int k, size_t count)
{
  s->length += w->gap[k];
  s->list[k] = (ovk__segment){s->length, count};
  s->length += count;
}

/* The values that `rank` has for each rank, or gets from each. */
static shares outgoing(const world *w, int rank)
{
  shares s = {.length = 0};
  for (int k = 0; k < w->n; k++) add_share(&s, w, k, w->count[rank][k]);
  return s;
}

static shares incoming(const world *w, int rank)
{
  shares s = {.length = 0};
  for (int k = 0; k < w->n; k++) add_share(&s, w, k, w->count[k][rank]);
  return s;
}

static double element(int from, int to, size_t i)
{
  return from * 10000.0 + to * 100.0 + (double)i;
}

static void put(double *at, int from, int to, size_t count)
{
  for (size_t i = 0; i < count; i++) at[i] = element(from, to, i);
}

static void check(const double *at, int from, int to, size_t count)
{
  for (size_t i = 0; i < count; i++)
    FUZZ_CHECK(at[i] == element(from, to, i), "element %zu from %d to %d is %g", i, from, to,
               at[i]);
}

static ovk__schedule *schedule_of(const world *w, int rank)
{
  return &w->m->ranks[rank].schedule;
}

static void made(ovk_err err)
{
  FUZZ_CHECK(err == OVK_OK, "no schedule");
}

static void check_gather(world *w)
{
  const shares all = incoming(w, w->root);
  for (int rank = 0; rank < w->n; rank++) {
    const size_t count = all.list[rank].count;
    put(machine_give(w->m, rank, OVK_INPUT, count), rank, w->root, count);
    made(ovk__schedule_gather(fuzz_ctx(), w->n, rank, w->root, count,
                              rank == w->root ? all.list : NULL, w->window, schedule_of(w, rank)));
  }
  const double *got = machine_give(w->m, w->root, OVK_OUTPUT, all.length);
  machine_run(w->m, w->seed);
  for (int k = 0; k < w->n; k++) check(got + all.list[k].first, k, w->root, all.list[k].count);
}

static void check_scatter(world *w)
{
  const shares all = outgoing(w, w->root);
  double *send = machine_give(w->m, w->root, OVK_INPUT, all.length);
  for (int rank = 0; rank < w->n; rank++) {
    const size_t count = all.list[rank].count;
    put(send + all.list[rank].first, w->root, rank, count);
    machine_give(w->m, rank, OVK_OUTPUT, count);
    made(ovk__schedule_scatter(fuzz_ctx(), w->n, rank, w->root, count,
                               rank == w->root ? all.list : NULL, w->window, schedule_of(w, rank)));
  }
  machine_run(w->m, w->seed);
  for (int k = 0; k < w->n; k++)
    check(machine_buffer_of(w->m, k, OVK_OUTPUT), w->root, k, all.list[k].count);
}

static void check_allgather(world *w)
{
  const shares all = incoming(w, 0);
  for (int rank = 0; rank < w->n; rank++) {
    const size_t count = all.list[rank].count;
    put(machine_give(w->m, rank, OVK_INPUT, count), rank, 0, count);
    machine_give(w->m, rank, OVK_OUTPUT, all.length);
    ovk__schedule *out = schedule_of(w, rank);
    made(w->ring ? ovk__schedule_allgather_ring(fuzz_ctx(), w->n, rank, all.list, out)
                 : ovk__schedule_allgather(fuzz_ctx(), w->n, rank, all.list, w->window, out));
  }
  machine_run(w->m, w->seed);
  for (int rank = 0; rank < w->n; rank++) {
    const double *got = machine_buffer_of(w->m, rank, OVK_OUTPUT);
    for (int k = 0; k < w->n; k++) check(got + all.list[k].first, k, 0, all.list[k].count);
  }
}

static void check_alltoall(world *w)
{
  for (int rank = 0; rank < w->n; rank++) {
    const shares to = outgoing(w, rank), from = incoming(w, rank);
    double *send = machine_give(w->m, rank, OVK_INPUT, to.length);
    machine_give(w->m, rank, OVK_OUTPUT, from.length);
    for (int k = 0; k < w->n; k++) put(send + to.list[k].first, rank, k, to.list[k].count);
    made(ovk__schedule_alltoall(fuzz_ctx(), w->n, rank, to.list, from.list, w->window,
                                schedule_of(w, rank)));
  }
  machine_run(w->m, w->seed);
  for (int rank = 0; rank < w->n; rank++) {
    const shares from = incoming(w, rank);
    const double *got = machine_buffer_of(w->m, rank, OVK_OUTPUT);
    for (int k = 0; k < w->n; k++) check(got + from.list[k].first, k, rank, from.list[k].count);
  }
}

/* The sum of all ranks' elements, which are whole numbers. */
static double sum(int end, int to, size_t i)
{
  double total = 0;
  for (int from = 0; from < end; from++) total += element(from, to, i);
  return total;
}

static void check_reduce_scatter(world *w)
{
  const shares all = incoming(w, 0);
  for (int rank = 0; rank < w->n; rank++) {
    double *send = machine_give(w->m, rank, OVK_INPUT, all.length);
    machine_give(w->m, rank, OVK_OUTPUT, all.list[rank].count);
    for (int k = 0; k < w->n; k++) put(send + all.list[k].first, rank, k, all.list[k].count);
    ovk__schedule *out = schedule_of(w, rank);
    made(w->ring ? ovk__schedule_reduce_scatter_ring(fuzz_ctx(), w->n, rank, all.list, out)
                 : ovk__schedule_reduce_scatter(fuzz_ctx(), w->n, rank, all.list, w->window, out));
  }
  machine_run(w->m, w->seed);
  for (int rank = 0; rank < w->n; rank++) {
    const double *got = machine_buffer_of(w->m, rank, OVK_OUTPUT);
    for (size_t i = 0; i < all.list[rank].count; i++)
      FUZZ_CHECK(got[i] == sum(w->n, rank, i), "rank %d: sum %zu is %g", rank, i, got[i]);
  }
}

static void check_scan(world *w)
{
  const size_t count = w->count[0][0];
  for (int rank = 0; rank < w->n; rank++) {
    put(machine_give(w->m, rank, OVK_INPUT, count), rank, 0, count);
    machine_give(w->m, rank, OVK_OUTPUT, count);
    ovk__schedule *out = schedule_of(w, rank);
    made(w->ring ? ovk__schedule_exscan(fuzz_ctx(), w->n, rank, count, out)
                 : ovk__schedule_scan(fuzz_ctx(), w->n, rank, count, out));
  }
  machine_run(w->m, w->seed);
  for (int rank = w->ring; rank < w->n; rank++) {
    const double *got = machine_buffer_of(w->m, rank, OVK_OUTPUT);
    for (size_t i = 0; i < count; i++)
      FUZZ_CHECK(got[i] == sum(rank + !w->ring, 0, i), "rank %d: sum %zu is %g", rank, i, got[i]);
  }
}

/* Of groups of any size. */
static void check_barrier(world *w)
{
  const ovk__level level = {.algorithm = OVK__TREE, .reduce = 2, .bcast = 3};
  const ovk__algorithm_spec algorithms = {
      .level = {level, level}, .ngroupings = w->ring, .by_size = true};
  const int size = 2 + w->root;
  ovk__hierarchy hierarchy;
  made(ovk__hierarchy_by_size(fuzz_ctx(), w->n, &size, algorithms.ngroupings, &hierarchy));
  for (int rank = 0; rank < w->n; rank++) {
    made(ovk__schedule_barrier(fuzz_ctx(), &algorithms, &hierarchy, rank, 1 + w->window,
                               schedule_of(w, rank)));
    FUZZ_CHECK(schedule_of(w, rank)->barrier, "no barrier");
  }
  ovk__hierarchy_free(&hierarchy);
  machine_run(w->m, w->seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static void (*const checks[])(world * w) = {check_gather,        check_scatter, check_allgather,
                                              check_alltoall,      check_barrier, check_scan,
                                              check_reduce_scatter};
  enum { NCHECKS = sizeof checks / sizeof *checks };
  fuzz_bytes in = {data, data + size};
  world w = {.n = 1 + (int)fuzz_below(&in, MOST_RANKS)};
  const unsigned operation = fuzz_byte(&in);
  w.ring = operation / NCHECKS % 2;
  w.root = (int)fuzz_below(&in, (unsigned)w.n);
  w.window = (int)fuzz_below(&in, MOST_WINDOW + 1); /* 0: none */
  w.seed = fuzz_byte(&in);
  for (int k = 0; k < w.n; k++) {
    w.gap[k] = fuzz_below(&in, 3);
    for (int to = 0; to < w.n; to++) w.count[k][to] = fuzz_below(&in, MOST_SHARE + 1);
  }
  w.m = machine_make(w.n);
  checks[operation % NCHECKS](&w);
  machine_free(&w.m);
  return 0;
}
