/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums progressed by a thread. Runs with MPI_THREAD_MULTIPLE, if the environment lets MPI_Init
 * provide it, and without. */
#include "support/conformance.h"
#include "support/problem.h"

#include <ovkrylov/comm/reduction.h>
#include <sched.h>
#include <stdatomic.h>

static bool threads_allowed(void)
{
  int level;
  MPI_Query_thread(&level);
  return level == MPI_THREAD_MULTIPLE;
}

TEST(a_thread_needs_thread_multiple)
{
  if (threads_allowed()) skip();
  assert_no_sum("nbc:progress=thread", 1, OVK_ERR_UNSUPPORTED, "needs MPI_THREAD_MULTIPLE");
}

TEST(sums_with_a_thread_conform)
{
  const char *const specs[] = {"nbc:progress=thread", "nbc:progress=thread,alg=tree,channel=shm",
                               "nbc:progress=thread,levels=2,channel=shm+p2p,alg=flat",
                               "nbc:progress=thread,alg=kary,k=3,fragment=64,window=3"};
  if (!threads_allowed()) skip();
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
    conformance_check(specs[k], NULL);
    conformance_check_mixed(specs[k]);
  }
}

/* A flag in memory that all ranks share, independent of MPI. */
static _Atomic int *make_flag(MPI_Win *window)
{
  void *start;
  MPI_Aint size;
  int unit;
  MPI_Win_allocate_shared(test_rank ? 0 : sizeof(_Atomic int), 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                          &start, window);
  MPI_Win_shared_query(*window, 0, &size, &unit, &start);
  if (test_rank == 0) atomic_init((_Atomic int *)start, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  return start;
}

/* Rank 0, the root of the tree, begins and then makes no calls until all others have the total. */
static void check_idle_root(const char *spec)
{
  scoped_reduction *red = new_sum(spec, 1);
  SCOPED(MPI_Win_free) MPI_Win window = MPI_WIN_NULL;
  _Atomic int *completed = make_flag(&window);
  for (int t = 1; t <= 20; t++) {
    ovk_reduction_values(red)[0] = t;
    assert_ok(ovk_reduction_begin(red));
    while (test_rank == 0 && atomic_load(completed) < t * (test_size - 1)) sched_yield();
    assert_ok(ovk_reduction_wait(red));
    assert_true(ovk_reduction_values(red)[0] == t * test_size);
    if (test_rank > 0) atomic_fetch_add(completed, 1);
  }
}

TEST(a_thread_serves_others_while_its_rank_is_busy)
{
  if (!threads_allowed()) skip();
  check_idle_root("nbc:progress=thread,alg=tree");
  check_idle_root("nbc:progress=thread,alg=tree,channel=shm");
}

TEST(a_thread_may_be_bound_to_a_processor_that_exists)
{
  ovk_reduction *red = NULL;
  if (!threads_allowed()) skip();
  const ovk_err err = ovk_reduction_create(test_ctx(), "nbc:progress=thread,core=0", 1, &red);
  if (err == OVK_ERR_UNSUPPORTED) skip(); /* a build without hwloc */
  assert_ok(err);
  ovk_reduction_values(red)[0] = 1;
  assert_ok(ovk_reduction_begin(red));
  assert_ok(ovk_reduction_wait(red));
  assert_true(ovk_reduction_values(red)[0] == test_size);
  ovk_reduction_destroy(&red);
  assert_no_sum("nbc:progress=thread,core=99999", 1, OVK_ERR_ARG, "99999");
}
