/* SPDX-License-Identifier: BSD-2-Clause */
/* Boards: each rank says which parts of an operation it needs. */
#include "support/test_main.h"

#include <ovkrylov/comm/board.h>

enum { PLACES = 4, BYTES = 256 };

static ovk_board *board;

/* The parts that a rank has taken, one after the other. */
typedef struct taken {
  char text[BYTES];
  size_t bytes;
  int parts;
} taken;

/* The part of a rank: its number, as often as the number says, and once more. */
static void put_own(void *self, void *part)
{
  (void)self;
  memset(part, 'a' + test_rank, (size_t)test_rank + 1);
}

static bool take_text(void *self, int rank, const void *part, size_t bytes)
{
  taken *t = self;
  memcpy(t->text + t->bytes, part, bytes);
  t->bytes += bytes;
  t->parts++;
  return bytes == (size_t)rank + 1;
}

static bool take_nothing(void *self, int rank, const void *part, size_t bytes)
{
  (void)self, (void)part, (void)bytes;
  return rank == test_rank;
}

static ovk_board_parts parts_of(taken *t, int first, int end)
{
  return (ovk_board_parts){
      .first = first, .end = end, .number = 7, .self = t, .put = put_own, .take = take_text};
}

static ovk_board_operation operation_of(const ovk_board_parts *parts)
{
  return (ovk_board_operation){
      .kind = OVK_BOARD_PARTS, .count = test_rank + 1, .type = OVK_TYPE_UINT8, .parts = parts};
}

static ovk_err carry_out(ovk_board_operation *o)
{
  (void)ovk_board_begin(board, o);
  return ovk_board_wait(board, o, NULL);
}

TEST(each_rank_takes_the_parts_that_it_needs_in_order)
{
  taken t = {.bytes = 0};
  const ovk_board_parts parts = parts_of(&t, 0, test_rank + 1);
  ovk_board_operation o = operation_of(&parts);
  assert_ok(carry_out(&o));
  assert_int_equal(t.parts, test_rank + 1);
  assert_int_equal(t.bytes, (test_rank + 1) * (test_rank + 2) / 2);
  assert_memory_equal(t.text, "abbccc", t.bytes);
}

/* The last rank begins after all others have completed more than there are places for. */
TEST(a_rank_that_needs_no_part_waits_for_none)
{
  taken t = {.bytes = 0};
  const ovk_board_parts parts = parts_of(&t, 0, test_rank == test_size - 1 ? test_size : 0);
  ovk_board_operation o[PLACES];
  if (test_rank == test_size - 1) MPI_Barrier(MPI_COMM_WORLD);
  for (int k = 0; k < PLACES; k++) {
    o[k] = operation_of(&parts);
    assert_ok(carry_out(&o[k]));
  }
  if (test_rank != test_size - 1) MPI_Barrier(MPI_COMM_WORLD);
  assert_int_equal(t.parts, test_rank == test_size - 1 ? PLACES * test_size : 0);
}

TEST(ranks_that_differ_in_the_number_are_an_error)
{
  taken t = {.bytes = 0};
  ovk_board_parts parts = parts_of(&t, 0, test_size);
  parts.number = test_rank == 0;
  ovk_board_operation o = operation_of(&parts);
  assert_int_equal(carry_out(&o), test_size > 1 ? OVK_ERR_ARG : OVK_OK);
}

TEST(a_part_that_is_not_taken_is_an_error_on_the_rank)
{
  ovk_board_parts parts = parts_of(NULL, 0, test_rank == 0 ? test_size : 0);
  parts.take = take_nothing;
  ovk_board_operation o = operation_of(&parts);
  assert_int_equal(carry_out(&o), test_rank == 0 && test_size > 1 ? OVK_ERR_ARG : OVK_OK);
}

TEST(wrong_arguments_are_an_error_where_the_part_is_needed)
{
  taken t = {.bytes = 0};
  ovk_board_parts parts = parts_of(&t, 0, test_rank == 0 ? test_size + 1 : 1);
  ovk_board_operation o = operation_of(&parts);
  assert_int_equal(carry_out(&o), OVK_ERR_ARG);
  parts = parts_of(&t, 0, 0);
  parts.number = 256;
  o = operation_of(&parts);
  assert_int_equal(carry_out(&o), OVK_ERR_ARG);
  parts = parts_of(&t, 0, 0);
  parts.put = NULL;
  o = operation_of(&parts);
  assert_int_equal(carry_out(&o), OVK_ERR_ARG);
  o.parts = NULL;
  assert_int_equal(carry_out(&o), OVK_ERR_ARG);
}

static int make_board(void **state)
{
  (void)state;
  return ovk_board_create(test_ctx(), PLACES, BYTES, &board) != OVK_OK;
}

static int destroy_board(void **state)
{
  (void)state;
  ovk_board_destroy(&board);
  return board != NULL;
}

TEST_GROUP(make_board, destroy_board)
