/* SPDX-License-Identifier: BSD-2-Clause */
/* Schedules that users write: carried out over every channel, and refused on all ranks, with the
 * fault and its place, if they are wrong. */
#include "support/specs/verbs_spec.h"

#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/comm/schedule.h>

static ovk_schedule *new_schedule(void)
{
  ovk_schedule *s = NULL;
  assert_ok(ovk_schedule_create(test_ctx(), &s));
  return s;
}

static int next(void)
{
  return (test_rank + 1) % test_size;
}

static int previous(void)
{
  return (test_rank + test_size - 1) % test_size;
}

/* An all-reduce in which each rank's vector goes round a ring, in two places by turns. */
static ovk_schedule *ring(int count)
{
  ovk_schedule *s = new_schedule();
  const ovk_place input = {OVK_INPUT, 0}, output = {OVK_OUTPUT, 0};
  assert_ok(ovk_schedule_copy(s, input, output, count));
  for (int step = 1; step < test_size; step++) {
    const ovk_place from = {OVK_WORK, (size_t)(step % 2 * count)};
    const ovk_place to = {OVK_WORK, (size_t)((step + 1) % 2 * count)};
    assert_ok(ovk_schedule_send(s, next(), step == 1 ? input : from, count));
    assert_ok(ovk_schedule_receive(s, previous(), to, count));
    assert_ok(ovk_schedule_combine(s, to, output, count));
  }
  return s;
}

static void check_ring(const char *spec)
{
  enum { COUNT = 300, TIMES = 5 };
  long in[COUNT], out[COUNT];
  scoped_collective *c = NULL;
  ovk_schedule *s = ring(COUNT);
  assert_ok(ovk_collective_create_scheduled(test_ctx(), spec, s, in, COUNT, out, COUNT, MPI_LONG,
                                            MPI_SUM, &c));
  ovk_schedule_destroy(&s);
  assert_null(s);
  for (int time = 0; time < TIMES; time++) {
    for (int k = 0; k < COUNT; k++) in[k] = test_rank * (k + time);
    assert_ok(ovk_collective_run(c));
    for (int k = 0; k < COUNT; k++) {
      assert_int_equal(out[k], (k + time) * test_size * (test_size - 1) / 2);
    }
  }
}

TEST(a_schedule_is_carried_out_over_every_channel)
{
  char text[VERBS_SPEC_SIZE];
  check_ring(NULL);
  if (on_one_node()) {
    check_ring("nbc:channel=shm");
    check_ring(verbs_spec(text, NULL));
    check_ring(verbs_spec(text, "window=1"));
    check_ring(verbs_spec(text, "channel=shm"));
  }
}

TEST(messages_between_two_ranks_arrive_in_the_order_of_the_schedule)
{
  static const char *const channels[] = {"nbc", "nbc:channel=shm", "verbs:device=emulated"};
  if (test_size == 1 || !on_one_node()) skip();
  for (size_t k = 0; k < sizeof channels / sizeof *channels; k++) {
    const int in[3] = {10 * test_rank, 10 * test_rank + 1, 10 * test_rank + 2};
    int out[3] = {0};
    scoped_collective *c = NULL;
    ovk_schedule *s = new_schedule();
    for (size_t i = 0; i < 3; i++) {
      assert_ok(ovk_schedule_send(s, next(), (ovk_place){OVK_INPUT, i}, 1));
      assert_ok(ovk_schedule_receive(s, previous(), (ovk_place){OVK_OUTPUT, 2 - i}, 1));
    }
    assert_ok(ovk_collective_create_scheduled(test_ctx(), channels[k], s, in, 3, out, 3, MPI_INT,
                                              MPI_OP_NULL, &c));
    ovk_schedule_destroy(&s);
    assert_ok(ovk_collective_run(c));
    for (int i = 0; i < 3; i++) assert_int_equal(out[2 - i], 10 * previous() + i);
  }
}

