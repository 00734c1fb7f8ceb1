/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the preloaded libovk_mpi.so: random programs of collective calls. Each rank compares
 * their results with those that it computes alone, by the operations of the MPI.
 *
 * The choices that are the same on all ranks come from one sequence, the ways to complete requests
 * from one of each rank. OVK_TEST_SEED=n repeats a program, OVK_TEST_PROGRAMS=n runs as many. */
#include "support/random.h"
#include "support/test_main.h"

#include <time.h>

enum { MOST_COMMS = 5, MOST_CALLS = 24, STEPS = 60 };

typedef struct number_type {
  MPI_Datatype type;
  size_t size;
  bool real;
} number_type;

enum { NTYPES = 9, REAL_OPS = 4, NOPS = 10 };
static number_type types[NTYPES];
static MPI_Op ops[NOPS];

static void list_types(void)
{
  const number_type all[NTYPES] = {{MPI_DOUBLE, sizeof(double), true},
                                   {MPI_FLOAT, sizeof(float), true},
                                   {MPI_LONG_DOUBLE, sizeof(long double), true},
                                   {MPI_INT, sizeof(int), false},
                                   {MPI_LONG, sizeof(long), false},
                                   {MPI_SHORT, sizeof(short), false},
                                   {MPI_SIGNED_CHAR, 1, false},
                                   {MPI_UNSIGNED, sizeof(unsigned), false},
                                   {MPI_UINT8_T, 1, false}};
  const MPI_Op every[NOPS] = {MPI_SUM,  MPI_MAX, MPI_MIN,  MPI_PROD, MPI_LAND,
                              MPI_LXOR, MPI_LOR, MPI_BAND, MPI_BOR,  MPI_BXOR};
  memcpy(types, all, sizeof all);
  memcpy(ops, every, sizeof every);
}

static dice common, own;

typedef enum kind { ALLREDUCE, REDUCE, BCAST, BARRIER, NKINDS } kind;

/* A call; of requests that are open. */
typedef struct call {
  const number_type *type;
  MPI_Op op;
  MPI_Request request;
  MPI_Datatype spaced; /* of items with gaps; some MPIs need it until the end */
  char *send, *receive;
  uint64_t id;
  kind kind;
  int count, root, rank, size; /* rank and size of its communicator */
  bool in_place, gaps;         /* gaps: the items of a broadcast are not contiguous */
} call;

static call open_calls[MOST_CALLS];
static int nopen;
static MPI_Comm comms[MOST_COMMS];
static int ncomms;

static void fill_data(const call *c, int rank, char *to)
{
  for (int i = 0; i < c->count; i++) {
    const double x = random_number(c->id * 64 + (uint64_t)rank, (uint64_t)i);
    char *at = to + (size_t)i * c->type->size;
    const long whole = (long)(x * 20); /* sums of them fit: some MPIs saturate bytes */
    if (c->type->type == MPI_DOUBLE) {
      memcpy(at, &(double){x + 0.5}, sizeof(double));
    } else if (c->type->type == MPI_FLOAT) {
      memcpy(at, &(float){(float)x + 0.5f}, sizeof(float));
    } else if (c->type->type == MPI_LONG_DOUBLE) {
      memset(at, 0, sizeof(long double));
      memcpy(at, &(long double){x + 0.5L}, 10);
    } else {
      memcpy(at, &whole, c->type->size); /* little-endian, as shared memory of x86 and Arm is */
    }
  }
}

static char *buffer(const call *c, int factor)
{
  char *b = new_zeros((size_t)c->count * (size_t)factor + 1, c->type->size);
  return b;
}

/* The expected result of the call. */
static char *expect(const call *c)
{
  char *total = buffer(c, 1), *part = buffer(c, 1);
  fill_data(c, c->kind == BCAST ? c->root : 0, total);
  for (int rank = 1; rank < c->size && c->kind != BCAST; rank++) {
    fill_data(c, rank, part);
    MPI_Reduce_local(part, total, c->count, c->type->type, c->op);
  }
  free(part);
  return total;
}

static double real_at(const call *c, const char *data, int i)
{
  double x;
  float y;
  long double z;
  const char *at = data + (size_t)i * c->type->size;
  if (c->type->type == MPI_DOUBLE) return memcpy(&x, at, sizeof x), x;
  if (c->type->type == MPI_FLOAT) return memcpy(&y, at, sizeof y), (double)y;
  return memcpy(&z, at, sizeof z), (double)z;
}

/* Two numbers give the same bits in any order; more are rounded as the MPI adds them up, where a
 * call was handed back to it. */
static void compare(const call *c, const char *expected)
{
  const size_t step = c->gaps ? 2 : 1, size = c->type->size;
  for (int i = 0; i < c->count; i++) {
    const char *got = c->receive + (size_t)i * step * size;
    if (c->type->real && (c->size > 2 || size > sizeof(double))) {
      assert_close(real_at(c, got, 0), real_at(c, expected, i), 1e-5);
    } else if (memcmp(got, expected + (size_t)i * size, size) != 0) {
      fail_msg("seed %llu, call %llu, kind %d, type %d, number %d of %d differs",
               (unsigned long long)common.seed, (unsigned long long)c->id, (int)c->kind,
               (int)(c->type - types), i, c->count);
    }
  }
}

