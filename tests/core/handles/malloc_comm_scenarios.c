/* SPDX-License-Identifier: BSD-2-Clause */
/* The scenarios of reductions and collective operations in which memory runs out. */
#include "core/context/agree.h"
#include "malloc_scenarios.h"
#include "support/problem.h"

#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/comm/reduction.h>
#include <ovkrylov/comm/schedule.h>

ovk_err parse_spec(ovk_ctx *ctx, const void *arg)
{
  scoped_reduction *red = NULL;
  ovk_err err = ovk_reduction_create(ctx, arg, 3, &red);
  OVK_CALL(err, ovk_reduction_begin(red));
  OVK_CALL(err, ovk_reduction_wait(red));
  return err;
}

/* One operation of each kind: without levels, with them, with counts that are exchanged, cut up, in
 * a grid. */
ovk_err make_collectives(ovk_ctx *ctx, const void *arg)
{
  enum { MOST_RANKS = 8, NKINDS = 5 };
  static const int ones[MOST_RANKS] = {1, 1, 1, 1, 1, 1, 1, 1};
  double x[MOST_RANKS] = {0}, y[MOST_RANKS];
  ovk_collective *c[NKINDS] = {NULL};
  ovk_err err = ovk_collective_create_barrier(ctx, "nbc:ways=2", &c[0]);
  OVK_CALL(err, ovk_collective_create_allreduce(ctx, "nbc:levels=2,channel=shm", x, y, 1,
                                                OVK_TYPE_DOUBLE, OVK_OP_SUM, &c[1]));
  OVK_CALL(err, ovk_collective_create_alltoallv(ctx, NULL, x, ones, NULL, y, ones, NULL, sizeof *x,
                                                &c[2]));
  OVK_CALL(err, ovk_collective_create_reduce_mpi(ctx, "nbc:fragment=16,window=2", x, y, 7,
                                                 MPI_DOUBLE, MPI_SUM, 0, &c[3]));
  OVK_CALL(err, ovk_collective_create_neighbor_alltoall(ctx, NULL, x, y, 1, sizeof *x, &c[4]));
  for (int k = 0; k < NKINDS; k++) OVK_CALL(err, ovk_collective_begin(c[k]));
  for (int k = 0; k < NKINDS; k++) OVK_CALL(err, ovk_collective_wait(c[k]));
  for (int k = 0; k < NKINDS; k++) ovk_collective_destroy(&c[k]);
  return err;
}

/* A user-defined schedule: a message to the next rank, and the received values added to the output.
 */
ovk_err make_scheduled(ovk_ctx *ctx, const void *arg)
{
  const int next = (test_rank + 1) % test_size, previous = (test_rank + test_size - 1) % test_size;
  const ovk_place input = {OVK_INPUT, 0}, output = {OVK_OUTPUT, 0}, work = {OVK_WORK, 0};
  double x = 1, y = 1;
  SCOPED(ovk_schedule_destroy) ovk_schedule *s = NULL;
  scoped_collective *c = NULL;
  ovk_err err = ovk__agree(ctx, ovk_schedule_create(ctx, &s));
  if (!err && test_size > 1) {
    (void)ovk_schedule_send(s, next, input, 1);
    (void)ovk_schedule_receive(s, previous, work, 1);
    (void)ovk_schedule_combine(s, work, output, 1);
  }
  OVK_CALL(err,
           ovk_collective_create_scheduled(ctx, NULL, s, &x, 1, &y, 1, MPI_DOUBLE, MPI_SUM, &c));
  OVK_CALL(err, ovk_collective_run(c));
  return err;
}
