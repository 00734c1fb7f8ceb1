/* SPDX-License-Identifier: BSD-2-Clause */
/* Long shares of all-to-alls by agents: each is copied once, from the buffer of its sender to that
 * of its receiver. In a separate program, as its process_vm_readv() counts and may refuse. */
#define _GNU_SOURCE /* process_vm_readv, syscall */
#include "support/clock.h"
#include "support/test_main.h"

#include <errno.h>
#include <ovkrylov/comm/collectives.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { ITEMS = 20000, LONG_BYTES = ITEMS * 8, TIMES = 4 };

static atomic_bool refused;
static atomic_size_t total; /* bytes read from other processes */

ssize_t process_vm_readv(pid_t pid, const struct iovec *to, unsigned long nto,
                         const struct iovec *from, unsigned long nfrom, unsigned long flags)
{
  if (refused) {
    errno = EPERM;
    return -1;
  }
  const ssize_t n = syscall(SYS_process_vm_readv, pid, to, nto, from, nfrom, flags);
  if (n > 0 && pid != getpid()) total += (size_t)n;
  return n;
}

/* The number of items from a rank to another one: long, short and empty shares. */
static int items(int from, int to)
{
  static const int lengths[] = {ITEMS, 3, 0, 2 * ITEMS};
  return lengths[(from + 2 * to) % 4];
}

static uint64_t number(int from, int to, int time, int k)
{
  return ((uint64_t)(from * 64 + to) * 65536 + (uint64_t)time) * 1000003 + (uint64_t)k;
}

/* Exchanges shares of items() between all ranks, several times; in turn ranks are late. Returns the
 * bytes that this rank has read from the buffers of others. */
static size_t exchange(const char *spec)
{
  enum { MOST = 8 };
  int out[MOST] = {0}, in[MOST] = {0};
  int64_t from[MOST] = {0}, to[MOST] = {0};
  scoped_array uint64_t *send = calloc((size_t)test_size * 2 * ITEMS, sizeof *send);
  scoped_array uint64_t *receive = calloc((size_t)test_size * 2 * ITEMS, sizeof *receive);
  scoped_collective *c = NULL;
  assert_true(send && receive && test_size <= MOST);
  for (int r = 0; r < test_size; r++) {
    out[r] = items(test_rank, r);
    in[r] = items(r, test_rank);
    to[r] = from[r] = (int64_t)r * 2 * ITEMS;
  }
  assert_ok(ovk_collective_create_alltoallv(test_ctx(), spec, send, out, to, receive, in, from,
                                            sizeof *send, &c));
  total = 0;
  for (int time = 0; time < TIMES; time++) {
    for (int r = 0; r < test_size; r++) {
      for (int k = 0; k < out[r]; k++) send[to[r] + k] = number(test_rank, r, time, k);
    }
    if (time % test_size == test_rank) sleep_for(1e-3);
    assert_ok(ovk_collective_run(c));
    memset(send, 0xee, (size_t)test_size * 2 * ITEMS * sizeof *send);
    for (int r = 0; r < test_size; r++) {
      for (int k = 0; k < in[r]; k++)
        assert_true(receive[from[r] + k] == number(r, test_rank, time, k));
    }
  }
  ovk_collective_destroy(&c);
  return total;
}

/* The bytes of the long shares that this rank receives from others. */
static size_t long_bytes(void)
{
  size_t bytes = 0;
  for (int r = 0; r < test_size; r++) {
    if (r != test_rank && items(r, test_rank) >= ITEMS) bytes += (size_t)items(r, test_rank) * 8;
  }
  return TIMES * bytes;
}

/* Where the system allows it on all ranks. */
static bool allowed(void)
{
  int can = exchange("verbs:device=emulated,agent=thread") > 0 || long_bytes() == 0;
  MPI_Allreduce(MPI_IN_PLACE, &can, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return can;
}

TEST(long_shares_are_copied_once_and_short_ones_are_not_read)
{
  if (!allowed()) skip();
  assert_int_equal(exchange("verbs:device=emulated,agent=thread"), long_bytes());
  assert_int_equal(exchange("verbs:device=emulated,agent=thread,window=1"), long_bytes());
  assert_int_equal(exchange("verbs:device=emulated,agent=thread,rate=4"), long_bytes());
}

TEST(without_an_agent_nothing_is_read)
{
  assert_int_equal(exchange("verbs:device=emulated"), 0);
}

TEST(all_ranks_copy_if_one_may_not_read)
{
  for (int rank = 0; rank < test_size; rank++) {
    refused = test_rank == rank;
    assert_int_equal(exchange("verbs:device=emulated,agent=thread"), 0);
    refused = false;
  }
}

TEST(a_read_that_fails_is_a_network_error)
{
  if (!allowed() || test_size == 1) skip();
  scoped_ctx *ctx = NULL;
  scoped_array uint64_t *send = calloc((size_t)test_size * ITEMS, sizeof *send);
  scoped_array uint64_t *receive = calloc((size_t)test_size * ITEMS, sizeof *receive);
  scoped_collective *c = NULL;
  assert_true(send && receive);
  assert_ok(ovk_ctx_create(MPI_COMM_WORLD, &ctx));
  assert_ok(ovk_collective_create_alltoall(ctx,
                                           "verbs:device=emulated,agent=thread,timeout_ms=2000",
                                           send, receive, ITEMS, sizeof *send, &c));
  refused = true;
  assert_int_equal(ovk_collective_run(c), OVK_ERR_NETWORK);
  MPI_Barrier(MPI_COMM_WORLD);
  refused = false;
}
