/* SPDX-License-Identifier: BSD-2-Clause */
/* Links between ranks, by ping-pong with several messages and pauses (Hoefler, Lichei, Rehm,
 * "Low-overhead LogGP parameter assessment for modern interconnection networks", IPDPS 2007). */
#include "bench/model/measured/measured.h"
#include "bench/support/timing.h"
#include "tool.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { SHORT = 8, LONG = 16384, TRAIN = 16, REPEATS = 15 };

/* The ranks that rank 0 exchanges messages with. */
typedef struct peers {
  int node, net; /* INT_MAX: there is no such rank */
  int node_size; /* of the node of rank 0 */
} peers;

static ovk_err find_peers(ovk_ctx *ctx, peers *out)
{
  const int rank = ovk_ctx_rank(ctx);
  MPI_Comm node;
  TRY(tool_mpi(
      ctx, MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node),
      "MPI_Comm_split_type"));
  int leader = rank, found[3] = {INT_MAX, INT_MAX, INT_MAX}, size = 0;
  int err = MPI_Bcast(&leader, 1, MPI_INT, 0, node);
  if (!err) err = MPI_Comm_size(node, &size);
  MPI_Comm_free(&node);
  TRY(tool_mpi(ctx, err, "MPI_Bcast"));
  if (leader == 0 && rank > 0) found[0] = rank;
  if (leader != 0) found[1] = rank;
  if (leader == 0) found[2] = size;
  TRY(tool_mpi(ctx, MPI_Allreduce(MPI_IN_PLACE, found, 3, MPI_INT, MPI_MIN, MPI_COMM_WORLD),
               "MPI_Allreduce"));
  *out = (peers){.node = found[0], .net = found[1], .node_size = found[2]};
  return OVK_OK;
}

static void pause_for(double seconds)
{
  const double end = MPI_Wtime() + seconds;
  while (MPI_Wtime() < end) continue;
}

static int call(int peer, double pause, int n, void *buffer, int bytes)
{
  int err = MPI_SUCCESS;
  for (int k = 0; k < n && !err; k++) {
    err = MPI_Send(buffer, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
    if (pause > 0 && k < n - 1) pause_for(pause);
  }
  if (err) return err;
  return MPI_Recv(buffer, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int answer(int n, void *buffer, int bytes)
{
  int err = MPI_SUCCESS;
  for (int k = 0; k < n && !err; k++) {
    err = MPI_Recv(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return err ? err : MPI_Send(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
}

/* *median <- seconds from the first of n messages of rank 0, with pauses between them, to the reply
 * that `peer` sends after the last; on all ranks. */
static ovk_err round_trip(ovk_ctx *ctx, int peer, int n, double pause, int bytes, double *median)
{
  static char buffer[LONG];
  double samples[REPEATS] = {0};
  const int rank = ovk_ctx_rank(ctx);
  for (int k = 0; k < REPEATS; k++) {
    double start;
    TRY(timing_start(ctx, &start));
    int err = MPI_SUCCESS;
    if (rank == 0) err = call(peer, pause, n, buffer, bytes);
    if (rank == peer) err = answer(n, buffer, bytes);
    TRY(tool_mpi(ctx, err, "MPI_Send"));
    samples[k] = MPI_Wtime() - start;
  }
  *median = tool_median(samples, REPEATS);
  return tool_mpi(ctx, MPI_Bcast(median, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD), "MPI_Bcast");
}

/* The time of one additional message; after a pause longer than the latency, the overhead of its
 * sender. */
static ovk_err one_more(ovk_ctx *ctx, int peer, double pause, int bytes, double *single,
                        double *seconds)
{
  double train;
  TRY(round_trip(ctx, peer, 1, 0, bytes, single));
  const double rest = pause > 0 ? 2 * *single : 0;
  TRY(round_trip(ctx, peer, TRAIN, rest, bytes, &train));
  *seconds = fmax(0, (train - *single) / (TRAIN - 1) - rest);
  return OVK_OK;
}

/* `first`: the first of the parameters L, o, O, g, G of the link. */
static ovk_err measure_link(ovk_ctx *ctx, int peer, int first, parameters *p)
{
  double gap, o, o_long, single, single_long;
  TRY(one_more(ctx, peer, 0, SHORT, &single, &gap));
  TRY(one_more(ctx, peer, 1, SHORT, &single, &o));
  TRY(one_more(ctx, peer, 1, LONG, &single_long, &o_long));
  o = fmin(o, single / 4); /* a round trip contains four overheads */
  const double a_byte = fmax(0, single_long - single) / 2 / (LONG - SHORT);
  const double O = fmin(fmax(0, o_long - o) / (LONG - SHORT), a_byte / 2);
  const double values[] = {single / 2 - 2 * o, o, O, gap, a_byte - 2 * O};
  for (int k = 0; k < 5; k++) {
    const parameter which = (parameter)(first + k);
    p->value[which] = values[k] / parameter_unit(which);
  }
  return OVK_OK;
}

ovk_err measured_links(ovk_ctx *ctx, parameters *p)
{
  peers found;
  TRY(find_peers(ctx, &found));
  p->value[RANKS_PER_NODE] = found.node_size;
  if (found.node < INT_MAX) TRY(measure_link(ctx, found.node, NODE_L, p));
  if (found.net < INT_MAX) TRY(measure_link(ctx, found.net, NET_L, p));
  return OVK_OK;
}
