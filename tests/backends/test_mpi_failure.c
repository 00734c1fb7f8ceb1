/* SPDX-License-Identifier: BSD-2-Clause */
/* The effect of MPI failures on sums. The MPI calls of the library are intercepted through the
 * profiling interface, shm_open() by the linker, and can be made to fail. */
#include "support/problem.h"

#include <errno.h>
#include <ovkrylov/comm/reduction.h>
#include <sys/mman.h>

/* The calls that can fail, by name. */
#define CALLS(X)                                                                                   \
  X(shm_open)                                                                                      \
  X(MPI_Type_contiguous)                                                                           \
  X(MPI_Type_commit)                                                                               \
  X(MPI_Isend)                                                                                     \
  X(MPI_Irecv)                                                                                     \
  X(MPI_Test)

#define CALL_INDEX(name) AT_##name,
enum { CALLS(CALL_INDEX) NCALLS };
#define CALL_NAME(name) #name,
static const char *const names[] = {CALLS(CALL_NAME)};

static int failing = NCALLS; /* the call that fails */
static int before;           /* after this many successful ones */
static bool lasting;         /* it has failed, and fails until the end */
static int cancelled;        /* receives */

/* Call number `n` of that kind from now on fails on this rank, once. From shm_open() on, there is
 * no shared memory: the ranks of a context do without it for their own agreements. */
static void fail_call(int call, int n)
{
  failing = call;
  before = n - 1;
}

/* Resets this; true if the call has failed. */
static bool stop_failing(void)
{
  const bool failed = failing == NCALLS || lasting;
  failing = NCALLS;
  lasting = false;
  return failed;
}

static bool fails_now(int call)
{
  if (call != failing || before-- > 0) return false;
  lasting = call == AT_shm_open;
  if (!lasting) failing = NCALLS;
  return true;
}

/* The linker's --wrap=shm_open. */
int __real_shm_open(const char *name, int flags, mode_t mode);
int __wrap_shm_open(const char *name, int flags, mode_t mode);

int __wrap_shm_open(const char *name, int flags, mode_t mode)
{
  if (!fails_now(AT_shm_open)) return __real_shm_open(name, flags, mode);
  errno = EMFILE;
  return -1;
}

int MPI_Type_contiguous(int count, MPI_Datatype of, MPI_Datatype *type)
{
  if (fails_now(AT_MPI_Type_contiguous)) return MPI_ERR_OTHER;
  return PMPI_Type_contiguous(count, of, type);
}

int MPI_Type_commit(MPI_Datatype *type)
{
  if (fails_now(AT_MPI_Type_commit)) return MPI_ERR_OTHER;
  return PMPI_Type_commit(type);
}

int MPI_Isend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
  if (fails_now(AT_MPI_Isend)) return MPI_ERR_OTHER;
  return PMPI_Isend(from, count, type, to, tag, comm, request);
}

int MPI_Irecv(void *to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
  if (fails_now(AT_MPI_Irecv)) return MPI_ERR_OTHER;
  return PMPI_Irecv(to, count, type, from, tag, comm, request);
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
  if (fails_now(AT_MPI_Test)) return MPI_ERR_OTHER;
  return PMPI_Test(request, flag, status);
}

int MPI_Cancel(MPI_Request *request)
{
  cancelled++;
  return PMPI_Cancel(request);
}

/* A sum that works, to check that the failure left no trace. */
static void check_sum(ovk_ctx *ctx, const char *spec)
{
  scoped_reduction *red = NULL;
  assert_int_equal(ovk_reduction_create(ctx, spec, 1, &red), OVK_OK);
  ovk_reduction_values(red)[0] = 1;
  assert_int_equal(ovk_reduction_begin(red), OVK_OK);
  assert_int_equal(ovk_reduction_wait(red), OVK_OK);
  assert_true(ovk_reduction_values(red)[0] == test_size);
}

static void check_sum_in_new_context(const char *spec)
{
  scoped_ctx *ctx = new_ctx();
  check_sum(ctx, spec);
}

/* Makes a reduction in a new context while the n-th call fails on `rank`; false if there were fewer
 * calls. */
