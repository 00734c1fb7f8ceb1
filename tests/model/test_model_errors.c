/* SPDX-License-Identifier: BSD-2-Clause */
/* Invalid simulations, and running out of memory at each allocation in turn. */
#include "support/malloc_fail.h"
#include "support/test_main.h"

#include "model/model.h"
#include <ovkrylov/plugin/backend.h>

static ovk_model small_model(void)
{
  ovk_model m = OVK_MODEL;
  m.nranks = 6;
  for (int k = 0; k < 3; k++) m.n[k] = 4;
  m.iterations = 3;
  m.machine.net.L = 1e-6;
  m.machine.net.o = 1e-7;
  m.work.product = 1e-5;
  return m;
}

#define assert_refused(model, code, part)                                                          \
  do {                                                                                             \
    ovk_model_result result_;                                                                      \
    assert_error(ovk_model_run(test_ctx(), (model), &result_), (code), (part));                    \
    assert_true(result_.iteration == 0);                                                           \
  } while (0)

/* A method or a backend, the words of the model about it, and the call. */
typedef struct refusal {
  const char *name;
  ovk_err code;
  const char *part;
} refusal;

TEST(its_struct_may_be_larger_and_not_smaller)
{
  ovk_model m = small_model();
  ovk_model_result result;
  assert_true(m.size == sizeof m && ovk_model_default().size == sizeof m);
  m.size = 0; /* the first version */
  assert_ok(ovk_model_run(test_ctx(), &m, &result));
  m.size = 1 << 20;
  assert_ok(ovk_model_run(test_ctx(), &m, &result));
  m.size = sizeof(size_t);
  assert_refused(&m, OVK_ERR_ARG, "the size of ovk_model is 8, but must be at least");
}

TEST(names_must_be_known)
{
  static const refusal methods[] = {
      {"pipelind", OVK_ERR_UNKNOWN, "did you mean 'pipelined'?"},
      {"pipelcg:l=9", OVK_ERR_ARG, "l"},
      {"pipelcg:m=2", OVK_ERR_UNKNOWN, "m"},
      {"auto", OVK_ERR_UNSUPPORTED, "the model takes a method by its name, not 'auto'"},
      {"", OVK_ERR_ARG, ""},
  };
  static const refusal backends[] = {
      {"nbcc", OVK_ERR_UNKNOWN, "did you mean 'nbc'?"},
      {"nbc:algo=flat", OVK_ERR_UNKNOWN, "algo"},
      {"nbc:alg=flatt", OVK_ERR_ARG, "unknown alg 'flatt'"},
      {"emulate-latency:us=3", OVK_ERR_ARG, "which is missing"},
  };
  ovk_model m = small_model();
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    m.method = methods[k].name;
    assert_refused(&m, methods[k].code, methods[k].part);
  }
  m.method = NULL;
  for (size_t k = 0; k < sizeof backends / sizeof *backends; k++) {
    m.backend = backends[k].name;
    assert_refused(&m, backends[k].code, backends[k].part);
  }
}

static ovk_err do_begin(ovk_sum *sum)
{
  return OVK_OK;
}

static ovk_err do_test(ovk_sum *sum, bool *complete)
{
  *complete = true;
  return OVK_OK;
}

static const ovk_backend_ops own_backend = {.name = "own", .begin = do_begin, .test = do_test};

TEST(backends_without_schedules_are_refused)
{
  static const refusal backends[] = {
      {"verbs:mode=atomic", OVK_ERR_UNSUPPORTED, "mode=write only"},
      {"nbc:fragment=64", OVK_ERR_UNSUPPORTED, "sums in pieces"},
      {"nbc:progress=often", OVK_ERR_ARG, "progress is poll or thread, not 'often'"},
      {"nbc:levels=socket+net", OVK_ERR_UNSUPPORTED, "the model has nodes"},
      {"shm", OVK_ERR_UNSUPPORTED, "shm needs all ranks on one node: of 6, 1 share one"},
      {"nbc:channel=shm", OVK_ERR_UNSUPPORTED, "channel=shm needs ranks on one node"},
      {"emulate-latency|emulate-latency|emulate-latency|emulate-latency|emulate-latency|nbc",
       OVK_ERR_UNSUPPORTED, "4 delays in a row at most"},
      {"emulate-latency:us=-1|nbc", OVK_ERR_ARG, "us"},
      {"emulate-latency|own", OVK_ERR_UNSUPPORTED, "the model cannot follow the backend 'own'"},
  };
  ovk_model m = small_model();
  assert_ok(ovk_backend_register(test_ctx(), &own_backend, NULL));
  for (size_t k = 0; k < sizeof backends / sizeof *backends; k++) {
    m.backend = backends[k].name;
    assert_refused(&m, backends[k].code, backends[k].part);
  }
  m.backend = "nbc:alg=flat";
  m.nranks = 1 << 13;
  assert_refused(&m, OVK_ERR_UNSUPPORTED, "messages are more than the model takes");
}

