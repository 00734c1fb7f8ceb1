/* SPDX-License-Identifier: BSD-2-Clause */
/* The properties of NICs that endpoints rely on. OVK_TEST_DEVICE: "emulated", the default;
 * "ibverbs", the first NIC found; or the name of a device. */
#include "nic_world.h"

#include <dirent.h>

static char pattern(int rank, size_t message, size_t i)
{
  return (char)(1 + rank * 31 + (int)message * 13 + (int)(i % 251) * 7);
}

/* The data are complete, with 0xee on both sides. */
static bool landed(const char *at, size_t bytes, int rank, size_t message)
{
  for (size_t i = 0; i < bytes; i++) {
    if (at[i] != pattern(rank, message, i)) return false;
  }
  const char *before = at - 32, *behind = at + bytes;
  for (int i = 0; i < 32; i++) assert_true(before[i] == '\xee' && behind[i] == '\xee');
  return true;
}

static void check_write(const world *w, size_t bytes, size_t message, bool inlined)
{
  char *from = w->region.start + message % 5;
  char *landing = w->region.start + LANDING + 33 + message % 8;
  memset(landing - 33, '\xee', bytes + 66);
  meet();
  for (size_t i = 0; i < bytes; i++) from[i] = pattern(test_rank, message, i);
  ovk__work work = between(w, OVK__WRITE, message % 5, next(), LANDING + 33 + message % 8, bytes);
  work.inlined = inlined;
  if (inlined) work.local_key = 0;
  const int status = ops->post(w->queues[next()], &work, 1);
  if (inlined) memset(from, 0, bytes);
  assert_int_equal(status, 0);
  succeed(w->queues[next()], empty_write());
  const double since = MPI_Wtime();
  while (!landed(landing, bytes, previous(), message)) assert_in_time(since);
  meet();
}

TEST(writes_arrive_whole_and_nothing_beside_them)
{
  const size_t sizes[] = {1,  2,   3,    4,    7,    8,     9,       12,          16,     24,
                          63, 100, 1000, 4095, 4096, 65537, 1000001, MESSAGE - 1, MESSAGE};
  scoped_world w;
  open_world(&w);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    check_write(&w, sizes[k], 2 * k, false);
    if (sizes[k] <= w.limits.inline_most) check_write(&w, sizes[k], 2 * k + 1, true);
  }
  check_write(&w, w.limits.inline_most, 55, true);
}

TEST(reads_bring_the_peers_memory)
{
  const size_t sizes[] = {1, 7, 8, 9, 64, 1001, 65536, MESSAGE - 3};
  scoped_world w;
  open_world(&w);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    char *landing = w.region.start + LANDING + 32 + k;
    memset(landing - 32, '\xee', sizes[k] + 64);
    for (size_t i = 0; i < sizes[k]; i++) w.region.start[k + i] = pattern(test_rank, k, i);
    meet();
    succeed(w.queues[next()], between(&w, OVK__READ, LANDING + 32 + k, next(), k, sizes[k]));
    assert_true(landed(landing, sizes[k], next(), k));
    meet();
  }
}

enum { ADDITIONS = 400, BATCH = 8 };

/* Adds 1 to the first word of rank 0 repeatedly; before <- the previous values. */
static void add_ones(const world *w, uint64_t before[ADDITIONS])
{
  for (int k = 0; k < ADDITIONS; k += BATCH) {
    ovk__work works[BATCH];
    for (int i = 0; i < BATCH; i++) {
      works[i] = between(w, OVK__FETCH_ADD, (size_t)i * 8, 0, WORDS, 8);
      works[i].addend = 1;
    }
    works[BATCH - 1].signaled = true;
    works[BATCH - 1].id = (uint64_t)k + BATCH;
    assert_int_equal(ops->post(w->queues[0], works, BATCH), 0);
    assert_int_equal(await_id(w->queues[0], (uint64_t)k + BATCH), 0);
    memcpy(before + k, w->region.start, BATCH * sizeof *before);
  }
}