typedef struct lines {
  int n;
  int rounds[8];
  char text[8][192];
} lines;

static void write_line(void *arg, int round, const char *action)
{
  lines *l = arg;
  assert_true(l->n < 8);
  l->rounds[l->n] = round;
  snprintf(l->text[l->n++], sizeof *l->text, "%s", action);
}

TEST(a_message_behind_local_work_begins_a_round_and_empty_rounds_are_dropped)
{
  static const char *const expected[] = {
      "copy input[0..2) to work[3..5)", "send work[3..5) to 7 over p2p",
      "receive output[1..2) from 8 over p2p", "combine work[3..4) into output[0..1)"};
  static const int rounds[] = {1, 2, 3, 3};
  lines l = {.n = 0};
  SCOPED(ovk_schedule_destroy) ovk_schedule *s = new_schedule();
  assert_ok(ovk_schedule_round(s));
  assert_ok(ovk_schedule_copy(s, (ovk_place){OVK_INPUT, 0}, (ovk_place){OVK_WORK, 3}, 2));
  assert_ok(ovk_schedule_send(s, 7, (ovk_place){OVK_WORK, 3}, 2));
  assert_ok(ovk_schedule_round(s));
  assert_ok(ovk_schedule_round(s));
  assert_ok(ovk_schedule_receive(s, 8, (ovk_place){OVK_OUTPUT, 1}, 1));
  assert_ok(ovk_schedule_combine(s, (ovk_place){OVK_WORK, 3}, (ovk_place){OVK_OUTPUT, 0}, 1));
  assert_ok(ovk_schedule_combine(s, (ovk_place){OVK_WORK, 0}, (ovk_place){OVK_OUTPUT, 0}, 0));
  assert_ok(ovk_schedule_round(s));
  assert_ok(ovk_schedule_copy(s, (ovk_place){OVK_OUTPUT, 0}, (ovk_place){OVK_OUTPUT, 0}, 1));
  assert_ok(ovk_schedule_print(s, write_line, &l));
  assert_int_equal(l.n, 4);
  for (int k = 0; k < l.n; k++) {
    assert_string_equal(l.text[k], expected[k]);
    assert_int_equal(l.rounds[k], rounds[k]);
  }
  assert_local_error(ovk_schedule_print(s, NULL, NULL), OVK_ERR_ARG, "each is NULL");
}

/* Faults, each written by one rank alone where that is possible; the buffers have 4 items. */

static const ovk_place in = {OVK_INPUT, 0}, out = {OVK_OUTPUT, 0}, work = {OVK_WORK, 0};

#define FAULT(name, call)                                                                          \
  static void name(ovk_schedule *s)                                                                \
  {                                                                                                \
    (void)(call);                                                                                  \
  }

FAULT(no_such_rank, ovk_schedule_send(s, test_size, in, 1))
FAULT(to_itself, ovk_schedule_receive(s, test_rank, out, 1))
FAULT(beyond_the_input, ovk_schedule_copy(s, (ovk_place){OVK_INPUT, 2}, out, 3))
FAULT(beyond_the_output, ovk_schedule_receive(s, next(), (ovk_place){OVK_OUTPUT, 4}, 1))
FAULT(into_the_input, ovk_schedule_combine(s, out, in, 1))
FAULT(overlapping_combination, ovk_schedule_combine(s, out, (ovk_place){OVK_OUTPUT, 1}, 2))
FAULT(negative_count, ovk_schedule_copy(s, in, out, -1))
FAULT(too_far, ovk_schedule_copy(s, in, (ovk_place){OVK_WORK, SIZE_MAX - 1}, 4))
FAULT(no_such_buffer, ovk_schedule_copy(s, in, (ovk_place){(ovk_buffer)3, 0}, 4))

static void unwritten_work(ovk_schedule *s)
{
  (void)ovk_schedule_copy(s, in, work, 2);
  (void)ovk_schedule_copy(s, (ovk_place){OVK_WORK, 1}, out, 2);
}

