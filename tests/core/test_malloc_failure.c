/* SPDX-License-Identifier: BSD-2-Clause */
/* Running out of memory at each allocation in turn, on the first and the last rank: all ranks get
 * the same error, no rank hangs, nothing leaks. */
#include "base/check.h"
#include "support/malloc_fail.h"
#include "support/matrices.h"
#include "support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What one run leaves behind: its error and message. */
typedef struct outcome {
  ovk_err err;
  char said[1024];
} outcome;

/* Something to run in a context; returns its first error, having freed what it made. */
typedef ovk_err (*scenario)(ovk_ctx *ctx, const void *arg);

static char path[64]; /* a scratch file, the same on all ranks */
static MPI_Comm ring; /* all ranks, in a grid of one dimension */

static outcome run(scenario what, const void *arg)
{
  outcome o = {.said = ""};
  ovk_ctx *ctx = NULL;
  o.err = ovk_ctx_create(ring, &ctx);
  if (!o.err) o.err = what(ctx, arg);
  if (ctx) snprintf(o.said, sizeof o.said, "%s", ovk_ctx_error(ctx));
  ovk_ctx_destroy(&ctx);
  return o;
}

static void assert_memory_error_on_all(const outcome *o, long n)
{
  if (o->err != OVK_ERR_MEMORY)
    fail_msg("rank %d, allocation %ld: %s, \"%s\"", test_rank, n, ovk_err_name(o->err), o->said);
  char first[sizeof o->said];
  memcpy(first, o->said, sizeof first);
  MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
  assert_string_equal(o->said, first);
}

/* Runs it with the first allocation of `rank` failing, then the second, and so on until all have
 * failed once. */
static void fail_each_allocation_of(int rank, scenario what, const void *arg)
{
  const long live = malloc_live();
  int failed = 1;
  for (long n = 1; failed; n++) {
    malloc_fail_at(test_rank == rank ? n : 0);
    const outcome o = run(what, arg);
    failed = malloc_failed();
    malloc_fail_at(0);
    MPI_Bcast(&failed, 1, MPI_INT, rank, MPI_COMM_WORLD);
    assert_int_equal(malloc_live(), live);
    if (failed) {
      assert_memory_error_on_all(&o, n);
    } else {
      assert_true(n > 1); /* otherwise the allocations were not counted */
      if (o.err) fail_msg("without a failure: %s, \"%s\"", ovk_err_name(o.err), o.said);
    }
  }
}

static void fail_each_allocation(scenario what, const void *arg)
{
  fail_each_allocation_of(0, what, arg);
  if (test_size > 1) fail_each_allocation_of(test_size - 1, what, arg);
}

#define STEP(call)                                                                                 \
  do {                                                                                             \
    if (!err) err = (call);                                                                        \
  } while (0)

static ovk_err nothing(ovk_ctx *ctx, const void *arg)
{
  (void)ctx, (void)arg;
  return OVK_OK;
}

static ovk_err parse_spec(ovk_ctx *ctx, const void *arg)
{
  ovk_reduction *red = NULL;
  ovk_err err = ovk_reduction_create(ctx, arg, 3, &red);
  STEP(ovk_reduction_begin(red));
  STEP(ovk_reduction_wait(red));
  ovk_reduction_destroy(&red);
  return err;
}

/* A = tridiag(-1, 4, -1) of 3 rows a rank, every entry added by the rank after its owner. */
static ovk_err assemble(ovk_ctx *ctx, const void *arg)
{
  enum { N = 3 };
  (void)arg;
  ovk_mat *A = NULL;
  ovk_vec *d = NULL;
  ovk_err err = ovk_mat_create(ctx, N, &A);
  if (!err) {
    const ovk_gidx n = ovk_mat_size(A), first = (ovk_mat_first(A) + n - N) % n;
    for (ovk_gidx i = first; i < first + N; i++) { /* what fails here, assembly reports */
      if (i > 0) ovk_mat_add(A, i, i - 1, -1);
      ovk_mat_add(A, i, i, 4);
      if (i < n - 1) ovk_mat_add(A, i, i + 1, -1);
    }
  }
  STEP(ovk_mat_assemble(A));
  STEP(ovk_mat_create_vec(A, &d));
  STEP(ovk_mat_diagonal(A, d));
  ovk_vec_destroy(&d);
  ovk_mat_destroy(&A);
  return err;
}

