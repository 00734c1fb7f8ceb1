/* SPDX-License-Identifier: BSD-2-Clause */
/* Exchanges with the neighbors in grids, periodic or not, in which ranks may be neighbors on both
 * sides or their own: schedules of every number of ranks in one process, and the operations over
 * every channel. */
#include "comm/engine/schedule/algorithms/collectives.h"
#include "support/comm/schedule_machine.h"
#include "support/specs/verbs_spec.h"

#include <ovkrylov/comm/collectives.h>

enum { MOST_DIMS = 3, MOST = 2 * MOST_DIMS, MOST_COUNT = 4 };

/* A grid, with the last dimension the fastest, as MPI numbers its ranks. */
typedef struct grid {
  int ndims, dims[MOST_DIMS], periods[MOST_DIMS];
} grid;

static int size_of(const grid *g)
{
  int size = 1;
  for (int d = 0; d < g->ndims; d++) size *= g->dims[d];
  return size;
}

static int neighbor(const grid *g, int rank, int d, int step)
{
  int stride = 1;
  for (int k = d + 1; k < g->ndims; k++) stride *= g->dims[k];
  const int at = rank / stride % g->dims[d], to = at + step;
  if ((to < 0 || to >= g->dims[d]) && !g->periods[d]) return MPI_PROC_NULL;
  return rank + ((to + g->dims[d]) % g->dims[d] - at) * stride;
}

static void list_neighbors(const grid *g, int rank, int neighbors[MOST])
{
  for (int k = 0; k < 2 * g->ndims; k++) {
    neighbors[k] = neighbor(g, rank, k / 2, k % 2 ? 1 : -1);
  }
}

/* The share that a rank sends in direction k: as many items on all ranks, none in one direction. */
static int count_of(int k)
{
  return (k + 3) % MOST_COUNT;
}

static double item(int rank, int k, int i)
{
  return rank * 100 + k * 10 + i;
}

/* The shares are MOST_COUNT apart; the share from neighbor k left in direction k ^ 1. */
static void fill_shares(double *send, int rank, int n)
{
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < count_of(k); i++) send[k * MOST_COUNT + i] = item(rank, k, i);
  }
}

static void check(const double *got, const int *neighbors, int n, double untouched)
{
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < MOST_COUNT; i++) {
      const bool arrives = neighbors[k] != MPI_PROC_NULL && i < count_of(k ^ 1);
      const double expected = arrives ? item(neighbors[k], k ^ 1, i) : untouched;
      const double found = got[k * MOST_COUNT + i];
      assert_true(found == expected || (found != found && expected != expected));
    }
  }
}

static void check_schedules(const grid *g, int window)
{
  const int size = size_of(g), n = 2 * g->ndims;
  scoped_machine *m = machine_make(size);
  ovk__segment to[MOST], from[MOST];
  int neighbors[MOST];
  for (int k = 0; k < n; k++) {
    to[k] = (ovk__segment){(size_t)(k * MOST_COUNT), (size_t)count_of(k)};
    from[k] = (ovk__segment){(size_t)(k * MOST_COUNT), (size_t)count_of(k ^ 1)};
  }
  for (int rank = 0; rank < size; rank++) {
    list_neighbors(g, rank, neighbors);
    fill_shares(machine_give(m, rank, OVK_INPUT, (size_t)n * MOST_COUNT), rank, n);
    machine_give(m, rank, OVK_OUTPUT, (size_t)n * MOST_COUNT);
    assert_ok(ovk__schedule_neighbors(test_ctx(), size, rank, neighbors, n, to, from, window,
                                      &m->ranks[rank].schedule));
  }
  const double untouched = n ? machine_buffer_of(m, 0, OVK_OUTPUT)[0] : 0; /* NaN */
  machine_run(m, (uint64_t)size);
  for (int rank = 0; rank < size; rank++) {
    list_neighbors(g, rank, neighbors);
    check(machine_buffer_of(m, rank, OVK_OUTPUT), neighbors, n, untouched);
  }
  assert_true(machine_rounds(m) <= (window ? (n + window - 1) / window : 1));
}

TEST(every_share_goes_to_its_neighbor_in_grids_of_any_shape)
{
  enum { MOST_LENGTH = 4 };
  ovk_ctx *ctx = test_ctx(); /* collective */
  if (test_rank > 0 || !ctx) return;
  for (int shape = 0; shape < MOST_LENGTH * MOST_LENGTH * MOST_LENGTH; shape++) {
    for (int periods = 0; periods < 8; periods++) {
      const grid g = {.ndims = 1 + shape % 3,
                      .dims = {1 + shape % MOST_LENGTH, 1 + shape / MOST_LENGTH % MOST_LENGTH,
                               1 + shape / (MOST_LENGTH * MOST_LENGTH)},
                      .periods = {periods & 1, periods >> 1 & 1, periods >> 2 & 1}};
      check_schedules(&g, shape % 4);
    }
  }
}

