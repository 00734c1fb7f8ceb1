/* SPDX-License-Identifier: BSD-2-Clause */
/* Assembly reports entries that are hardly intended, and the log has the filling of a matrix. */
#include "support/problem.h"

#include <ovkrylov/log.h>

enum { N = 5 };

typedef struct notices {
  int count;
  char last[NOTICE];
} notices;

static void take_notice(void *arg, const char *message)
{
  notices *n = arg;
  n->count++;
  snprintf(n->last, NOTICE, "%s", message);
}

static ovk_ctx *open_ctx(notices *n)
{
  ovk_ctx *ctx = new_ctx();
  *n = (notices){0};
  ovk_ctx_on_notice(ctx, take_notice, n);
  return ctx;
}

static void expect(const notices *n, const char *part)
{
  if (n->count != 1 || !strstr(n->last, part)) fail_msg("%d: '%s'", n->count, n->last);
}

typedef enum way { ONE, BLOCK, ROWS, ROWS_32 } way;

/* Adds `value` to the diagonal of this rank's rows. */
static void add_diagonal(ovk_mat *A, way how, const double value[N])
{
  int64_t ptr[N + 1];
  int32_t ptr32[N + 1], col32[N];
  ovk_gidx col[N];
  for (int i = 0; i <= N; i++) ptr32[i] = (int32_t)(ptr[i] = i);
  for (int i = 0; i < N; i++) col32[i] = (int32_t)(col[i] = ovk_mat_row_begin(A) + i);
  if (how == ROWS) assert_ok(ovk_mat_add_csr(A, ptr, col, value));
  if (how == ROWS_32) assert_ok(ovk_mat_add_csr32(A, ptr32, col32, value));
  for (int i = 0; i < N && how == ONE; i++) assert_ok(ovk_mat_add(A, col[i], col[i], value[i]));
  for (int i = 0; i < N && how == BLOCK; i++)
    assert_ok(ovk_mat_add_block(A, 1, col + i, 1, col + i, value + i));
}

TEST(an_entry_that_is_not_finite_is_a_notice_on_all_ranks)
{
  const double fine[N] = {1, 2, 3, 4, 5}, bad[N] = {1, 2, 3, NAN, INFINITY};
  char part[64];
  for (way how = ONE; how <= ROWS_32; how++) {
    notices n;
    scoped_ctx *ctx = open_ctx(&n);
    scoped_mat *A = NULL;
    assert_ok(ovk_mat_create(ctx, N, &A));
    add_diagonal(A, how, is_last() ? bad : fine);
    assert_ok(ovk_mat_assemble(A));
    snprintf(part, sizeof part, "entry (%d,%d) is ", N * test_size - 2, N * test_size - 2);
    expect(&n, part);
    assert_ok(ovk_mat_reset_values(A));
    add_diagonal(A, how, fine);
    assert_ok(ovk_mat_assemble(A));
    assert_int_equal(n.count, 1); /* the new values are finite */
  }
}

TEST(rows_without_entries_are_a_notice_with_the_first)
{
  notices n;
  scoped_ctx *ctx = open_ctx(&n);
  scoped_mat *A = NULL;
  char part[64];
  assert_ok(ovk_mat_create(ctx, N, &A));
  const ovk_gidx first = ovk_mat_row_begin(A), far = (first + N) % ovk_mat_size(A);
  assert_ok(ovk_mat_add(A, first, first, 1));
  assert_ok(ovk_mat_add(A, first + 1, far, 1)); /* of another rank, where there is one */
  assert_ok(ovk_mat_assemble(A));
  snprintf(part, sizeof part, "%d of %d rows of a matrix have no entries, the first is row 2",
           (N - 2) * test_size, N * test_size);
  expect(&n, part);
}

TEST(a_matrix_whose_assembly_has_failed_takes_no_entries)
{
  scoped_mat *A = new_mat(N);
  if (is_last()) (void)ovk_mat_add(A, -1, 0, 1);
  assert_error(ovk_mat_assemble(A), OVK_ERR_RANGE, "entry (-1,0)");
  assert_local_error(ovk_mat_add(A, 0, 0, 1), OVK_ERR_STATE, "assembly has failed");
  assert_error(ovk_mat_assemble(A), OVK_ERR_STATE, "");
}

TEST(the_log_tells_filling_assembly_and_resets_apart)
{
  const double value[N] = {1, 2, 3, 4, 5};
  ovk_event_stats stats[OVK_EVENT_COUNT];
  scoped_ctx *ctx = new_ctx();
  scoped_mat *A = NULL;
  assert_ok(ovk_mat_create(ctx, N, &A));
  for (int k = 0; k < 3; k++) {
    if (k) assert_ok(ovk_mat_reset_values(A));
    add_diagonal(A, ONE, value);
    assert_ok(ovk_mat_assemble(A));
  }
  assert_ok(ovk_log_stats(ctx, stats));
  assert_int_equal(stats[OVK_EVENT_ADD].calls, 3);
  assert_int_equal(stats[OVK_EVENT_ASSEMBLE].calls, 3);
  assert_int_equal(stats[OVK_EVENT_RESET].calls, 2);
  assert_true(stats[OVK_EVENT_ADD].min_seconds > 0);
}