/* Rows of 3 entries that go from the last one to the first, with columns of all ranks, twice; the
 * second time as compressed rows. */
static ovk_err assemble_backwards(ovk_ctx *ctx, const void *arg)
{
  enum { N = 70 };
  int64_t ptr[N + 1];
  ovk_gidx col[3 * N];
  double val[3 * N];
  (void)arg;
  ovk_mat *A = NULL;
  ovk_err err = ovk_mat_create(ctx, N, &A);
  if (!err) {
    const ovk_gidx n = ovk_mat_size(A), first = ovk_mat_first(A);
    for (int i = N; i >= 0; i--) ptr[i] = 3 * i;
    for (int k = 3 * N - 1; k >= 0; k--) {
      col[k] = (first + (ovk_gidx)k * 37) % n;
      val[k] = k;
      ovk_mat_add(A, first + k / 3, col[k], val[k]);
    }
    ovk_mat_add_csr(A, ptr, col, val);
  }
  STEP(ovk_mat_assemble(A));
  ovk_mat_destroy(&A);
  return err;
}

/* New values in a format, every entry added by the rank after its owner; at the end there is one of
 * an earlier piece of rows. */
static ovk_err refill(ovk_ctx *ctx, const void *format)
{
  const int n[3] = {20, 20, 2}, grid[3] = {1, 1, ovk_ctx_size(ctx)};
  ovk_mat *A = NULL;
  ovk_err err = ovk_gallery_laplace7(ctx, n, grid, format, &A);
  STEP(ovk_mat_reset_values(A));
  if (!err) {
    const ovk_gidx rows = ovk_mat_size(A), local = ovk_mat_local_size(A);
    for (ovk_gidx i = 0; i < local; i++) {
      const ovk_gidx row = (ovk_mat_first(A) + local + i) % rows;
      ovk_mat_add(A, row, row, 2);
    }
    ovk_mat_add(A, 0, 0, 2);
  }
  STEP(ovk_mat_assemble(A));
  ovk_mat_destroy(&A);
  return err;
}

/* A null space of two vectors of the matrix 0. */
static ovk_err solve_singular(ovk_ctx *ctx, const void *arg)
{
  (void)arg;
  ovk_mat *A = NULL;
  ovk_vec *b = NULL, *x = NULL;
  ovk_err err = ovk_mat_create(ctx, 2, &A);
  STEP(ovk_mat_assemble(A));
  STEP(ovk_mat_create_vec(A, &b));
  STEP(ovk_mat_create_vec(A, &x));
  if (!err) ovk_vec_array(b)[0] = 1;
  const ovk_vec *own = b;
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  opts.null_constant = true;
  opts.null_count = 1;
  opts.null_vectors = &own;
  opts.norm = OVK_NORM_NATURAL;
  STEP(ovk_solve(A, NULL, b, x, &opts, NULL));
  ovk_vec_destroy(&x);
  ovk_vec_destroy(&b);
  ovk_mat_destroy(&A);
  return err;
}

static ovk_err write_and_read(ovk_ctx *ctx, const void *arg)
{
  (void)arg;
  const int n[3] = {2, 2, 2}, grid[3] = {1, 1, ovk_ctx_size(ctx)};
  ovk_mat *A = NULL, *B = NULL;
  ovk_vec *v = NULL;
  ovk_err err = ovk_gallery_laplace27(ctx, n, grid, NULL, &A);
  STEP(ovk_mat_write_mm(A, path));
  STEP(ovk_mat_read_mm(ctx, path, NULL, &B));
  STEP(ovk_mat_create_vec(B, &v));
  STEP(ovk_vec_write_mm(v, path));
  STEP(ovk_vec_read_mm(v, path));
  ovk_vec_destroy(&v);
  ovk_mat_destroy(&A);
  ovk_mat_destroy(&B);
  return err;
}

