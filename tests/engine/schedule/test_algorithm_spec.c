/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading algorithms from specs, with an error for each kind of fault; printing schedules. */
#include "comm/engine/schedule/algorithm_spec.h"
#include "support/test_main.h"

#include <ovkrylov/comm/schedule.h>

static ovk_err read_algorithms(const char *text, ovk__algorithm_spec *algorithms)
{
  SCOPED(ovk_spec_destroy) ovk_spec *spec = NULL;
  assert_ok(ovk_spec_parse(test_ctx(), text, &spec));
  return ovk__algorithm_spec_read(test_ctx(), spec, algorithms);
}

static void assert_level(const ovk__algorithm_spec *algorithms, int level, ovk__level expected)
{
  const ovk__level *l = &algorithms->level[level];
  assert_int_equal(l->algorithm, expected.algorithm);
  assert_int_equal(l->channel, expected.channel);
  if (expected.reduce) assert_int_equal(l->reduce, expected.reduce);
  if (expected.bcast) assert_int_equal(l->bcast, expected.bcast);
}

static void check_one_level(const char *text, ovk__level expected)
{
  ovk__algorithm_spec algorithms;
  assert_ok(read_algorithms(text, &algorithms));
  assert_int_equal(algorithms.ngroupings, 0);
  assert_level(&algorithms, 0, expected);
}

TEST(what_is_not_given_has_its_default)
{
  check_one_level("nbc", (ovk__level){OVK__KARY, OVK__P2P, 2, 2});
  check_one_level("nbc:levels=flat", (ovk__level){OVK__KARY, OVK__P2P, 2, 2});
  check_one_level("nbc:alg=doubling", (ovk__level){OVK__KARY, OVK__P2P, 2, 2});
  check_one_level("nbc:alg=kary", (ovk__level){OVK__KARY, OVK__P2P, 4, 4});
  check_one_level("nbc:alg=tree", (ovk__level){OVK__TREE, OVK__P2P, 2, 4});
  check_one_level("nbc:alg=nary", (ovk__level){OVK__NARY, OVK__P2P, 4, 2});
}

TEST(what_is_given_counts)
{
  check_one_level("nbc:alg=flat,channel=shm", (ovk__level){OVK__FLAT, OVK__SHM, 0, 0});
  check_one_level("nbc:alg=ring", (ovk__level){OVK__RING, OVK__P2P, 0, 0});
  check_one_level("nbc:alg=halving", (ovk__level){OVK__HALVING, OVK__P2P, 0, 0});
  check_one_level("verbs:alg=auto", (ovk__level){OVK__AUTO, OVK__RDMA, 2, 2});
  check_one_level("nbc:alg=kary,k=8", (ovk__level){OVK__KARY, OVK__P2P, 8, 8});
  check_one_level("nbc:alg=tree,reduce=3,bcast=2", (ovk__level){OVK__TREE, OVK__P2P, 3, 2});
  check_one_level("nbc:alg=nary,k=2", (ovk__level){OVK__NARY, OVK__P2P, 2, 2});
  check_one_level("nbc:alg=nary,reduce=8", (ovk__level){OVK__NARY, OVK__P2P, 8, 2});
  check_one_level("nbc:alg=tree,k=3", (ovk__level){OVK__TREE, OVK__P2P, 3, 3});
  check_one_level("nbc:alg=tree,k=3,bcast=5", (ovk__level){OVK__TREE, OVK__P2P, 3, 5});
}

TEST(a_channel_as_the_name_is_that_of_the_outermost_level)
{
  ovk__algorithm_spec algorithms;
  check_one_level("verbs", (ovk__level){OVK__KARY, OVK__RDMA, 2, 2});
  assert_ok(read_algorithms("verbs:levels=socket+node", &algorithms));
  assert_level(&algorithms, 0, (ovk__level){OVK__KARY, OVK__SHM, 2, 2});
  assert_level(&algorithms, 1, (ovk__level){OVK__KARY, OVK__SHM, 2, 2});
  assert_level(&algorithms, 2, (ovk__level){OVK__KARY, OVK__RDMA, 2, 2});
}