/* Of several ranks. */
static void received_twice(ovk_schedule *s)
{
  (void)ovk_schedule_send(s, next(), in, 2);
  (void)ovk_schedule_send(s, next(), in, 2);
  (void)ovk_schedule_receive(s, previous(), out, 2);
  (void)ovk_schedule_receive(s, previous(), (ovk_place){OVK_OUTPUT, 1}, 2);
}
static void sent_and_received(ovk_schedule *s)
{
  (void)ovk_schedule_send(s, next(), out, 4);
  (void)ovk_schedule_receive(s, previous(), (ovk_place){OVK_OUTPUT, 1}, 1);
}
static void only_sent(ovk_schedule *s)
{
  if (test_rank == 0) (void)ovk_schedule_send(s, 1, in, 1);
}
static void other_length(ovk_schedule *s)
{
  if (test_rank == 0) (void)ovk_schedule_send(s, 1, in, 2);
  if (test_rank == 1) (void)ovk_schedule_receive(s, 0, out, 3);
}
static void all_send_first(ovk_schedule *s)
{
  (void)ovk_schedule_send(s, next(), in, 1);
  (void)ovk_schedule_round(s);
  (void)ovk_schedule_receive(s, previous(), out, 1);
}

typedef struct fault {
  void (*write)(ovk_schedule *s);
  const char *said;
  bool together; /* on all ranks, and there must be two */
} fault;

static const fault faults[] = {
    {no_such_rank, "there is no such rank", false},
    {to_itself, "a message to the rank itself", false},
    {beyond_the_input, "copy input[2..5) to output[0..3): beyond the end of the buffer", false},
    {beyond_the_output, "output[4..5)", false},
    {into_the_input, "combine output[0..1) into input[0..1): the input is only read", false},
    {unwritten_work, "round 1: copy work[1..3) to output[0..2): reads what is not written", false},
    {overlapping_combination, "the ranges overlap", false},
    {negative_count, "-1 items", false},
    {too_far, "a range of 4 items", false},
    {no_such_buffer, "unknown buffer 3", false},
    {received_twice, "another message of the round is there", true},
    {sent_and_received, "another message of the round is there", true},
    {only_sent, "rank 0 sends 1 messages to rank 1, which receives 0", true},
    {other_length, "message 1 from rank 0 to rank 1: 2 items are sent in round 1, but 3 received",
     true},
    {all_send_first, "rank 0 waits in round 1 for rank 1", true},
};

TEST(a_wrong_schedule_is_an_error_on_all_ranks_that_names_the_fault)
{
  for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
    const fault *f = &faults[k];
    int from[4] = {0}, to[4];
    ovk_collective *c = NULL;
    SCOPED(ovk_schedule_destroy) ovk_schedule *s = new_schedule();
    if (f->together && test_size == 1) {
      ovk_schedule_destroy(&s);
      continue;
    }
    if (f->together || is_last()) f->write(s);
    assert_error(ovk_schedule_check(test_ctx(), s, 4, 4), OVK_ERR_ARG, f->said);
    assert_error(
        ovk_collective_create_scheduled(test_ctx(), NULL, s, from, 4, to, 4, MPI_INT, MPI_SUM, &c),
        OVK_ERR_ARG, f->said);
    assert_null(c);
  }
}

