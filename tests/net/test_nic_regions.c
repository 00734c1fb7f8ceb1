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

/* Each rank reads a part of the buffer that the next one lends; rank 0 tries to write to one. */
TEST(lent_memory_can_be_read_and_not_written)
{
  enum { BYTES = 1 << 17, FIRST = 5, PART = BYTES - 10 };
  const int last = test_size - 1;
  world w;
  ovk__region lent, own;
  place places[MOST_RANKS];
  scoped_array char *send = malloc(BYTES);
  scoped_array char *receive = malloc(BYTES);
  assert_true(send && receive);
  memset(send, 1 + test_rank, BYTES);
  memset(receive, '\xee', BYTES);
  open_world(&w);
  const bool can = ops->lend(test_ctx(), w.nic, send, BYTES, false, &lent) == OVK_OK;
  if (can) {
    assert_ok(ops->lend(test_ctx(), w.nic, receive, BYTES, true, &own));
    share(&lent, places);
    ovk__work work = {.kind = OVK__READ,
                      .local = receive + FIRST,
                      .local_key = own.local_key,
                      .bytes = PART,
                      .remote = places[next()].address + FIRST,
                      .remote_key = places[next()].key};
    succeed(w.queues[next()], work);
    for (int k = 0; k < BYTES; k++) {
      const bool inside = k >= FIRST && k < FIRST + PART;
      assert_true(receive[k] == (inside ? (char)(1 + next()) : '\xee'));
    }
    meet();
    work = between(&w, OVK__WRITE, 0, last, 0, 64);
    work.remote = places[last].address;
    work.remote_key = places[last].key;
    if (test_rank == 0) fail_with_words(w.queues[last], work);
    meet();
    for (int k = 0; k < 64; k++) assert_true(send[k] == (char)(1 + test_rank));
    ops->return_lent(w.nic, &own);
    ops->return_lent(w.nic, &lent);
    check_others(&w, 0, last);
  }
  close_world(&w);
  if (!can) skip();
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
