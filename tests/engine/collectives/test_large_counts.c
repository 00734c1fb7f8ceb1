/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations on more than 2^31 bytes, and more than 2^31 items in total, without using the memory:
 * buffers are only reserved. MPI calls of the library are intercepted through the profiling
 * interface: counts and addresses of large messages are recorded, and messages of zero bytes are
 * sent instead. */
#define _GNU_SOURCE /* MAP_NORESERVE */
#include "support/test_main.h"

#include <ovkrylov/comm/collectives.h>
#include <sys/mman.h>

enum { LEAST = 1 << 20 /* bytes of a large message */, MOST_NOTES = 16 };

/* A large message. */
typedef struct note {
  const char *at;
  int64_t bytes;
  int peer;
} note;

static note sent[MOST_NOTES], received[MOST_NOTES];
static int nsent, nreceived;

/* Whether a message is large; if so, it is recorded. */
static bool is_large(const void *at, int count, MPI_Datatype type, int peer, note *notes, int *n)
{
  MPI_Count size;
  MPI_Type_size_x(type, &size);
  const int64_t bytes = (int64_t)count * (int64_t)size;
  if (bytes < LEAST) return false;
  assert_true(count >= 0 && *n < MOST_NOTES);
  notes[(*n)++] = (note){at, bytes, peer};
  return true;
}

int MPI_Isend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
  const bool large = is_large(from, count, type, to, sent, &nsent);
  return PMPI_Isend(from, large ? 0 : count, type, to, tag, comm, request);
}

int MPI_Irecv(void *to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
  const bool large = is_large(to, count, type, from, received, &nreceived);
  return PMPI_Irecv(to, large ? 0 : count, type, from, tag, comm, request);
}

/* Memory that is never touched. */
static char *reserve(size_t bytes)
{
  void *start = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  int failed = start == MAP_FAILED;
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (failed) skip(); /* not enough address space */
  return start;
}

static void carry_out(ovk_collective *c)
{
  nsent = nreceived = 0;
  assert_ok(ovk_collective_begin(c));
  assert_ok(ovk_collective_wait(c));
  ovk_collective_destroy(&c);
}

static void assert_note(const note *n, const char *at, int64_t bytes, int peer)
{
  assert_ptr_equal(n->at, at);
  assert_true(n->bytes == bytes);
  assert_int_equal(n->peer, peer);
}

/* INT_MAX items of 24 bytes each. */
enum { MANY = INT_MAX, SIZE = 24 };
static const int64_t all = (int64_t)MANY * SIZE;

TEST(a_broadcast_of_2_to_the_31_items_is_one_message)
{
  char *data = reserve((size_t)all);
  ovk_collective *c = NULL;
  assert_ok(ovk_collective_create_bcast(test_ctx(), "nbc", data, MANY, SIZE, 0, &c));
  carry_out(c);
  assert_int_equal(nsent, test_rank == 0);
  assert_int_equal(nreceived, test_rank > 0);
  assert_note(test_rank == 0 ? &sent[0] : &received[0], data, all, !test_rank);
  munmap(data, (size_t)all);
}

/* The second rank's share begins after the 2^31 items of the first one's. */
TEST(shares_of_a_gather_begin_beyond_2_to_the_31_items)
{
  char *data = reserve((size_t)(2 * all));
  char *own = data + (test_rank ? all : 0);
  ovk_collective *c = NULL;
  assert_ok(ovk_collective_create_gather(test_ctx(), "nbc", own, data, MANY, SIZE, 0, &c));
  carry_out(c);
  if (test_rank == 0) assert_note(&received[0], data + all, all, 1);
  if (test_rank == 1) assert_note(&sent[0], own, all, 0);
  munmap(data, (size_t)(2 * all));
}

TEST(offsets_of_shares_may_exceed_2_to_the_31)
{
  enum { FAR = 3 };
  const int64_t far_away = (int64_t)FAR * INT_MAX;
  const int counts[2] = {test_rank ? MANY : 0, test_rank ? 0 : MANY}; /* on the other rank */
  const int64_t offsets[2] = {far_away, far_away + 5};
  const size_t bytes = (size_t)((far_away + 5) * SIZE + all);
  char *from = reserve(bytes), *to = reserve(bytes);
  ovk_collective *c = NULL;
  assert_ok(ovk_collective_create_alltoallv(test_ctx(), "nbc", from, counts, offsets, to, counts,
                                            offsets, SIZE, &c));
  carry_out(c);
  assert_note(&sent[0], from + offsets[!test_rank] * SIZE, all, !test_rank);
  assert_note(&received[0], to + offsets[!test_rank] * SIZE, all, !test_rank);
  munmap(from, bytes);
  munmap(to, bytes);
}

TEST(a_ring_of_large_shares_hands_on_all_of_them)
{
  const size_t bytes = (size_t)(2 * all);
  char *data = reserve(bytes), *own = data + test_rank * all;
  ovk_collective *c = NULL;
  assert_ok(ovk_collective_create_allgather(test_ctx(), "nbc:alg=ring", own, data, MANY, SIZE, &c));
  carry_out(c);
  assert_note(&sent[0], own, all, !test_rank);
  assert_note(&received[0], data + !test_rank * all, all, !test_rank);
  munmap(data, bytes);
}

/* A copy in memory of the library would be too large for any machine. */
TEST(what_no_memory_can_hold_is_refused_with_a_message)
{
  static const char *const specs[] = {"nbc:channel=shm", "nbc:levels=2x2,channel=shm",
                                      "verbs:device=emulated"};
  char *data = reserve((size_t)all);
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
    ovk_collective *c = NULL;
    const ovk_err err =
        ovk_collective_create_bcast(test_ctx(), specs[k], data, MANY, INT_MAX, 0, &c);
    if (err != OVK_ERR_RANGE) assert_error(err, OVK_ERR_MEMORY, "bytes");
    assert_null(c);
  }
  munmap(data, (size_t)all);
}