static bool fail_creation(const char *spec, int call, int n, int rank)
{
  scoped_reduction *red = NULL;
  scoped_ctx *ctx = new_ctx();
  if (test_rank == rank) fail_call(call, n);
  const ovk_err err = ovk_reduction_create(ctx, spec, 1, &red);
  int failed = stop_failing();
  MPI_Bcast(&failed, 1, MPI_INT, rank, MPI_COMM_WORLD);
  assert_int_equal(err, !failed ? OVK_OK : call == AT_shm_open ? OVK_ERR_MEMORY : OVK_ERR_MPI);
  if (failed) {
    assert_null(red);
    assert_non_null(strstr(ovk_ctx_error(ctx), names[call]));
    check_sum(ctx, spec);
  }
  return failed;
}

/* Fails each call of a kind in turn, on the first and the last rank. Returns the number of
 * calls. */
static int fail_each(const char *spec, int call)
{
  int n = 1;
  while (fail_creation(spec, call, n, 0)) n++;
  for (int k = 1; k < n; k++) assert_true(fail_creation(spec, call, k, test_size - 1));
  return n - 1;
}

TEST(shared_memory_that_fails_on_one_rank_is_an_error_on_all)
{
  const char *const specs[] = {"shm", "nbc:channel=shm"};
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
    assert_int_equal(fail_each(specs[k], AT_shm_open), 1);
    check_sum_in_new_context(specs[k]);
  }
}

TEST(a_type_that_fails_on_one_rank_is_an_error_on_all)
{
  for (int call = AT_MPI_Type_contiguous; call <= AT_MPI_Type_commit; call++) {
    assert_int_equal(fail_each("nbc:channel=p2p", call), 1);
    assert_int_equal(fail_each("nbc:channel=shm", call), 0); /* no message is sent by MPI */
  }
  check_sum_in_new_context("nbc:channel=p2p");
}

/* Here and below a call fails on all ranks: after a failure on one only, the others would wait.
 * Every rank of these schedules sends in its first round. */
TEST(shared_memory_whose_sends_fail_is_an_error)
{
  fail_call(AT_MPI_Isend, 1);
  assert_no_sum("nbc:alg=flat,channel=shm", 1, OVK_ERR_MPI, "MPI_Isend");
  assert_true(stop_failing());
  check_sum_in_new_context("nbc:alg=flat,channel=shm");
}

TEST(a_message_that_fails_is_told_by_begin_and_the_sum_can_be_destroyed)
{
  const char *const specs[] = {"nbc:alg=flat", "nbc:alg=ring", "nbc:alg=flat,fragment=8,window=2"};
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
    for (int call = AT_MPI_Isend; call <= AT_MPI_Test; call++) {
      ovk_reduction *red = new_sum(specs[k], test_size);
      MPI_Barrier(MPI_COMM_WORLD);
      fail_call(call, 1);
      assert_local_error(ovk_reduction_begin(red), OVK_ERR_MPI, "MPI");
      assert_true(stop_failing());
      assert_local_error(ovk_reduction_begin(red), OVK_ERR_STATE, "can only be destroyed");
      ovk_reduction_destroy(&red);
      check_sum(test_ctx(), specs[k]);
    }
    check_sum_in_new_context(specs[k]);
  }
}

/* Rank 0 aborts before the others begin. They received its message, and it has freed the buffers
 * that they send to; a sanitizer detects writes to these. */
