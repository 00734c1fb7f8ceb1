/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums that tests of schedules carry out, and their theoretical message and round counts. */
#include "schedule_sums.h"
#include "support/problem.h"

ovk__algorithm_spec algorithms_of(const char *text)
{
  SCOPED(ovk_spec_destroy) ovk_spec *spec = NULL;
  ovk__algorithm_spec algorithms;
  assert_ok(ovk_spec_parse(test_ctx(), text, &spec));
  assert_ok(ovk__algorithm_spec_read(test_ctx(), spec, &algorithms));
  return algorithms;
}

setting setting_of(const char *spec, int nranks)
{
  setting s = {.algorithms = algorithms_of(spec)};
  assert_true(s.algorithms.by_size || s.algorithms.ngroupings == 0);
  assert_ok(ovk__hierarchy_by_size(test_ctx(), nranks, s.algorithms.size, s.algorithms.ngroupings,
                                   &s.hierarchy));
  return s;
}

double part(int rank, size_t i)
{
  const uint64_t which = (uint64_t)rank * 1024 + i;
  const double x = random_number(21, which) - 0.5;
  return i % 2 ? rint(x * 1e6) : x * pow(10, floor(random_number(22, which) * 10));
}

void check_sum(double total, int nranks, size_t i)
{
  long double sum = 0, size = 0;
  for (int rank = 0; rank < nranks; rank++) {
    sum += part(rank, i);
    size += fabs(part(rank, i));
  }
  const double most = i % 2 ? 0 : (double)(DBL_EPSILON * nranks * size);
  assert_true(fabsl(total - sum) <= most);
}

void fill(double *values, int rank, size_t count)
{
  for (size_t i = 0; i < count; i++) values[i] = part(rank, i);
}

machine *allreduce(const setting *s, size_t count)
{
  const int nranks = s->hierarchy.nranks;
  machine *m = machine_make(nranks);
  for (int rank = 0; rank < nranks; rank++) {
    assert_ok(ovk__schedule_allreduce(test_ctx(), &s->algorithms, &s->hierarchy, rank, count,
                                      sizeof(double), &m->ranks[rank].schedule));
    fill(machine_give(m, rank, OVK_OUTPUT, count), rank, count);
  }
  machine_run(m, (uint64_t)nranks + count);
  const double *totals = machine_buffer_of(m, 0, OVK_OUTPUT);
  for (size_t i = 0; i < count; i++) check_sum(totals[i], nranks, i);
  for (int rank = 0; rank < nranks; rank++) {
    assert_memory_equal(machine_buffer_of(m, rank, OVK_OUTPUT), totals, count * sizeof *totals);
    assert_true(m->ranks[rank].schedule.barrier);
  }
  return m;
}

/* Largest power of k that is not above n, and its exponent. */
static int power_below(int n, int k, int *exponent)
{
  int m = 1;
  for (*exponent = 0; m * k <= n; ++*exponent) m *= k;
  return m;
}

/* The depth of a k-nomial tree of n: the maximum number of nonzero base-k digits of an index. */
static int depth(int n, int k)
{
  int most = 0;
  for (int index = 0; index < n; index++) {
    int digits = 0;
    for (int rest = index; rest; rest /= k) digits += rest % k != 0;
    if (digits > most) most = digits;
  }
  return most;
}

/* Number of base-k digits of the indices below n; a rank has k - 1 children per digit. */
static int width(int n, int k)
{
  int digits = 0;
  for (int rest = n - 1; rest; rest /= k) digits++;
  return digits;
}

/* The depth of an N-ary tree of size n: the number of full levels above the last one. */
static int nary_depth(int n, int children)
{
  int depth = 0;
  for (int64_t last = 0, width = 1; last < n - 1; depth++) last += width *= children;
  return depth;
}

/* A rank of the core sends a message in each round, unless its segments are empty. */
static theory halving(int n, size_t count)
{
  int digits, messages = 0;
  const int core = power_below(n, 2, &digits), extras = n - core;
  for (int width = 1; width < core; width *= 2) {
    const size_t groups = (count + (size_t)width - 1) / (size_t)width;
    messages += 2 * (groups < (size_t)(core / width) ? (int)groups * width : core);
  }
  const int most = 2 * digits + (extras ? 2 : 0);
  return (theory){messages + 2 * extras, digits, most, most, count};
}

theory theory_of(const ovk__level *level, int n, size_t count)
{
  const int k = level->reduce;
  if (n == 1) return (theory){0, 0, 0, 0, 0};
  switch (level->algorithm) {
  case OVK__FLAT: /* every rank to every other */
    return (theory){n * (n - 1), 1, 1, 1, (size_t)(n - 1) * count};
  case OVK__KARY: {
    /* Each digit takes each rank of the core k - 1 messages; an extra rank's part is sent to its
     * proxy, and the total back. From an extra to another extra's proxy there may be fewer steps
     * than digits. */
    int digits;
    const int core = power_below(n, k, &digits), extras = n - core;
    return (theory){core * digits * (k - 1) + 2 * extras, digits + (extras > 0),
                    digits + (extras ? 2 : 0), digits + (extras ? 2 : 0), (size_t)(k - 1) * count};
  }
  case OVK__TREE: { /* every edge of both trees once; an inner node receives and forwards, twice */
    const int hops = depth(n, k) + depth(n, level->bcast);
    return (theory){2 * (n - 1), hops, hops, n == 2 ? 2 : 4,
                    (size_t)((k - 1) * width(n, k)) * count};
  }
  case OVK__NARY: { /* the same, with another depth, and at most so many children */
    const int hops = nary_depth(n, k) + nary_depth(n, level->bcast);
    return (theory){2 * (n - 1), hops, hops, n == 2 ? 2 : 4, (size_t)k * count};
  }
  case OVK__HALVING:
    return halving(n, count);
  default: { /* each non-empty segment passes all links but one, twice */
    const int segments = count < (size_t)n ? (int)count : n, hops = 2 * (n - 1);
    return (theory){segments * hops, hops, hops, hops, 2 * ((count + (size_t)n - 1) / (size_t)n)};
  }
  }
}
