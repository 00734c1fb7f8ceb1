/* SPDX-License-Identifier: BSD-2-Clause */
/* Hierarchies, and schedules of all-reduces, reductions and broadcasts over them, of all ranks in
 * one process (see schedule_machine.h). */
#include "schedule_sums.h"
#include "support/problem.h"

enum { MOST_RANKS = 70, MOST_ROOTS = 17, MOST_WAYS = 7 };

/* Ranks that take part at a level. */
static int count_participants(const ovk__hierarchy *h, int level, int root)
{
  int ranks[MOST_RANKS], n = 0;
  ovk__group group;
  for (int rank = 0; rank < h->nranks; rank++) {
    n += ovk__hierarchy_group(h, level, rank, root, ranks, &group);
  }
  return n;
}

/* Several levels: below the top, a rank that is not a leader sends once and receives once. */
static void check_levels(const setting *s, size_t count)
{
  const ovk__hierarchy *h = &s->hierarchy;
  scoped_machine *m = allreduce(s, count);
  int expected[OVK__NCHANNELS] = {0}, seen[OVK__NCHANNELS] = {0};
  const int top = ovk__hierarchy_top(h);
  for (int level = 0; level < top; level++) {
    expected[s->algorithms.level[level].channel] +=
        2 * (count_participants(h, level, 0) - count_participants(h, level + 1, 0));
  }
  const ovk__level *highest = &s->algorithms.level[top];
  expected[highest->channel] += theory_of(highest, count_participants(h, top, 0), count).messages;
  for (int k = 0; k < m->nmessages; k++) seen[m->messages[k].channel]++;
  assert_int_equal(seen[OVK__P2P], expected[OVK__P2P]);
  assert_int_equal(seen[OVK__SHM], expected[OVK__SHM]);
}

static void check_sizes(const char *spec)
{
  for (int n = 1; n <= MOST_RANKS; n++) {
    for (size_t count = 1; count <= 3; count += 2) {
      setting s = setting_of(spec, n);
      check_levels(&s, count);
      ovk__hierarchy_free(&s.hierarchy);
    }
  }
}

static const char *const level_specs[] = {
    "nbc:levels=2",
    "nbc:levels=3,alg=flat",
    "nbc:levels=7,alg=flat+kary,k=3,channel=shm+p2p",
    "nbc:levels=4x2,alg=flat+kary+tree,k=3,channel=shm+shm+p2p",
    "nbc:levels=2x2x2,alg=tree,reduce=3,bcast=2,channel=p2p+shm+p2p+shm",
    "nbc:levels=3x5,alg=nary+tree+nary,reduce=3+2+8,bcast=2,channel=shm+p2p",
    "nbc:levels=3x5,alg=kary+tree+flat,k=8+2,channel=shm",
    "nbc:levels=8x4,alg=doubling+flat+doubling",
    "nbc:levels=2x2x2x2x2x2x2,alg=flat,channel=shm",
};
enum { NLEVEL_SPECS = sizeof level_specs / sizeof *level_specs };

TEST(hierarchies_by_size_are_right_for_every_rank_count)
{
  for (int k = 0; k < NLEVEL_SPECS; k++) check_sizes(level_specs[k]);
  check_sizes("nbc:levels=4,alg=flat+ring,channel=shm+p2p");
}

TEST(a_level_that_unites_all_is_the_last)
{
  setting s = setting_of("nbc:levels=8x2,alg=flat+tree,channel=shm+p2p", 8);
  scoped_machine *m = allreduce(&s, 1);
  assert_int_equal(ovk__hierarchy_top(&s.hierarchy), 0);
  assert_int_equal(m->nmessages, 8 * 7); /* flat */
  for (int k = 0; k < m->nmessages; k++) assert_int_equal(m->messages[k].channel, OVK__SHM);
  ovk__hierarchy_free(&s.hierarchy);
}

/* Messages and rounds of a dissemination among n. */
static int count_dissemination(int n, int ways, int *rounds)
{
  int messages = 0;
  *rounds = 0;
  for (int64_t heard = 1; heard < n; heard *= ways + 1) {
    const int others = (int)((n + heard - 1) / heard) - 1;
    ++*rounds;
    messages += n * (others < ways ? others : ways);
  }
  return messages;
}

