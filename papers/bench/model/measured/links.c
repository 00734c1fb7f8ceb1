/* SPDX-License-Identifier: BSD-2-Clause */
/* Links between ranks, by ping-pong with several messages and pauses (Hoefler, Lichei, Rehm,
 * "Low-overhead LogGP parameter assessment for modern interconnection networks", IPDPS 2007). */
#include "bench/model/measured/measured.h"
#include "bench/support/timing.h"
#include "tool.h"

#include <limits.h>
#include <math.h>

enum { SHORT = 8, LONG = 16384, TRAIN = 16, REPEATS = 15, TIMES = 3 };

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

static int answer(int caller, int n, void *buffer, int bytes)
{
  int err = MPI_SUCCESS;
  for (int k = 0; k < n && !err; k++) {
    err = MPI_Recv(buffer, bytes, MPI_BYTE, caller, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return err ? err : MPI_Send(buffer, bytes, MPI_BYTE, caller, 0, MPI_COMM_WORLD);
}

/* The two ranks of a ping-pong. */
typedef struct pair {
  int caller, peer;
} pair;

typedef struct times {
  double least, median;
} times;

/* Seconds from the first of n messages of the caller, with pauses between them, to the reply that
 * the peer sends after the last; on all ranks. */
static ovk_err round_trip(ovk_ctx *ctx, pair of, int n, double pause, int bytes, times *out)
{
  static char buffer[LONG];
  double samples[REPEATS] = {0};
  const int rank = ovk_ctx_rank(ctx);
  for (int k = 0; k < REPEATS; k++) {
    double start;
    TRY(timing_start(ctx, &start));
    int err = MPI_SUCCESS;
    if (rank == of.caller) err = call(of.peer, pause, n, buffer, bytes);
    if (rank == of.peer) err = answer(of.caller, n, buffer, bytes);
    TRY(tool_mpi(ctx, err, "MPI_Send"));
    samples[k] = MPI_Wtime() - start;
  }
  out->median = tool_median(samples, REPEATS); /* which sorts them */
  out->least = samples[0];
  return tool_mpi(ctx, MPI_Bcast(out, 2, MPI_DOUBLE, of.caller, MPI_COMM_WORLD), "MPI_Bcast");
}

/* The time of one additional message; after a pause longer than the latency, the overhead of its
 * sender. That is the least, as other processes may take the processor of the sender. */
static ovk_err one_more(ovk_ctx *ctx, pair of, bool pause, int bytes, double *single,
                        double *seconds)
{
  times one, train;
  TRY(round_trip(ctx, of, 1, 0, bytes, &one));
  const double rest = pause ? 2 * one.median : 0;
  TRY(round_trip(ctx, of, TRAIN, rest, bytes, &train));
  const double more = pause ? train.least - one.least : train.median - one.median;
  *single = one.median;
  *seconds = fmax(0, more / (TRAIN - 1) - rest);
  return OVK_OK;
}

/* Sets o, O, g, G of the link. `first`: its L, before these parameters. */
static ovk_err measure_link(ovk_ctx *ctx, int peer, int first, parameters *p)
{
  const pair of = {0, peer};
  double gap, more, o = HUGE_VAL, o_long, single, single_long;
  TRY(one_more(ctx, of, false, SHORT, &single, &gap));
  for (int k = 0; k < TIMES; k++) {
    TRY(one_more(ctx, of, true, SHORT, &single, &more));
    o = fmin(o, more);
  }
  TRY(one_more(ctx, of, true, LONG, &single_long, &o_long));
  o = fmin(o, single / 4); /* a round trip contains four overheads */
  const double a_byte = fmax(0, single_long - single) / 2 / (LONG - SHORT);
  const double O = fmin(fmax(0, o_long - o) / (LONG - SHORT), a_byte / 2);
  const double values[] = {o, O, gap, a_byte - 2 * O};
  for (int k = 0; k < 4; k++) {
    const parameter which = (parameter)(first + 1 + k);
    p->value[which] = values[k] / parameter_unit(which);
  }
  return OVK_OK;
}

/* Exchanges a message with `peer`, TRAIN times; -1: none. */
static int exchange(int peer)
{
  char sent[SHORT] = {0}, received[SHORT];
  int err = MPI_SUCCESS;
  for (int k = 0; k < TRAIN && peer >= 0 && !err; k++) {
    err = MPI_Sendrecv(sent, SHORT, MPI_BYTE, peer, 0, received, SHORT, MPI_BYTE, peer, 0,
                       MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return err;
}

/* L, while all ranks exchange messages in pairs, as in a round of recursive doubling. `first`: as
 * above. */
static ovk_err measure_latency(ovk_ctx *ctx, int peer, int first, parameters *p)
{
  double samples[REPEATS];
  for (int k = 0; k < REPEATS; k++) {
    double start;
    TRY(timing_start(ctx, &start));
    TRY(tool_mpi(ctx, exchange(peer), "MPI_Sendrecv"));
    samples[k] = (MPI_Wtime() - start) / TRAIN;
  }
  double seconds = tool_median(samples, REPEATS);
  TRY(tool_greatest(ctx, &seconds, 1));
  const parameter L = (parameter)first, o = (parameter)(first + 1);
  const double all = seconds / parameter_unit(L);
  p->value[o] = fmin(p->value[o], all / 4); /* as of a round trip */
  p->value[L] = all - 2 * p->value[o];
  return OVK_OK;
}

/* The rank at the same place of a neighboring node; -1: none. */
static int rank_outside(ovk_ctx *ctx, const parameters *p, int rank)
{
  const int n = (int)p->value[RANKS_PER_NODE], peer = (rank / n ^ 1) * n + rank % n;
  return peer < ovk_ctx_size(ctx) ? peer : -1;
}

/* g of the link between nodes, the mean over its senders: the program of the network may have
 * the processor of a sender. */
static ovk_err measure_gaps(ovk_ctx *ctx, parameters *p)
{
  enum { MOST = 8 };
  double sum = 0;
  int n = 0;
  for (int rank = 0; rank < ovk_ctx_size(ctx) && n < MOST; rank++) {
    const pair of = {rank, rank_outside(ctx, p, rank)};
    double single, gap;
    if (of.peer < 0) continue;
    TRY(one_more(ctx, of, false, SHORT, &single, &gap));
    sum += gap;
    n++;
  }
  if (n > 0) p->value[NET_g] = sum / n / parameter_unit(NET_g);
  return OVK_OK;
}

ovk_err measured_latencies(ovk_ctx *ctx, parameters *p)
{
  const int rank = ovk_ctx_rank(ctx), size = ovk_ctx_size(ctx);
  const int n = (int)p->value[RANKS_PER_NODE], place = rank % n,
            inside = rank - place + (place ^ 1);
  const bool has_peer = (place ^ 1) < n && inside < size;
  if (n > 1) TRY(measure_latency(ctx, has_peer ? inside : -1, NODE_L, p));
  if (n >= size) return OVK_OK;
  TRY(measure_latency(ctx, rank_outside(ctx, p, rank), NET_L, p));
  TRY(measure_gaps(ctx, p));
  return measured_contention(ctx, rank_outside(ctx, p, rank), p);
}

ovk_err measured_links(ovk_ctx *ctx, parameters *p)
{
  peers found;
  TRY(find_peers(ctx, &found));
  p->value[RANKS_PER_NODE] = found.node_size;
  if (found.node < INT_MAX) TRY(measure_link(ctx, found.node, NODE_L, p));
  if (found.net < INT_MAX) TRY(measure_link(ctx, found.net, NET_L, p));
  return measured_latencies(ctx, p);
}
