/* SPDX-License-Identifier: BSD-2-Clause */
/* The schedules and requests of tests of the executor. */
#include "executor_case.h"
#include "comm/engine/schedule/builder.h"
#include "core/job.h"
#include "support/test_main.h"

MPI_Comm engine_comm = MPI_COMM_NULL;
ovk__engine *engine;

static ovk__channel channel_to(channels kind, int peer)
{
  if (kind == MIXED) return (test_rank + peer) % 2 ? OVK__P2P : OVK__SHM;
  return kind == ALL_P2P ? OVK__P2P : OVK__SHM;
}

static ovk__builder begin_schedule(ovk__schedule *out)
{
  return ovk__build_begin(test_ctx(), (ovk__group){test_size, test_rank, NULL}, out);
}

ovk__schedule sum_schedule(channels kind, size_t count)
{
  const ovk_place total = {OVK_OUTPUT, 0};
  ovk__schedule s;
  ovk__builder b = begin_schedule(&s);
  ovk__build_round(&b);
  for (int peer = 0; peer < test_size; peer++) {
    b.channel = channel_to(kind, peer);
    if (peer != test_rank) ovk__build_send(&b, peer, total, count);
  }
  for (int peer = 0; peer < test_size; peer++) {
    b.channel = channel_to(kind, peer);
    const ovk_place part = {OVK_WORK, (size_t)peer * count};
    if (peer != test_rank) ovk__build_receive(&b, peer, part, count);
  }
  for (int peer = 0; peer < test_size; peer++) {
    const ovk_place part = {OVK_WORK, (size_t)peer * count};
    if (peer != test_rank) ovk__build_combine(&b, part, total, count);
  }
  assert_ok(ovk__build_end(&b));
  s.barrier = count > 0;
  return s;
}

ovk__schedule bcast_schedule(ovk__channel channel, size_t count)
{
  const ovk_place data = {OVK_OUTPUT, 0};
  ovk__schedule s;
  ovk__builder b = begin_schedule(&s);
  b.channel = channel;
  ovk__build_round(&b);
  for (int peer = 1; peer < test_size && test_rank == 0; peer++) {
    ovk__build_send(&b, peer, data, count);
  }
  if (test_rank > 0) ovk__build_receive(&b, 0, data, count);
  assert_ok(ovk__build_end(&b));
  return s;
}

ovk__schedule barrier_schedule(ovk__channel channel)
{
  const ovk_place nothing = {OVK_WORK, 0};
  ovk__schedule s;
  ovk__builder b = begin_schedule(&s);
  b.channel = channel;
  for (int distance = 1; distance < test_size; distance *= 2) {
    ovk__build_round(&b);
    ovk__build_send(&b, (test_rank + distance) % test_size, nothing, 0);
    ovk__build_receive(&b, (test_rank + test_size - distance) % test_size, nothing, 0);
  }
  assert_ok(ovk__build_end(&b));
  s.barrier = true;
  return s;
}

ovk__request *make_request(const ovk__schedule *schedule, double *data)
{
  ovk__request *request = NULL;
  const ovk__op_desc desc = {.schedule = schedule,
                             .output = data,
                             .element = sizeof *data,
                             .combine = ovk__combine_sum_double};
  assert_ok(ovk__request_create(engine, &desc, false, &request));
  assert_non_null(request);
  return request;
}

void start_request(ovk__request *request)
{
  assert_int_equal(ovk__request_start(request), MPI_SUCCESS);
}

void wait_for(ovk__request *request)
{
  assert_int_equal(ovk__wait(test_ctx(), 1, ovk__request_advance, request), MPI_SUCCESS);
}

bool advance_request(ovk__request *request)
{
  bool complete;
  assert_int_equal(ovk__request_advance(request, &complete), MPI_SUCCESS);
  return complete;
}

int open_engine(void **state)
{
  MPI_Comm_dup(MPI_COMM_WORLD, &engine_comm);
  MPI_Comm_set_errhandler(engine_comm, MPI_ERRORS_RETURN);
  return (int)ovk__engine_open(test_ctx(), engine_comm, &engine);
}

int close_engine(void **state)
{
  ovk__engine_close(&engine);
  MPI_Comm_free(&engine_comm);
  return 0;
}
