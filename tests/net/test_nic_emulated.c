/* SPDX-License-Identifier: BSD-2-Clause */
/* Errors that the emulated NIC detects: misuse that real NICs report late, or only partly,
 * and peers that it cannot reach. */
#include "core/base/clock.h"
#include "nic_world.h"

#include <errno.h>
#include <signal.h>

TEST(more_works_than_the_depth_are_refused)
{
  ovk__work works[DEPTH + 1];
  uint64_t done = 0;
  scoped_world w;
  open_world(&w);
  meet();
  ovk__queue *q = w.queues[next()];
  for (int k = 0; k <= DEPTH; k++) {
    works[k] = empty_write();
    works[k].signaled = k == DEPTH / 2 - 1;
    works[k].id = (uint64_t)k + 1;
  }
  assert_int_not_equal(ops->post(q, works, DEPTH + 1), 0);
  assert_int_equal(ops->post(q, works, DEPTH), 0);
  assert_int_not_equal(ops->post(q, works, 1), 0);
  assert_int_equal(ops->poll(q, &done), 0); /* frees half of the entries */
  assert_int_equal(done, DEPTH / 2);
  assert_int_not_equal(ops->post(q, works + DEPTH / 2, DEPTH / 2 + 1), 0);
  assert_int_equal(ops->post(q, works + DEPTH / 2, DEPTH / 2), 0);
  assert_int_equal(ops->poll(q, &done), 0); /* no more without a signaled work */
  assert_int_not_equal(ops->post(q, works, 1), 0);
}

TEST(works_that_no_nic_takes_are_refused)
{
  scoped_world w;
  open_world(&w);
  meet();
  ovk__work works[] = {between(&w, OVK__WRITE, 0, next(), 0, w.limits.inline_most + 1),
                       between(&w, OVK__READ, 0, next(), 0, 8),
                       between(&w, OVK__FETCH_ADD, 0, next(), 0, 4),
                       between(&w, OVK__FETCH_ADD, 0, next(), 4, 8),
                       between(&w, OVK__WRITE, 0, next(), 0, w.limits.work_most + 1)};
  works[0].inlined = works[1].inlined = true;
  for (size_t k = 0; k < sizeof works / sizeof *works; k++) {
    assert_int_not_equal(ops->post(w.queues[next()], &works[k], 1), 0);
  }
}

static void check_local(size_t from, bool remote_key)
{
  const int last = test_size - 1;
  scoped_world w;
  open_world(&w);
  meet();
  ovk__work work = between(&w, OVK__WRITE, from, last, 0, 64);
  if (remote_key) work.local_key = w.region.remote_key;
  if (test_rank == 0) fail_with_words(w.queues[last], work);
  check_others(&w, 0, last);
}

TEST(local_memory_needs_its_key_too)
{
  check_local(REGION - 63, false);
  check_local(0, true);
}

/* A queue that is not connected, or whose peer is not, or not to it. */
TEST(both_sides_have_to_connect)
{
  ovk__queue *q[3];
  ovk__nic_address address[3];
  scoped_world w;
  open_world(&w);
  for (int k = 0; k < 3; k++) {
    assert_ok(ops->queue_create(test_ctx(), w.nic, 4, &q[k]));
    ops->queue_address(q[k], &address[k]);
  }
  assert_int_not_equal(try_work(q[0], empty_write()), 0);
  assert_ok(ops->queue_connect(test_ctx(), q[0], &address[1]));
  fail_with_words(q[0], empty_write());
  assert_ok(ops->queue_connect(test_ctx(), q[1], &address[2]));
  assert_ok(ops->queue_connect(test_ctx(), q[2], &address[2]));
  fail_with_words(q[1], empty_write());
  succeed(q[2], empty_write());
  assert_local_error(ops->queue_connect(test_ctx(), q[2], &address[1]), OVK_ERR_STATE, "once");
  for (int k = 0; k < 3; k++) ops->queue_destroy(q[k]);
}

/* Two queues connected to each other. */
static void open_pair(const world *w, ovk__queue *q[2], ovk__nic_address address[2])
{
  for (int k = 0; k < 2; k++) {
    assert_ok(ops->queue_create(test_ctx(), w->nic, 4, &q[k]));
    ops->queue_address(q[k], &address[k]);
  }
  for (int k = 0; k < 2; k++) assert_ok(ops->queue_connect(test_ctx(), q[k], &address[1 - k]));
  succeed(q[0], empty_write());
}

TEST(a_destroyed_queue_is_out_of_reach_and_so_is_its_successor)
{
  ovk__queue *q[2], *lonely[2], *successor;
  ovk__nic_address address[2];
  world w;
  open_world(&w);
  open_pair(&w, lonely, address);
  open_pair(&w, q, address);
  ops->queue_destroy(q[1]);
  assert_ok(ops->queue_create(test_ctx(), w.nic, 4, &successor));
  ops->queue_address(successor, &address[1]);
  assert_ok(ops->queue_connect(test_ctx(), successor, &address[1]));
  succeed(successor, empty_write());
  fail_with_words(q[0], empty_write());
  ops->queue_destroy(lonely[1]);
  fail_with_words(lonely[0], empty_write());
  ops->queue_destroy(lonely[0]);
  ops->queue_destroy(q[0]);
  ops->queue_destroy(successor);
  close_world(&w);
}

