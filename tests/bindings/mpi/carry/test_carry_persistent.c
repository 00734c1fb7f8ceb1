/* SPDX-License-Identifier: BSD-2-Clause */
/* libovk_mpi, preloaded: persistent operations, started and completed in all ways of the MPI. Its
 * log has the carried ones; see carry.sh. */
#include "carry/persistent_names.h"
#include "support/random.h"
#include "support/system/mappings.h"
#include "support/test_main.h"

enum { KINDS = 5, SETS = 2, N = SETS * KINDS, ITEMS = 5 };

typedef struct pair {
  double value;
  int at;
} pair;

/* One operation of each kind. */
typedef struct set {
  double part[ITEMS], total[ITEMS], sum; /* all-reduce; reduction to the last rank */
  int spaced[2 * ITEMS];                 /* broadcast from rank 0, every second item */
  pair most;
} set;

static set sets[SETS];
static MPI_Request requests[N + 1]; /* the last one: of a message to oneself */
static int message;

static void make_requests(set *s, MPI_Comm comm, MPI_Request *made)
{
  SCOPED(MPI_Type_free) MPI_Datatype gaps = MPI_DATATYPE_NULL;
  MPI_Type_vector(ITEMS, 1, 2, MPI_INT, &gaps);
  MPI_Type_commit(&gaps);
  MPI_Allreduce_init(s->part, s->total, ITEMS, MPI_DOUBLE, MPI_SUM, comm, MPI_INFO_NULL, &made[0]);
  MPI_Reduce_init(&s->part[1], &s->sum, 1, MPI_DOUBLE, MPI_SUM, test_size - 1, comm, MPI_INFO_NULL,
                  &made[1]);
  MPI_Bcast_init(s->spaced, 1, gaps, 0, comm, MPI_INFO_NULL, &made[2]);
  MPI_Allreduce_init(MPI_IN_PLACE, &s->most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm, MPI_INFO_NULL,
                     &made[3]);
  MPI_Barrier_init(comm, MPI_INFO_NULL, &made[4]);
}

static void fill_set(set *s, int round)
{
  for (int k = 0; k < ITEMS; k++) {
    s->part[k] = round + k * test_rank;
    s->total[k] = s->sum = -1;
    s->spaced[2 * k] = test_rank == 0 ? round - k : -1;
    s->spaced[2 * k + 1] = -7;
  }
  s->most = (pair){round - test_rank, 3 + test_rank};
}

static void check(const set *s, int round)
{
  const int ranks = test_size * (test_size - 1) / 2;
  for (int k = 0; k < ITEMS; k++) {
    assert_true(s->total[k] == round * test_size + k * ranks);
    assert_int_equal(s->spaced[2 * k], round - k);
    assert_int_equal(s->spaced[2 * k + 1], -7);
  }
  if (is_last()) assert_true(s->sum == round * test_size + ranks);
  assert_true(s->most.value == round && s->most.at == 3);
}

static int draw(uint64_t *index, int n)
{
  return (int)(n * random_number(77 + (uint64_t)test_rank, ++*index));
}

/* Each rank in a different order, at once or one by one. */
static void start_all(uint64_t *index)
{
  int order[N];
  MPI_Request shuffled[N];
  for (int k = 0; k < N; k++) {
    const int other = draw(index, k + 1);
    order[k] = order[other];
    order[other] = k;
  }
  for (int k = 0; k < N; k++) shuffled[k] = requests[order[k]];
  if (draw(index, 2)) {
    MPI_Startall(N, shuffled);
  } else {
    for (int k = 0; k < N; k++) MPI_Start(&shuffled[k]);
  }
  for (int k = 0; k < N; k++) assert_true(shuffled[k] == requests[order[k]]);
}

static void complete_one_by_one(uint64_t *index)
{
  for (int k = 0; k < N + 1; k++) {
    int flag = 0;
    MPI_Status status;
    switch (draw(index, 3)) {
    case 0:
      MPI_Wait(&requests[k], &status);
      break;
    case 1:
      while (!flag) MPI_Test(&requests[k], &flag, &status);
      break;
    default:
      while (!flag) MPI_Request_get_status(requests[k], &flag, &status);
      MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
    }
  }
}

/* One or some at a time, until none is active. */
static void complete_some(uint64_t *index)
{
  const int way = draw(index, 4);
  int left = N + 1, which[N + 1];
  MPI_Status statuses[N + 1];
  while (left > 0) {
    int flag = 1, count = 1;
    if (way == 0) MPI_Waitany(N + 1, requests, which, statuses);
    if (way == 1) MPI_Testany(N + 1, requests, which, &flag, statuses);
    if (way == 2) MPI_Waitsome(N + 1, requests, &count, which, statuses);
    if (way == 3) MPI_Testsome(N + 1, requests, &count, which, statuses);
    assert_int_not_equal(count, MPI_UNDEFINED);
    if (flag) left -= count;
  }
  MPI_Waitany(N + 1, requests, which, statuses);
  assert_int_equal(which[0], MPI_UNDEFINED);
}

