/* SPDX-License-Identifier: BSD-2-Clause */
/* The reduction contract, one check per point. Public headers only. */
#include <math.h>
#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/plugin/conformance.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* One call of the checks. */
typedef struct suite {
  const ovk_conformance *what;
  ovk_ctx *ctx; /* the backend is registered with it */
  int rank, size;
} suite;

static void fail(const suite *S, int line, const char *wrong)
{
  char message[1024];
  snprintf(message, sizeof message, "conformance.c:%d: '%s', rank %d: %s", line, S->what->spec,
           S->rank, wrong);
  if (S->what->failed) S->what->failed(message);
  fprintf(stderr, "%s\n", message);
  /* The mpiexec of MPICH may drop pending output when a rank aborts. */
  nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
  MPI_Abort(S->what->comm, 1);
}

static void check_err(const suite *S, ovk_ctx *ctx, int line, const char *call, ovk_err err,
                      ovk_err expected, const char *text)
{
  const char *said = ctx ? ovk_ctx_error(ctx) : "";
  if (err == expected && strstr(err ? said : text, text)) return;
  char wrong[900];
  snprintf(wrong, sizeof wrong, "%s returned %s, not %s%s%s: %s", call, ovk_err_name(err),
           ovk_err_name(expected), *text ? " with " : "", text, said);
  fail(S, line, wrong);
}

