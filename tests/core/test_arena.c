/* SPDX-License-Identifier: BSD-2-Clause */
/* Slots in shared memory: their size, and that no old data are visible in a new one. */
#define _DEFAULT_SOURCE /* mincore */
#include "core/node/arena.h"
#include "support/test_main.h"

#include <sys/mman.h>

enum { LONG = 8 << 20, SHORT = 200 };

static ovk__arenas arenas;

static bool gather_fails, bcast_fails; /* on this rank, once the call is done */

int MPI_Allgather(const void *in, int n, MPI_Datatype type, void *out, int m, MPI_Datatype to,
                  MPI_Comm comm)
{
  const int code = PMPI_Allgather(in, n, type, out, m, to, comm);
  return gather_fails ? MPI_ERR_OTHER : code;
}

int MPI_Bcast(void *values, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
  const int code = PMPI_Bcast(values, n, type, root, comm);
  return bcast_fails ? MPI_ERR_OTHER : code;
}

static void open_arenas(void)
{
  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  ovk__arenas_init(test_ctx(), node, &arenas);
}

static void close_arenas(void)
{
  MPI_Comm node = arenas.comm;
  ovk__arenas_free(&arenas);
  MPI_Comm_free(&node);
}

/* An area may be larger than this rank asked for; the remainder is not used. */
static ovk__slot take(size_t area)
{
  bool failed = false;
  ovk__slot slot;
  assert_ok(ovk__slot_take(&arenas, area, &failed, &slot));
  assert_false(failed);
  assert_non_null(slot.arena);
  return slot;
}

/* Number of resident pages among `bytes` from `start` on. */
static size_t count_pages(const char *start, size_t bytes)
{
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const size_t before = (uintptr_t)start % page;
  static unsigned char in_memory[4 * LONG / 4096];
  const size_t n = (before + bytes + page - 1) / page;
  size_t count = 0;
  assert_true(n <= sizeof in_memory);
  assert_int_equal(mincore((void *)(uintptr_t)(start - before), before + bytes, in_memory), 0);
  for (size_t k = 0; k < n; k++) count += in_memory[k] & 1;
  return count;
}

/* The bytes that rank `rank` contributes to a slot's memory. */
static size_t brought(const ovk__slot *slot, int rank)
{
  const ovk__arena *a = slot->arena;
  const char *end =
      rank + 1 < arenas.size ? a->segments[rank + 1] : a->memory.start + a->memory.bytes;
  return (size_t)(end - a->segments[rank]);
}

TEST(a_long_part_of_one_rank_takes_no_memory_of_the_others)
{
  enum { MARGIN = 8 }; /* pages */
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  open_arenas();
  ovk__slot slot = take(arenas.rank == 0 ? LONG + 1 : SHORT);
  assert_true(brought(&slot, 0) > LONG && brought(&slot, 0) <= 2 * LONG);
  for (int rank = 1; rank < arenas.size; rank++) assert_true(brought(&slot, rank) <= 4096);
  const size_t pages = count_pages(ovk__slot_area(&slot, 0), brought(&slot, 0));
  assert_true(pages >= LONG / page && pages <= LONG / page + MARGIN);
  ovk__slot_release(&slot);
  close_arenas();
}

static void fill_slot(const ovk__slot *slot, size_t bytes)
{
  memset(ovk__slot_area(slot, arenas.rank), 0xab, bytes);
}

static void assert_zeros(const ovk__slot *slot, int rank, size_t bytes)
{
  const char *area = ovk__slot_area(slot, rank);
  for (size_t k = 0; k < bytes; k++) assert_int_equal(area[k], 0);
}

/* Small and large slots, taken again for areas of other sizes in the same window. */
TEST(what_was_there_before_is_not_seen)
{
  static const size_t sizes[][2] = {{200, 130}, {3000, 2049}, {600 << 10, 520 << 10}};
  open_arenas();
  for (int k = 0; k < 3; k++) {
    ovk__slot slot = take(sizes[k][0]);
    fill_slot(&slot, sizes[k][0]);
    ovk__slot_release(&slot);
    MPI_Barrier(arenas.comm);
    const int n = arenas.n;
    slot = take(sizes[k][1]);
    assert_int_equal(arenas.n, n); /* the same memory */
    for (int rank = 0; rank < arenas.size; rank++) assert_zeros(&slot, rank, sizes[k][1]);
    ovk__slot_release(&slot);
  }
  close_arenas();
}

