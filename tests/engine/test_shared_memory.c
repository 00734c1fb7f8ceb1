/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums, collective operations and halo exchanges over shared memory, with ranks that are threads:
 * the thread sanitizer reports a memory order that is too weak as a data race. */
#include "matrix/halo/halo_impl.h"
#include "support/comm/thread_world.h"
#include "support/test_main.h"

#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/comm/reduction.h>

enum { LIVES = 3, TIMES = 60, LONG = 100 };

static const char *spec; /* of the test that runs */

static void check_ok(ovk_ctx *ctx, ovk_err err)
{
  thread_check(err == OVK_OK, ovk_ctx_error(ctx));
}

static double part(int life, int time, int rank, int i)
{
  return (life + 1) * 1000 + time * (rank + 1) + i;
}

static void begin_sum(ovk_ctx *ctx, ovk_reduction *red, int count, int life, int time, int rank)
{
  double *values = ovk_reduction_values(red);
  for (int i = 0; i < count; i++) values[i] = part(life, time, rank, i);
  check_ok(ctx, ovk_reduction_begin(red));
}

static void end(ovk_ctx *ctx, ovk_reduction *red, int count, int life, int time)
{
  check_ok(ctx, ovk_reduction_wait(red));
  for (int i = 0; i < count; i++) {
    double total = 0; /* of integers: exact in any order */
    for (int rank = 0; rank < THREAD_RANKS; rank++) total += part(life, time, rank, i);
    thread_check(ovk_reduction_values(red)[i] == total, "a total is right");
  }
}

/* Two sums in flight at a time; each iteration reuses the slots of the previous one. */
static void add_up(int rank)
{
  scoped_ctx *ctx = NULL;
  thread_check(ovk_ctx_create(MPI_COMM_WORLD, &ctx) == OVK_OK, "a context is made");
  for (int life = 0; life < LIVES; life++) {
    scoped_reduction *one = NULL, *more = NULL;
    check_ok(ctx, ovk_reduction_create(ctx, spec, 1, &one));
    check_ok(ctx, ovk_reduction_create(ctx, spec, LONG, &more));
    for (int time = 0; time < TIMES; time++) {
      begin_sum(ctx, one, 1, life, time, rank);
      begin_sum(ctx, more, LONG, life, time + 1, rank);
      end(ctx, one, 1, life, time);
      end(ctx, more, LONG, life, time + 1);
    }
  }
}

TEST(sums_are_right_and_race_with_nothing)
{
  const char *const specs[] = {"shm", "nbc:channel=shm,alg=flat", "nbc:channel=shm,alg=tree",
                               "nbc:channel=shm,alg=ring"};
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
    spec = specs[k];
    thread_world_run(add_up);
  }
}

/* Not a barrier: the root runs ahead of the others, as far as it may. */
static void broadcast(int rank)
{
  scoped_ctx *ctx = NULL;
  scoped_collective *cast = NULL;
  double data[LONG];
  thread_check(ovk_ctx_create(MPI_COMM_WORLD, &ctx) == OVK_OK, "a context is made");
  check_ok(ctx, ovk_collective_create_bcast(ctx, spec, data, LONG, sizeof *data, 0, &cast));
  for (int time = 0; time < 4 * TIMES; time++) {
    for (int i = 0; i < LONG; i++) data[i] = rank ? 0 : part(0, time, 0, i);
    check_ok(ctx, ovk_collective_begin(cast));
    check_ok(ctx, ovk_collective_wait(cast));
    for (int i = 0; i < LONG; i++) thread_check(data[i] == part(0, time, 0, i), "data has arrived");
  }
}

TEST(broadcasts_are_right_and_race_with_nothing)
{
  const char *const specs[] = {"nbc:channel=shm,alg=flat", "nbc:channel=shm,alg=tree"};
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
    spec = specs[k];
    thread_world_run(broadcast);
  }
}

/* Rows that go from one rank (row) to another (column): both ways between 0 and 1, one way from 0
 * to 2 and from 2 to 1. */
static const int rows_to[THREAD_RANKS][THREAD_RANKS] = {{0, 3, LONG}, {1, 0, 0}, {0, 2, 0}};

enum { WIDTH = 2, MOST_ROWS = 2 * LONG };

static double row_value(int rank, int time, int row, int v)
{
  return 10000 * time + 1000 * rank + 2 * row + v;
}

static void append(ovk__neighbor_messages *messages, int rank, int count)
{
  if (count) messages->list[messages->n++] = (ovk__neighbor_message){rank, count};
  messages->total += (size_t)count;
}

static void check_ghosts(const ovk__halo *halo, const ovk__neighbor_messages *receives, int time)
{
  const double *at = halo->ghosts;
  for (int k = 0; k < receives->n; k++) {
    for (int i = 0; i < receives->list[k].count; i++) {
      for (int v = 0; v < WIDTH; v++) {
        thread_check(*at++ == row_value(receives->list[k].rank, time, i, v), "a row has arrived");
      }
    }
  }
}

/* A rank sends its first rows to each of the others. */
static void exchange(int rank)
{
  scoped_ctx *ctx = NULL;
  ovk__neighbor_message from[THREAD_RANKS], to[THREAD_RANKS];
  ovk__neighbor_messages receives = {.list = from}, sends = {.list = to};
  ovk_lidx rows[MOST_ROWS];
  double ghosts[MOST_ROWS * WIDTH], values[WIDTH][LONG];
  int n = 0;
  for (int other = 0; other < THREAD_RANKS; other++) {
    append(&receives, other, rows_to[other][rank]);
    append(&sends, other, rows_to[rank][other]);
    for (int i = 0; i < rows_to[rank][other]; i++) rows[n++] = i;
  }
  thread_check(ovk_ctx_create(MPI_COMM_WORLD, &ctx) == OVK_OK, "a context is made");
  for (int life = 0; life < LIVES; life++) {
    ovk__halo halo = {.ctx = ctx, .width = WIDTH, .send_rows = rows, .ghosts = ghosts};
    check_ok(ctx, ovk__halo_shm.prepare(&halo, &receives, &sends));
    for (int time = life * TIMES; time < (life + 1) * TIMES; time++) {
      for (int v = 0; v < WIDTH; v++) {
        for (int i = 0; i < LONG; i++) values[v][i] = row_value(rank, time, i, v);
      }
      const double *const vectors[] = {values[0], values[1]};
      check_ok(ctx, ovk__halo_shm.begin(&halo, (ovk__halo_values){.vectors = vectors}));
      if (time % 2) ovk__halo_shm.progress(&halo);
      check_ok(ctx, ovk__halo_shm.end(&halo));
      check_ghosts(&halo, &receives, time);
    }
    ovk__halo_shm.release(&halo);
  }
}

TEST(halo_exchanges_are_right_and_race_with_nothing)
{
  thread_world_run(exchange);
}
