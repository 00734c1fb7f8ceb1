/* SPDX-License-Identifier: BSD-2-Clause */
/* Boards: results, operations in flight, wrong arguments. */
#include "support/test_main.h"

#include <ovkrylov/comm/board.h>

enum { PLACES = 4, BYTES = 6000, N = BYTES / 8 };

static ovk_board *board;

static int make_board(void **state)
{
  return ovk_board_create(test_ctx(), PLACES, BYTES, &board) != OVK_OK;
}

static int destroy_board(void **state)
{
  ovk_board_destroy(&board);
  return board != NULL;
}

static ovk_err carry_out(ovk_board_operation *o)
{
  const ovk_err err = ovk_board_begin(board, o);
  const ovk_err at_end = ovk_board_wait(board, o, NULL);
  assert_true(o->complete && (!err || err == at_end));
  return at_end;
}

static ovk_board_operation allreduce(const void *send, void *receive, int count, ovk_type type,
                                     ovk_op op)
{
  return (ovk_board_operation){.kind = OVK_BOARD_ALLREDUCE,
                               .send = send,
                               .receive = receive,
                               .count = count,
                               .type = type,
                               .op = op};
}

/* The words of MPI for the types and operations. */
static MPI_Datatype mpi_type(ovk_type type)
{
  const MPI_Datatype types[] = {MPI_DOUBLE,  MPI_INT64_T, MPI_FLOAT,    MPI_INT8_T,   MPI_INT16_T,
                                MPI_INT32_T, MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T};
  return types[type];
}

static MPI_Op mpi_op(ovk_op op)
{
  const MPI_Op ops[] = {MPI_SUM, MPI_MAX,  MPI_MIN,  MPI_PROD, MPI_LAND,
                        MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR,  MPI_BXOR};
  return ops[op];
}

