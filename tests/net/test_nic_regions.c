/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory of NICs: the contents of a region, and that no other memory is in reach. OVK_TEST_DEVICE
 * as in test_nic.c. */
#include "nic_world.h"

TEST(memory_is_zeros_when_it_is_taken)
{
  const size_t sizes[] = {1, 64, 4096, MESSAGE + 3};
  scoped_world w;
  open_world(&w);
  for (size_t k = 0; k < 2 * sizeof sizes / sizeof *sizes; k++) {
    const size_t bytes = sizes[k / 2];
    ovk__region r;
    assert_ok(ops->take(test_ctx(), w.nic, bytes, &r));
    assert_int_equal(r.bytes, bytes);
    assert_int_equal((uintptr_t)r.start % 64, 0);
    for (size_t i = 0; i < bytes; i++) assert_true(r.start[i] == 0);
    memset(r.start, 0xff, bytes);
    ops->release(w.nic, &r);
  }
  assert_int_equal(ops->check(w.nic), 0);
}

/* Rank 0 writes to the last rank from `offset` on; if `released`, the region no longer exists. */
static void trespass(size_t offset, size_t bytes, uint32_t other_key, bool released)
{
  const int last = test_size - 1;
  scoped_world w;
  ovk__region gone;
  place places[MOST_RANKS];
  open_world(&w);
  assert_ok(ops->take(test_ctx(), w.nic, REGION, &gone));
  share(&gone, places);
  ovk__work work = between(&w, OVK__WRITE, 0, last, offset, bytes);
  work.remote_key ^= other_key;
  if (released) {
    work.remote = places[last].address;
    work.remote_key = places[last].key;
    if (test_rank == 0) succeed(w.queues[last], work);
    meet();
  }
  ops->release(w.nic, &gone);
  meet();
  memset(w.region.start, 0xff, 64);
  if (test_rank == 0) fail_with_words(w.queues[last], work);
  meet();
  for (size_t k = REGION - 64; k < REGION; k++) assert_true(w.region.start[k] == 0);
  check_others(&w, 0, last);
}

TEST(what_is_outside_of_regions_is_out_of_reach)
{
  trespass(REGION - 63, 64, 0, false);
  trespass(REGION, 1, 0, false);
  trespass((size_t)-1, 1, 0, false);
  trespass((size_t)-8, 64, 0, false);
  trespass(0, 8, 0x5a5a, false);
  trespass(0, 8, 0, true);
}

static void check_outside(ovk__work_kind kind)
{
  const int last = test_size - 1;
  scoped_world w;
  open_world(&w);
  meet();
  if (test_rank == 0 && (w.limits.atomics || kind != OVK__FETCH_ADD)) {
    fail_with_words(w.queues[last], between(&w, kind, 0, last, REGION, 8));
  }
}

TEST(reads_and_additions_stay_inside_too)
{
  check_outside(OVK__READ);
  check_outside(OVK__FETCH_ADD);
}

/* The value that a rank writes into region k of the next rank. */
static uint64_t value_for(int rank, int k)
{
  return 1 + (uint64_t)k * (uint64_t)test_size + (uint64_t)rank;
}

TEST(many_regions_made_later_are_in_reach)
{
  enum { REGIONS = 1200 }; /* more than the usual limit on open files */
  static ovk__region regions[REGIONS];
  static place own[REGIONS], places[REGIONS]; /* the next rank's */
  scoped_world w;
  open_world(&w);
  for (int k = 0; k < REGIONS; k++) {
    assert_ok(ops->take(test_ctx(), w.nic, 64, &regions[k]));
    own[k] = (place){(uintptr_t)regions[k].start, regions[k].remote_key, 64};
  }
  MPI_Sendrecv(own, sizeof own, MPI_BYTE, previous(), 0, places, sizeof places, MPI_BYTE, next(), 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int k = 0; k < REGIONS; k++) {
    uint64_t value = value_for(test_rank, k);
    ovk__work work = write_word(&w, &value, next(), 0);
    work.remote = places[k].address + 8;
    work.remote_key = places[k].key;
    succeed(w.queues[next()], work);
  }
  meet();
  for (int k = 0; k < REGIONS; k++) {
    const uint64_t value = value_for(previous(), k);
    assert_memory_equal(regions[k].start + 8, &value, sizeof value);
    ops->release(w.nic, &regions[k]);
  }
}

TEST_GROUP(choose_nic, NULL)
