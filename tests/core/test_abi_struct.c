/* SPDX-License-Identifier: BSD-2-Clause */
/* Structs that begin with their size: programs compiled with fewer or more members than the library
 * has. */
#include "core/abi_struct.h"
#include "support/problem.h"

#include <ovkrylov/plugin/backend.h>

/* One struct in three versions. */
typedef struct v1 {
  size_t size;
  int a, b;
} v1;
typedef struct v2 {
  size_t size;
  int a, b;
  double c;
} v2;
typedef struct v3 {
  size_t size;
  int a, b;
  double c, d;
} v3;

static ovk_err take(const void *given, v2 *own)
{
  memset(own, 0xff, sizeof *own);
  return OVK_TAKE_SIZED(test_ctx(), v1, b, given, own);
}

static void assert_is(const v2 *own, int a, int b, double c)
{
  assert_true(own->size == sizeof *own && own->a == a && own->b == b && own->c == c);
}

TEST(members_that_were_not_given_are_zero)
{
  v2 own;
  const v1 older = {sizeof older, 1, 2}, unsaid = {0, 3, 4};
  assert_ok(take(&older, &own));
  assert_is(&own, 1, 2, 0);
  assert_ok(take(&unsaid, &own)); /* the members of the first version, and none after them */
  assert_is(&own, 3, 4, 0);
}

TEST(members_of_a_later_version_are_passed_over)
{
  v2 own;
  const v2 same = {sizeof same, 1, 2, 3};
  const v3 later = {sizeof later, 4, 5, 6, 7};
  assert_ok(take(&same, &own));
  assert_is(&own, 1, 2, 3);
  assert_ok(take(&later, &own));
  assert_is(&own, 4, 5, 6);
}

TEST(less_than_the_first_version_is_an_error)
{
  v2 own;
  const v1 small = {sizeof small - 1, 1, 2}, tiny = {1, 1, 2};
  assert_error(take(&small, &own), OVK_ERR_ARG, "the size of v1 is 15");
  assert_error(take(&tiny, &own), OVK_ERR_ARG, "must be at least 16 bytes: is it sizeof(v1)?");
}

static ovk_err copy(void *user, const double *x, double *y, ovk_poll poll)
{
  *y = *x;
  return user ? OVK_OK : OVK_ERR_USER;
}

static ovk_err backend_begin(ovk_sum *sum)
{
  MPI_Allreduce(MPI_IN_PLACE, sum->values, sum->count, MPI_DOUBLE, MPI_SUM, sum->backend->comm);
  return OVK_OK;
}

static ovk_err backend_test(ovk_sum *sum, bool *complete)
{
  *complete = true;
  return OVK_OK;
}

/* Everything that a user's program fills. */
typedef struct filled {
  ovk_backend_ops backend;
  ovk_precond_ops precond;
  ovk_shell_ops shell;
  ovk_solver_opts opts;
} filled;

/* The first error of a solve over them. */
static ovk_err use(const filled *f)
{
  scoped_mat *A = NULL;
  scoped_precond *M = NULL;
  scoped_vec *b = NULL, *x = NULL;
  ovk_result result = {.reason = OVK_REASON_NOT_RUN};
  char user;
  scoped_ctx *ctx = new_ctx();
  ovk_err err = ovk_backend_register(ctx, &f->backend, NULL);
  if (!err) err = ovk_precond_register(ctx, &f->precond, &user);
  if (!err) err = ovk_mat_create_shell(ctx, 1, &f->shell, &user, &A);
  if (!err) err = ovk_precond_create(A, "copy", &M);
  if (!err) err = ovk_mat_create_vec(A, &b);
  if (!err) err = ovk_mat_create_vec(A, &x);
  if (!err) err = ovk_vec_fill(b, 1);
  if (!err) err = ovk_pcg_solve(A, M, b, x, &f->opts, &result);
  if (!err) assert_int_equal(result.reason, OVK_REASON_CONVERGED_RTOL);
  if (err) assert_non_null(strstr(ovk_ctx_error(ctx), "is 8, but must be at least"));
  return err;
}

static filled fill_structs(void)
{
  filled f = {.backend = {.name = "own", .begin = backend_begin, .test = backend_test},
              .precond = {.name = "copy", .apply = copy},
              .shell = {.mult = copy},
              .opts = OVK_SOLVER_OPTS};
  f.opts.backend = "own";
  f.opts.method = "cg";
  return f;
}

TEST(initialisers_set_sizes_and_zero_stands_for_the_first_version)
{
  filled f = fill_structs();
  assert_true(f.opts.size == sizeof f.opts && ovk_solver_opts_default().size == sizeof f.opts);
  assert_true(f.backend.size == 0 && f.precond.size == 0 && f.shell.size == 0);
  assert_int_equal(use(&f), OVK_OK);
  f.opts.size = 0;
  assert_int_equal(use(&f), OVK_OK);
  f.backend.size = sizeof f.backend;
  f.precond.size = sizeof f.precond;
  f.shell.size = sizeof f.shell;
  assert_int_equal(use(&f), OVK_OK);
}

TEST(every_struct_may_be_larger_and_none_smaller)
{
  filled f = fill_structs();
  size_t *const sizes[] = {&f.backend.size, &f.precond.size, &f.shell.size, &f.opts.size};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const size_t before = *sizes[k];
    *sizes[k] = 1 << 20; /* the library reads the members that it knows */
    assert_int_equal(use(&f), OVK_OK);
    *sizes[k] = sizeof(size_t);
    assert_int_equal(use(&f), OVK_ERR_ARG);
    *sizes[k] = before;
  }
}

TEST(a_size_too_small_on_one_rank_is_an_error_on_all)
{
  ovk_mat *A = NULL;
  ovk_shell_ops ops = {.mult = copy};
  if (is_last()) ops.size = 8;
  assert_error(ovk_mat_create_shell(test_ctx(), 1, &ops, NULL, &A), OVK_ERR_ARG,
               "the size of ovk_shell_ops is 8");
}

TEST(a_registered_table_is_copied)
{
  ovk_backend_ops ops = {.name = "copied", .begin = backend_begin, .test = backend_test};
  assert_ok(ovk_backend_register(test_ctx(), &ops, NULL));
  memset(&ops, 0, sizeof ops);
  scoped_reduction *red = new_sum("copied", 1);
  ovk_reduction_values(red)[0] = 1;
  assert_ok(ovk_reduction_begin(red));
  assert_ok(ovk_reduction_wait(red));
  assert_true(ovk_reduction_values(red)[0] == test_size);
}