/* That no rank completes it before all have begun is checked by machine_run(). */
static void check_barrier(const setting *s, int ways)
{
  const ovk__hierarchy *h = &s->hierarchy;
  scoped_machine *m = machine_make(h->nranks);
  for (int rank = 0; rank < h->nranks; rank++) {
    ovk__schedule *schedule = &m->ranks[rank].schedule;
    assert_ok(
        ovk__schedule_barrier(test_ctx(), &s->algorithms, &s->hierarchy, rank, ways, schedule));
    assert_true(schedule->barrier);
    assert_int_equal(schedule->work, 0);
  }
  machine_run(m, (uint64_t)h->nranks);
  const int leaders = count_participants(h, ovk__hierarchy_top(h), 0);
  int rounds;
  const int messages = count_dissemination(leaders, ways, &rounds);
  assert_int_equal(m->nmessages, messages + 2 * (h->nranks - leaders));
  if (leaders == h->nranks) {
    assert_int_equal(machine_rounds(m), rounds);
    assert_int_equal(machine_hops(m), rounds);
  }
}

TEST(barriers_are_right_for_every_rank_count)
{
  for (int k = -1; k < NLEVEL_SPECS; k++) {
    for (int n = 1; n <= MOST_RANKS; n++) {
      setting s = setting_of(k < 0 ? "nbc" : level_specs[k], n);
      for (int ways = 1; ways <= MOST_WAYS; ways += k < 0 ? 1 : 3) check_barrier(&s, ways);
      ovk__hierarchy_free(&s.hierarchy);
    }
  }
}

TEST(a_barrier_of_thousands_takes_a_logarithm_of_rounds)
{
  static const struct {
    int nranks, ways;
  } large[] = {{4096, 1}, {4097, 3}};
  for (int k = 0; k < 2; k++) {
    setting s = setting_of("nbc", large[k].nranks);
    scoped_machine *m = machine_make(large[k].nranks);
    for (int rank = 0; rank < large[k].nranks; rank++) {
      assert_ok(ovk__schedule_barrier(test_ctx(), &s.algorithms, &s.hierarchy, rank, large[k].ways,
                                      &m->ranks[rank].schedule));
    }
    machine_run(m, 1);
    int rounds;
    assert_int_equal(m->nmessages, count_dissemination(large[k].nranks, large[k].ways, &rounds));
    assert_int_equal(machine_rounds(m), rounds);
    ovk__hierarchy_free(&s.hierarchy);
  }
}

/* Colors of two groupings: groups that are uneven, interleaved, or not nested. */
static int color_of(int pattern, int grouping, int rank)
{
  switch (pattern) {
  case 0: /* round robin */
    return rank % (grouping ? 3 : 6);
  case 1: /* two groupings that intersect */
    return grouping ? rank % 2 : rank / 5;
  case 2: /* uneven, with groups of one */
    return grouping ? rank > 3 : (int)sqrt(rank);
  default: /* random */
    return (int)(random_number(31 + (uint64_t)grouping, (uint64_t)rank) * (grouping ? 4 : 9));
  }
}
enum { NPATTERNS = 4 };

static setting set_colors(const char *spec, int pattern, int nranks)
{
  setting s = {.algorithms = algorithms_of(spec)};
  int colors[2 * MOST_RANKS];
  for (int k = 0; k < 2 * nranks; k++) colors[k] = color_of(pattern, k / nranks, k % nranks);
  assert_ok(ovk__hierarchy_by_color(test_ctx(), nranks, colors, 2, &s.hierarchy));
  return s;
}

TEST(hierarchies_by_color_are_right_for_every_rank_count)
{
  for (int pattern = 0; pattern < NPATTERNS; pattern++) {
    for (int n = 1; n <= MOST_RANKS; n++) {
      setting s =
          set_colors("nbc:levels=2x2,alg=flat+tree+kary,k=3,channel=shm+shm+p2p", pattern, n);
      check_levels(&s, 1);
      ovk__hierarchy_free(&s.hierarchy);
    }
  }
}

/* Whether two ranks are together: the same colors from this grouping outwards. */
static bool are_together(int pattern, int grouping, int a, int b)
{
  for (int g = grouping; g < 2; g++) {
    if (color_of(pattern, g, a) != color_of(pattern, g, b)) return false;
  }
  return true;
}

TEST(groups_are_those_of_the_colors_and_led_by_the_root)
{
  enum { NRANKS = 23 };
  for (int pattern = 0; pattern < NPATTERNS; pattern++) {
    setting s = set_colors("nbc:levels=2x2", pattern, NRANKS);
    bool leads[NRANKS]; /* in the level below */
    for (int root = 0; root < NRANKS; root++) {
      for (int rank = 0; rank < NRANKS; rank++) leads[rank] = true;
      for (int level = 0; level <= 2; level++) {
        bool leads_here[NRANKS] = {false};
        for (int rank = 0; rank < NRANKS; rank++) {
          int ranks[NRANKS], size = 0;
          ovk__group g;
          assert_int_equal(ovk__hierarchy_group(&s.hierarchy, level, rank, root, ranks, &g),
                           leads[rank]);
          if (!leads[rank]) continue;
          for (int other = 0; other < NRANKS; other++) {
            size += leads[other] && are_together(pattern, level, rank, other);
          }
          assert_int_equal(g.size, size);
          assert_int_equal(ranks[g.index], rank);
          for (int k = 0; k < size; k++) {
            assert_true(leads[ranks[k]] && are_together(pattern, level, rank, ranks[k]));
            if (ranks[k] == root) assert_int_equal(k, 0);
          }
          leads_here[ranks[0]] = true;
        }
        memcpy(leads, leads_here, sizeof leads);
      }
      for (int rank = 0; rank < NRANKS; rank++) assert_int_equal(leads[rank], rank == root);
    }
    ovk__hierarchy_free(&s.hierarchy);
  }
}