static ovk_err no_mult(void *user, const double *x, double *y, ovk_poll poll)
{
  (void)user, (void)x, (void)y, (void)poll;
  return OVK_OK;
}

static ovk_err make_shell(ovk_ctx *ctx, const void *arg)
{
  (void)arg;
  const ovk_shell_ops ops = {.mult = no_mult};
  ovk_mat *A = NULL;
  const ovk_err err = ovk_mat_create_shell(ctx, 2, &ops, NULL, &A);
  ovk_mat_destroy(&A);
  return err;
}

static ovk_err solve(ovk_ctx *ctx, const void *opts)
{
  const int n[3] = {2, 2, 2}, grid[3] = {1, 1, ovk_ctx_size(ctx)};
  ovk_mat *A = NULL;
  ovk_precond *M = NULL;
  ovk_vec *b = NULL, *x = NULL;
  ovk_err err = ovk_gallery_laplace7(ctx, n, grid, NULL, &A);
  STEP(ovk_precond_create(A, "jacobi", &M));
  STEP(ovk_mat_create_vec(A, &b));
  STEP(ovk_vec_duplicate(b, &x));
  STEP(ovk_vec_fill(b, 1));
  STEP(ovk_solve(A, M, b, x, opts, NULL));
  ovk_vec_destroy(&x);
  ovk_vec_destroy(&b);
  ovk_precond_destroy(&M);
  ovk_mat_destroy(&A);
  return err;
}

/* "auto" takes A for definite, which it is not, and minres goes on; without memory for that the
 * solver cannot be used again. */
static ovk_err solve_indefinite(ovk_ctx *ctx, const void *arg)
{
  (void)arg;
  ovk_mat *A = NULL;
  ovk_vec *b = NULL, *x = NULL;
  ovk_solver *solver = NULL;
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  opts.method = "auto";
  opts.backend = "blocking";
  ovk_err err = ovk_mat_create(ctx, 2, &A);
  for (ovk_gidx i = 0; i < 4 && !err; i++) {
    const ovk_gidx first = ovk_mat_first(A);
    (void)ovk_mat_add(A, first + i / 2, first + i % 2, i == 0 || i == 3 ? 1 : 3); /* kept */
  }
  STEP(ovk_mat_assemble(A));
  STEP(ovk_mat_create_vec(A, &b));
  STEP(ovk_mat_create_vec(A, &x));
  if (!err) ovk_vec_array(b)[0] = 1;
  if (!err) ovk_vec_array(b)[1] = -1;
  STEP(ovk_solver_create(A, NULL, &opts, &solver));
  if (!err) {
    err = ovk_solver_solve(solver, b, x, NULL);
    if (err) assert_int_equal(ovk_solver_solve(solver, b, x, NULL), OVK_ERR_STATE);
    if (!err) assert_string_equal(ovk_solver_method(solver), "minres");
  }
  ovk_solver_destroy(&solver);
  ovk_vec_destroy(&x);
  ovk_vec_destroy(&b);
  ovk_mat_destroy(&A);
  return err;
}

/* Also takes new values, by a second setup. */
static ovk_err make_precond(ovk_ctx *ctx, const void *spec)
{
  const int n[3] = {3, 2, 2}, grid[3] = {1, 1, ovk_ctx_size(ctx)};
  ovk_mat *A = NULL;
  ovk_precond *M = NULL;
  ovk_err err = ovk_gallery_laplace7(ctx, n, grid, NULL, &A);
  STEP(ovk_precond_create(A, spec, &M));
  STEP(ovk_precond_update(M));
  ovk_precond_destroy(&M);
  ovk_mat_destroy(&A);
  return err;
}

