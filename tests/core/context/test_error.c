/* SPDX-License-Identifier: BSD-2-Clause */
/* Error codes, the context's message, and how ranks agree on one of each. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "core/context/agree.h"
#include "core/context/check.h"
#include "core/context/ctx_impl.h"
#include "support/problem.h"

#include "core/context/error_list.h"

TEST(every_code_has_its_name_and_text)
{
#define CHECK_CODE(name, value, text)                                                              \
  assert_int_equal(name, value);                                                                   \
  assert_string_equal(ovk_err_name(name), #name);                                                  \
  assert_string_equal(ovk_err_text(name), text);
  OVK_ERROR_LIST(CHECK_CODE)
#undef CHECK_CODE
}

TEST(codes_are_numbered_without_gaps)
{
  int expected = 0;
#define CHECK_NUMBER(name, value, text) assert_int_equal(value, expected++);
  OVK_ERROR_LIST(CHECK_NUMBER)
#undef CHECK_NUMBER
}

TEST(a_code_not_in_the_list_is_unknown)
{
  assert_string_equal(ovk_err_name((ovk_err)999), "unknown");
  assert_string_equal(ovk_err_text((ovk_err)999), "unknown error code");
}

TEST(there_is_no_message_before_the_first_error)
{
  scoped_ctx *ctx = new_ctx();
  assert_string_equal(ovk_ctx_error(ctx), "");
  assert_string_equal(ovk_ctx_error(NULL), "");
}

static ovk_err check_rows(int n)
{
  OVK_CHECK(n >= 0, test_ctx(), OVK_ERR_RANGE, "n is %d", n);
  return OVK_OK;
}

TEST(a_failed_check_says_where_and_with_which_numbers)
{
  assert_ok(check_rows(0));
  assert_local_error(check_rows(-3), OVK_ERR_RANGE, "n is -3");
  int line = 0;
  char rest[16] = "";
  assert_int_equal(sscanf(ovk_ctx_error(test_ctx()), "test_error.c:%d: %15[^\n]", &line, rest), 2);
  assert_in_range(line, 1, __LINE__);
  assert_string_equal(rest, "n is -3");
}

TEST(without_OVK_DEBUG_a_message_has_no_place)
{
  static const char *const values[] = {NULL, "", "0"};
  for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
    if (values[k]) {
      setenv("OVK_DEBUG", values[k], 1);
    } else {
      unsetenv("OVK_DEBUG");
    }
    scoped_ctx *ctx = new_ctx();
    (void)OVK_FAIL(ctx, OVK_ERR_USER, "n is %d", -3);
    assert_string_equal(ovk_ctx_error(ctx), "n is -3");
  }
}

/* Before the context that the other tests share. */
static int show_places(void **state)
{
  return setenv("OVK_DEBUG", "1", 1);
}

TEST(a_plug_ins_message_has_no_place)
{
  assert_int_equal(ovk_ctx_fail(test_ctx(), OVK_ERR_USER, "pivot %d is %g", 3, 0.5), OVK_ERR_USER);
  assert_string_equal(ovk_ctx_error(test_ctx()), "pivot 3 is 0.5");
}

TEST(a_message_may_quote_the_one_before)
{
  ovk_ctx *ctx = test_ctx();
  ovk_ctx_fail(ctx, OVK_ERR_USER, "pivot 3");
  ovk_ctx_fail(ctx, OVK_ERR_USER, "block 2: %s", ovk_ctx_error(ctx));
  assert_string_equal(ovk_ctx_error(ctx), "block 2: pivot 3");
}

TEST(a_message_longer_than_its_room_is_cut)
{
  char text[5000];
  memset(text, 'x', sizeof text);
  text[sizeof text - 1] = '\0';
  ovk_ctx_fail(test_ctx(), OVK_ERR_USER, "%s", text);
  assert_int_equal(strlen(ovk_ctx_error(test_ctx())), 1023);
  assert_local_error(OVK_FAIL(test_ctx(), OVK_ERR_USER, "%s", text), OVK_ERR_USER, "test_error.c:");
  assert_int_equal(strlen(ovk_ctx_error(test_ctx())), 1023);
}

TEST(failing_without_a_context_gives_the_code_alone)
{
  assert_int_equal(ovk_ctx_fail(NULL, OVK_ERR_IO, "%d", 1), OVK_ERR_IO);
  assert_int_equal(OVK_FAIL(NULL, OVK_ERR_IO, "%d", 1), OVK_ERR_IO);
}

static ovk_err ask_for_too_much(void)
{
  int size = 0;
  OVK_TRY_MPI(test_ctx(), MPI_Comm_size(MPI_COMM_NULL, &size));
  return OVK_OK;
}

