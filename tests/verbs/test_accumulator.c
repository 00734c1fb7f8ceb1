/* SPDX-License-Identifier: BSD-2-Clause */
/* Internals of mode=atomic: which reads of a set are accepted, and when memory is released. Each
 * rank works alone, with a queue to itself. */
#include "backends/verbs/atomic/accumulator.h"
#include "backends/verbs/atomic/slot_table.h"
#include "core/exact/exact.h"
#include "support/specs/verbs_spec.h"

#include <stdatomic.h>

/* The words of a set. */
enum { COUNTER, SEAL, NUMBERS, WORDS = NUMBERS + OVK__EXACT_WORDS };

enum { POLLS = 100, TIME_LIMIT = 300 /* seconds */, SELF = 0 };

typedef struct lab {
  ovk_ctx *ctx;
  ovk_spec *spec;
  ovk__endpoint *endpoint;
  ovk__block root;
  ovk__accumulator a;
} lab;

static ovk_err open_endpoint(lab *l)
{
  char text[VERBS_SPEC_SIZE];
  *l = (lab){0};
  assert_int_equal(ovk_ctx_create(MPI_COMM_SELF, &l->ctx), OVK_OK);
  assert_ok(ovk_spec_parse(l->ctx, verbs_spec(text, NULL), &l->spec));
  return ovk__endpoint_open(l->ctx, MPI_COMM_SELF, l->spec, &l->endpoint);
}

static void close_endpoint(lab *l)
{
  ovk__endpoint_close(&l->endpoint);
  ovk_spec_destroy(&l->spec);
  ovk_ctx_destroy(&l->ctx);
}

/* A set for that many `contributors`. */
static void open_lab(lab *l, int contributors, double *values, int count)
{
  const int self = SELF;
  assert_ok(open_endpoint(l));
  assert_ok(ovk__endpoint_add(l->endpoint, self));
  assert_ok(ovk__endpoint_connect(l->endpoint, &self, 1, 0));
  assert_ok(ovk__endpoint_take(l->endpoint, ovk__accumulator_bytes(count), &l->root));
  assert_ok(ovk__accumulator_make(l->ctx, l->endpoint, self, contributors, values, count,
                                  OVK__EXACT_WORDS, &l->a));
  ovk__accumulator_find(&l->a, (uintptr_t)l->root.start, l->root.remote_key);
}

static void close_lab(lab *l)
{
  ovk__accumulator_free(&l->a);
  close_endpoint(l);
}

static void start_lab(lab *l)
{
  assert_true(ovk__accumulator_start(&l->a, NULL));
}

static bool advance(lab *l)
{
  bool complete;
  assert_true(ovk__accumulator_advance(&l->a, &complete));
  return complete;
}

static void assert_not_complete(lab *l)
{
  for (int k = 0; k < POLLS; k++) assert_false(advance(l));
}

static void wait_for_lab(lab *l)
{
  for (const double since = MPI_Wtime(); !advance(l);) {
    assert_true(MPI_Wtime() - since < TIME_LIMIT);
  }
}

/* A word of the set of the root for odd or even generations. */
static _Atomic uint64_t *word_at(const lab *l, uint64_t generation, size_t word)
{
  const size_t set = ovk__accumulator_bytes(l->a.count) / 2 * (generation & 1);
  return (_Atomic uint64_t *)(void *)(l->root.start + set) + word;
}

/* Determines the amount that a contribution of `value` adds to each word. */
static void find_words(double value, uint64_t added[WORDS])
{
  SCOPED(close_lab) lab l;
  open_lab(&l, 1, &value, 1);
  start_lab(&l);
  wait_for_lab(&l);
  for (size_t k = 0; k < WORDS; k++) added[k] = atomic_load(word_at(&l, 1, k));
}

static void add(const lab *l, const uint64_t added[WORDS], size_t first, size_t last)
{
  for (size_t k = first; k <= last; k++) {
    atomic_fetch_add(word_at(l, l->a.generation, k), added[k]);
  }
}

