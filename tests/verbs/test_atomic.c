/* SPDX-License-Identifier: BSD-2-Clause */
/* mode=atomic: totals are the exact sums correctly rounded, independent of the order of
 * contributions. */
#include "support/exact_reference.h"
#include "support/problem.h"
#include "support/specs/verbs_spec.h"

#include <ovkrylov/comm/reduction.h>
#include <time.h>

enum { MOST_RANKS = 16 };

/* With many ranks, or several emulated machines on few processors, the tests are slow: fewer
 * repetitions and configurations are used. The last two configurations need all ranks on one
 * node. */
static bool one_node;

static int turns(int many)
{
  return test_size > 4 || !one_node ? many / 3 : many;
}

static const char *const ways[] = {"mode=atomic", "mode=atomic,levels=node", "mode=atomic,levels=2",
                                   "mode=atomic,levels=3"};

static int nways(void)
{
  return test_size > 4 || !one_node ? 2 : sizeof ways / sizeof *ways;
}

/* A group of ranks that sum up together. */
typedef struct crew {
  ovk_ctx *ctx;
  int rank, size;
} crew;

static crew all(void)
{
  return (crew){test_ctx(), test_rank, test_size};
}

static ovk_reduction *make_sum(const crew *c, const char *keys, int count)
{
  char spec[VERBS_SPEC_SIZE];
  ovk_reduction *red = NULL;
  assert_ok(ovk_reduction_create(c->ctx, verbs_spec(spec, keys), count, &red));
  return red;
}