TEST(lists_go_from_inside_out_and_the_last_entry_stays)
{
  ovk__algorithm_spec algorithms;
  assert_ok(read_algorithms("nbc:levels=4x2x3,alg=flat+kary+tree,k=2+3,reduce=5,channel=shm+p2p",
                            &algorithms));
  assert_true(algorithms.by_size);
  assert_int_equal(algorithms.ngroupings, 3);
  assert_int_equal(algorithms.size[0], 4);
  assert_int_equal(algorithms.size[1], 2);
  assert_int_equal(algorithms.size[2], 3);
  assert_level(&algorithms, 0, (ovk__level){OVK__FLAT, OVK__SHM, 0, 0});
  assert_level(&algorithms, 1, (ovk__level){OVK__KARY, OVK__P2P, 3, 3});
  assert_level(&algorithms, 2, (ovk__level){OVK__TREE, OVK__P2P, 5, 3});
  assert_level(&algorithms, 3, (ovk__level){OVK__TREE, OVK__P2P, 5, 3});
  assert_ok(read_algorithms("nbc:levels=2,alg=flat+ring,channel=p2p", &algorithms));
  assert_level(&algorithms, 1, (ovk__level){OVK__RING, OVK__P2P, 0, 0});
}

TEST(levels_are_named_by_what_the_machine_groups)
{
  ovk__algorithm_spec algorithms;
  assert_ok(read_algorithms("nbc:levels=numa+socket+node+net", &algorithms));
  assert_false(algorithms.by_size);
  assert_int_equal(algorithms.ngroupings, 3);
  assert_int_equal(algorithms.grouping[0], OVK__NUMA);
  assert_int_equal(algorithms.grouping[1], OVK__SOCKET);
  assert_int_equal(algorithms.grouping[2], OVK__NODE);
  assert_ok(read_algorithms("nbc:levels=node", &algorithms));
  assert_int_equal(algorithms.ngroupings, 1);
  assert_ok(read_algorithms("nbc:levels=net", &algorithms));
  assert_int_equal(algorithms.ngroupings, 0);
}