#define CHECK(S, condition)                                                                        \
  do {                                                                                             \
    if (!(condition)) fail((S), __LINE__, "this does not hold: " #condition);                      \
  } while (0)
#define CHECK_OK_IN(S, ctx, call) check_err((S), (ctx), __LINE__, #call, (call), OVK_OK, "")
#define CHECK_OK(S, call) CHECK_OK_IN(S, (S)->ctx, call)
#define CHECK_ERROR(S, call, code, text)                                                           \
  check_err((S), (S)->ctx, __LINE__, #call, (call), (code), (text))

static ovk_ctx *make_ctx(const suite *S)
{
  ovk_ctx *ctx = NULL;
  CHECK_OK_IN(S, ctx, ovk_ctx_create(S->what->comm, &ctx));
  if (S->what->introduce) CHECK_OK_IN(S, ctx, S->what->introduce(ctx));
  return ctx;
}

static suite conformance_start(const ovk_conformance *what)
{
  suite S = {.what = what};
  MPI_Comm_rank(what->comm, &S.rank);
  MPI_Comm_size(what->comm, &S.size);
  S.ctx = make_ctx(&S);
  return S;
}

static ovk_reduction *create_sum(const suite *S, int count)
{
  ovk_reduction *red = NULL;
  CHECK_OK(S, ovk_reduction_create(S->ctx, S->what->spec, count, &red));
  return red;
}

/* This rank's part of value i in round t; magnitudes differ widely, so that the order of summation
 * shows in the last bits. */
static double part(int rank, int t, int i)
{
  static const double scales[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11};
  uint64_t z = (uint64_t)rank * 1000003 + (uint64_t)t * 1009 + (uint64_t)i + 1;
  z *= UINT64_C(0x9e3779b97f4a7c15); /* mixed as in SplitMix64 */
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  z ^= z >> 31;
  return ((double)(z >> 11) * 0x1p-53 - 0.5) * scales[z % 12];
}

static int rounds(const suite *S, int most)
{
  return S->what->quick ? most / 10 : most;
}

static void write_parts(const suite *S, ovk_reduction *red, int count, int t)
{
  for (int i = 0; i < count; i++) ovk_reduction_values(red)[i] = part(S->rank, t, i);
}

/* The totals are right up to rounding, and bitwise identical on all ranks (point 1). */
static void check_totals(const suite *S, ovk_reduction *red, int count, int t)
{
  double *mine = ovk_reduction_values(red);
  double *first = malloc((size_t)count * sizeof *first);
  CHECK(S, first);
  memcpy(first, mine, (size_t)count * sizeof *first);
  MPI_Bcast(first, count, MPI_DOUBLE, 0, S->what->comm);
  CHECK(S, memcmp(first, mine, (size_t)count * sizeof *first) == 0);
  for (int i = 0; i < count; i++) {
    double sum = 0, size = 0;
    for (int rank = 0; rank < S->size; rank++) {
      sum += part(rank, t, i);
      size += fabs(part(rank, t, i));
    }
    CHECK(S, fabs(mine[i] - sum) <= 1e-15 * S->size * size);
  }
  free(first);
}

static void totals_are_right_and_bit_identical(const suite *S)
{
  const int counts[] = {1, 2, 3, 5, 8, 17, 1000, rounds(S, rounds(S, 100000))};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
    ovk_reduction *red = create_sum(S, counts[k]);
    CHECK(S, strcmp(ovk_reduction_spec(red), S->what->spec) == 0);
    CHECK(S, (uintptr_t)ovk_reduction_values(red) % 64 == 0);
    for (int t = 0; t < 5; t++) {
      write_parts(S, red, counts[k], t);
      CHECK_OK(S, ovk_reduction_begin(red));
      CHECK_OK(S, ovk_reduction_wait(red));
      check_totals(S, red, counts[k], t);
    }
    ovk_reduction_destroy(&red);
    CHECK(S, !red);
  }
}

static void not_a_number_and_infinity_reach_all_ranks(const suite *S)
{
  ovk_reduction *red = create_sum(S, 3);
  double *values = ovk_reduction_values(red);
  const bool last = S->rank == S->size - 1;
  values[0] = last ? NAN : 1;
  values[1] = last ? INFINITY : 1;
  values[2] = -0.0;
  CHECK_OK(S, ovk_reduction_begin(red));
  CHECK_OK(S, ovk_reduction_wait(red));
  CHECK(S, isnan(values[0]) && isinf(values[1]) && values[1] > 0 && values[2] == 0);
  ovk_reduction_destroy(&red);
}

static void test_tells_completion_and_wait_ends_it(const suite *S)
{
  ovk_reduction *red = create_sum(S, 2);
  for (int t = 0; t < rounds(S, 50); t++) {
    write_parts(S, red, 2, t);
    CHECK_OK(S, ovk_reduction_begin(red));
    CHECK(S, ovk_reduction_running(red));
    bool complete = false;
    while (!complete) CHECK_OK(S, ovk_reduction_test(red, &complete));
    CHECK_OK(S, ovk_reduction_test(red, &complete)); /* and again, still complete */
    CHECK(S, complete && ovk_reduction_running(red));
    CHECK_OK(S, ovk_reduction_wait(red));
    CHECK(S, !ovk_reduction_running(red));
    check_totals(S, red, 2, t);
  }
  ovk_reduction_destroy(&red);
}

/* Points 2 and 3: several sums in flight, polled from a kernel, waited for in another order than
 * begun, and in a different order on each rank. */
static void several_in_flight_do_not_mix(const suite *S)
{
  enum { FLIGHT = 4 };
  ovk_reduction *red[FLIGHT];
  for (int k = 0; k < FLIGHT; k++) red[k] = create_sum(S, k + 1);
  for (int t = 0; t < rounds(S, 50); t++) {
    for (int k = 0; k < FLIGHT; k++) {
      write_parts(S, red[k], k + 1, t * FLIGHT + k);
      CHECK_OK(S, ovk_reduction_begin(red[k]));
    }
    const ovk_poll poll = ovk_reduction_poll(red[t % FLIGHT], 10);
    for (int n = 0; n < 20; n++) ovk_poll_call(poll);
    for (int k = 0; k < FLIGHT; k++) {
      const int which = (k * 3 + t + S->rank) % FLIGHT;
      CHECK_OK(S, ovk_reduction_wait(red[which]));
    }
    for (int k = 0; k < FLIGHT; k++) check_totals(S, red[k], k + 1, t * FLIGHT + k);
  }
  for (int k = 0; k < FLIGHT; k++) ovk_reduction_destroy(&red[k]);
}

/* Point 4: fast ranks begin again at once, while one rank is late now and then. */
static void a_rank_may_begin_again_right_after_its_wait(const suite *S)
{
  ovk_reduction *red = create_sum(S, 2);
  for (int t = 0; t < rounds(S, 400); t++) {
    if (S->size > 1 && t % 5 == 2 && t / 5 % S->size == S->rank) {
      nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
    }
    ovk_reduction_values(red)[0] = S->rank + t;
    ovk_reduction_values(red)[1] = 1;
    CHECK_OK(S, ovk_reduction_begin(red));
    CHECK_OK(S, ovk_reduction_wait(red));
    const int ranks = S->size * (S->size - 1) / 2;
    CHECK(S, ovk_reduction_values(red)[0] == ranks + (double)t * S->size);
    CHECK(S, ovk_reduction_values(red)[1] == S->size);
  }
  ovk_reduction_destroy(&red);
}

/* Point 6. */
static void destroying_a_running_reduction_drains_it(const suite *S)
{
  for (int t = 0; t < 10; t++) {
    ovk_reduction *abandoned = create_sum(S, 3), *next = create_sum(S, 3);
    write_parts(S, abandoned, 3, t);
    CHECK_OK(S, ovk_reduction_begin(abandoned));
    ovk_reduction_destroy(&abandoned);
    write_parts(S, next, 3, t + 1);
    CHECK_OK(S, ovk_reduction_begin(next));
    CHECK_OK(S, ovk_reduction_wait(next));
    check_totals(S, next, 3, t + 1);
    ovk_reduction_destroy(&next);
  }
}

/* Point 8: user messages with any tag on the context's parent communicator, and on another
 * context. */
static void other_traffic_does_not_match(const suite *S)
{
  ovk_ctx *other = make_ctx(S);
  ovk_reduction *red = create_sum(S, 2), *same = NULL;
  CHECK_OK_IN(S, other, ovk_reduction_create(other, S->what->spec, 2, &same));
  const int up = (S->rank + 1) % S->size, down = (S->rank + S->size - 1) % S->size;
  for (int t = 0; t < 20; t++) {
    double out = S->rank, in = -1;
    write_parts(S, red, 2, t);
    write_parts(S, same, 2, t + 1);
    CHECK_OK(S, ovk_reduction_begin(red));
    CHECK_OK_IN(S, other, ovk_reduction_begin(same));
    MPI_Sendrecv(&out, 1, MPI_DOUBLE, up, t, &in, 1, MPI_DOUBLE, down, t, S->what->comm,
                 MPI_STATUS_IGNORE);
    CHECK(S, in == down);
    CHECK_OK_IN(S, other, ovk_reduction_wait(same));
    CHECK_OK(S, ovk_reduction_wait(red));
    check_totals(S, red, 2, t);
    check_totals(S, same, 2, t + 1);
  }
  ovk_reduction_destroy(&red);
  ovk_reduction_destroy(&same);
  ovk_ctx_destroy(&other);
}

/* Point 9. */
static void misuse_is_a_state_error(const suite *S)
{
  ovk_reduction *red = create_sum(S, 1);
  bool complete;
  CHECK_ERROR(S, ovk_reduction_wait(red), OVK_ERR_STATE, "wait: this reduction is not running");
  CHECK_ERROR(S, ovk_reduction_test(red, &complete), OVK_ERR_STATE, "not running");
  ovk_poll_call(ovk_reduction_poll(red, 0)); /* no effect */
  ovk_reduction_values(red)[0] = 1;
  CHECK_OK(S, ovk_reduction_begin(red));
  CHECK_ERROR(S, ovk_reduction_begin(red), OVK_ERR_STATE,
              "begin: this reduction is running already");
  CHECK_OK(S, ovk_reduction_wait(red));
  CHECK(S, ovk_reduction_values(red)[0] == S->size);
  CHECK_ERROR(S, ovk_reduction_wait(red), OVK_ERR_STATE, "not running");
  ovk_reduction_destroy(&red);
}

/* A barrier of several rounds needs progress on all ranks. Rank 0 waits first for the sum, which
 * the others begin only after the barrier. */
static void waiting_progresses_other_operations(const suite *S)
{
  ovk_reduction *red = create_sum(S, 1);
  ovk_collective *barrier = NULL;
  CHECK_OK(S, ovk_collective_create_barrier(S->ctx, NULL, &barrier));
  const int ranks = S->size * (S->size - 1) / 2;
  for (int t = 0; t < 5; t++) {
    ovk_reduction_values(red)[0] = S->rank;
    CHECK_OK(S, ovk_collective_begin(barrier));
    if (S->rank > 0) CHECK_OK(S, ovk_collective_wait(barrier));
    CHECK_OK(S, ovk_reduction_begin(red));
    CHECK_OK(S, ovk_reduction_wait(red));
    if (S->rank == 0) CHECK_OK(S, ovk_collective_wait(barrier));
    CHECK(S, ovk_reduction_values(red)[0] == ranks);
  }
  ovk_collective_destroy(&barrier);
  ovk_reduction_destroy(&red);
}

void ovk_conformance_check(const ovk_conformance *what)
{
  suite S = conformance_start(what);
  totals_are_right_and_bit_identical(&S);
  not_a_number_and_infinity_reach_all_ranks(&S);
  test_tells_completion_and_wait_ends_it(&S);
  several_in_flight_do_not_mix(&S);
  a_rank_may_begin_again_right_after_its_wait(&S);
  destroying_a_running_reduction_drains_it(&S);
  other_traffic_does_not_match(&S);
  misuse_is_a_state_error(&S);
  ovk_ctx_destroy(&S.ctx);
}

void ovk_conformance_check_mixed(const ovk_conformance *what)
{
  suite S = conformance_start(what);
  waiting_progresses_other_operations(&S);
  ovk_ctx_destroy(&S.ctx);
}

/* One communicator per opened backend, not per reduction: an MPI may have only some 2000. */
void ovk_conformance_check_thousands(const ovk_conformance *what)
{
  suite S = conformance_start(what);
  for (int k = 0; k < rounds(&S, 3000); k++) {
    ovk_reduction *red = create_sum(&S, 1);
    ovk_reduction_destroy(&red);
  }
  ovk_ctx_destroy(&S.ctx);
}