/* Parts do not overlap, whichever rank has the large one, and windows do not accumulate. */
TEST(the_large_part_may_go_from_rank_to_rank)
{
  open_arenas();
  for (int k = 0; k < 3 * arenas.size; k++) {
    const size_t bytes = k % arenas.size == arenas.rank ? LONG : SHORT;
    ovk__slot slot = take(bytes), small = take(SHORT);
    assert_int_equal(arenas.n, 2);
    fill_slot(&slot, bytes);
    MPI_Barrier(arenas.comm);
    assert_zeros(&small, (arenas.rank + 1) % arenas.size, SHORT);
    MPI_Barrier(arenas.comm);
    ovk__slot_release(&small);
    ovk__slot_release(&slot);
  }
  close_arenas();
}

/* A window that some rank still uses is not freed to make space. */
TEST(a_slot_in_use_stays_while_others_come_and_go)
{
  open_arenas();
  const bool large = arenas.rank == arenas.size - 1;
  ovk__slot used = take(arenas.rank == 0 ? LONG : SHORT);
  fill_slot(&used, SHORT);
  for (int k = 0; k < 4; k++) {
    ovk__slot slot = take(large ? LONG : SHORT);
    assert_true(slot.arena != used.arena);
    fill_slot(&slot, large ? LONG : SHORT);
    ovk__slot_release(&slot);
  }
  MPI_Barrier(arenas.comm);
  for (int rank = 0; rank < arenas.size; rank++) {
    const char *area = ovk__slot_area(&used, rank);
    for (int k = 0; k < SHORT; k++) assert_int_equal((unsigned char)area[k], 0xab);
  }
  ovk__slot_release(&used);
  close_arenas();
}

TEST(a_failure_elsewhere_is_a_failure_here_and_takes_nothing)
{
  open_arenas();
  for (int k = 0; k < 3; k++) {
    bool failed = arenas.rank == arenas.size - 1;
    ovk__slot slot;
    assert_ok(ovk__slot_take(&arenas, SHORT, &failed, &slot));
    assert_true(failed);
    assert_null(slot.arena);
    assert_int_equal(arenas.n, 0);
  }
  close_arenas();
}

/* Each rank in turn. No rank is late, and no descriptor remains. */
TEST(a_call_of_the_mpi_that_fails_on_one_rank_keeps_none_waiting)
{
  open_arenas();
  const int next_file = dup(0);
  close(next_file);
  for (int k = 0; k < 2 * arenas.size; k++) {
    bool failed = false;
    ovk__slot slot;
    gather_fails = k == 2 * arenas.rank;
    bcast_fails = k == 2 * arenas.rank + 1;
    const ovk_err err = ovk__slot_take(&arenas, SHORT, &failed, &slot);
    if (gather_fails || bcast_fails)
      assert_error(err, OVK_ERR_MPI, gather_fails ? "MPI_Allgather" : "MPI_Bcast");
    gather_fails = bcast_fails = false;
    assert_true(failed);
    assert_null(slot.arena);
  }
  const int file = dup(0);
  assert_int_equal(file, next_file);
  close(file);
  close_arenas();
}

/* Communicators of the same node that are made alike at the same time. */
TEST(disjoint_communicators_do_not_share_memory)
{
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, test_rank % 2, test_rank, &half);
  for (int k = 0; k < 20; k++) {
    ovk__arenas_init(test_ctx(), half, &arenas);
    ovk__slot slot = take(SHORT);
    memset(ovk__slot_area(&slot, arenas.rank), 1 + test_rank % 2, SHORT);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int rank = 0; rank < arenas.size; rank++) {
      const char *area = ovk__slot_area(&slot, rank);
      for (int i = 0; i < SHORT; i++) assert_int_equal(area[i], 1 + test_rank % 2);
    }
    ovk__slot_release(&slot);
    ovk__arenas_free(&arenas);
  }
  MPI_Comm_free(&half);
}