/* One operation of each kind: without levels, with them, with counts that are exchanged, cut up, in
 * a grid. */
static ovk_err make_collectives(ovk_ctx *ctx, const void *arg)
{
  (void)arg;
  enum { MOST_RANKS = 8, NKINDS = 5 };
  static const int ones[MOST_RANKS] = {1, 1, 1, 1, 1, 1, 1, 1};
  double x[MOST_RANKS] = {0}, y[MOST_RANKS];
  ovk_collective *c[NKINDS] = {NULL};
  ovk_err err = ovk_collective_create_barrier(ctx, "nbc:ways=2", &c[0]);
  STEP(ovk_collective_create_allreduce(ctx, "nbc:levels=2,channel=shm", x, y, 1, OVK_TYPE_DOUBLE,
                                       OVK_OP_SUM, &c[1]));
  STEP(ovk_collective_create_alltoallv(ctx, NULL, x, ones, NULL, y, ones, NULL, sizeof *x, &c[2]));
  STEP(ovk_collective_create_reduce_mpi(ctx, "nbc:fragment=16,window=2", x, y, 7, MPI_DOUBLE,
                                        MPI_SUM, 0, &c[3]));
  STEP(ovk_collective_create_neighbor_alltoall(ctx, NULL, x, y, 1, sizeof *x, &c[4]));
  for (int k = 0; k < NKINDS; k++) STEP(ovk_collective_begin(c[k]));
  for (int k = 0; k < NKINDS; k++) STEP(ovk_collective_wait(c[k]));
  for (int k = 0; k < NKINDS; k++) ovk_collective_destroy(&c[k]);
  return err;
}

/* A schedule of one's own: a message to the next rank, and what has come added to the output. */
static ovk_err make_scheduled(ovk_ctx *ctx, const void *arg)
{
  (void)arg;
  const int next = (test_rank + 1) % test_size, previous = (test_rank + test_size - 1) % test_size;
  const ovk_place input = {OVK_INPUT, 0}, output = {OVK_OUTPUT, 0}, work = {OVK_WORK, 0};
  double x = 1, y = 1;
  ovk_schedule *s = NULL;
  ovk_collective *c = NULL;
  ovk_err err = ovk__agree(ctx, ovk_schedule_create(ctx, &s));
  if (!err && test_size > 1) {
    (void)ovk_schedule_send(s, next, input, 1);
    (void)ovk_schedule_receive(s, previous, work, 1);
    (void)ovk_schedule_combine(s, work, output, 1);
  }
  STEP(ovk_collective_create_scheduled(ctx, NULL, s, &x, 1, &y, 1, MPI_DOUBLE, MPI_SUM, &c));
  STEP(ovk_collective_run(c));
  ovk_collective_destroy(&c);
  ovk_schedule_destroy(&s);
  return err;
}

static void a_context_that_gets_no_memory_fails_on_all(void **state)
{
  (void)state;
  fail_each_allocation(nothing, NULL);
}

static void a_reduction_that_gets_no_memory_fails_on_all(void **state)
{
  (void)state;
  const char *const specs[] = {"blocking",
                               "iallreduce",
                               "shm",
                               "nbc:alg=flat,fragment=8,window=2",
                               "nbc:levels=2,channel=shm+p2p",
                               "delay:us=1|delay:us=1|auto"};
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
    fail_each_allocation(parse_spec, specs[k]);
  }
}

static void collectives_that_get_no_memory_fail_on_all(void **state)
{
  (void)state;
  fail_each_allocation(make_collectives, NULL);
  fail_each_allocation(make_scheduled, NULL);
}

static void assembly_that_gets_no_memory_fails_on_all(void **state)
{
  (void)state;
  fail_each_allocation(assemble, NULL);
  if (test_rank == 0) setenv("OVK_HALO", "nbc", 1);
  fail_each_allocation(assemble, NULL);
  unsetenv("OVK_HALO");
  fail_each_allocation(assemble_backwards, NULL);
}