static void complete(uint64_t *index)
{
  int flag = 0;
  switch (draw(index, 4)) {
  case 0:
    MPI_Waitall(N + 1, requests, MPI_STATUSES_IGNORE);
    break;
  case 1:
    while (!flag) MPI_Testall(N + 1, requests, &flag, MPI_STATUSES_IGNORE);
    break;
  case 2:
    complete_one_by_one(index);
    break;
  default:
    complete_some(index);
  }
  assert_true(requests[N] == MPI_REQUEST_NULL);
}

TEST(starts_give_their_results)
{
  enum { ROUNDS = 60 };
  uint64_t index = 0;
  const int sent = 4;
  MPI_Comm second;
  MPI_Comm_dup(MPI_COMM_WORLD, &second);
  make_requests(&sets[0], MPI_COMM_WORLD, &requests[0]);
  make_requests(&sets[1], second, &requests[KINDS]);
  for (int round = 0; round < ROUNDS; round++) {
    for (int k = 0; k < SETS; k++) fill_set(&sets[k], 10 * round + k);
    start_all(&index);
    MPI_Irecv(&message, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &requests[N]);
    MPI_Send(&sent, 1, MPI_INT, 0, 3, MPI_COMM_SELF);
    complete(&index);
    for (int k = 0; k < N; k++) assert_true(requests[k] != MPI_REQUEST_NULL);
    for (int k = 0; k < SETS; k++) check(&sets[k], 10 * round + k);
    if (round == ROUNDS / 2) MPI_Comm_free(&second); /* its requests continue */
  }
  for (int k = 0; k < N; k++) {
    const int at = test_rank % 2 ? k : N - 1 - k;
    MPI_Request_free(&requests[at]);
    assert_true(requests[at] == MPI_REQUEST_NULL);
  }
}

/* More of them than are carried, again and again. */
TEST(many_are_made_and_freed)
{
  enum { MANY = 40 };
  double from = 1, to[MANY];
  MPI_Request many[MANY];
  for (int round = 0; round < 3; round++) {
    for (int k = 0; k < MANY; k++) {
      MPI_Allreduce_init(&from, &to[k], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                         &many[k]);
    }
    MPI_Startall(MANY, many);
    for (int k = 0; k < MANY; k++) MPI_Wait(&many[k], MPI_STATUS_IGNORE);
    for (int k = 0; k < MANY; k++) assert_true(to[k] == test_size);
    for (int k = 0; k < MANY; k++) MPI_Request_free(&many[k]);
  }
}

/* A root completes its broadcasts alone, and so is ahead of the reads of the others. */
TEST(a_root_may_be_ahead)
{
  int item = 0;
  MPI_Request request;
  MPI_Bcast_init(&item, 1, MPI_INT, test_size - 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int k = 0; k < 200; k++) {
    item = test_rank == test_size - 1 ? k : -1;
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert_int_equal(item, k);
  }
  MPI_Request_free(&request);
}

TEST(boards_go_with_their_communicator)
{
  enum { FIRST = 3, ROUNDS = 30 };
  int one = 1, sum, before = 0;
  for (int round = 0; round < ROUNDS; round++) {
    SCOPED(MPI_Comm_free) MPI_Comm comm = MPI_COMM_NULL;
    MPI_Request request;
    if (round == FIRST) before = count_mappings("");
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert_int_equal(sum, test_size);
    MPI_Request_free(&request);
  }
  assert_true(count_mappings("") < before + ROUNDS - FIRST);
}

TEST(a_second_start_is_an_error)
{
  int one = 1, sum, class = MPI_SUCCESS;
  MPI_Request request;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  MPI_Error_class(MPI_Start(&request), &class);
  assert_int_equal(class, MPI_ERR_REQUEST);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  assert_int_equal(sum, test_size);
  MPI_Request_free(&request);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static MPI_Request late = MPI_REQUEST_NULL; /* lives until MPI_Finalize */
static int late_part = 1, late_sum;

/* When the boards have gone: those of MPI_COMM_SELF are deleted in reverse order. */
static int start_late(MPI_Comm comm, int key, void *attribute, void *extra)
{
  if (late == MPI_REQUEST_NULL) return MPI_SUCCESS;
  MPI_Start(&late);
  MPI_Wait(&late, MPI_STATUS_IGNORE);
  if (late_sum != test_size) MPI_Abort(comm, 1);
  return MPI_Request_free(&late);
}

TEST(requests_work_in_finalize)
{
  MPI_Allreduce_init(&late_part, &late_sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                     &late);
  MPI_Start(&late);
  MPI_Wait(&late, MPI_STATUS_IGNORE);
  assert_int_equal(late_sum, test_size);
  late_sum = 0;
}

/* Together with others, for the log: carry.sh looks for these. */
TEST(others_are_carried_beside_them)
{
  int one = 1, sum = 0, same = 0;
  MPI_Request request;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Iallreduce(&one, &same, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  assert_int_equal(sum, test_size);
  assert_int_equal(same, test_size);
}

static int add_late_starts(void **state)
{
  int key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, start_late, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL); /* before the library's */
  return 0;
}

TEST_GROUP(add_late_starts, NULL)