TEST(a_failed_mpi_call_is_named)
{
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* where faults of no comm go */
  assert_local_error(ask_for_too_much(), OVK_ERR_MPI, "MPI_Comm_size: ");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

TEST(ranks_without_errors_agree_on_none)
{
  assert_ok(ovk__agree(test_ctx(), OVK_OK));
}

TEST(each_rank_alone_can_fail_all)
{
  ovk_ctx *ctx = test_ctx();
  for (int rank = 0; rank < test_size; rank++) {
    char says[32];
    snprintf(says, sizeof says, "rank %d has no rows", rank);
    const ovk_err mine = test_rank == rank ? ovk_ctx_fail(ctx, OVK_ERR_RANGE, "%s", says) : OVK_OK;
    assert_error(ovk__agree(ctx, mine), OVK_ERR_RANGE, says);
  }
}

TEST(the_lowest_failing_rank_speaks_for_all)
{
  ovk_ctx *ctx = test_ctx();
  const int first = test_size / 2;
  ovk_err mine = OVK_OK;
  if (test_rank == first) mine = ovk_ctx_fail(ctx, OVK_ERR_MEMORY, "of rank %d", test_rank);
  if (test_rank > first) mine = ovk_ctx_fail(ctx, OVK_ERR_IO, "of rank %d", test_rank);
  char says[32];
  snprintf(says, sizeof says, "of rank %d", first);
  assert_error(ovk__agree(ctx, mine), OVK_ERR_MEMORY, says);
}

TEST(the_same_text_on_all_ranks_is_agreed)
{
  assert_ok(ovk__agree_same(test_ctx(), "specs", "nbc:alg=ring"));
  assert_ok(ovk__agree_same(test_ctx(), "specs", ""));
}

TEST(a_text_that_differs_on_one_rank_fails_all)
{
  if (test_size == 1) return;
  for (int rank = 0; rank < test_size; rank++) {
    const char *text = test_rank == rank ? "nbc:alg=rings" : "nbc:alg=ring";
    assert_error(
        ovk__agree_same(test_ctx(), "specs", text), OVK_ERR_ARG,
        rank ? "given different specs: 'nbc:alg=ring' on rank 0, 'nbc:alg=rings' on rank"
             : "given different specs: 'nbc:alg=rings' on rank 0, 'nbc:alg=ring' on rank 1");
  }
}

TEST(of_several_lines_those_that_differ_are_told)
{
  if (test_size == 1) return;
  char says[64];
  snprintf(says, sizeof says, "'maxit 10, fast' on rank 0, 'maxit 9, slow' on rank %d",
           test_size - 1);
  assert_error(ovk__agree_decided(test_ctx(), "options",
                                  is_last() ? "rtol 1\nmaxit 9\natol 2\nslow"
                                            : "rtol 1\nmaxit 10\natol 2\nfast"),
               OVK_ERR_INTERNAL, says);
  char text[1000] = ""; /* the difference is too far back to be shown */
  memset(text, 'x', sizeof text - 2);
  if (is_last()) text[sizeof text - 2] = 'y';
  assert_error(ovk__agree_same(test_ctx(), "texts", text), OVK_ERR_ARG,
               "given different texts: 'xx");
}

/* And only where the ranks differ. */
TEST(the_rank_that_speaks_is_named)
{
  ovk_ctx *ctx = test_ctx();
  char says[32];
  snprintf(says, sizeof says, "n is 3 (rank %d)", test_size - 1);
  ovk_err mine = ovk_ctx_fail(ctx, OVK_ERR_ARG, "n is 3");
  assert_error(ovk__agree(ctx, mine), OVK_ERR_ARG, "n is 3");
  assert_string_equal(ovk_ctx_error(ctx), "n is 3");
  if (test_size == 1) return;
  mine = test_rank == test_size - 1 ? ovk_ctx_fail(ctx, OVK_ERR_ARG, "n is 3") : OVK_OK;
  assert_error(ovk__agree(ctx, mine), OVK_ERR_ARG, says);
  assert_error(ovk__agree(ctx, ovk_ctx_fail(ctx, OVK_ERR_ARG, "n is %d", test_rank)), OVK_ERR_ARG,
               "n is 0 (rank 0)");
  char text[2000];
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  mine = test_rank == 1 ? ovk_ctx_fail(ctx, OVK_ERR_ARG, "%s", text) : OVK_OK;
  assert_error(ovk__agree(ctx, mine), OVK_ERR_ARG, "xxx (rank 1)");
}

TEST(a_users_failure_without_a_message_gets_one)
{
  ovk_ctx *ctx = test_ctx();
  unsigned before = ctx->message_count;
  ovk_ctx_fail(ctx, OVK_ERR_USER, "the user's own");
  assert_int_equal(ovk__user_failed(ctx, before, OVK_ERR_USER, "mult"), OVK_ERR_USER);
  assert_string_equal(ovk_ctx_error(ctx), "the user's own");
  before = ctx->message_count; /* the message of an older failure, which stays until the next one */
  assert_int_equal(ovk__user_failed(ctx, before, OVK_OK, "mult"), OVK_OK);
  assert_string_equal(ovk_ctx_error(ctx), "the user's own");
  assert_int_equal(ovk__user_failed(ctx, before, OVK_ERR_USER, "mult"), OVK_ERR_USER);
  assert_string_equal(ovk_ctx_error(ctx), "mult returned OVK_ERR_USER");
}

TEST(a_users_failure_with_a_code_of_its_own_gives_the_number)
{
  ovk_ctx *ctx = test_ctx();
  ovk__user_failed(ctx, ctx->message_count, (ovk_err)77, "mult");
  assert_string_equal(ovk_ctx_error(ctx), "mult returned 77, which is no OVK_ERR_...");
}

TEST_GROUP(show_places, NULL)