static void new_values_that_get_no_memory_fail_on_all(void **state)
{
  (void)state;
  ovk_choice format;
  for (int f = 0; ovk_list_formats(NULL, f, &format); f++) {
    fail_each_allocation(refill, format.name);
  }
}

static void a_null_space_that_gets_no_memory_fails_on_all(void **state)
{
  (void)state;
  fail_each_allocation(solve_singular, NULL);
}

static void a_shell_that_gets_no_memory_fails_on_all(void **state)
{
  (void)state;
  fail_each_allocation(make_shell, NULL);
}

static void files_that_get_no_memory_fail_on_all(void **state)
{
  (void)state;
  fail_each_allocation(write_and_read, NULL);
}

static void a_solve_that_gets_no_memory_fails_on_all(void **state)
{
  (void)state;
  static const char *const backends[] = {"blocking", "iallreduce", "nbc:alg=tree", "shm"};
  ovk_choice method;
  char spec[64];
  for (int m = 0; ovk_list_methods(NULL, m, &method); m++) {
    const bool restarts = strstr(method.name, "gmres") != NULL; /* a vector an iteration */
    snprintf(spec, sizeof spec, restarts ? "%s:restart=2" : "%s", method.name);
    for (size_t b = 0; b < sizeof backends / sizeof *backends; b++) {
      ovk_pcg_opts opts = OVK_PCG_OPTS;
      opts.method = spec;
      opts.backend = backends[b];
      fail_each_allocation(solve, &opts);
    }
  }
}

static void another_method_that_gets_no_memory_fails_on_all(void **state)
{
  (void)state;
  fail_each_allocation(solve_indefinite, NULL);
}

static void a_preconditioner_that_gets_no_memory_fails_on_all(void **state)
{
  (void)state;
  const char *const specs[] = {"jacobi", "ic",        "ic:level=2,store=float", "ilu:level=1",
                               "ssor",   "chebyshev", "bjacobi:blocks=2",       "bjacobi:sub=ic"};
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
    fail_each_allocation(make_precond, specs[k]);
  }
}

/* A scratch file, and an environment that has something to be copied. */
static int prepare(void **state)
{
  (void)state;
  snprintf(path, sizeof path, "/tmp/ovk_test_malloc_XXXXXX");
  if (test_rank == 0) {
    const int file = mkstemp(path);
    if (file < 0) return -1;
    close(file);
    setenv("OVK_BACKEND", "blocking", 1);
    setenv("OVK_METHOD", "algorithm1", 1);
    setenv("OVK_LOG", "/dev/null", 1);
  }
  MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &test_size, &(int){true}, 0, &ring);
  test_ctx();
  return 0;
}

static int clean_up(void **state)
{
  (void)state;
  MPI_Comm_free(&ring);
  return test_rank == 0 ? remove(path) : 0;
}

int run_all_tests(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_context_that_gets_no_memory_fails_on_all),
      cmocka_unit_test(a_reduction_that_gets_no_memory_fails_on_all),
      cmocka_unit_test(collectives_that_get_no_memory_fail_on_all),
      cmocka_unit_test(assembly_that_gets_no_memory_fails_on_all),
      cmocka_unit_test(new_values_that_get_no_memory_fail_on_all),
      cmocka_unit_test(a_null_space_that_gets_no_memory_fails_on_all),
      cmocka_unit_test(a_shell_that_gets_no_memory_fails_on_all),
      cmocka_unit_test(files_that_get_no_memory_fail_on_all),
      cmocka_unit_test(a_solve_that_gets_no_memory_fails_on_all),
      cmocka_unit_test(another_method_that_gets_no_memory_fails_on_all),
      cmocka_unit_test(a_preconditioner_that_gets_no_memory_fails_on_all),
  };
  return cmocka_run_group_tests(tests, prepare, clean_up);
}