/* A read may contain any part of another rank's additions. */
TEST(reads_that_mix_generations_are_rejected)
{
  enum { ORDERS = 6 };
  static const size_t parts[][2] = {{COUNTER, COUNTER}, {SEAL, SEAL}, {NUMBERS, WORDS - 1}};
  static const int orders[ORDERS][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const double own = 0.1, other = -1e-7;
  double value;
  uint64_t added[WORDS];
  SCOPED(close_lab) lab l;
  find_words(other, added);
  open_lab(&l, 2, &value, 1);
  for (int k = 0; k < 2 * ORDERS; k++) {
    value = own;
    start_lab(&l);
    for (int p = 0; p < 3; p++) {
      const size_t *part = parts[orders[k % ORDERS][p]];
      assert_not_complete(&l);
      add(&l, added, part[0], part[1]);
    }
    wait_for_lab(&l);
    assert_true(value == own + other);
  }
}

TEST(a_single_word_that_is_late_is_waited_for)
{
  uint64_t added[WORDS];
  double value = 1;
  size_t late = WORDS - 1;
  SCOPED(close_lab) lab l;
  find_words(0.1, added);
  while (!added[late]) late--;
  open_lab(&l, 2, &value, 1);
  start_lab(&l);
  add(&l, added, COUNTER, late - 1);
  assert_not_complete(&l);
  add(&l, added, late, late);
  wait_for_lab(&l);
  assert_true(value == 1 + 0.1);
}

TEST(words_may_wrap_around)
{
  double value;
  SCOPED(close_lab) lab l;
  open_lab(&l, 1, &value, 1);
  for (size_t k = 0; k < WORDS; k++) {
    for (uint64_t set = 0; set < 2; set++) {
      const uint64_t nearly_full = UINT64_MAX - k % 3;
      l.a.seen[set][k] = nearly_full;
      atomic_store(word_at(&l, set, k), nearly_full);
    }
  }
  for (int t = 0; t < 20; t++) {
    value = (t % 4 < 2 ? 1 : -1) * (ldexp(1, t * 50 - 500) + t);
    const double part = value;
    start_lab(&l);
    wait_for_lab(&l);
    assert_true(value == part);
  }
}

enum { MANY = 50 };

static void check_many(lab *l, double *values)
{
  for (int t = 0; t < 6; t++) {
    for (int i = 0; i < MANY; i++) values[i] = ldexp(i - 20, t * i);
    start_lab(l);
    wait_for_lab(l);
    for (int i = 0; i < MANY; i++) assert_true(values[i] == ldexp(i - 20, t * i));
  }
}

TEST(a_set_may_be_read_in_pieces)
{
  double values[MANY];
  SCOPED(close_lab) lab l;
  open_lab(&l, 1, values, MANY);
  for (size_t piece = 7; piece <= l.a.words; piece *= 4) {
    l.a.piece = piece;
    check_many(&l, values);
  }
}

TEST(numbers_are_added_as_their_doubles_are)
{
  double values[2] = {0};
  uint64_t numbers[2 * OVK__EXACT_WORDS] = {0};
  SCOPED(close_lab) lab l;
  open_lab(&l, 1, values, 2);
  for (int k = 0; k < 3; k++) {
    ovk__exact_add_value(numbers, 0.1);
    ovk__exact_add_value(numbers + OVK__EXACT_WORDS, -DBL_MAX / 4);
    assert_true(ovk__accumulator_start(&l.a, numbers));
    wait_for_lab(&l);
    assert_true(values[0] == 0.1 * (k + 1)); /* rounded once, like the total */
    assert_true(values[1] == -DBL_MAX / 4 * (k + 1));
  }
}

TEST(memory_that_works_may_still_touch_is_not_given_back)
{
  double value = 1;
  SCOPED(close_endpoint) lab l;
  open_lab(&l, 2, &value, 1);
  const ovk__slab *slab = l.a.block.slab;
  assert_int_equal(slab->nblocks, 2);
  start_lab(&l);
  ovk__accumulator_free(&l.a);
  assert_int_equal(slab->nblocks, 2);
  close_endpoint(&l);
  open_lab(&l, 1, &value, 1);
  slab = l.a.block.slab;
  start_lab(&l);
  wait_for_lab(&l);
  ovk__accumulator_free(&l.a);
  assert_int_equal(slab->nblocks, 1);
}

/* Rank 0 provides memory for all; the last rank is late. */
TEST(memory_for_all_is_given_back_once_all_have_released_it)
{
  ovk__slab slab = {.used = 64, .nblocks = 1};
  scoped_array ovk__slot_table *slot_table = new_zeros(1, sizeof *slot_table);
  int row, other, third;
  assert_ok(ovk__slot_table_enter(test_ctx(), MPI_COMM_WORLD, slot_table, &row));
  if (test_rank == 0) slot_table->blocks[row] = (ovk__block){.start = (char *)&slab, .slab = &slab};
  if (test_rank < test_size - 1) ovk__slot_table_leave(slot_table, row);
  assert_ok(ovk__slot_table_enter(test_ctx(), MPI_COMM_WORLD, slot_table, &other));
  assert_int_not_equal(other, row);
  assert_int_equal(slab.nblocks, 1);
  if (is_last()) ovk__slot_table_leave(slot_table, row);
  assert_ok(ovk__slot_table_enter(test_ctx(), MPI_COMM_WORLD, slot_table, &third));
  assert_int_equal(third, row);
  assert_int_equal(slab.nblocks, test_rank == 0 ? 0 : 1);
  assert_null(slot_table->blocks[row].start);
}

TEST(too_many_sums_at_a_time_are_an_error)
{
  scoped_array ovk__slot_table *slot_table = calloc(1, sizeof *slot_table);
  int row;
  assert_non_null(slot_table);
  memset(slot_table->used, 0xff, sizeof slot_table->used);
  slot_table->n = OVK__SLOT_ROWS;
  assert_error(ovk__slot_table_enter(test_ctx(), MPI_COMM_WORLD, slot_table, &row), OVK_ERR_RANGE,
               "verbs:mode=atomic allows 4096");
  ovk__slot_table_leave(slot_table, 77);
  assert_ok(ovk__slot_table_enter(test_ctx(), MPI_COMM_WORLD, slot_table, &row));
  assert_int_equal(row, 77);
}

static int skip_without_atomics(void **state)
{
  SCOPED(close_endpoint) lab l;
  const ovk_err err = open_endpoint(&l);
  const bool atomics = !err && ovk__endpoint_limits(l.endpoint)->atomics;
  if (!atomics) skip_all(ovk_ctx_error(l.ctx));
  return 0;
}

TEST_GROUP(skip_without_atomics, NULL)