static void check_reduce(const setting *s, int root, size_t count)
{
  const int nranks = s->hierarchy.nranks;
  scoped_machine *m = machine_make(nranks);
  for (int rank = 0; rank < nranks; rank++) {
    assert_ok(ovk__schedule_reduce(test_ctx(), &s->algorithms, &s->hierarchy, rank, root, count,
                                   &m->ranks[rank].schedule));
    assert_false(m->ranks[rank].schedule.barrier);
    fill(machine_give(m, rank, OVK_INPUT, count), rank, count);
  }
  const double *totals = machine_give(m, root, OVK_OUTPUT, count);
  machine_run(m, (uint64_t)root);
  assert_int_equal(m->nmessages, nranks - 1);
  for (size_t i = 0; i < count; i++) check_sum(totals[i], nranks, i);
}

static void check_bcast(const setting *s, int root, size_t count)
{
  const int nranks = s->hierarchy.nranks;
  scoped_machine *m = machine_make(nranks);
  for (int rank = 0; rank < nranks; rank++) {
    assert_ok(ovk__schedule_bcast(test_ctx(), &s->algorithms, &s->hierarchy, rank, root, count,
                                  &m->ranks[rank].schedule));
    assert_false(m->ranks[rank].schedule.barrier);
    machine_give(m, rank, OVK_OUTPUT, count);
  }
  double *given = machine_buffer_of(m, root, OVK_OUTPUT);
  fill(given, root, count);
  machine_run(m, (uint64_t)root);
  assert_int_equal(m->nmessages, nranks - 1);
  for (int rank = 0; rank < nranks; rank++) {
    const double *got = machine_buffer_of(m, rank, OVK_OUTPUT);
    for (size_t i = 0; i < count; i++) assert_true(got[i] == part(root, i));
  }
}

static void check_rooted(const setting *s)
{
  for (int root = 0; root < s->hierarchy.nranks; root++) {
    check_reduce(s, root, 3);
    check_bcast(s, root, 3);
  }
}

TEST(reductions_and_broadcasts_are_right_for_every_root)
{
  const char *const specs[] = {"nbc", "nbc:alg=flat", "nbc:alg=kary,k=5", "nbc:alg=tree",
                               "nbc:alg=nary,k=3"};
  enum { NFLAT = sizeof specs / sizeof *specs };
  for (int n = 1; n <= MOST_ROOTS; n++) {
    for (int k = 0; k < NFLAT + NLEVEL_SPECS; k++) {
      setting s = setting_of(k < NFLAT ? specs[k] : level_specs[k - NFLAT], n);
      check_rooted(&s);
      ovk__hierarchy_free(&s.hierarchy);
    }
    for (int pattern = 0; pattern < NPATTERNS; pattern++) {
      setting s = set_colors("nbc:levels=2x2,alg=flat+doubling,channel=shm+p2p", pattern, n);
      check_rooted(&s);
      ovk__hierarchy_free(&s.hierarchy);
    }
  }
}

static void check_no_root(const char *spec, const char *message)
{
  setting s = setting_of(spec, 3);
  SCOPED(ovk__schedule_free) ovk__schedule schedule;
  assert_local_error(
      ovk__schedule_reduce(test_ctx(), &s.algorithms, &s.hierarchy, 0, 0, 1, &schedule),
      OVK_ERR_ARG, message);
  ovk__schedule_free(&schedule);
  assert_local_error(
      ovk__schedule_bcast(test_ctx(), &s.algorithms, &s.hierarchy, 0, 0, 1, &schedule), OVK_ERR_ARG,
      "not for a broadcast");
  ovk__hierarchy_free(&s.hierarchy);
}

TEST(ring_and_halving_have_no_root)
{
  check_no_root("nbc:alg=ring", "alg=ring is for all-reduces, not for a reduction");
  check_no_root("nbc:alg=halving", "alg=halving is for all-reduces, not for a reduction");
}
