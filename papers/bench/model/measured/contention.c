/* SPDX-License-Identifier: BSD-2-Clause */
/* Costs of communication and work while all ranks communicate or compute: on an emulated cluster
 * they share its network and its processors. */
#include "bench/model/measured/measured.h"
#include "bench/support/timing.h"
#include "tool.h"

#include <math.h>
#include <stdlib.h>

enum { SHORT = 8, PIECES = 8, MESSAGES = 2 * PIECES, REPEATS = 9 };

/* Work that is the same each time, about 0.2 ms. */
static void compute(void)
{
  enum { STEPS = 50000 };
  static volatile double value = 1;
  for (int k = 0; k < STEPS; k++) value = 0.5 * value + 1;
}

/* Seconds of work and messages, and in the calls that send these. */
enum { ALL, SENDING, PARTS };

/* Messages to the other rank, two after each piece of work, as an iteration sends those of a sum
 * and of a halo; -1: the work alone. seconds[]: without the wait for messages. */
static int compute_and_send(int other, double seconds[PARTS])
{
  static char sent[MESSAGES][SHORT], received[MESSAGES][SHORT];
  MPI_Request all[2 * MESSAGES];
  int err = MPI_SUCCESS, n = 0;
  for (; n < MESSAGES && other >= 0 && !err; n++) {
    err = MPI_Irecv(received[n], SHORT, MPI_BYTE, other, 0, MPI_COMM_WORLD, &all[n]);
  }
  const double start = MPI_Wtime();
  seconds[SENDING] = 0;
  for (int k = 0; k < MESSAGES && !err; k++) {
    if (k % 2 == 0) compute();
    if (other < 0) continue;
    seconds[SENDING] -= MPI_Wtime();
    err = MPI_Isend(sent[k], SHORT, MPI_BYTE, other, 0, MPI_COMM_WORLD, &all[n++]);
    seconds[SENDING] += MPI_Wtime();
  }
  seconds[ALL] = MPI_Wtime() - start;
  return err ? err : MPI_Waitall(n, all, MPI_STATUSES_IGNORE);
}

/* The cost of a message to a rank that computes, and to its sender beyond its overhead, while all
 * ranks compute and send to each other in pairs. Means over the ranks: the network has the
 * processor of one of them at a time. peer: -1: none. */
static ovk_err measure_interrupt(ovk_ctx *ctx, int peer, parameters *p)
{
  double samples[PARTS][REPEATS], medians[PARTS];
  for (int k = 0; k < REPEATS; k++) {
    double start, without[PARTS], with[PARTS];
    TRY(timing_start(ctx, &start));
    TRY(tool_mpi(ctx, compute_and_send(-1, without), "MPI_Waitall"));
    TRY(timing_start(ctx, &start));
    TRY(tool_mpi(ctx, compute_and_send(peer, with), "MPI_Isend"));
    samples[ALL][k] = (with[ALL] - without[ALL]) / MESSAGES;
    samples[SENDING][k] = with[SENDING] / MESSAGES;
  }
  for (int k = 0; k < PARTS; k++) medians[k] = tool_median(samples[k], REPEATS);
  TRY(tool_mpi(ctx,
               MPI_Allreduce(MPI_IN_PLACE, medians, PARTS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD),
               "MPI_Allreduce"));
  const double each = parameter_unit(INTERRUPT) * ovk_ctx_size(ctx);
  const double sending = fmax(medians[SENDING] / each, p->value[NET_o]);
  p->value[FORWARD] = sending - p->value[NET_o];
  p->value[INTERRUPT] = fmax(0, medians[ALL] / each - sending);
  return OVK_OK;
}

/* Sends a message to each rank of other nodes, and receives theirs, several times. `received` has
 * room for one message of each rank. */
static int exchange_all(int rank, int size, int node_size, char (*received)[SHORT],
                        MPI_Request *all)
{
  static char sent[SHORT];
  int err = MPI_SUCCESS;
  for (int time = 0; time < MESSAGES && !err; time++) {
    int n = 0;
    for (int k = 1; k < size && !err; k++) {
      const int to = (rank + k) % size, from = (rank - k + size) % size;
      if (to / node_size != rank / node_size)
        err = MPI_Isend(sent, SHORT, MPI_BYTE, to, 0, MPI_COMM_WORLD, &all[n++]);
      if (!err && from / node_size != rank / node_size)
        err = MPI_Irecv(received[from], SHORT, MPI_BYTE, from, 0, MPI_COMM_WORLD, &all[n++]);
    }
    if (!err) err = MPI_Waitall(n, all, MPI_STATUSES_IGNORE);
  }
  return err;
}

/* Seconds of such an exchange. */
static ovk_err time_exchange(ovk_ctx *ctx, int node_size, double *seconds)
{
  double samples[REPEATS];
  const int size = ovk_ctx_size(ctx);
  MPI_Request *all = malloc(2 * (size_t)size * sizeof *all);
  char(*received)[SHORT] = malloc((size_t)size * sizeof *received);
  ovk_err err = tool_got_memory(ctx, all && received);
  for (int k = 0; k < REPEATS && !err; k++) {
    double start;
    err = timing_start(ctx, &start);
    if (!err)
      err = tool_mpi(ctx, exchange_all(ovk_ctx_rank(ctx), size, node_size, received, all),
                     "MPI_Waitall");
    samples[k] = (MPI_Wtime() - start) / MESSAGES;
  }
  free(received);
  free(all);
  TRY(err);
  *seconds = tool_median(samples, REPEATS);
  return tool_greatest(ctx, seconds, 1);
}

/* The time by which a message delays the next one of any rank. An exchange with all ranks of other
 * nodes ends with the last of them. In one in pairs, by which L was measured, each rank has one
 * message, and on average waits for half of the others. */
static ovk_err measure_medium(ovk_ctx *ctx, parameters *p)
{
  const int size = ovk_ctx_size(ctx), n = (int)p->value[RANKS_PER_NODE], peers = size - n;
  double seconds;
  if (peers <= n) return OVK_OK; /* of two nodes both exchanges are the same */
  TRY(time_exchange(ctx, n, &seconds));
  const double pairs = p->value[NET_L] + 2 * p->value[NET_o];
  const double more = seconds / parameter_unit(MEDIUM) - pairs;
  p->value[MEDIUM] = fmax(0, more / ((double)size * peers - 1 - size / 2.0));
  p->value[NET_L] = fmax(0, p->value[NET_L] - p->value[MEDIUM] * size / 2);
  return OVK_OK;
}

ovk_err measured_contention(ovk_ctx *ctx, int peer, parameters *p)
{
  TRY(measure_medium(ctx, p));
  return measure_interrupt(ctx, peer, p);
}

/* All compute for the same time, longer than a processor is given to one of them at a time. */
ovk_err measured_share(ovk_ctx *ctx, double *share)
{
  double start, before, now, least = HUGE_VAL, pieces[2] = {0}; /* of all ranks, possible */
  TRY(timing_start(ctx, &start));
  const double end = start + 0.05;
  for (now = start; now < end; pieces[0]++) {
    before = now;
    compute();
    now = MPI_Wtime();
    least = fmin(least, now - before);
  }
  pieces[1] = (now - start) / least;
  TRY(tool_mpi(ctx, MPI_Allreduce(MPI_IN_PLACE, pieces, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD),
               "MPI_Allreduce"));
  *share = pieces[1] / pieces[0];
  return OVK_OK;
}