TEST(additions_lose_nothing_and_tell_what_was_there)
{
  uint64_t before[ADDITIONS], all[MOST_RANKS * ADDITIONS];
  bool seen[MOST_RANKS * ADDITIONS] = {false};
  world w;
  open_world(&w);
  const bool can = w.limits.atomics;
  if (can) {
    add_ones(&w, before);
    MPI_Allgather(before, ADDITIONS, MPI_UINT64_T, all, ADDITIONS, MPI_UINT64_T, MPI_COMM_WORLD);
    for (int k = 0; k < test_size * ADDITIONS; k++) {
      assert_true(all[k] < (uint64_t)(test_size * ADDITIONS) && !seen[all[k]]);
      assert_true(k % ADDITIONS == 0 || all[k] > all[k - 1]);
      seen[all[k]] = true;
    }
    ovk__work work = between(&w, OVK__FETCH_ADD, 0, 0, WORDS, 8);
    work.addend = (uint64_t)-ADDITIONS;
    succeed(w.queues[0], work);
    if (test_rank == 0) await_word(&w, 0, 0);
  }
  close_world(&w);
  if (!can) skip();
}

/* Data of 200 bytes that contain the round, then a word that does; a word is returned once they
 * were read. */
static void play_round(const world *w, int round)
{
  enum { DATA = 200, FLAG = 1, READ = 2 };
  uint64_t value = (uint64_t)round;
  char expected[DATA];
  const size_t from = (size_t)(round % 2) * 256;
  memset(w->region.start + from, round, DATA);
  memset(expected, round, DATA);
  ovk__work works[2] = {between(w, OVK__WRITE, from, next(), LANDING, DATA),
                        write_word(w, &value, next(), FLAG)};
  if (w->limits.atomics && round % 3 == 0) {
    works[1] = between(w, OVK__FETCH_ADD, 1024, next(), WORDS + FLAG * 8, 8);
    works[1].addend = 1;
  }
  assert_int_equal(ops->post(w->queues[next()], works, 2), 0);
  await_word(w, FLAG, value);
  assert_memory_equal(w->region.start + LANDING, expected, DATA);
  succeed(w->queues[previous()], write_word(w, &value, previous(), READ));
  succeed(w->queues[next()], empty_write()); /* its completion implies that of the two works */
  await_word(w, READ, value);
}

TEST(works_of_a_queue_are_seen_in_their_order)
{
  scoped_world w;
  open_world(&w);
  meet();
  for (int round = 1; round <= 500; round++) play_round(&w, round);
}

TEST(one_completion_tells_of_all_works_before)
{
  enum { WORKS = 10000, EVERY = 16 };
  uint64_t done = 0;
  scoped_world w;
  open_world(&w);
  meet();
  ovk__queue *q = w.queues[next()];
  const double since = MPI_Wtime();
  for (uint64_t k = 1; k <= WORKS; k++) {
    const uint64_t before = done;
    while (k - done > DEPTH) {
      assert_int_equal(ops->poll(q, &done), 0);
      assert_in_time(since);
    }
    assert_true(done >= before && done % EVERY == 0 && done < k);
    ovk__work work = write_word(&w, &k, next(), 0);
    work.signaled = k % EVERY == 0;
    work.id = k;
    assert_int_equal(ops->post(q, &work, 1), 0);
  }
  if (done < WORKS) assert_int_equal(await_id(q, WORKS), 0);
  done = 7;
  assert_int_equal(ops->poll(q, &done), 0); /* nothing new */
  assert_int_equal(done, 7);
  await_word(&w, 0, WORKS);
}

TEST(an_empty_write_succeeds_while_the_peer_lives)
{
  scoped_world w;
  open_world(&w);
  check_others(&w, -1, -1);
  for (int t = 0; t < 100; t++) succeed(w.queues[t % test_size], empty_write());
}

TEST(who_was_hung_up_on_fails_and_other_queues_go_on)
{
  const int last = test_size - 1;
  uint64_t value = 1;
  uint64_t done;
  scoped_world w;
  open_world(&w);
  check_others(&w, -1, -1);
  if (test_rank == 0) {
    ops->hang_up(w.queues[last]);
    fail_with_words(w.queues[last], write_word(&w, &value, last, 0));
    assert_int_not_equal(ops->poll(w.queues[last], &done), 0);
  }
  meet();
  if (test_rank == last) fail_with_words(w.queues[0], write_word(&w, &value, 0, 0));
  meet();
  assert_int_equal(atomic_load(word_of(&w, 0)), 0);
  check_others(&w, 0, last);
}

