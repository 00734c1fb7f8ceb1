/* SPDX-License-Identifier: BSD-2-Clause */
/* The results of all collective operations with all kinds of specs. OVK_TEST_ENGINE: "nbc", the
 * default, or "verbs". */
#include "collective_subjects.h"
#include "support/specs/verbs_spec.h"

static bool over_verbs(void)
{
  const char *engine = getenv("OVK_TEST_ENGINE");
  return engine && strcmp(engine, "verbs") == 0;
}

/* The spec of the engine that is tested; the text of one at a time. */
static const char *spec(const char *keys)
{
  static char text[VERBS_SPEC_SIZE];
  const bool no_channel = verbs_has_agent() && keys && strstr(keys, "channel="); /* which has one */
  if (over_verbs()) return verbs_spec(text, no_channel ? NULL : keys);
  if (!keys) return NULL;
  snprintf(text, sizeof text, "nbc:%s", keys);
  return text;
}

/* Keys of both engines, and of one of them. */
static const char *const level_keys[] = {NULL,
                                         "alg=flat",
                                         "alg=kary,k=3",
                                         "alg=tree,reduce=2,bcast=3",
                                         "alg=nary",
                                         "channel=shm",
                                         "levels=node,channel=shm",
                                         "alg=tree,fragment=1000",
                                         "fragment=2000,window=3,channel=shm"};
static const char *const nbc_level_keys[] = {"levels=2,alg=flat+doubling,channel=shm+p2p",
                                             "levels=2x2,alg=tree+flat+doubling,channel=p2p+shm"};
static const char *const verbs_level_keys[] = {
    "levels=2,alg=flat+doubling", "levels=2x2,alg=tree+flat+doubling,channel=verbs+p2p",
    "alg=flat,window=1"};
enum {
  NBOTH = sizeof level_keys / sizeof *level_keys,
  NNBC = sizeof nbc_level_keys / sizeof *nbc_level_keys,
  NVERBS = sizeof verbs_level_keys / sizeof *verbs_level_keys
};

static int nlevel_specs(void)
{
  return NBOTH + (over_verbs() ? NVERBS : NNBC);
}
static const char *level_spec(int k)
{
  if (k < NBOTH) return spec(level_keys[k]);
  return spec(over_verbs() ? verbs_level_keys[k - NBOTH] : nbc_level_keys[k - NBOTH]);
}

static const char *const window_keys[] = {NULL, "window=1", "window=2", "window=6"};
enum { NWINDOWS = sizeof window_keys / sizeof *window_keys };

TEST(broadcasts_are_those_of_mpi)
{
  for (int k = 0; k < nlevel_specs(); k++) check_items(&bcast, level_spec(k), true);
}

TEST(gathers_and_scatters_are_those_of_mpi)
{
  for (int k = 0; k < NWINDOWS; k++) {
    check_items(&gather, spec(window_keys[k]), true);
    check_items(&gatherv, spec(window_keys[k]), true);
    check_items(&scatter, spec(window_keys[k]), true);
    check_items(&scatterv, spec(window_keys[k]), true);
  }
}

TEST(exchanges_of_all_with_all_are_those_of_mpi)
{
  for (int k = 0; k < NWINDOWS; k++) {
    check_items(&allgather, spec(window_keys[k]), false);
    check_items(&allgatherv, spec(window_keys[k]), false);
    check_items(&alltoall, spec(window_keys[k]), false);
    check_items(&alltoallv, spec(window_keys[k]), false);
  }
  check_items(&allgather, spec("alg=bruck"), false);
  check_items(&allgatherv, spec("alg=bruck"), false);
  check_items(&alltoall, spec("alg=bruck"), false);
  check_items(&allgather, spec("alg=ring"), false);
  check_items(&allgatherv, spec("alg=ring"), false);
}

TEST(reductions_are_those_of_mpi)
{
  for (int k = 0; k < nlevel_specs(); k++) {
    check_numbers(&reduce, level_spec(k), true);
    check_numbers(&allreduce, level_spec(k), false);
  }
  check_numbers(&allreduce, spec("alg=ring"), false);
  check_numbers(&allreduce, spec("alg=auto"), false);
  check_numbers(&allreduce, spec("levels=2,alg=flat+ring"), false);
}

TEST(reductions_that_are_cut_up_are_those_of_mpi)
{
  for (int k = 0; k < NWINDOWS; k++) check_numbers(&reduce_scatter, spec(window_keys[k]), false);
  check_numbers(&reduce_scatter, spec("alg=ring"), false);
}

TEST(scans_are_those_of_mpi)
{
  check_numbers(&scan, spec(NULL), false);
  check_numbers(&exscan, spec(NULL), false);
}

TEST(operations_work_again_and_again_with_late_ranks)
{
  static const struct {
    const subject *subject;
    const char *keys;
    bool typed;
  } list[] = {
      {&bcast, NULL, false},         {&bcast, "channel=shm,alg=tree", false},
      {&bcast, "fragment=1", false}, {&allreduce, "fragment=8,window=2", true},
      {&gatherv, NULL, false},       {&scatterv, "window=2", false},
      {&allgatherv, NULL, false},    {&allgather, "alg=ring", false},
      {&alltoallv, NULL, false},     {&alltoallv, "window=1", false},
      {&reduce, NULL, true},         {&reduce, "channel=shm", true},
      {&allreduce, NULL, true},      {&allreduce, "channel=shm,levels=2", true},
      {&reduce_scatter, NULL, true}, {&reduce_scatter, "alg=ring", true},
      {&scan, NULL, true},           {&exscan, NULL, true},
  };
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    check_often(list[k].subject, spec(list[k].keys), list[k].typed);
  }
}

static int skip_without_engine(void **state)
{
  return over_verbs() ? skip_without_nic(state) : 0;
}

TEST_GROUP(skip_without_engine, NULL)