/* A context over a grid of all ranks. */
static ovk_ctx *context_of(const grid *g)
{
  SCOPED(MPI_Comm_free) MPI_Comm comm = MPI_COMM_NULL;
  ovk_ctx *ctx = NULL;
  MPI_Cart_create(MPI_COMM_WORLD, g->ndims, g->dims, g->periods, 0, &comm);
  assert_ok(ovk_ctx_create(comm, &ctx));
  return ctx;
}

static void run_exchange(ovk_ctx *ctx, const grid *g, const char *spec)
{
  const int n = 2 * g->ndims;
  double send[MOST * MOST_COUNT], receive[MOST * MOST_COUNT];
  int send_counts[MOST], receive_counts[MOST], neighbors[MOST];
  int64_t offsets[MOST];
  scoped_collective *c = NULL;
  list_neighbors(g, test_rank, neighbors);
  fill_shares(send, test_rank, n);
  for (int k = 0; k < n; k++) {
    send_counts[k] = count_of(k);
    receive_counts[k] = count_of(k ^ 1);
    offsets[k] = (int64_t)k * MOST_COUNT;
  }
  assert_ok(ovk_collective_create_neighbor_alltoallv(ctx, spec, send, send_counts, offsets, receive,
                                                     receive_counts, offsets, sizeof *send, &c));
  for (int time = 0; time < 3; time++) {
    for (int k = 0; k < MOST * MOST_COUNT; k++) receive[k] = -1;
    assert_ok(ovk_collective_run(c));
    check(receive, neighbors, n, -1);
  }
  ovk_collective_destroy(&c);
  assert_ok(ovk_collective_create_neighbor_alltoall(ctx, spec, send, receive, 1, sizeof *send, &c));
  for (int k = 0; k < n; k++) send[k] = item(test_rank, k, 0);
  for (int k = 0; k < n; k++) receive[k] = -1;
  assert_ok(ovk_collective_run(c));
  for (int k = 0; k < n; k++) {
    const bool arrives = neighbors[k] != MPI_PROC_NULL;
    assert_true(receive[k] == (arrives ? item(neighbors[k], k ^ 1, 0) : -1));
  }
}

TEST(exchanges_are_right_over_every_channel)
{
  char text[VERBS_SPEC_SIZE];
  for (int ndims = 1; ndims <= MOST_DIMS; ndims++) {
    grid g = {.ndims = ndims, .periods = {ndims != 2, 1, 0}};
    MPI_Dims_create(test_size, ndims, g.dims);
    scoped_ctx *ctx = context_of(&g);
    run_exchange(ctx, &g, NULL);
    run_exchange(ctx, &g, "nbc:window=1");
    if (on_one_node()) run_exchange(ctx, &g, verbs_spec(text, "window=2"));
  }
}

/* The error of a call in `ctx`, with a part of its message, on every rank. */
static void assert_refused(ovk_ctx *ctx, ovk_err err, const char *part)
{
  if (err != OVK_ERR_ARG || !strstr(ovk_ctx_error(ctx), part))
    fail_msg("error %d, '%s', should contain '%s'", (int)err, ovk_ctx_error(ctx), part);
}

TEST(wrong_arguments_are_errors_on_all_ranks)
{
  const bool here = test_rank == test_size - 1;
  const grid g = {.ndims = 1, .dims = {test_size}, .periods = {1}};
  const int ones[2] = {1, 1}, negative[2] = {1, -1}, two[2] = {2, 2};
  double send[4] = {0}, receive[4];
  ovk_collective *c = NULL;
  assert_error(ovk_collective_create_neighbor_alltoall(test_ctx(), NULL, send, receive, 1, 8, &c),
               OVK_ERR_ARG, "has no grid: make one with MPI_Cart_create()");
  scoped_ctx *ctx = context_of(&g);
  assert_refused(ctx,
                 ovk_collective_create_neighbor_alltoallv(ctx, NULL, send, here ? negative : ones,
                                                          NULL, receive, ones, NULL, 8, &c),
                 "the count to send for neighbor 1 is -1");
  assert_refused(ctx,
                 ovk_collective_create_neighbor_alltoallv(ctx, NULL, send, here ? NULL : ones, NULL,
                                                          receive, ones, NULL, 8, &c),
                 "the counts to send are NULL");
  assert_refused(ctx,
                 ovk_collective_create_neighbor_alltoallv(ctx, NULL, send, here ? two : ones, NULL,
                                                          receive, ones, NULL, 8, &c),
                 "sends 2 items to rank 0, which expects 1");
  assert_refused(
      ctx,
      ovk_collective_create_neighbor_alltoall(ctx, NULL, send, here ? send : receive, 1, 8, &c),
      "are the same");
  assert_null(c);
}
