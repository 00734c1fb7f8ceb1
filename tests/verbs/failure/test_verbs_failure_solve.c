/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves whose network fails, with a fault at each of a sample of works, on each rank. */
#include "fault_world.h"
#include "support/problem.h"
#include "support/specs/verbs_spec.h"

static const char *const methods[] = {"cg", "split-cg", "overlap"};
enum { METHODS = sizeof methods / sizeof *methods };

static const char *const faults[] = {"break", "device"};
enum { FAULTS = sizeof faults / sizeof *faults };

/* A configuration of sums, a spec of nbc with the same order of summation, and the number of works
 * between two tested faults on 2, 3 and 4 ranks. */
typedef struct way {
  const char *keys, *alike;
  int strides[3];
} way;

static const way ways[] = {
    {"alg=flat", "nbc:alg=flat", {1, 7, 41}},
    {"alg=doubling", "nbc:alg=doubling", {2, 5, 29}},
    {"alg=tree,k=2", "nbc:alg=tree;k=2", {3, 5, 29}},
    {"alg=flat,levels=2", "nbc:alg=flat;levels=2", {1, 3, 13}},
    {"mode=atomic", NULL, {83, 151, 499}},
    {"mode=atomic,levels=2", NULL, {29, 97, 307}},
};
enum { WAYS = sizeof ways / sizeof *ways };

enum { EDGE = 3, ROWS = EDGE * EDGE * EDGE };

/* The outcome of a solve. */
typedef struct outcome {
  ovk_err err;
  int iterations, notices;
  double x[ROWS];
} outcome;

static ovk_err solve_problem(const linear_system *s, const char *method, const char *backend,
                             outcome *o)
{
  ovk_solver_opts opts = with_method(method);
  ovk_result res = OVK_RESULT;
  opts.backend = backend;
  opts.poll_rows = 8;
  opts.rtol = 1e-4;
  const ovk_err err = ovk_pcg_solve(s->A, s->M, s->b, s->x, &opts, &res);
  o->iterations = res.iterations;
  memcpy(o->x, ovk_vec_array(s->x), sizeof o->x);
  return err;
}

/* Solves in a separate context. */
static outcome solve(const char *method, const char *backend)
{
  const int n[3] = {EDGE, EDGE, EDGE}, grid[3] = {1, 1, test_size};
  outcome o = {0};
  world w;
  ovk_mat *A = NULL;
  world_open(&w);
  assert_int_equal(ovk_gallery_laplace27(w.ctx, n, grid, NULL, &A), OVK_OK);
  linear_system s = new_system(A, "jacobi");
  o.err = solve_problem(&s, method, backend, &o);
  has_failed(&w, o.err, "rank");
  clear_system(&s);
  world_close(&w);
  o.notices = w.notices;
  alike(&w, o.notices > 0);
  return o;
}

/* The fault at work number `at` of a rank. */
typedef struct fault {
  const char *kind;
  int rank, at;
} fault;

static outcome solve_with(const char *method, const way *w, fault f, const char *fallback)
{
  char keys[VERBS_KEYS_SIZE], spec[VERBS_SPEC_SIZE];
  snprintf(keys, sizeof keys, "%s,fault=%s,fault_rank=%d,fault_at=%d%s%s", w->keys, f.kind, f.rank,
           f.at, fallback ? ",fallback=" : "", fallback ? fallback : "");
  return solve(method, verbs_spec(spec, keys));
}

/* Both return whether the fault occurred. */
static bool fails_on_all(const char *method, const way *w, fault f)
{
  return solve_with(method, w, f, NULL).err != OVK_OK;
}

static bool goes_on(const char *method, const way *w, fault f, const char *fallback,
                    const outcome *sound)
{
  const outcome o = solve_with(method, w, f, fallback);
  assert_int_equal(o.err, OVK_OK);
  assert_int_equal(o.iterations, sound->iterations);
  assert_in_range(o.notices, 0, 1);
  if (fallback == w->alike) assert_memory_equal(o.x, sound->x, sizeof o.x);
  return o.notices > 0;
}

typedef struct range {
  int first, stride;
} range;

/* Each method and rank has its faults at different works. */
static range range_of(const way *w, int method, int rank)
{
  const int step = stride(w->strides[test_size < 5 ? test_size - 2 : 2]);
  return (range){1 + (rank * METHODS + method) % step, step};
}

TEST(solves_fail_on_all_ranks_wherever_the_network_does)
{
  for (int k = 0; k < WAYS * METHODS * test_size; k++) {
    const way *w = &ways[k % WAYS];
    const int method = k / WAYS % METHODS, rank = k / WAYS / METHODS;
    const range r = range_of(w, method, rank);
    fault f = {faults[k % FAULTS], rank, r.first};
    while (fails_on_all(methods[method], w, f)) f.at += r.stride;
  }
}

TEST(with_a_fallback_they_go_on_bit_for_bit)
{
  for (int k = 0; k < WAYS * METHODS * test_size; k++) {
    const way *w = &ways[k % WAYS];
    const int method = k / WAYS % METHODS, rank = k / WAYS / METHODS;
    char spec[VERBS_SPEC_SIZE];
    if (!w->alike) continue;
    const outcome sound = solve(methods[method], verbs_spec(spec, w->keys));
    const range r = range_of(w, method, rank);
    fault f = {faults[k % FAULTS], rank, r.first};
    while (goes_on(methods[method], w, f, w->alike, &sound)) f.at += r.stride;
  }
}

TEST(with_any_fallback_they_take_as_many_iterations)
{
  static const char *const fallbacks[] = {"nbc", "iallreduce", "shm", "blocking"};
  enum { FALLBACKS = sizeof fallbacks / sizeof *fallbacks };
  for (int k = 0; k < WAYS * METHODS * test_size; k++) {
    const way *w = &ways[k % WAYS];
    const int method = k / WAYS % METHODS, rank = k / WAYS / METHODS;
    const outcome sound = solve(methods[method], "nbc");
    const range r = range_of(w, method, rank);
    fault f = {faults[k % FAULTS], rank, r.first};
    for (int n = k; goes_on(methods[method], w, f, fallbacks[n % FALLBACKS], &sound); n++) {
      f.at += 3 * r.stride;
    }
  }
}

TEST_GROUP(skip_without_nic, NULL)