TEST(what_is_wrong_is_named)
{
  static const struct {
    const char *text, *says;
  } wrong[] = {
      {"nbc:alg=rign", "'nbc': unknown alg 'rign', did you mean 'ring'? there are: flat, doubling"},
      {"nbc:levels=2,alg=flat+", "a value of alg is missing; there are: flat"},
      {"nbc:channel=smh", "did you mean 'shm'? there are: p2p, shm"},
      {"nbc:levels=nod",
       "unknown level 'nod', did you mean 'node'? in addition to flat and sizes (4x2) "
       "there are: numa, socket, node, net"},
      {"nbc:levels=node+flat", "unknown level 'flat'"},
      {"nbc:levels=node+socket", "from inside out: numa, socket, node, net; 'socket' must not "
                                 "follow 'node'"},
      {"nbc:levels=node+node", "'node' must not follow 'node'"},
      {"nbc:levels=4x1", "levels needs whole numbers from 2 to 1048576, not '1'"},
      {"nbc:levels=4x", "not ''"},
      {"nbc:levels=4+2", "not '4+2'"},
      {"nbc:levels=99999999999999999999", "not '99999999999999999999'"},
      {"nbc:levels=2x2x2x2x2x2x2x2", "has 8 sizes, at most 7 are allowed"},
      {"nbc:alg=kary,k=9", "k needs whole numbers from 2 to 8, not '9'"},
      {"nbc:alg=kary,k=1", "from 2 to 8"},
      {"nbc:alg=kary,k=4x", "not '4x'"},
      {"nbc:alg=tree,reduce=-3", "not '-3'"},
      {"nbc:k=4", "k belongs to alg=kary"},
      {"nbc:alg=auto,k=4", "k belongs to alg=kary"},
      {"nbc:alg=aut", "did you mean 'auto'?"},
      {"nbc:alg=kary,bcast=4", "bcast belongs to alg=tree"},
      {"nbc:alg=flat,reduce=4", "reduce belongs to alg=tree"},
      {"nbc:alg=flat+tree", "alg=flat+tree has 2 entries, but levels=flat makes 1"},
      {"nbc:levels=node,channel=shm+shm+p2p", "has 3 entries, but levels=node makes 2"},
      {"nbc:levels=node,alg=ring", "alg=ring is allowed only at the outermost level"},
      {"nbc:levels=node,alg=halving", "alg=halving is allowed only at the outermost level"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    ovk__algorithm_spec algorithms;
    assert_local_error(read_algorithms(wrong[k].text, &algorithms), OVK_ERR_ARG, wrong[k].says);
  }
}

/* Collects lines of output. */
typedef struct page {
  char text[1024];
} page;

static void write_line(void *arg, int round, const char *action)
{
  page *p = arg;
  const size_t used = strlen(p->text);
  snprintf(p->text + used, sizeof p->text - used, "%d %s\n", round, action);
}

/* The schedule of one rank as text; ways: of a barrier, 0: a sum of three values. */
static page printed(const char *spec, int nranks, int rank, int ways)
{
  ovk__algorithm_spec algorithms;
  SCOPED(ovk__hierarchy_free) ovk__hierarchy hierarchy;
  SCOPED(ovk__schedule_free) ovk__schedule schedule;
  page p = {""};
  assert_ok(read_algorithms(spec, &algorithms));
  assert_ok(ovk__hierarchy_by_size(test_ctx(), nranks, algorithms.size, algorithms.ngroupings,
                                   &hierarchy));
  if (ways)
    assert_ok(ovk__schedule_barrier(test_ctx(), &algorithms, &hierarchy, rank, ways, &schedule));
  else
    assert_ok(ovk__schedule_allreduce(test_ctx(), &algorithms, &hierarchy, rank, 3, sizeof(double),
                                      &schedule));
  ovk__schedule_print(&schedule, write_line, &p);
  return p;
}

TEST(schedules_are_printed_action_by_action)
{
  const page p = printed("nbc:levels=2,channel=shm+p2p", 4, 2, 0);
  assert_string_equal(p.text, "1 receive work[0..3) from 3 over shm\n"
                              "1 combine work[0..3) into output[0..3)\n"
                              "2 send output[0..3) to 0 over p2p\n"
                              "2 receive work[0..3) from 0 over p2p\n"
                              "2 combine output[0..3) into work[0..3)\n"
                              "2 copy work[0..3) to output[0..3)\n"
                              "3 send output[0..3) to 3 over shm\n");
}

/* Hoefler, Gottschling, Lumsdaine, Rehm (2007), figure 1. */
TEST(a_barrier_of_nine_ranks_is_the_paper_s)
{
  const page p = printed("nbc", 9, 0, 2);
  assert_string_equal(p.text, "1 send work[0..0) to 1 over p2p\n"
                              "1 receive work[0..0) from 8 over p2p\n"
                              "1 send work[0..0) to 2 over p2p\n"
                              "1 receive work[0..0) from 7 over p2p\n"
                              "2 send work[0..0) to 3 over p2p\n"
                              "2 receive work[0..0) from 6 over p2p\n"
                              "2 send work[0..0) to 6 over p2p\n"
                              "2 receive work[0..0) from 3 over p2p\n");
}

TEST(a_backend_s_schedule_is_shown_for_any_run)
{
  page p = {""};
  assert_ok(ovk_list_schedule(test_ctx(), "nbc:alg=tree,window=2", 9, 3, 5, write_line, &p));
  assert_string_equal(p.text, "1 send output[0..5) to 2 over p2p\n"
                              "2 receive output[0..5) from 0 over p2p\n");
  assert_ok(ovk_list_schedule(test_ctx(), "nbc", 1, 0, 1, NULL, NULL));
}

TEST(what_cannot_be_shown_is_refused)
{
  static const struct {
    const char *spec;
    int nranks, rank, count;
    ovk_err err;
    const char *says;
  } wrong[] = {
      {NULL, 1, 0, 1, OVK_ERR_ARG, "spec is NULL"},
      {"nbc", 0, 0, 1, OVK_ERR_ARG, "nranks is 0, not 1 to 16777216"},
      {"nbc", 4, 4, 1, OVK_ERR_ARG, "rank is 4, not 0 to 3"},
      {"nbc", 4, -1, 1, OVK_ERR_ARG, "rank is -1, not 0 to 3"},
      {"nbc", 4, 0, 0, OVK_ERR_ARG, "count is 0"},
      {"nbd", 4, 0, 1, OVK_ERR_UNKNOWN, "unknown backend 'nbd', did you mean 'nbc'?"},
      {"nbc:algo=flat", 4, 0, 1, OVK_ERR_UNKNOWN, "did you mean 'alg'?"},
      {"nbc:alg=flat,k=3", 4, 0, 1, OVK_ERR_ARG, "k belongs to alg=kary"},
      {"blocking", 4, 0, 1, OVK_ERR_ARG, "'blocking' follows no schedule: it has no key 'levels'"},
      {"nbc:levels=node", 4, 0, 1, OVK_ERR_ARG, "depend on the machine; give sizes"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    assert_local_error(ovk_list_schedule(test_ctx(), wrong[k].spec, wrong[k].nranks, wrong[k].rank,
                                         wrong[k].count, NULL, NULL),
                       wrong[k].err, wrong[k].says);
  }
}