TEST(wrong_arguments_on_one_rank_are_errors_on_all)
{
  ovk_ctx *ctx = test_ctx(), *other_ctx = NULL;
  const bool here = test_rank == test_size - 1;
  int from[4] = {0}, to[4];
  ovk_collective *c = NULL;
  ovk_schedule *s = ring(4), *of_other = NULL;
  assert_ok(ovk_ctx_create(MPI_COMM_WORLD, &other_ctx));
  assert_ok(ovk_schedule_create(other_ctx, &of_other));
  assert_error(ovk_schedule_check(ctx, here ? NULL : s, 4, 4), OVK_ERR_ARG, "schedule is NULL");
  assert_error(ovk_schedule_check(ctx, here ? of_other : s, 4, 4), OVK_ERR_ARG, "another context");
  assert_error(ovk_schedule_check(ctx, s, 4, here ? -1 : 4), OVK_ERR_ARG, "-1 outputs");
#define CREATE(spec, s, in, out, type, op)                                                         \
  ovk_collective_create_scheduled(ctx, spec, s, in, 4, out, 4, type, op, &c)
  assert_error(CREATE(NULL, here ? NULL : s, from, to, MPI_INT, MPI_SUM), OVK_ERR_ARG,
               "schedule is NULL");
  assert_error(CREATE(NULL, s, from, here ? NULL : to, MPI_INT, MPI_SUM), OVK_ERR_ARG,
               "receive is NULL");
  assert_error(CREATE(NULL, s, from, to, here ? MPI_DATATYPE_NULL : MPI_INT, MPI_SUM), OVK_ERR_ARG,
               "MPI_DATATYPE_NULL");
  assert_error(CREATE(NULL, s, from, to, MPI_DOUBLE, here ? MPI_BAND : MPI_SUM), OVK_ERR_ARG,
               "MPI does not define this operation for this type: MPI_DOUBLE, MPI_BAND");
  assert_error(CREATE("nbc:alg=tree", s, from, to, MPI_INT, MPI_SUM), OVK_ERR_UNKNOWN,
               "no key 'alg'");
  if (test_size > 1) {
    assert_error(CREATE(NULL, s, from, to, MPI_INT, MPI_OP_NULL), OVK_ERR_ARG,
                 "no operation to combine with");
    assert_error(CREATE(NULL, s, from, to, here ? MPI_UNSIGNED : MPI_INT, MPI_SUM), OVK_ERR_ARG,
                 "different collective operations");
    assert_error(CREATE(NULL, s, from, to, MPI_INT, here ? MPI_MAX : MPI_SUM), OVK_ERR_ARG,
                 "different collective operations");
  }
#undef CREATE
  assert_null(c);
  ovk_schedule_destroy(&of_other);
  ovk_ctx_destroy(&other_ctx);
  ovk_schedule_destroy(&s);
  ovk_schedule_destroy(&s);
  ovk_schedule_destroy(NULL);
  assert_local_error(ovk_schedule_create(ctx, NULL), OVK_ERR_ARG, "out is NULL");
  assert_int_equal(ovk_schedule_create(NULL, &s), OVK_ERR_ARG);
  assert_int_equal(ovk_schedule_check(NULL, NULL, 0, 0), OVK_ERR_ARG);
  assert_int_equal(ovk_schedule_round(NULL), OVK_ERR_ARG);
  assert_int_equal(ovk_schedule_send(NULL, 0, in, 0), OVK_ERR_ARG);
  assert_int_equal(ovk_schedule_receive(NULL, 0, out, 0), OVK_ERR_ARG);
  assert_int_equal(ovk_schedule_combine(NULL, in, out, 0), OVK_ERR_ARG);
  assert_int_equal(ovk_schedule_copy(NULL, in, out, 0), OVK_ERR_ARG);
  assert_int_equal(ovk_schedule_print(NULL, write_line, NULL), OVK_ERR_ARG);
}

TEST(the_first_error_is_kept)
{
  SCOPED(ovk_schedule_destroy) ovk_schedule *s = new_schedule();
  assert_local_error(ovk_schedule_send(s, 0, in, -5), OVK_ERR_ARG, "-5 items");
  assert_local_error(ovk_schedule_copy(s, in, out, -6), OVK_ERR_ARG, "-5 items");
  assert_local_error(ovk_schedule_round(s), OVK_ERR_ARG, "-5 items");
  assert_error(ovk_schedule_check(test_ctx(), s, 4, 4), OVK_ERR_ARG, "-5 items");
}
