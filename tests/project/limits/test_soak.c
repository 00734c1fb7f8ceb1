/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks that nothing grows over many solves and many object lifetimes. Short by default;
 * OVK_TEST_SOAK runs 10000 lifetimes and 100000 solves instead, and prints figures. Allocations of
 * the library are counted exactly (support/malloc_fail.c), and so are MPI objects
 * (support/census.c). Internal memory of the MPI shows only in resident memory, which may grow
 * slightly. */
#include "census.h"
#include "support/malloc_fail.h"
#include "support/problem.h"

#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/comm/reduction.h>

enum { LIVES = 1, SOLVES = 400, LONG_LIVES = 10000, LONG_SOLVES = 100000 };

/* The permitted growth of resident memory after the warm-up. MPIs keep pools that grow in steps. */
enum { MOST_GROWTH_KB = 8 << 10 };

static const char *const specs[] = {"blocking",
                                    "iallreduce",
                                    "iallreduce:persistent",
                                    "shm",
                                    "nbc:alg=tree,fragment=8,window=2",
                                    "nbc:levels=node+net,channel=shm+p2p",
                                    "nbc:progress=thread",
                                    "emulate-latency:us=1|nbc",
                                    "verbs:device=emulated",
                                    "verbs:device=emulated,mode=atomic",
                                    "verbs:device=emulated,fallback=nbc",
                                    "auto"};
enum { NSPECS = sizeof specs / sizeof *specs };

static bool is_long;

static linear_system make_problem(ovk_ctx *ctx)
{
  const int n[3] = {3, 3, 3}, grid[3] = {1, 1, test_size};
  ovk_mat *A = NULL;
  assert_int_equal(ovk_gallery_laplace7(ctx, n, grid, NULL, &A), OVK_OK);
  return new_system(A, "jacobi");
}

static int number_of_methods(void)
{
  ovk_choice choice = OVK_CHOICE;
  int n = 0;
  while (ovk_list_methods(NULL, n, &choice)) n++;
  return n;
}

/* The name of method number `index`, modulo the number of methods. */
static const char *method_number(int index)
{
  ovk_choice choice = OVK_CHOICE;
  assert_true(ovk_list_methods(NULL, index % number_of_methods(), &choice));
  return choice.name;
}

static void solve(ovk_solver *solver, const linear_system *p)
{
  const ovk_result res = solve_from_zero(solver, p->b, p->x);
  assert_true(res.reason > 0);
}

static ovk_solver *make_solver(const linear_system *p, const char *method, const char *backend)
{
  ovk_solver_opts opts = solver_opts(.method = method, .backend = backend);
  return new_solver(p->A, p->M, &opts);
}

/* Everything but the context: made, used, destroyed. */
static void live_once(ovk_ctx *ctx, const char *spec, int index)
{
  scoped_system p = make_problem(ctx);
  scoped_solver *solver = make_solver(&p, method_number(index), spec);
  solve(solver, &p);
}

/* One operation over messages, one over shared memory, one over the emulated NIC. */
static void live_as_collectives(ovk_ctx *ctx)
{
  static const char *const engines[] = {"nbc", "nbc:channel=shm", "verbs:device=emulated"};
  for (size_t k = 0; k < sizeof engines / sizeof *engines; k++) {
    double x = 1, sum = 0;
    scoped_collective *c = NULL;
    assert_int_equal(ovk_collective_create_allreduce(ctx, engines[k], &x, &sum, 1, OVK_TYPE_DOUBLE,
                                                     OVK_OP_SUM, &c),
                     OVK_OK);
    assert_int_equal(ovk_collective_begin(c), OVK_OK);
    assert_int_equal(ovk_collective_wait(c), OVK_OK);
    assert_true(sum == test_size);
  }
}

/* Whether this build and run of MPI can do it. */
static bool is_possible(const char *spec)
{
  ovk_reduction *red = NULL;
  ovk_ctx *ctx = new_ctx();
  const ovk_err err = ovk_reduction_create(ctx, spec, 1, &red);
  ovk_reduction_destroy(&red);
  ovk_ctx_destroy(&ctx);
  assert_true(err == OVK_OK || err == OVK_ERR_UNSUPPORTED);
  return err == OVK_OK;
}

/* One lifetime of the tested objects. */
typedef void (*life)(void *arg, int index);

/* Runs `least` lifetimes or some more, and compares the resources with those after the warm-up.
 * Both end with the last of the methods: reductions of different sizes need different slots of
 * shared memory, and the slots kept for later ones depend on the last. */