/* An address with a different byte at each position. */
TEST(an_address_from_elsewhere_is_an_error)
{
  int far = 0, foreign = 0;
  scoped_world w;
  ovk__queue *q;
  ovk__nic_address address;
  open_world(&w);
  for (size_t k = 0; k < sizeof address.bytes; k++) {
    assert_ok(ops->queue_create(test_ctx(), w.nic, 4, &q));
    ops->queue_address(q, &address);
    address.bytes[k] ^= 0x41;
    const ovk_err err = ops->queue_connect(test_ctx(), q, &address);
    if (err == OVK_ERR_UNSUPPORTED) {
      assert_non_null(strstr(ovk_ctx_error(test_ctx()), "works within one machine only"));
      far++;
    } else if (err) {
      assert_int_equal(err, OVK_ERR_ARG);
      foreign++;
    } else {
      assert_true(k >= 32); /* bytes that only the peer can check, or unused ones */
    }
    ops->queue_destroy(q);
  }
  assert_true(far == 24 && foreign >= 8);
}

TEST(peers_keep_no_regions_that_were_released)
{
  const int before = mappings();
  scoped_world w;
  open_world(&w);
  meet();
  for (int t = 0; t < 50; t++) {
    ovk__region r;
    place places[MOST_RANKS];
    assert_ok(ops->take(test_ctx(), w.nic, 4096, &r));
    share(&r, places);
    ovk__work work = between(&w, OVK__WRITE, 0, next(), 0, 64);
    work.remote = places[next()].address;
    work.remote_key = places[next()].key;
    succeed(w.queues[next()], work);
    meet();
    ops->release(w.nic, &r);
    meet();
  }
  /* The control block, the region, a control block for every queue, and the part that was not seen
   * yet. */
  assert_true(mappings() - before <= 2 + test_size + 1);
}

TEST(more_memory_than_there_is_is_an_error)
{
  scoped_world w;
  ovk__region r;
  open_world(&w);
  assert_local_error(ops->take(test_ctx(), w.nic, SIZE_MAX / 2, &r), OVK_ERR_MEMORY, "region");
  assert_local_error(ops->take(test_ctx(), w.nic, SIZE_MAX, &r), OVK_ERR_MEMORY, "region");
}

enum { LONG_SLEEP = 60000 /* ms */ };

/* Reads from this rank and from the next one, which sleep until they are complete if `sleeps`.
 * Returns the seconds. */
static double read_twice(const world *w, bool sleeps)
{
  const int peers[] = {test_rank, next()};
  const double start = ovk__clock();
  for (uint64_t k = 0; k < 2; k++) {
    ovk__work work = between(w, OVK__READ, LANDING, peers[k], 0, MESSAGE);
    work.signaled = true;
    work.id = k + 1;
    assert_int_equal(ops->post(w->queues[peers[k]], &work, 1), 0);
  }
  for (uint64_t k = 0, done = 0; k < 2; k += done == k + 1) {
    ops->arm(w->nic);
    assert_int_equal(ops->poll(w->queues[peers[k]], &done), 0);
    if (sleeps && done != k + 1) ops->sleep(w->nic, LONG_SLEEP);
  }
  return ovk__clock() - start;
}

TEST(reads_take_the_time_of_the_link_which_they_share)
{
  const double seconds = 2 * 8e-9 * MESSAGE;
  scoped_world w;
  choice.rate = 1;
  open_listening_world(&w);
  choice.rate = 0;
  w.region.start[0] = (char)(test_rank + 1);
  meet();
  for (int k = 0; k < 2; k++) {
    const double took = read_twice(&w, k == 1);
    assert_true(took >= seconds && took < LONG_SLEEP / 1000);
    assert_int_equal(w.region.start[LANDING], next() + 1);
  }
}

static bool timer_runs; /* a profiler's, faster than any allocation */

/* posix_fallocate(), as the linker has it. Linux before 6.13 allocates nothing if a signal comes
 * meanwhile. */
int __real_posix_fallocate(int fd, off_t offset, off_t bytes);
int __wrap_posix_fallocate(int fd, off_t offset, off_t bytes);
int __wrap_posix_fallocate(int fd, off_t offset, off_t bytes)
{
  sigset_t blocked;
  assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &blocked), 0);
  if (timer_runs && !sigismember(&blocked, SIGPROF)) return EINTR;
  return __real_posix_fallocate(fd, offset, bytes);
}

TEST(regions_are_taken_under_the_timer_of_a_profiler)
{
  sigset_t blocked;
  ovk__region r;
  scoped_world w;
  open_world(&w);
  timer_runs = true;
  const ovk_err err = ops->take(test_ctx(), w.nic, 4096, &r);
  timer_runs = false;
  assert_ok(err);
  ops->release(w.nic, &r);
  assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &blocked), 0);
  assert_false(sigismember(&blocked, SIGPROF));
}
