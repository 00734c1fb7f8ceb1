/* SPDX-License-Identifier: BSD-2-Clause */
/* Running out of memory at each allocation in turn, on the first or the last rank: all ranks get
 * the same error, no rank hangs, nothing leaks. */
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"
#include "malloc_scenarios.h"
#include "support/malloc_fail.h"
#include "support/problem.h"

/* The result of one run: its error and message, and whether the ranks agreed by meetings. */
typedef struct outcome {
  ovk_err err;
  bool met;
  char said[1024];
} outcome;

static char path[64]; /* a scratch file, the same on all ranks */
static MPI_Comm ring; /* all ranks, in a grid of one dimension */

static outcome run_scenario(scenario *what, const void *arg)
{
  outcome o = {.said = ""};
  ovk_ctx *ctx = NULL;
  o.err = ovk_ctx_create(ring, &ctx);
  if (!o.err) o.err = what(ctx, arg);
  if (ctx) snprintf(o.said, sizeof o.said, "%s", ovk_ctx_error(ctx));
  o.met = ctx && ctx->meeting;
  ovk_ctx_destroy(&ctx);
  return o;
}

typedef void check(const outcome *o, long n); /* after a failed allocation */

static void assert_memory_error_on_all(const outcome *o, long n)
{
  if (o->err != OVK_ERR_MEMORY)
    fail_msg("rank %d, allocation %ld: %s, \"%s\"", test_rank, n, ovk_err_name(o->err), o->said);
  char first[sizeof o->said];
  memcpy(first, o->said, sizeof first);
  MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
  assert_string_equal(o->said, first);
}

static void assert_same_code_on_all(const outcome *o, long n)
{
  int first = (int)o->err;
  MPI_Bcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD);
  assert_int_equal(o->err, first);
}

/* Runs it with allocation `first` of `rank` failing, then with the one `step` later, and so on
 * until the last one has failed. */
static void fail_allocations_of(int rank, long first, long step, scenario *what, const void *arg,
                                check *check_failed)
{
  const bool meet = run_scenario(what, arg).met;
  const long live = malloc_live();
  int failed = 1;
  for (long n = first; failed; n += step) {
    malloc_fail_at(test_rank == rank ? n : 0);
    const outcome o = run_scenario(what, arg);
    failed = malloc_failed();
    malloc_fail_at(0);
    MPI_Bcast(&failed, 1, MPI_INT, rank, MPI_COMM_WORLD);
    assert_int_equal(malloc_live(), live);
    if (failed) {
      if (!o.err && meet && !o.met) continue; /* MPI carries agreements without that memory */
      check_failed(&o, n);
    } else {
      assert_true(n > 1); /* otherwise the allocations were not counted */
      if (o.err) fail_msg("without a failure: %s, \"%s\"", ovk_err_name(o.err), o.said);
    }
  }
}

/* Each allocation fails on one of two ranks, by turns; with OVK_TEST_ALLOCATIONS=all on both. */
static void fail_and_check(scenario *what, const void *arg, check *check_failed)
{
  const long step = test_size == 1 || getenv("OVK_TEST_ALLOCATIONS") ? 1 : 2;
  fail_allocations_of(0, 1, step, what, arg, check_failed);
  if (test_size > 1) fail_allocations_of(test_size - 1, step, step, what, arg, check_failed);
}

static void fail_each_allocation(scenario *what, const void *arg)
{
  fail_and_check(what, arg, assert_memory_error_on_all);
}

static ovk_err create_outcome(outcome **object)
{
  OVK_NEW(test_ctx(), *object);
  return OVK_OK;
}

TEST(a_failed_new_object_says_what_and_how_much)
{
  outcome *object = NULL;
  char expected[64];
  snprintf(expected, sizeof expected, "no memory for *object: %zu bytes", sizeof *object);
  malloc_fail_at(1);
  const ovk_err err = create_outcome(&object);
  malloc_fail_at(0);
  assert_error(err, OVK_ERR_MEMORY, expected);
  assert_ok(create_outcome(&object));
  assert_string_equal(object->said, "");
  free(object);
}

TEST(a_context_that_gets_no_memory_fails_on_all)
{
  fail_each_allocation(nothing, NULL);
}

TEST(a_reduction_that_gets_no_memory_fails_on_all)
{
  const char *const specs[] = {"blocking",
                               "iallreduce",
                               "shm",
                               "nbc:alg=flat,fragment=8,window=2",
                               "nbc:levels=2,channel=shm+p2p",
                               "emulate-latency:us=1|emulate-latency:us=1|auto"};
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
    fail_each_allocation(parse_spec, specs[k]);
  }
}