static void soak(const char *what, life live, void *arg, int least)
{
  const int methods = number_of_methods(), n = (least + methods - 1) / methods * methods;
  const census start = census_take();
  for (int k = 0; k < 2 * methods; k++) live(arg, k);
  const census warm = census_take();
  const long blocks = malloc_live();
  for (int k = 0; k < n; k++) live(arg, k);
  MPI_Barrier(MPI_COMM_WORLD);
  const census end = census_take();
  const bool grew = !census_within(&warm, &end) || malloc_live() > blocks ||
                    end.resident_kb > warm.resident_kb + MOST_GROWTH_KB;
  if (grew || (is_long && test_rank == 0)) {
    print_message("[rank %d] %s, %d times\n", test_rank, what, n);
    census_print("  at the start", &start);
    census_print("  after a few", &warm);
    census_print("  at the end", &end);
  }
  if (malloc_live() > blocks) {
    fail_msg("rank %d: %ld blocks of memory more", test_rank, malloc_live() - blocks);
  }
  assert_false(grew);
}

static void live_in_a_context(void *spec, int index)
{
  scoped_ctx *ctx = new_ctx();
  live_once(ctx, spec, index);
}

TEST(contexts_leave_nothing_behind)
{
  for (int s = 0; s < NSPECS; s++) {
    if (!is_possible(specs[s])) continue;
    soak(specs[s], live_in_a_context, (void *)specs[s], is_long ? LONG_LIVES : LIVES);
  }
}

static void live_with_collectives(void *arg, int index)
{
  scoped_ctx *ctx = new_ctx();
  live_as_collectives(ctx);
}

TEST(contexts_of_collectives_leave_nothing_behind)
{
  soak("contexts of collectives", live_with_collectives, NULL, is_long ? LONG_LIVES : LIVES);
}

static void live_in_the_same_context(void *spec, int index)
{
  live_once(test_ctx(), spec, index);
}

TEST(objects_leave_nothing_behind_in_their_context)
{
  for (int s = 0; s < NSPECS; s++) {
    if (!is_possible(specs[s])) continue;
    soak(specs[s], live_in_the_same_context, (void *)specs[s], is_long ? LONG_LIVES : LIVES);
  }
}

static void live_as_collectives_in_the_same_context(void *arg, int index)
{
  live_as_collectives(test_ctx());
}

TEST(collectives_leave_nothing_behind_in_their_context)
{
  soak("collectives", live_as_collectives_in_the_same_context, NULL, is_long ? LONG_LIVES : LIVES);
}

/* Solvers of all methods over one backend. */
typedef struct solvers {
  linear_system p;
  ovk_solver *list[32];
  int n;
} solvers;

static void solve_in_turn(void *arg, int index)
{
  const solvers *s = arg;
  solve(s->list[index % s->n], &s->p);
}

TEST(solves_leave_nothing_behind)
{
  for (int k = 0; k < NSPECS; k++) {
    solvers s = {.n = 0};
    ovk_choice method = OVK_CHOICE;
    if (!is_possible(specs[k])) continue;
    s.p = make_problem(test_ctx());
    for (; ovk_list_methods(NULL, s.n, &method); s.n++) {
      assert_true(s.n < (int)(sizeof s.list / sizeof *s.list));
      s.list[s.n] = make_solver(&s.p, method.name, specs[k]);
    }
    soak(specs[k], solve_in_turn, &s, (is_long ? LONG_SOLVES : SOLVES) / NSPECS + 1);
    for (int m = 0; m < s.n; m++) ovk_solver_destroy(&s.list[m]);
    clear_system(&s.p);
  }
}

TEST(nothing_is_left_of_all_this)
{
  const census before = census_take();
  const long blocks = malloc_live();
  ovk_ctx *ctx = new_ctx();
  for (int s = 0; s < NSPECS; s++) {
    if (is_possible(specs[s])) live_once(ctx, specs[s], s);
  }
  live_as_collectives(ctx);
  ovk_ctx_destroy(&ctx);
  const census after = census_take();
  if (!census_within(&before, &after)) census_print("before", &before);
  if (!census_within(&before, &after)) census_print("after", &after);
  assert_true(census_within(&before, &after));
  assert_int_equal(malloc_live(), blocks);
}

static int read_length(void **state)
{
  is_long = getenv("OVK_TEST_SOAK") != NULL;
  return 0;
}

TEST_GROUP(read_length, NULL)