static uint64_t bits_of(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Identifies a value, so that each rank can compute those of all ranks. */
typedef struct index {
  int kind, time, i, rank;
} index_;

/* splitmix64 of all fields */
static uint64_t random_of(index_ x)
{
  uint64_t z = (((uint64_t)x.kind * 4096 + (uint64_t)x.time) * 4096 + (uint64_t)x.i) * 64;
  z = (z + (uint64_t)x.rank + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/* Over 600 binary orders of magnitude; odd ranks cancel the contribution of the rank before,
 * completely or except for the last bit. */
static double wide(index_ x)
{
  if (x.rank % 2) {
    x.rank--;
    const double before = wide(x);
    return random_of(x) & 4096 ? -before : -nextafter(before, 0);
  }
  const uint64_t random = random_of(x);
  const double significand = (double)(random >> 11 | (uint64_t)1 << 52);
  return ldexp(random & 1 ? significand : -significand, (int)(random >> 1 & 1023) % 601 - 352);
}

static double tiny(index_ x)
{
  const uint64_t random = random_of(x);
  return (random & 1 ? 1 : -1) * ldexp((double)(random >> 40), (int)(random >> 8) % 40 - 1074);
}

static double extreme(index_ x)
{
  static const double some[] = {
      DBL_MAX,   -DBL_MAX,  0x1p970,    -0x1p970,      0x1.8p969,
      DBL_MIN,   -DBL_MIN,  0x1p-1074,  -0x1p-1074,    0.0,
      -0.0,      1.0,       0x1p-53,    -0x1p-54,      0x1.0000000000001p0,
      0x1p-1022, -0x1p1023, -0x1.8p-53, DBL_MAX / 2.0, -1.0};
  return some[random_of(x) % (sizeof some / sizeof *some)];
}

static double special(index_ x)
{
  static const double some[] = {1.0, -3.0, DBL_MAX, 0.0, INFINITY, -INFINITY, NAN};
  const uint64_t random = random_of(x) >> 8;
  return some[random % 4 ? random / 4 % 4 : random / 4 % (sizeof some / sizeof *some)];
}

static double (*const kinds[])(index_ x) = {wide, tiny, extreme, special};
enum { NKINDS = sizeof kinds / sizeof *kinds };

static void check_total(const crew *c, index_ x, double total)
{
  double parts[MOST_RANKS];
  for (x.rank = 0; x.rank < c->size; x.rank++) parts[x.rank] = kinds[x.kind](x);
  assert_int_equal(bits_of(total), bits_of(reference_sum(parts, (size_t)c->size)));
}

static void fill_sum(const crew *c, ovk_reduction *red, int count, int kind, int time)
{
  double *values = ovk_reduction_values(red);
  for (int i = 0; i < count; i++) values[i] = kinds[kind]((index_){kind, time, i, c->rank});
}

/* The reference is slow: it checks a sample if there are many totals. */
static void check(const crew *c, ovk_reduction *red, int count, int kind, int time)
{
  const int step = count / 4 + 1;
  for (int i = time % step; i < count; i += step) {
    check_total(c, (index_){kind, time, i, 0}, ovk_reduction_values(red)[i]);
  }
}

static void delay_rank(const crew *c, int time)
{
  if (time % 3 == c->rank % 3) nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

static void check_sums(const crew *c, const char *keys, int count)
{
  scoped_reduction *red = make_sum(c, keys, count);
  for (int time = 0; time < turns(12); time++) {
    fill_sum(c, red, count, time % NKINDS, time);
    delay_rank(c, time);
    assert_ok(ovk_reduction_begin(red));
    assert_ok(ovk_reduction_wait(red));
    check(c, red, count, time % NKINDS, time);
  }
}

TEST(totals_are_the_nearest_doubles_to_the_exact_sums)
{
  const crew c = all();
  for (int k = 0; k < nways(); k++) {
    check_sums(&c, ways[k], 1);
    check_sums(&c, ways[k], 3);
    check_sums(&c, ways[k], 100);
  }
}

TEST(sums_may_have_more_additions_than_a_queue_holds)
{
  const crew c = all();
  check_sums(&c, ways[0], 1500);
  check_sums(&c, ways[1], 1500);
}

/* The total of the first n numbers of a list, distributed so that each rank has at most one. */
static double total_of(const crew *c, ovk_reduction *red, int n, int deal)
{
  double *value = ovk_reduction_values(red);
  *value = deal % 2 ? 0.0 : -0.0;
  for (int k = 0; k < n; k++) {
    const int to = ((deal & 4 ? n - 1 - k : k) + deal) % c->size;
    if (to == c->rank) *value = wide((index_){0, 999, 0, 2 * k}) / (k % 3 + 1);
  }
  assert_ok(ovk_reduction_begin(red));
  assert_ok(ovk_reduction_wait(red));
  return *value;
}

enum { MOST_NUMBERS = 8 };

/* first[n]: the bits of the total of n numbers; 0: not yet known. */
static void check_deals(const crew *c, uint64_t first[MOST_NUMBERS + 1])
{
  for (int k = 0; k < nways(); k++) {
    scoped_reduction *red = make_sum(c, ways[k], 1);
    for (int n = 1; n <= c->size && n <= MOST_NUMBERS; n++) {
      for (int deal = 0; deal < turns(8); deal++) {
        const uint64_t total = bits_of(total_of(c, red, n, 5 * deal));
        if (!first[n]) first[n] = total;
        assert_int_equal(total, first[n]);
      }
    }
  }
}

TEST(totals_have_the_same_bits_on_any_number_of_ranks)
{
  const int sizes[] = {1, 2, 3, 4, 8};
  uint64_t first[MOST_NUMBERS + 1] = {0};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes && sizes[k] <= test_size; k++) {
    SCOPED(MPI_Comm_free) MPI_Comm comm = MPI_COMM_NULL;
    crew c;
    MPI_Comm_split(MPI_COMM_WORLD, test_rank / sizes[k], test_rank, &comm);
    MPI_Comm_rank(comm, &c.rank);
    MPI_Comm_size(comm, &c.size);
    assert_ok(ovk_ctx_create(comm, &c.ctx));
    check_deals(&c, first);
    ovk_ctx_destroy(&c.ctx);
  }
}

TEST(several_in_flight_do_not_mix)
{
  enum { SUMS = 6 };
  const int counts[SUMS] = {1, 40, 2, 1, 100, 3};
  const crew c = all();
  for (int k = 0; k < nways(); k++) {
    ovk_reduction *red[SUMS];
    for (int s = 0; s < SUMS; s++) red[s] = make_sum(&c, ways[k], counts[s]);
    for (int time = 0; time < turns(12); time++) {
      for (int s = 0; s < SUMS; s++) {
        fill_sum(&c, red[s], counts[s], s % NKINDS, time);
        assert_ok(ovk_reduction_begin(red[s]));
      }
      delay_rank(&c, time);
      for (int s = 0; s < SUMS; s++) {
        const int which = (time + 5 * s) % SUMS; /* any order, all */
        assert_ok(ovk_reduction_wait(red[which]));
        check(&c, red[which], counts[which], which % NKINDS, time);
      }
    }
    for (int s = 0; s < SUMS; s++) ovk_reduction_destroy(&red[s]);
  }
}

TEST(many_generations_lose_nothing)
{
  const crew c = all();
  const int last = test_size > 2 ? turns(1000) : 5000;
  for (int k = 0; k < 2; k++) {
    scoped_reduction *red = make_sum(&c, ways[k], 1);
    double *value = ovk_reduction_values(red);
    for (int t = 0; t < last; t++) {
      *value = (t % 2 ? -0x1p40 : 0x1p40) + t * (test_rank + 1);
      assert_ok(ovk_reduction_begin(red));
      assert_ok(ovk_reduction_wait(red));
      const double ranks = test_size, numbers = ranks * (ranks + 1) / 2;
      assert_true(*value == (t % 2 ? -0x1p40 : 0x1p40) * ranks + t * numbers);
    }
  }
}

/* One sum exists throughout while others are created and destroyed at different times. */
TEST(ranks_release_sums_when_they_like)
{
  enum { KEPT = 3 };
  const crew c = all();
  for (int k = 0; k < nways(); k++) {
    ovk_reduction *stays = make_sum(&c, ways[k], 2), *kept[KEPT] = {NULL};
    for (int time = 0; time < turns(30); time++) {
      ovk_reduction **place = &kept[time % KEPT];
      if ((time + test_rank) % 2) ovk_reduction_destroy(place);
      ovk_reduction *red = make_sum(&c, ways[k], 5);
      ovk_reduction_destroy(place);
      *place = red;
      fill_sum(&c, red, 5, 0, time);
      fill_sum(&c, stays, 2, 1, time);
      assert_ok(ovk_reduction_begin(red));
      assert_ok(ovk_reduction_begin(stays));
      assert_ok(ovk_reduction_wait(red));
      check(&c, red, 5, 0, time);
      if (test_rank % 2) ovk_reduction_destroy(place); /* other ranks may not have read it yet */
      assert_ok(ovk_reduction_wait(stays));
      check(&c, stays, 2, 1, time);
    }
    ovk_reduction_destroy(&stays);
    for (int s = 0; s < KEPT; s++) ovk_reduction_destroy(&kept[s]);
  }
}

TEST(keys_of_schedules_are_refused)
{
  assert_no_verbs("mode=atomic,alg=tree", OVK_ERR_ARG, "alg belongs to mode=write");
  assert_no_verbs("mode=atomic,k=4", OVK_ERR_ARG, "k belongs to mode=write");
  assert_no_verbs("mode=atomic,reduce=4", OVK_ERR_ARG, "reduce belongs to mode=write");
  assert_no_verbs("mode=atomic,bcast=4", OVK_ERR_ARG, "bcast belongs to mode=write");
  assert_no_verbs("mode=atomic,channel=shm", OVK_ERR_ARG, "channel belongs to mode=write");
  assert_no_verbs("mode=atomic,levels=2x2", OVK_ERR_ARG,
                  "levels=flat or one grouping, not levels=2x2");
  assert_no_verbs("mode=atomic,levels=socket+node", OVK_ERR_ARG,
                  "levels=flat or one grouping, not levels=socket+node");
  assert_no_verbs("mode=atomic,levels=nodes", OVK_ERR_ARG, "unknown level 'nodes'");
}

static bool has_nic(void)
{
  char spec[VERBS_SPEC_SIZE];
  scoped_reduction *red = NULL;
  const ovk_err err = ovk_reduction_create(test_ctx(), verbs_spec(spec, "mode=atomic"), 1, &red);
  return err != OVK_ERR_UNSUPPORTED;
}

static int skip_without_atomics(void **state)
{
  one_node = on_one_node();
  if (!has_nic()) skip_all(ovk_ctx_error(test_ctx()));
  return 0;
}

TEST_GROUP(skip_without_atomics, NULL)
