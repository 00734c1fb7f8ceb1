/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages that are cancelled while the peer makes no MPI calls, as if it had died. */
#include "core/cancel.h"
#include "support/test_main.h"

#include <sched.h>
#include <stdatomic.h>

enum { LONG = 4 << 20, TAG = 3 }; /* bytes: no MPI sends that many at once */

/* Rank 1 makes no MPI calls until rank 0 lets it: a flag in shared memory. */
enum { SEEN = 1, AWAY, CALLED };
static MPI_Win window;
static atomic_int *flag;

static void open_flag(void)
{
  MPI_Aint size;
  int unit;
  MPI_Win_allocate_shared(test_rank == 0 ? (MPI_Aint)sizeof *flag : 0, 1, MPI_INFO_NULL,
                          MPI_COMM_WORLD, &flag, &window);
  MPI_Win_shared_query(window, 0, &size, &unit, &flag);
  if (test_rank == 0) atomic_store(flag, 0);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void close_flag(void)
{
  MPI_Win_free(&window);
}

static void await(int value)
{
  while (atomic_load(flag) < value) sched_yield();
}

static void stay_away(void)
{
  await(CALLED);
}

static void call(void)
{
  atomic_store(flag, CALLED);
}

/* The sender's part is posted, and it makes no progress to send the rest. Whether MPI needs that
 * depends on the implementation; the receiver must not hang. */
TEST(a_half_received_message_holds_up_nobody)
{
  scoped_array char *data = calloc(LONG, 1);
  MPI_Request request;
  open_flag();
  if (test_rank == 1) {
    MPI_Isend(data, LONG, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &request);
    /* some MPIs connect ranks first */
    for (int over; atomic_load(flag) < SEEN;) MPI_Test(&request, &over, MPI_STATUS_IGNORE);
    atomic_store(flag, AWAY);
    stay_away();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (test_rank == 0) {
    int there = 0;
    while (!there) MPI_Iprobe(1, TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    atomic_store(flag, SEEN);
    await(AWAY);
    MPI_Irecv(data, LONG, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &request);
    if (!ovk__cancel_receive(&request)) data = NULL; /* MPI keeps the buffer */
    assert_true(request == MPI_REQUEST_NULL);
    call();
  }
  MPI_Barrier(MPI_COMM_WORLD); /* MPI completes here the messages that it still needs */
  close_flag();
}

TEST(a_receive_that_nobody_has_met_is_over_at_once)
{
  char mark;
  MPI_Request request;
  MPI_Irecv(&mark, 1, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &request);
  assert_true(ovk__cancel_receive(&request));
  assert_true(request == MPI_REQUEST_NULL);
  assert_true(ovk__cancel_receive(&request)); /* repeated */
  assert_true(ovk__cancel_send(&request));
}

/* A receive without a message has matched nothing. */
TEST(a_send_that_nobody_receives_is_left_to_the_mpi)
{
  scoped_array char *data = calloc(LONG, 1);
  memset(data, 7, LONG);
  open_flag();
  if (test_rank == 0) {
    MPI_Request request;
    MPI_Isend(data, LONG, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &request);
    const bool over = ovk__cancel_send(&request);
    assert_true(request == MPI_REQUEST_NULL);
    call();
    MPI_Barrier(MPI_COMM_WORLD);
    if (over) memset(data, 0, LONG); /* the MPI has its own copy */
  } else if (test_rank == 1) {
    stay_away();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(data, LONG, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int k = 0; k < LONG; k++) assert_int_equal(data[k], 7);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  close_flag();
}
