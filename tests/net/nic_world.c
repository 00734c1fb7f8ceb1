/* SPDX-License-Identifier: BSD-2-Clause */
/* NICs of all ranks, connected, and functions that wait for works. */
#include "nic_world.h"

#include <sched.h>

enum { TIME_LIMIT = 300 /* seconds */ };

const ovk__nic_ops *ops = &ovk__nic_emulated;
ovk__nic_choice choice = {.port = 0, .gid = -1, .timeout = 1};

int next(void)
{
  return (test_rank + 1) % test_size;
}

int previous(void)
{
  return (test_rank + test_size - 1) % test_size;
}

void meet(void)
{
  MPI_Barrier(MPI_COMM_WORLD);
}

void assert_in_time(double since)
{
  assert_true(MPI_Wtime() - since < TIME_LIMIT);
  sched_yield();
}

void share(const ovk__region *region, place *places)
{
  place own = {(uintptr_t)region->start, region->remote_key, (uint32_t)region->bytes};
  MPI_Allgather(&own, sizeof own, MPI_BYTE, places, sizeof own, MPI_BYTE, MPI_COMM_WORLD);
}

static void make_world(world *w, bool listens)
{
  ovk__nic_address own[MOST_RANKS], peers[MOST_RANKS];
  assert_true(test_size <= MOST_RANKS);
  assert_ok(ops->open(test_ctx(), &choice, &w->nic, &w->limits));
  if (listens) assert_ok(ops->listen(test_ctx(), w->nic));
  assert_ok(ops->take(test_ctx(), w->nic, REGION, &w->region));
  for (int k = 0; k < test_size; k++) {
    assert_ok(ops->queue_create(test_ctx(), w->nic, DEPTH, &w->queues[k]));
    ops->queue_address(w->queues[k], &own[k]);
  }
  MPI_Alltoall(own, sizeof *own, MPI_BYTE, peers, sizeof *own, MPI_BYTE, MPI_COMM_WORLD);
  for (int k = 0; k < test_size; k++) {
    assert_ok(ops->queue_connect(test_ctx(), w->queues[k], &peers[k]));
  }
  share(&w->region, w->places);
}

void open_world(world *w)
{
  make_world(w, false);
}

void open_listening_world(world *w)
{
  make_world(w, true);
}

void close_world(world *w)
{
  meet();
  for (int k = 0; k < test_size; k++) ops->queue_destroy(w->queues[k]);
  ops->release(w->nic, &w->region);
  ops->close(w->nic);
}

ovk__work between(const world *w, ovk__work_kind kind, size_t from, int peer, size_t to,
                  size_t bytes)
{
  return (ovk__work){.kind = kind,
                     .local = w->region.start + from,
                     .local_key = w->region.local_key,
                     .bytes = bytes,
                     .remote = w->places[peer].address + to,
                     .remote_key = w->places[peer].key};
}

ovk__work write_word(const world *w, uint64_t *value, int peer, int word)
{
  ovk__work work = between(w, OVK__WRITE, 0, peer, WORDS + (size_t)word * 8, sizeof *value);
  work.local = value;
  work.local_key = 0;
  work.inlined = true;
  return work;
}

ovk__work empty_write(void)
{
  return (ovk__work){.kind = OVK__WRITE, .inlined = true};
}

_Atomic uint64_t *word_of(const world *w, int word)
{
  return (_Atomic uint64_t *)(void *)(w->region.start + WORDS) + word;
}

void await_word(const world *w, int word, uint64_t value)
{
  const double since = MPI_Wtime();
  while (atomic_load_explicit(word_of(w, word), memory_order_acquire) != value) {
    assert_in_time(since);
  }
}

int await_id(ovk__queue *q, uint64_t id)
{
  const double since = MPI_Wtime();
  for (uint64_t done = 0; done != id;) {
    const int status = ops->poll(q, &done);
    if (status) return status;
    assert_in_time(since);
  }
  return 0;
}

int try_work(ovk__queue *q, ovk__work work)
{
  static uint64_t id;
  work.signaled = true;
  work.id = ++id;
  const int status = ops->post(q, &work, 1);
  return status ? status : await_id(q, id);
}

void succeed_(ovk__queue *q, ovk__work work, const char *file, int line)
{
  const int status = try_work(q, work);
  if (!status) return;
  print_error("[rank %d] status %d: %s\n", test_rank, status, ops->text(status));
  _fail(file, line);
}

void fail_with_words(ovk__queue *q, ovk__work work)
{
  const int status = try_work(q, work);
  assert_int_not_equal(status, 0);
  assert_true(strlen(ops->text(status)) > 0);
  assert_int_not_equal(try_work(q, empty_write()), 0); /* on every call */
}

void check_others(const world *w, int a, int b)
{
  meet();
  for (int k = 0; k < test_size; k++) {
    uint64_t value = 1000 + (uint64_t)test_rank;
    if ((test_rank == a && k == b) || (test_rank == b && k == a)) continue;
    succeed(w->queues[k], empty_write());
    succeed(w->queues[k], write_word(w, &value, k, 100 + test_rank));
  }
  for (int k = 0; k < test_size; k++) {
    if ((test_rank == a && k == b) || (test_rank == b && k == a)) continue;
    await_word(w, 100 + k, 1000 + (uint64_t)k);
  }
  meet();
}

/* False: there is no such NIC, which is an error only if it was requested by name. */
static bool choose(void)
{
  const char *device = getenv("OVK_TEST_DEVICE");
  ovk__nic *nic;
  ovk__nic_limits limits;
  if (!device || strcmp(device, ovk__nic_emulated.name) == 0) return true;
  ops = &ovk__nic_ibverbs;
  if (strcmp(device, "ibverbs") != 0) {
    choice.device = device;
    return true;
  }
  if (ops->open(test_ctx(), &choice, &nic, &limits)) return false;
  ops->close(nic);
  return true;
}

int choose_nic(void **state)
{
  if (choose()) return 0;
  skip_all(ovk_ctx_error(test_ctx()));
}
