/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums under adverse conditions: ranks that are suspended at any point or late, many sums in
 * sequence and in flight; and totals compared with exact ones. */
#include "support/clock.h"
#include "support/problem.h"
#include "support/specs/reduction_specs.h"

#include <ovkrylov/comm/reduction.h>
#include <signal.h>
#include <sys/time.h>

enum { FLIGHT = 4 };

static ovk_reduction *make_sum(const char *spec, int count)
{
  return new_sum(spec, count);
}

/* Calls check with every spec of the engine, and with shm. */
static void for_every_spec(void (*check)(const char *spec))
{
  char spec[REDUCTION_SPEC_SIZE];
  for (int k = 0; reduction_spec(k, spec); k++) check(spec);
  check("shm");
}

/* The sum of n numbers, rounded once (Shewchuk's expansions): non-overlapping partial sums, the
 * smallest first, represent it exactly. */
static double exact_sum(const double *x, int n)
{
  double parts[64];
  int nparts = 0;
  for (int i = 0; i < n; i++) {
    double a = x[i];
    int kept = 0;
    for (int k = 0; k < nparts; k++) {
      const double b = parts[k], s = a + b, t = s - a;
      const double rest = (a - (s - t)) + (b - t);
      if (rest != 0) parts[kept++] = rest;
      a = s;
    }
    parts[kept] = a;
    nparts = kept + 1;
  }
  double sum = 0;
  for (int k = 0; k < nparts; k++) sum += parts[k];
  return sum;
}

/* Random parts over `decades` decades; those of all ranks can be computed on each. */
static double part(int rank, int t, int i, int decades)
{
  const uint64_t k = ((uint64_t)t * 1000003 + (uint64_t)i) * 64 + (uint64_t)rank;
  return (random_number(31, k) - 0.5) * pow(10, floor(random_number(32, k) * decades));
}

static void check_exactness(const char *spec)
{
  enum { COUNT = 40 };
  scoped_reduction *red = make_sum(spec, COUNT);
  double *values = ovk_reduction_values(red), x[64];
  for (int t = 0; t < 3; t++) {
    const int decades =
        1 + 10 * t; /* with few decades the bound is sharp, with many the order matters */
    for (int i = 0; i < COUNT; i++) values[i] = part(test_rank, t, i, decades);
    assert_ok(ovk_reduction_begin(red));
    assert_ok(ovk_reduction_wait(red));
    for (int i = 0; i < COUNT; i++) {
      double size = 0;
      for (int rank = 0; rank < test_size; rank++) {
        x[rank] = part(rank, t, i, decades);
        size += fabs(x[rank]);
      }
      const double bound = (test_size - 1) * (DBL_EPSILON / 2) * size; /* of any order, Higham */
      assert_true(fabs(values[i] - exact_sum(x, test_size)) <=
                  bound * (1 + test_size * DBL_EPSILON));
    }
  }
}

TEST(totals_are_within_the_bound_of_any_order_of_summation)
{
  for_every_spec(check_exactness);
}

/* FLIGHT sums in flight, in a ring; pause() delays this rank now and then. */
static void run_in_flight(const char *spec, int sums, void (*pause)(int t))
{
  ovk_reduction *red[FLIGHT];
  const double ranks = test_size * (test_size - 1) / 2.0;
  for (int k = 0; k < FLIGHT; k++) red[k] = make_sum(spec, 1 + k);
  for (int t = 0; t < sums + FLIGHT; t++) {
    ovk_reduction *r = red[t % FLIGHT];
    double *values = ovk_reduction_values(r);
    const int last = t % FLIGHT; /* element */
    if (pause) pause(t);
    if (t >= FLIGHT) {
      assert_ok(ovk_reduction_wait(r));
      assert_true(values[last] == ranks + (double)(t - FLIGHT) * test_size);
    }
    if (t >= sums) continue;
    for (int i = 0; i <= last; i++) values[i] = test_rank + t;
    assert_ok(ovk_reduction_begin(r));
  }
  for (int k = 0; k < FLIGHT; k++) ovk_reduction_destroy(&red[k]);
}

/* Random delays of up to 2 ms on each rank. */
static void come_late(int t)
{
  const uint64_t k = (uint64_t)(t * 16 + test_rank);
  if (random_number(33, k) < 0.1) sleep_for(0.002 * random_number(34, k));
}

static void check_delays(const char *spec)
{
  run_in_flight(spec, 40, come_late);
}

TEST(ranks_may_come_late_at_random)
{
  for_every_spec(check_delays);
}

TEST(a_hundred_thousand_sums_in_a_row_with_four_in_flight)
{
  const char *const specs[] = {"shm", "nbc", "nbc:alg=flat,channel=shm",
                               "nbc:alg=flat+kary,levels=2,channel=shm+p2p"};
  /* with more ranks than two, which share the processors of small machines, all specs together */
  const int sums = test_size > 2 ? 25000 : 100000;
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) run_in_flight(specs[k], sums, NULL);
}

/* A signal that suspends this rank at any point, for 50 ms. */
static volatile sig_atomic_t stops;

static void stop_a_while(int number)
{
  stops++;
  sleep_for(0.05);
}

static void set_timer(double seconds)
{
  const long us = (long)(1e6 * seconds);
  const struct timeval interval = {us / 1000000, us % 1000000};
  assert_int_equal(setitimer(ITIMER_REAL, &(struct itimerval){interval, interval}, NULL), 0);
}

/* Sums until every rank has been suspended three times, at different points. */
static void check_stops(const char *spec)
{
  enum { STOPS = 3, SUMS = 500 };
  int least = 0;
  stops = 0;
  set_timer(0.1 + 0.013 * test_rank);
  while (least < STOPS) {
    run_in_flight(spec, SUMS, NULL);
    least = stops;
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  }
  set_timer(0);
}

TEST(ranks_may_stop_anywhere)
{
  const char *const specs[] = {"shm", "nbc:alg=flat,channel=shm", "nbc:alg=doubling,channel=shm",
                               "nbc:alg=flat+doubling,levels=2,channel=shm+p2p"};
  const struct sigaction stop = {.sa_handler = stop_a_while, .sa_flags = SA_RESTART};
  struct sigaction before;
  assert_int_equal(sigaction(SIGALRM, &stop, &before), 0);
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) check_stops(specs[k]);
  assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
}

static void check_counts(const char *spec)
{
  const int counts[] = {1, 7, 8, 63, 1000, 4097, 65536, 1000000};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
    scoped_reduction *red = make_sum(spec, counts[k]);
    double *values = ovk_reduction_values(red);
    for (int t = 0; t < 2; t++) {
      for (int i = 0; i < counts[k]; i++) values[i] = test_rank + i + t;
      assert_ok(ovk_reduction_begin(red));
      assert_ok(ovk_reduction_wait(red));
      const double ranks = test_size * (test_size - 1) / 2.0;
      for (int i = 0; i < counts[k]; i++)
        assert_true(values[i] == ranks + (double)(i + t) * test_size);
    }
  }
}

TEST(sums_may_have_one_to_a_million_values)
{
  const char *const specs[] = {"shm",
                               "nbc",
                               "nbc:alg=ring",
                               "nbc:alg=flat,channel=shm",
                               "nbc:alg=tree+ring,levels=2,channel=shm+p2p",
                               "nbc:fragment=65536,window=4",
                               "nbc:alg=kary,k=3,fragment=1000,window=2,channel=shm"};
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) check_counts(specs[k]);
}
