/* SPDX-License-Identifier: BSD-2-Clause */
/* Placement of the ranks. Machines with more sockets than this one are simulated by hwloc, which
 * reads a description from the environment. */
#include "comm/engine/topology/topology.h"
#include "support/test_main.h"

/* Makes hwloc report a machine of two cores on this rank; NULL: the real one. If `bound`, hwloc
 * treats it as the machine that this process runs on. */
static void pretend(const char *machine, bool bound)
{
  unsetenv("HWLOC_COMPONENTS"); /* it takes precedence */
  unsetenv("HWLOC_SYNTHETIC");
  unsetenv("HWLOC_THISSYSTEM");
  if (machine) assert_int_equal(setenv("HWLOC_SYNTHETIC", machine, 1), 0);
  if (machine && bound) assert_int_equal(setenv("HWLOC_THISSYSTEM", "1", 1), 0);
}

static bool have_hwloc(void)
{
  return ovk__pin_thread(test_ctx(), -1) != OVK_ERR_UNSUPPORTED;
}

static ovk__algorithm_spec grouped_by(ovk__grouping first)
{
  return (ovk__algorithm_spec){.ngroupings = 1, .grouping = {first}};
}

static ovk_err make_hierarchy(const ovk__algorithm_spec *algorithms, ovk__hierarchy *out)
{
  return ovk__topology_hierarchy(test_ctx(), ovk_ctx_comm(test_ctx()), algorithms, out);
}

/* Every rank has the same hierarchy; each group contains its lowest rank. */
static void check_groups(const ovk__hierarchy *h)
{
  assert_int_equal(h->nranks, test_size);
  for (int k = 0; k < h->ngroupings * test_size; k++) {
    const int lowest = h->lowest[k], grouping = k / test_size;
    int first = lowest;
    assert_true(lowest >= 0 && lowest <= k % test_size);
    assert_int_equal(h->lowest[grouping * test_size + lowest], lowest);
    MPI_Bcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD);
    assert_int_equal(lowest, first);
  }
}

/* The lowest rank on this node. */
static int node_of_mpi(int *size)
{
  SCOPED(MPI_Comm_free) MPI_Comm node = MPI_COMM_NULL;
  int lowest = test_rank;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, size);
  MPI_Bcast(&lowest, 1, MPI_INT, 0, node);
  return lowest;
}

TEST(nodes_are_those_of_mpi)
{
  int size = 0, here = 0;
  const int lowest = node_of_mpi(&size);
  assert_ok(ovk__topology_node_size(test_ctx(), MPI_COMM_WORLD, &here));
  assert_int_equal(here, size);
  const ovk__algorithm_spec algorithms = grouped_by(OVK__NODE);
  SCOPED(ovk__hierarchy_free) ovk__hierarchy h;
  assert_ok(make_hierarchy(&algorithms, &h));
  assert_int_equal(h.ngroupings, 1);
  assert_int_equal(h.lowest[test_rank], lowest);
  check_groups(&h);
}

TEST(sizes_need_no_machine)
{
  const ovk__algorithm_spec algorithms = {.ngroupings = 1, .by_size = true, .size = {2}},
                            flat = {0};
  SCOPED(ovk__hierarchy_free) ovk__hierarchy h;
  assert_ok(make_hierarchy(&algorithms, &h));
  for (int rank = 0; rank < test_size; rank++) assert_int_equal(h.lowest[rank], rank - rank % 2);
  ovk__hierarchy_free(&h);
  assert_ok(make_hierarchy(&flat, &h));
  assert_int_equal(h.ngroupings, 0);
}

TEST(the_real_machine_has_groups_at_every_level)
{
  if (!have_hwloc()) skip();
  const ovk__algorithm_spec algorithms = {.ngroupings = 3,
                                          .grouping = {OVK__NUMA, OVK__SOCKET, OVK__NODE}};
  SCOPED(ovk__hierarchy_free) ovk__hierarchy h;
  assert_ok(make_hierarchy(&algorithms, &h));
  assert_int_equal(h.ngroupings, 3);
  check_groups(&h);
}