static void check(call *c)
{
  assert_true(c->request == MPI_REQUEST_NULL);
  if (c->kind != BARRIER && (c->kind != REDUCE || c->rank == c->root)) {
    scoped_array char *expected = expect(c);
    compare(c, expected);
  }
  if (c->gaps) MPI_Type_free(&c->spaced);
  free(c->send);
  free(c->receive);
}

/* A broadcast's items, with gaps or without. */
static int broadcast(call *c, MPI_Comm comm, bool blocks)
{
  MPI_Datatype spaced = c->type->type;
  int count = c->count;
  if (c->gaps) {
    MPI_Type_vector(c->count, 1, 2, c->type->type, &spaced);
    MPI_Type_commit(&spaced);
    count = 1;
  }
  if (c->rank == c->root) {
    fill_data(c, c->rank, c->send);
    for (int i = 0; i < c->count; i++) {
      memcpy(c->receive + (size_t)i * (c->gaps ? 2 : 1) * c->type->size,
             c->send + (size_t)i * c->type->size, c->type->size);
    }
  }
  const int err = blocks ? MPI_Bcast(c->receive, count, spaced, c->root, comm)
                         : MPI_Ibcast(c->receive, count, spaced, c->root, comm, &c->request);
  c->spaced = spaced;
  return err;
}

/* MPICH 4.0 reads from MPI_IN_PLACE itself in a reduction of 2 KB and more to a root other than 0.
 */
static bool has_in_place(const call *c)
{
#ifdef MPICH_VERSION
  if (c->kind == REDUCE && c->root != 0) return false;
#endif
  return c->in_place && (c->kind == ALLREDUCE || c->rank == c->root);
}

static int reduce(call *c, MPI_Comm comm, bool blocks)
{
  const bool in_place = has_in_place(c);
  const void *send = in_place ? MPI_IN_PLACE : c->send;
  fill_data(c, c->rank, in_place ? c->receive : c->send);
  if (c->kind == ALLREDUCE) {
    return blocks ? MPI_Allreduce(send, c->receive, c->count, c->type->type, c->op, comm)
                  : MPI_Iallreduce(send, c->receive, c->count, c->type->type, c->op, comm,
                                   &c->request);
  }
  return blocks ? MPI_Reduce(send, c->receive, c->count, c->type->type, c->op, c->root, comm)
                : MPI_Ireduce(send, c->receive, c->count, c->type->type, c->op, c->root, comm,
                              &c->request);
}

static int draw_count(void)
{
  static const int most[] = {2, 8, 40, 300, 3000, 131072};
  return dice_below(&common, most[dice_below(&common, dice_below(&common, 8) ? 5 : 6)]);
}

static void begin_call(MPI_Comm comm)
{
  call c = {
      .kind = (kind)dice_below(&common, NKINDS), .id = common.casts, .request = MPI_REQUEST_NULL};
  MPI_Comm_rank(comm, &c.rank);
  MPI_Comm_size(comm, &c.size);
  c.type = &types[dice_below(&common, NTYPES)];
  c.op = ops[dice_below(&common, c.type->real ? REAL_OPS : NOPS)];
  c.count = draw_count();
  c.root = dice_below(&common, 12) % c.size;
  c.in_place = dice_once_in(&common, 3);
  c.gaps = dice_once_in(&common, 3) && c.kind == BCAST;
  const bool blocks = dice_below(&common, 2) == 0;
  c.send = buffer(&c, 1);
  c.receive = buffer(&c, 2);
  const int err = c.kind == BARRIER ? blocks ? MPI_Barrier(comm) : MPI_Ibarrier(comm, &c.request)
                  : c.kind == BCAST ? broadcast(&c, comm, blocks)
                                    : reduce(&c, comm, blocks);
  assert_int_equal(err, MPI_SUCCESS);
  if (blocks) {
    check(&c);
  } else {
    open_calls[nopen++] = c;
  }
}

/* The open requests and, last, one of a message to oneself. */
static int message_in, message_out = 7;
static int gather_requests(MPI_Request *requests)
{
  for (int k = 0; k < nopen; k++) requests[k] = open_calls[k].request;
  MPI_Irecv(&message_in, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &requests[nopen]);
  MPI_Send(&message_out, 1, MPI_INT, 0, 3, MPI_COMM_SELF);
  return nopen + 1;
}

static void complete_all(MPI_Request *requests, int n)
{
  int flag = 0;
  if (dice_below(&own, 2)) {
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
  } else {
    while (!flag) MPI_Testall(n, requests, &flag, MPI_STATUSES_IGNORE);
  }
}