/* to[i] <- x, if `type` is this one. */
#define FILL_IF(name, number, x)                                                                   \
  if (type == OVK_TYPE_##name) ((number *)to)[i] = (number)(x)

/* Bytes of numbers small enough for sums of three of them. */
static void fill_items(ovk_type type, int rank, void *to, int count)
{
  for (int i = 0; i < count; i++) {
    const int x = (7 * i + 5 * rank + 3) % 11 + (i % 3 ? 0 : 16);
    FILL_IF(DOUBLE, double, x / 8.0);
    FILL_IF(FLOAT, float, x / 8.0);
    FILL_IF(INT8, int8_t, 5 - x);
    FILL_IF(INT16, int16_t, 5 - x);
    FILL_IF(INT32, int32_t, 5 - x);
    FILL_IF(INT64, int64_t, 5 - x);
    FILL_IF(UINT8, uint8_t, x);
    FILL_IF(UINT16, uint16_t, x);
    FILL_IF(UINT32, uint32_t, x);
    FILL_IF(UINT64, uint64_t, x);
  }
}

TEST(all_types_and_operations_give_what_the_mpi_gives)
{
  static double send[N], got[N], expected[N];
  for (ovk_type type = OVK_TYPE_DOUBLE; type <= OVK_TYPE_UINT64; type++) {
    const bool real = type == OVK_TYPE_DOUBLE || type == OVK_TYPE_FLOAT;
    const int count = type % 2 ? 3 : N;
    for (ovk_op op = OVK_OP_SUM; op <= (real ? OVK_OP_PROD : OVK_OP_BXOR); op++) {
      memset(got, 0, sizeof got);
      memset(expected, 0, sizeof expected);
      fill_items(type, test_rank, send, count);
      MPI_Allreduce(send, expected, count, mpi_type(type), mpi_op(op), MPI_COMM_WORLD);
      ovk_board_operation o = allreduce(send, got, count, type, op);
      assert_ok(carry_out(&o));
      assert_memory_equal(got, expected, sizeof got);
      o.send = o.receive = send; /* in place */
      assert_ok(carry_out(&o));
      assert_memory_equal(send, expected, 3);
    }
  }
}

TEST(broadcasts_and_reductions_have_a_root)
{
  for (int root = 0; root < test_size; root++) {
    int32_t data[5] = {-1, -1, -1, -1, -1}, sum = -7, one = 1;
    if (test_rank == root) fill_items(OVK_TYPE_INT32, root, data, 5);
    ovk_board_operation bcast = {.kind = OVK_BOARD_BCAST,
                                 .send = data,
                                 .receive = data,
                                 .count = 5,
                                 .type = OVK_TYPE_INT32,
                                 .root = root};
    ovk_board_operation reduce = {.kind = OVK_BOARD_REDUCE,
                                  .send = &one,
                                  .receive = test_rank == root ? &sum : NULL,
                                  .count = 1,
                                  .type = OVK_TYPE_INT32,
                                  .op = OVK_OP_SUM,
                                  .root = root};
    int32_t expected[5];
    fill_items(OVK_TYPE_INT32, root, expected, 5);
    assert_ok(ovk_board_begin(board, &bcast));
    assert_ok(ovk_board_begin(board, &reduce));
    assert_ok(ovk_board_wait(board, &reduce, NULL));
    assert_ok(ovk_board_wait(board, &bcast, NULL));
    assert_memory_equal(data, expected, sizeof data);
    assert_int_equal(sum, test_rank == root ? test_size : -7);
  }
}

static int64_t from[50], to[50];
static ovk_board_operation many[50];

static void begin_many(int n)
{
  for (int k = 0; k < n; k++) {
    from[k] = 100 * k + test_rank;
    many[k] = allreduce(&from[k], &to[k], 1, OVK_TYPE_INT64, OVK_OP_MAX);
    assert_ok(ovk_board_begin(board, &many[k]));
  }
}

static void check_many(int n)
{
  for (int k = 0; k < n; k++) assert_int_equal(to[k], 100 * k + test_size - 1);
}

TEST(more_than_there_are_places_for_are_in_flight)
{
  enum { MANY = 50 };
  begin_many(MANY);
  for (int k = MANY - 1; k >= 0; k--) assert_ok(ovk_board_wait(board, &many[k], NULL));
  check_many(MANY);
}

/* Rank 0 begins none before all others have begun all. */
TEST(no_begin_waits_for_other_ranks)
{
  enum { MANY = 3 * PLACES };
  if (test_rank == 0) MPI_Barrier(MPI_COMM_WORLD);
  begin_many(MANY);
  if (test_rank != 0) MPI_Barrier(MPI_COMM_WORLD);
  for (int k = 0; k < MANY; k++) assert_ok(ovk_board_wait(board, &many[k], NULL));
  check_many(MANY);
}

/* Wrong on the last rank, and queued: its error comes with its turn. */
TEST(wrong_arguments_may_have_to_wait_for_a_place)
{
  const bool here = test_rank == test_size - 1;
  int64_t one = 1, total = 0;
  begin_many(2 * PLACES);
  ovk_board_operation wrong = allreduce(&one, here ? NULL : &total, 1, OVK_TYPE_INT64, OVK_OP_SUM);
  ovk_board_operation right = allreduce(&one, &total, 1, OVK_TYPE_INT64, OVK_OP_SUM);
  assert_int_equal(ovk_board_begin(board, &wrong), here ? OVK_ERR_ARG : OVK_OK);
  assert_ok(ovk_board_begin(board, &right));
  assert_ok(ovk_board_wait(board, &right, NULL));
  assert_int_equal(ovk_board_wait(board, &wrong, NULL), OVK_ERR_ARG);
  for (int k = 0; k < 2 * PLACES; k++) assert_ok(ovk_board_wait(board, &many[k], NULL));
  check_many(2 * PLACES);
  assert_int_equal(total, test_size);
}

TEST(a_board_is_destroyed_when_all_is_complete)
{
  ovk_board *kept = board;
  assert_int_equal(make_board(state), 0);
  begin_many(3 * PLACES);
  assert_int_equal(destroy_board(state), 0);
  board = kept;
  check_many(3 * PLACES);
}

/* Destructions without an order among ranks: objects of languages that collect garbage. */
TEST(ranks_may_destroy_boards_in_different_orders)
{
  int token = 0;
  ovk_board *two[2];
  for (int k = 0; k < 2; k++) assert_ok(ovk_board_create(test_ctx(), PLACES, BYTES, &two[k]));
  if (is_last() && test_rank > 0)
    MPI_Recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int k = 0; k < 2; k++) ovk_board_destroy(&two[is_last() ? k : 1 - k]);
  if (test_rank == 0 && !is_last()) MPI_Send(&token, 1, MPI_INT, test_size - 1, 4, MPI_COMM_WORLD);
}

/* Its memory is free only when all ranks have destroyed the board. */
TEST(what_others_read_of_a_destroyed_board_stays)
{
  int64_t item = test_rank == 0 ? 7 : 0;
  ovk_board *kept = board;
  ovk_board_operation o = {.kind = OVK_BOARD_BCAST,
                           .send = &item,
                           .receive = &item,
                           .count = 1,
                           .type = OVK_TYPE_INT64,
                           .root = 0};
  assert_int_equal(make_board(state), 0);
  assert_ok(ovk_board_begin(board, &o));
  if (test_rank == 0) ovk_board_destroy(&board); /* a root needs no other rank */
  ovk_board *next;
  assert_ok(ovk_board_create(test_ctx(), PLACES, BYTES, &next));
  if (test_rank > 0) assert_ok(ovk_board_wait(board, &o, NULL));
  assert_int_equal(item, 7);
  ovk_board_destroy(&board);
  ovk_board_destroy(&next);
  board = kept;
}

TEST(progress_completes_what_all_have_begun)
{
  ovk_board_operation o = {.kind = OVK_BOARD_BARRIER};
  assert_ok(ovk_board_begin(board, &o));
  MPI_Barrier(MPI_COMM_WORLD);
  assert_false(ovk_board_progress(board));
  assert_true(o.complete);
}