TEST(ranks_that_may_run_anywhere_are_where_they_run)
{
  if (!have_hwloc()) skip();
  const ovk__algorithm_spec algorithms = grouped_by(OVK__SOCKET);
  ovk__hierarchy h;
  pretend("pack:2 pu:64", true); /* a process bound to up to 64 cores is in the first package */
  assert_ok(make_hierarchy(&algorithms, &h));
  check_groups(&h);
  ovk__hierarchy_free(&h);
  pretend(NULL, false);
}

TEST(one_rank_whose_place_is_unknown_is_told_by_all)
{
  if (!have_hwloc()) skip();
  const ovk__algorithm_spec algorithms = grouped_by(OVK__SOCKET);
  ovk__hierarchy h;
  if (is_last()) pretend("pack:2 pu:1", false);
  assert_error(make_hierarchy(&algorithms, &h), OVK_ERR_UNSUPPORTED,
               "does not report on which socket rank");
  ovk__hierarchy_free(&h);
  pretend(NULL, false);
}

TEST(a_build_without_hwloc_says_how_to_get_it)
{
  if (have_hwloc()) skip();
  const ovk__algorithm_spec algorithms = grouped_by(OVK__SOCKET);
  ovk__hierarchy h;
  assert_error(make_hierarchy(&algorithms, &h), OVK_ERR_UNSUPPORTED, "-DOVK_USE_HWLOC=ON");
  ovk__hierarchy_free(&h);
  assert_error(ovk__pin_thread(test_ctx(), 0), OVK_ERR_UNSUPPORTED, "-DOVK_USE_HWLOC=ON");
}

TEST(a_core_that_is_not_there_is_refused)
{
  if (!have_hwloc()) skip();
  assert_local_error(ovk__pin_thread(test_ctx(), -1), OVK_ERR_ARG, "core -1: there are ");
  assert_local_error(ovk__pin_thread(test_ctx(), 1 << 20), OVK_ERR_ARG, "core 1048576: there are ");
}

/* Ranks on one node are together, unless they are on cores 0 and 1 and these are `apart`. */
static void check_pinned(const ovk__hierarchy *h, int grouping, bool apart)
{
  enum { MOST_RANKS = 64 };
  int size, node[MOST_RANKS];
  assert_true(test_size <= MOST_RANKS);
  node[test_rank] = node_of_mpi(&size);
  MPI_Allgather(MPI_IN_PLACE, 1, MPI_INT, node, 1, MPI_INT, MPI_COMM_WORLD);
  for (int rank = 0; rank < test_size; rank++) {
    int lowest = 0;
    while (node[lowest] != node[rank] || (apart && lowest % 2 != rank % 2)) lowest++;
    assert_int_equal(h->lowest[grouping * test_size + rank], lowest);
  }
}

/* The last test: ranks remain bound to cores 0 and 1 alternately. */
TEST(bound_ranks_are_in_the_domain_of_their_core)
{
  int pinned = ovk__pin_thread(test_ctx(), test_rank % 2) == OVK_OK;
  MPI_Allreduce(MPI_IN_PLACE, &pinned, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (!pinned) skip(); /* no hwloc, or no such cores */
  const ovk__algorithm_spec algorithms = {.ngroupings = 2, .grouping = {OVK__NUMA, OVK__SOCKET}};
  ovk__hierarchy h;
  pretend("pack:2 numa:1 pu:1", true);
  assert_ok(make_hierarchy(&algorithms, &h));
  check_pinned(&h, 0, true);
  check_pinned(&h, 1, true);
  ovk__hierarchy_free(&h);
  pretend("pack:1 numa:2 pu:1", true);
  assert_ok(make_hierarchy(&algorithms, &h));
  check_pinned(&h, 0, true);
  check_pinned(&h, 1, false);
  ovk__hierarchy_free(&h);
  pretend(NULL, false);
}