/* An adapter that gets no memory for the data of a peer breaks the connection, if the reduction
 * still needs it. */
TEST(a_sum_over_an_adapter_without_memory_ends_alike_on_all)
{
  const char *const specs[] = {"verbs:device=emulated", "verbs:device=emulated,agent=thread"};
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
    fail_and_check(parse_spec, specs[k], assert_same_code_on_all);
  }
}

TEST(collectives_that_get_no_memory_fail_on_all)
{
  fail_each_allocation(make_collectives, NULL);
  fail_each_allocation(make_scheduled, NULL);
}

TEST(assembly_that_gets_no_memory_fails_on_all)
{
  fail_each_allocation(assemble, NULL);
  if (test_rank == 0) setenv("OVK_HALO", "nbc", 1);
  fail_each_allocation(assemble, NULL);
  unsetenv("OVK_HALO");
  fail_each_allocation(assemble_backwards, NULL);
}

TEST(new_values_that_get_no_memory_fail_on_all)
{
  ovk_choice format = OVK_CHOICE;
  for (int f = 0; ovk_list_formats(NULL, f, &format); f++) {
    fail_each_allocation(refill, format.name);
  }
}

TEST(copies_in_float_that_get_no_memory_fail_on_all)
{
  ovk_choice format = OVK_CHOICE;
  for (int f = 0; ovk_list_formats(NULL, f, &format); f++) {
    fail_each_allocation(copy_in_float, format.name);
  }
}

TEST(a_null_space_that_gets_no_memory_fails_on_all)
{
  fail_each_allocation(solve_singular, NULL);
}

TEST(a_near_null_space_that_gets_no_memory_fails_on_all)
{
  fail_each_allocation(describe_problem, NULL);
  fail_each_allocation(reorder, NULL);
}

TEST(a_shell_that_gets_no_memory_fails_on_all)
{
  fail_each_allocation(make_shell, NULL);
}

TEST(files_that_get_no_memory_fail_on_all)
{
  fail_each_allocation(write_and_read, path);
}

/* Each method with one of the backends: they share no memory. */
TEST(a_solve_that_gets_no_memory_fails_on_all)
{
  static const char *const backends[] = {"blocking", "iallreduce", "nbc:alg=tree", "shm"};
  enum { BACKENDS = sizeof backends / sizeof *backends };
  ovk_choice method = OVK_CHOICE;
  char spec[64];
  for (int m = 0; ovk_list_methods(NULL, m, &method); m++) {
    const bool restarts = strstr(method.name, "gmres") != NULL; /* a vector an iteration */
    snprintf(spec, sizeof spec, restarts ? "%s:restart=2" : "%s", method.name);
    ovk_solver_opts opts = solver_opts(.method = spec, .backend = backends[m % BACKENDS]);
    fail_each_allocation(solve, &opts);
  }
}

TEST(another_method_that_gets_no_memory_fails_on_all)
{
  fail_each_allocation(solve_indefinite, NULL);
}

TEST(a_preconditioner_that_gets_no_memory_fails_on_all)
{
  const char *const specs[] = {"jacobi",
                               "ic",
                               "ic:level=2,store=float",
                               "ilu:level=1",
                               "ssor",
                               "chebyshev",
                               "bjacobi:blocks=2",
                               "bjacobi:sub=ic",
                               "amg",
                               "amg:coarse=2,cycle=w",
                               "amg:coarse=2,gather=0",
                               "amg:coarse=2,block=2"};
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++)
    fail_each_allocation(make_precond, specs[k]);
  fail_each_allocation(find_points, NULL);
}

/* A scratch file, and an environment that has something to be copied. */
static int prepare(void **state)
{
  snprintf(path, sizeof path, "/tmp/ovk_test_malloc_XXXXXX");
  if (test_rank == 0) {
    const int file = mkstemp(path);
    if (file < 0) return -1;
    close(file);
    setenv("OVK_BACKEND", "blocking", 1);
    setenv("OVK_METHOD", "cg", 1);
    setenv("OVK_LOG", "/dev/null", 1);
  }
  MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &test_size, &(int){true}, 0, &ring);
  test_ctx();
  return 0;
}

static int clean_up(void **state)
{
  MPI_Comm_free(&ring);
  return test_rank == 0 ? remove(path) : 0;
}

TEST_GROUP(prepare, clean_up)