/* One or more of them, in one of the ways of the MPI. */
static void complete_some(MPI_Request *requests, int n)
{
  int flag = 0, index = dice_below(&own, n), indices[MOST_CALLS + 1], count;
  MPI_Status status, statuses[MOST_CALLS + 1];
  switch (dice_below(&own, 7)) {
  case 0:
    MPI_Wait(&requests[index], &status);
    break;
  case 1:
    MPI_Test(&requests[index], &flag, &status);
    break;
  case 2:
    MPI_Waitany(n, requests, &index, &status);
    break;
  case 3:
    MPI_Testany(n, requests, &index, &flag, &status);
    break;
  case 4:
    MPI_Waitsome(n, requests, &count, indices, statuses);
    break;
  case 5:
    MPI_Testsome(n, requests, &count, indices, statuses);
    break;
  default:
    while (!flag) MPI_Request_get_status(requests[index], &flag, &status);
    assert_true(requests[index] != MPI_REQUEST_NULL);
    MPI_Wait(&requests[index], &status);
  }
}

static void complete(bool all)
{
  MPI_Request requests[MOST_CALLS + 1];
  const int n = gather_requests(requests);
  if (all) {
    complete_all(requests, n);
  } else {
    complete_some(requests, n);
  }
  MPI_Wait(&requests[n - 1], MPI_STATUS_IGNORE);
  assert_int_equal(message_in, message_out);
  int left = 0;
  for (int k = 0; k < n - 1; k++) {
    open_calls[k].request = requests[k];
    if (requests[k] == MPI_REQUEST_NULL) {
      check(&open_calls[k]);
    } else {
      open_calls[left++] = open_calls[k];
    }
  }
  nopen = left;
}

static void make_comm(void)
{
  MPI_Comm from = comms[dice_below(&common, ncomms)];
  if (dice_below(&common, 2)) {
    MPI_Comm_dup(from, &comms[ncomms++]);
  } else {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, dice_below(&common, 2) ? rank % 2 : 0, -rank, &comms[ncomms++]);
  }
}

/* Some MPIs lose their operations in flight with a communicator. */
static void free_comm(void)
{
  complete(true);
  const int k = 1 + dice_below(&common, ncomms - 1);
  MPI_Comm_free(&comms[k]);
  comms[k] = comms[--ncomms];
}

static void random_step(void)
{
  const int what = dice_below(&common, 20);
  if (what == 0 && ncomms < MOST_COMMS) make_comm();
  if (what == 1 && ncomms > 1) free_comm();
  if (nopen == MOST_CALLS) complete(true);
  if (what > 1) begin_call(comms[dice_below(&common, ncomms)]);
  if (dice_once_in(&own, 40)) nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
  if (dice_once_in(&own, 3)) complete(false);
  if (dice_once_in(&own, 12)) complete(true);
}

static void random_program(uint64_t seed)
{
  common = (dice){seed, 0};
  own = (dice){seed * 1000 + 17 + (uint64_t)test_rank, 0};
  comms[0] = MPI_COMM_WORLD;
  ncomms = 1;
  for (int k = 0; k < STEPS; k++) random_step();
  complete(true);
  while (ncomms > 1) free_comm();
}

TEST(random_programs_get_the_results_of_the_mpi)
{
  const char *seed = getenv("OVK_TEST_SEED"), *programs = getenv("OVK_TEST_PROGRAMS");
  const int n = seed ? 1 : programs ? atoi(programs) : 12;
  list_types();
  for (int k = 0; k < n; k++) {
    random_program(seed ? (uint64_t)strtoull(seed, NULL, 10) : (uint64_t)k + 1);
  }
}

static void check_operations(MPI_Datatype type, int operations)
{
  enum { BYTES = 24 };
  for (int o = 0; o < operations; o++) {
    char from[BYTES] = {(char)(1 + test_rank)}, to[BYTES] = {0}, same[BYTES] = {0};
    MPI_Request request;
    MPI_Allreduce(from, to, 1, type, ops[o], MPI_COMM_WORLD);
    MPI_Iallreduce(from, same, 1, type, ops[o], MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert_memory_equal(to, same, BYTES);
    PMPI_Allreduce(from, same, 1, type, ops[o], MPI_COMM_WORLD);
    assert_memory_equal(to, same, BYTES);
  }
}

/* The log of the library has whether each was carried; see carry.sh. */
TEST(every_type_and_operation)
{
  enum { ROWS = 7, COLUMNS = 3 };
  const MPI_Datatype integers[ROWS][COLUMNS] = {
      {MPI_INT, MPI_LONG, MPI_LONG_LONG},
      {MPI_SHORT, MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR},
      {MPI_UNSIGNED_SHORT, MPI_UNSIGNED, MPI_UNSIGNED_LONG},
      {MPI_UNSIGNED_LONG_LONG, MPI_INT8_T, MPI_INT16_T},
      {MPI_INT32_T, MPI_INT64_T, MPI_UINT8_T},
      {MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T},
      {MPI_AINT, MPI_OFFSET, MPI_COUNT}};
  list_types();
  for (int k = 0; k < ROWS * COLUMNS; k++)
    check_operations(integers[k / COLUMNS][k % COLUMNS], NOPS);
  check_operations(MPI_DOUBLE, REAL_OPS);
  check_operations(MPI_FLOAT, REAL_OPS);
}