/* Every world has one queue connected to itself; here two are connected to each other. */
TEST(two_queues_of_a_process_may_be_connected)
{
  uint64_t value = 77;
  ovk__queue *q[2];
  ovk__nic_address address[2];
  scoped_world w;
  open_world(&w);
  for (int k = 0; k < 2; k++) {
    assert_ok(ops->queue_create(test_ctx(), w.nic, 1, &q[k]));
    ops->queue_address(q[k], &address[k]);
  }
  for (int k = 0; k < 2; k++) assert_ok(ops->queue_connect(test_ctx(), q[k], &address[1 - k]));
  for (int k = 0; k < 2; k++) succeed(q[k], write_word(&w, &value, test_rank, k));
  for (int k = 0; k < 2; k++) await_word(&w, k, value);
  ops->hang_up(q[0]);
  fail_with_words(q[1], empty_write());
  check_others(&w, -1, -1);
  for (int k = 0; k < 2; k++) ops->queue_destroy(q[k]);
}

enum { LONG_SLEEP = 60000 /* ms; a test that lasts so long fails */ };

static void sleep_until(const world *w, uint64_t value)
{
  const double since = MPI_Wtime();
  for (;;) {
    ops->arm(w->nic);
    if (atomic_load(word_of(w, 0)) == value) return;
    ops->sleep(w->nic, LONG_SLEEP);
    assert_in_time(since);
  }
}

static void pass_on(const world *w, uint64_t value)
{
  ovk__work work = write_word(w, &value, next(), 0);
  work.notifies = true;
  succeed(w->queues[next()], work);
}

/* A word goes round, more often than a queue has receives, and all but one rank sleep. */
TEST(a_write_that_notifies_ends_the_peers_sleep)
{
  scoped_world w;
  open_listening_world(&w);
  meet();
  for (uint64_t turn = 1; turn <= 3 * DEPTH; turn++) {
    if (test_rank == 0) pass_on(&w, turn);
    sleep_until(&w, turn);
    if (test_rank != 0) pass_on(&w, turn);
  }
}

TEST(wake_ends_a_sleep_that_begins_later)
{
  const double since = MPI_Wtime();
  scoped_world w;
  open_listening_world(&w);
  for (int t = 0; t < 10; t++) {
    ops->arm(w.nic);
    ops->wake(w.nic);
    ops->sleep(w.nic, LONG_SLEEP);
    assert_in_time(since);
  }
  ops->sleep(w.nic, 1);
}

static void check_refused(ovk__nic_choice c, const char *part)
{
  ovk__nic *nic = NULL;
  ovk__nic_limits limits;
  const ovk_err err = ops->open(test_ctx(), &c, &nic, &limits);
  assert_int_not_equal(err, OVK_OK);
  assert_local_error(err, ops == &ovk__nic_emulated ? OVK_ERR_ARG : err, part);
}

TEST(a_wrong_choice_is_an_error_that_names_it)
{
  ovk__nic_choice device = choice, port = choice, gid = choice;
  device.device = "no_such_nic";
  port.port = 211;
  gid.gid = 30011;
  check_refused(device, "no_such_nic");
  check_refused(port, "211");
  check_refused(gid, "30011");
}

TEST(a_depth_beyond_the_limit_is_an_error)
{
  ovk__queue *q = NULL;
  scoped_world w;
  open_world(&w);
  assert_int_not_equal(ops->queue_create(test_ctx(), w.nic, w.limits.depth_most + 1, &q), OVK_OK);
}

static int open_files(void)
{
  int n = 0;
  DIR *files = opendir("/proc/self/fd");
  if (!files) return -1;
  while (readdir(files)) n++;
  closedir(files);
  return n;
}

TEST(all_can_be_opened_and_closed_a_hundred_times)
{
  int files = 0;
  for (int t = 0; t < 100; t++) {
    uint64_t value = (uint64_t)t;
    world w;
    open_world(&w);
    meet();
    succeed(w.queues[next()], write_word(&w, &value, next(), 0));
    await_word(&w, 0, value);
    assert_true(ops != &ovk__nic_emulated || mappings() > 0);
    close_world(&w);
    if (t == 0) files = open_files();
  }
  assert_int_equal(open_files(), files);
  assert_int_equal(mappings(), 0);
}

TEST_GROUP(choose_nic, NULL)