TEST(receives_of_a_broken_sum_are_called_off)
{
  ovk_reduction *red = new_sum("nbc:alg=flat", 1);
  cancelled = 0;
  if (test_rank == 0) {
    fail_call(AT_MPI_Test, 1);
    assert_local_error(ovk_reduction_begin(red), OVK_ERR_MPI, "MPI");
    assert_true(stop_failing());
    ovk_reduction_destroy(&red);
    assert_int_equal(cancelled, test_size - 1);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (test_rank > 0) {
    ovk_reduction_values(red)[0] = 1;
    assert_ok(ovk_reduction_begin(red));
    assert_ok(ovk_reduction_wait(red));
    ovk_reduction_destroy(&red);
    assert_int_equal(cancelled, 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  check_sum_in_new_context("nbc:alg=flat");
}

/* Defined in sanitizer builds only. */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

/* A sum whose memory is leaked on purpose, as MPI may still use it. */
static ovk_reduction *make_lost(ovk_ctx *ctx, const char *spec, int count)
{
  ovk_reduction *red = NULL;
  if (__lsan_disable) __lsan_disable();
  assert_int_equal(ovk_reduction_create(ctx, spec, count, &red), OVK_OK);
  if (__lsan_enable) __lsan_enable();
  return red;
}

/* Rank 0 aborts while its message waits for the others. A long message is read from its buffer, so
 * the values must remain valid: otherwise a sanitizer reports it, or rank 0 crashes. */
TEST(what_mpi_still_sends_stays_in_memory)
{
  enum { MANY = 1 << 19, TESTS = 2000 };
  scoped_ctx *ctx = new_ctx();
  scoped_reduction *red = make_lost(ctx, "nbc:alg=flat", MANY);
  if (test_rank == 0) fail_call(AT_MPI_Test, 1);
  if (test_rank == 0) assert_int_equal(ovk_reduction_begin(red), OVK_ERR_MPI);
  if (test_rank == 0) ovk_reduction_destroy(&red);
  MPI_Barrier(MPI_COMM_WORLD);
  bool complete;
  MPI_Request barrier;
  int come = 0;
  if (test_rank > 0) assert_int_equal(ovk_reduction_begin(red), OVK_OK);
  for (int k = 0; test_rank > 0 && k < TESTS; k++) (void)ovk_reduction_test(red, &complete);
  MPI_Ibarrier(MPI_COMM_WORLD, &barrier); /* MPI makes progress on rank 0 meanwhile */
  while (!come) PMPI_Test(&barrier, &come, MPI_STATUS_IGNORE);
  if (test_rank > 0) fail_call(AT_MPI_Test, 1);
  if (test_rank > 0) assert_int_equal(ovk_reduction_wait(red), OVK_ERR_MPI);
  assert_true(stop_failing());
}

TEST(a_request_that_is_left_active_keeps_its_values)
{
  enum { MANY = 1 << 19 };
  ovk_reduction *red = make_lost(test_ctx(), "iallreduce", MANY);
  double *values = ovk_reduction_values(red);
  for (int k = 0; k < MANY; k++) values[k] = 1;
  MPI_Barrier(MPI_COMM_WORLD);
  fail_call(AT_MPI_Test, 1);
  assert_local_error(ovk_reduction_begin(red), OVK_ERR_MPI, "MPI_Test");
  assert_true(stop_failing());
  ovk_reduction_destroy(&red);
  MPI_Barrier(MPI_COMM_WORLD); /* MPI may make progress on it in here */
  check_sum(test_ctx(), "iallreduce");
  assert_true(values[0] == 1 || values[0] == test_size); /* the values are intact */
}

static void count_notice(void *arg, const char *message)
{
  assert_non_null(strstr(message, "shm_open"));
  ++*(int *)arg;
}

/* On one rank: all sums use messages then, with one notice. */
TEST(auto_without_shared_memory_goes_over_messages)
{
  static const char *const specs[] = {"auto", "emulate-latency:us=1|auto"},
                           *const becomes[] = {"nbc", "emulate-latency:us=1|nbc"};
  for (int k = 0; k < 2; k++) {
    ovk_reduction *red = NULL;
    int notices = 0;
    scoped_ctx *ctx = new_ctx();
    ovk_ctx_on_notice(ctx, count_notice, &notices);
    if (is_last()) fail_call(AT_shm_open, 1);
    for (int t = 0; t < 2; t++) {
      assert_int_equal(ovk_reduction_create(ctx, specs[k], 1, &red), OVK_OK);
      assert_true(stop_failing());
      assert_string_equal(ovk_reduction_spec(red), becomes[k]);
      ovk_reduction_destroy(&red);
      assert_int_equal(notices, 1);
      if (t == 0) failing = NCALLS;
      check_sum(ctx, specs[k]);
    }
    check_sum(ctx, "shm"); /* requested by name, and there is memory now */
  }
}