static int calls;
static void wake_rank_0(void *arg)
{
  const int token = 0;
  if (calls++ == 0) MPI_Send(&token, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
}

/* Rank 0 begins only after a message of the hook of the last rank. */
TEST(a_rank_that_waits_calls_its_hook)
{
  const ovk_poll idle = {.progress = wake_rank_0, .every = 1};
  ovk_board_operation o = {.kind = OVK_BOARD_BARRIER};
  int token;
  if (test_size == 1) return;
  calls = 0;
  if (test_rank == 0) {
    MPI_Recv(&token, 1, MPI_INT, test_size - 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  assert_ok(ovk_board_begin(board, &o));
  assert_ok(ovk_board_wait(board, &o, is_last() ? &idle : NULL));
  assert_true(o.complete);
  assert_true(!is_last() || calls > 0);
}

/* Wrong on the last rank; all that read its part get an error, and the next operation works. */
TEST(wrong_arguments_are_an_error_on_all_ranks)
{
  const bool here = test_rank == test_size - 1;
  double x = 1, y = 0;
  ovk_board_operation o = allreduce(here ? NULL : &x, &y, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM);
  assert_local_error(carry_out(&o), OVK_ERR_ARG, here ? "is NULL" : "wrong arguments on rank");
  o = allreduce(&x, &y, here ? -1 : 1, OVK_TYPE_DOUBLE, OVK_OP_SUM);
  assert_local_error(carry_out(&o), OVK_ERR_ARG, here ? "-1 doubles" : "wrong arguments on rank");
  o = allreduce(&x, &y, here ? N + 1 : 1, OVK_TYPE_DOUBLE, OVK_OP_SUM);
  assert_local_error(carry_out(&o), OVK_ERR_ARG, here ? "at most 6000 bytes" : "on rank");
  o = allreduce(&x, &y, 1, OVK_TYPE_DOUBLE, here ? OVK_OP_BOR : OVK_OP_SUM);
  assert_local_error(carry_out(&o), OVK_ERR_ARG,
                     here ? "operation 8 is not defined for type 0" : "on rank");
  o = (ovk_board_operation){.kind = here ? (ovk_board_kind)9 : OVK_BOARD_BARRIER};
  assert_local_error(carry_out(&o), OVK_ERR_ARG, here ? "unknown kind of operation 9" : "on rank");
  o = allreduce(&x, &y, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM);
  assert_ok(carry_out(&o));
  assert_true(y == test_size);
}

TEST(ranks_that_differ_are_an_error_on_all)
{
  if (test_size == 1) return;
  double x[2] = {1, 1}, y[2];
  ovk_board_operation o = allreduce(x, y, is_last() ? 2 : 1, OVK_TYPE_DOUBLE, OVK_OP_SUM);
  assert_local_error(carry_out(&o), OVK_ERR_ARG, is_last() ? "16 and 8 bytes" : "8 and 16 bytes");
  o = allreduce(x, y, 1, OVK_TYPE_DOUBLE, is_last() ? OVK_OP_MAX : OVK_OP_SUM);
  assert_local_error(carry_out(&o), OVK_ERR_ARG, "another kind, type, operation");
}

static void no_combination(void *a, const void *b, size_t bytes)
{
}

TEST(ranks_that_differ_in_the_items_are_an_error)
{
  char x[8] = {0}, y[8];
  const ovk_board_items items = {is_last() ? 3 : 4, no_combination, no_combination};
  const ovk_board_items none = {16, no_combination, no_combination};
  ovk_board_operation o = allreduce(x, y, 8, OVK_TYPE_UINT8, OVK_OP_SUM);
  o.items = &items;
  if (test_size > 1) assert_local_error(carry_out(&o), OVK_ERR_ARG, "another kind, type");
  o.items = &none;
  assert_local_error(carry_out(&o), OVK_ERR_ARG, "operation 16 is not defined");
}

TEST(a_board_that_cannot_be_is_refused_on_all_ranks)
{
  SCOPED(ovk_board_destroy) ovk_board *none = NULL;
  assert_error(ovk_board_create(test_ctx(), is_last() ? 1 : PLACES, BYTES, &none), OVK_ERR_ARG,
               "1 places");
  assert_error(ovk_board_create(test_ctx(), PLACES, is_last() ? 0 : BYTES, &none), OVK_ERR_ARG,
               "parts of 0 bytes");
  assert_error(ovk_board_create(test_ctx(), PLACES, BYTES, is_last() ? NULL : &none), OVK_ERR_ARG,
               "out is NULL");
  if (test_size > 1) {
    assert_error(ovk_board_create(test_ctx(), PLACES, is_last() ? 8 : BYTES, &none), OVK_ERR_ARG,
                 "4 places of 8 bytes");
  }
  none = NULL;
}

TEST_GROUP(make_board, destroy_board)