TEST(sizes_must_make_sense)
{
  ovk_model m = small_model();
  m.nranks = 0;
  assert_refused(&m, OVK_ERR_ARG, "nranks is 0, not 1 to 1048576");
  m.nranks = INT_MAX;
  assert_refused(&m, OVK_ERR_ARG, "nranks is 2147483647");
  m = small_model();
  m.iterations = 0;
  assert_refused(&m, OVK_ERR_ARG, "iterations is 0");
  m = small_model();
  m.poll_rows = -1;
  assert_refused(&m, OVK_ERR_ARG, "poll_rows is -1");
  m = small_model();
  m.machine.ranks_per_node = 0;
  assert_refused(&m, OVK_ERR_ARG, "ranks_per_node is 0");
  m = small_model();
  m.n[1] = 0;
  assert_refused(&m, OVK_ERR_ARG, "a rank has 4 x 0 x 4 rows");
  m.n[1] = INT_MAX;
  assert_refused(&m, OVK_ERR_ARG, "rows, not 1 to");
  m = small_model();
  m.grid[0] = 6;
  assert_refused(&m, OVK_ERR_ARG, "a grid of 6 x 0 x 0 is none of 6 ranks");
  m.grid[1] = m.grid[2] = -1;
  assert_refused(&m, OVK_ERR_ARG, "a grid of 6 x -1 x -1");
  m.grid[1] = m.grid[2] = INT_MAX;
  assert_refused(&m, OVK_ERR_ARG, "is none of 6 ranks");
}

TEST(times_must_be_numbers_from_0_on)
{
  ovk_model m = small_model();
  m.machine.node.L = -1e-9;
  assert_refused(&m, OVK_ERR_ARG, "machine.node.L is -1e-09");
  m = small_model();
  m.machine.net.G = NAN;
  assert_refused(&m, OVK_ERR_ARG, "machine.net.G is");
  m = small_model();
  m.work.product = INFINITY;
  assert_refused(&m, OVK_ERR_ARG, "work.product is inf");
  m = small_model();
  m.noise.slow = -0.5;
  assert_refused(&m, OVK_ERR_ARG, "noise.slow is -0.5");
}

static ovk_model small_cycle(void)
{
  ovk_model m = small_model();
  m.cycle = (ovk_model_cycle){.degree = 2, .gather = 30, .coarse = 10, .coarsening = 3};
  return m;
}

#define assert_cycle_refused(member, value, part)                                                  \
  do {                                                                                             \
    ovk_model model_ = small_cycle();                                                              \
    model_.member = (value);                                                                       \
    assert_refused(&model_, OVK_ERR_ARG, (part));                                                  \
  } while (0)

TEST(a_cycle_must_make_sense)
{
  ovk_model_result result;
  ovk_model m = small_cycle();
  assert_ok(ovk_model_run(test_ctx(), &m, &result));
  assert_cycle_refused(cycle.degree, -1, "cycle.degree is -1, not 0 to 100");
  assert_cycle_refused(cycle.degree, 101, "cycle.degree is 101");
  assert_cycle_refused(cycle.gather, -1, "cycle.gather is -1, not 0 to 100000000");
  assert_cycle_refused(cycle.gather, INT_MAX, "cycle.gather is 2147483647");
  assert_cycle_refused(cycle.coarse, 0, "cycle.coarse is 0, not 1 to 100000");
  assert_cycle_refused(cycle.coarsening, 1.9, "cycle.coarsening is 1.9, not 2 to 1000");
  assert_cycle_refused(cycle.coarsening, NAN, "cycle.coarsening is");
  assert_cycle_refused(cycle.cache_rows, -1, "cycle.cache_rows is -1");
  assert_cycle_refused(cycle.cached, 1.5, "cycle.cached is 1.5, not 0 to 1");
  assert_cycle_refused(cycle.product, INFINITY, "cycle.product is inf");
  assert_cycle_refused(work.precond, 1e-6, "work.precond is 1e-06, but must be 0 with a cycle");
  m.method = "overlap";
  assert_refused(&m, OVK_ERR_UNSUPPORTED, "'overlap' needs factors of the preconditioner");
  m.cycle.degree = -1;
  m.size = 0; /* the first version, which has no cycle */
  assert_ok(ovk_model_run(test_ctx(), &m, &result));
  assert_true(result.cycle == 0);
}

TEST(arguments_must_be_there)
{
  const ovk_model m = small_model();
  ovk_model_result r;
  assert_true(ovk_model_run(NULL, &m, &r) == OVK_ERR_ARG);
  assert_error(ovk_model_run(test_ctx(), NULL, &r), OVK_ERR_ARG, "model is NULL");
  assert_error(ovk_model_run(test_ctx(), &m, NULL), OVK_ERR_ARG, "out is NULL");
}

/* Every allocation fails once; then nothing is leaked, and the next run succeeds. */
static void check_each_allocation(const ovk_model *m)
{
  ovk_model_result whole, r;
  assert_ok(ovk_model_run(test_ctx(), m, &whole));
  for (long n = 1;; n++) {
    const long live = malloc_live();
    malloc_fail_at(n);
    const ovk_err err = ovk_model_run(test_ctx(), m, &r);
    const bool failed = malloc_failed();
    malloc_fail_at(0);
    assert_int_equal(malloc_live(), live);
    if (!failed) {
      assert_true(n > 10);
      assert_ok(err);
      assert_memory_equal(&r, &whole, sizeof r);
      return;
    }
    assert_local_error(err, OVK_ERR_MEMORY, "no memory");
    assert_true(r.iteration == 0);
  }
}

TEST(without_memory_nothing_leaks)
{
  ovk_model m = small_model();
  m.backend = "emulate-latency:us=3|nbc:levels=2,alg=tree+kary";
  m.method = "pipelcg:l=2";
  check_each_allocation(&m);
  m.backend = "auto";
  m.method = "cg";
  check_each_allocation(&m);
  m = small_cycle();
  check_each_allocation(&m);
}
