/* SPDX-License-Identifier: BSD-2-Clause */
/* Trials of collective operations, and each operation in the words of both libraries. */
#include "collective_subjects.h"
#include "support/problem.h"

#include <ovkrylov/comm/collectives.h>
#include <time.h>

/* The parameters of one comparison. Shares have gaps between them and lie in reverse order. */
struct trial {
  const char *spec;
  int count, root;
  size_t size;
  ovk_type type;
  ovk_op op;
  MPI_Datatype item; /* of `size` bytes, or of the type */
  MPI_Op mpi_op;
  int *out_counts, *in_counts, *counts; /* to each rank, from each; and the same on all ranks */
  int *displacements[3];                /* of the three */
  int64_t *offsets[3];
  size_t bytes; /* of each buffer: enough for every operation */
  unsigned char *send, *receive, *expected;
};

enum { OUT, IN, COMMON };

/* How many items rank `from` has for rank `to` where counts differ. */
static int share(const trial *t, int from, int to)
{
  return (from + 2 * to) % 3 * t->count;
}

static void *array(size_t n, size_t size)
{
  void *a = new_zeros(n + 1, size);
  return a;
}

/* Lays the shares out; returns the number of items that they span. */
static int lay_out(trial *t, int which, const int *counts)
{
  int end = 0;
  t->displacements[which] = array((size_t)test_size, sizeof(int));
  t->offsets[which] = array((size_t)test_size, sizeof(int64_t));
  for (int rank = test_size - 1; rank >= 0; rank--) {
    t->displacements[which][rank] = end;
    t->offsets[which][rank] = end;
    end += counts[rank] + 1;
  }
  return end;
}

static void open_trial(trial *t)
{
  t->out_counts = array((size_t)test_size, sizeof(int));
  t->in_counts = array((size_t)test_size, sizeof(int));
  t->counts = array((size_t)test_size, sizeof(int));
  for (int rank = 0; rank < test_size; rank++) {
    t->out_counts[rank] = share(t, test_rank, rank);
    t->in_counts[rank] = share(t, rank, test_rank);
    t->counts[rank] = share(t, 0, rank);
  }
  const int *const lists[] = {t->out_counts, t->in_counts, t->counts};
  int most = test_size * t->count;
  for (int which = 0; which < 3; which++) {
    const int items = lay_out(t, which, lists[which]);
    if (items > most) most = items;
  }
  t->bytes = (size_t)most * t->size;
  t->send = array(t->bytes, 1);
  t->receive = array(t->bytes, 1);
  t->expected = array(t->bytes, 1);
}

static void close_trial(trial *t)
{
  for (int which = 0; which < 3; which++) {
    free(t->displacements[which]);
    free(t->offsets[which]);
  }
  free(t->out_counts);
  free(t->in_counts);
  free(t->counts);
  free(t->send);
  free(t->receive);
  free(t->expected);
}

/* Bytes that differ by place, rank and time; small integers where there is a type, so that sums are
 * exact in any order. */
static void fill_trial(trial *t, int time, bool typed)
{
  const uint64_t seed = (uint64_t)(time * 64 + test_rank);
  memset(t->receive, 0x5a, t->bytes);
  memset(t->expected, 0x5a, t->bytes);
  for (size_t i = 0; i < (typed ? t->bytes / 8 : t->bytes); i++) {
    const double number = floor(random_number(seed, i) * 256);
    const int64_t whole = (int64_t)number - 128;
    const double real = (double)whole;
    if (!typed) {
      t->send[i] = (unsigned char)number;
    } else {
      memcpy(t->send + 8 * i, t->type == OVK_TYPE_DOUBLE ? (const void *)&real : &whole, 8);
    }
  }
}

static void delay_rank(int time)
{
  if (time % 7 == test_rank + 2) nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

static void check(trial *t, const subject *s, bool typed, int times)
{
  ovk_collective *c = NULL;
  open_trial(t);
  assert_ok(s->create(t, &c));
  for (int time = 0; time < times; time++) {
    fill_trial(t, time, typed);
    delay_rank(time);
    assert_ok(ovk_collective_begin(c));
    delay_rank(time + 3);
    assert_ok(ovk_collective_wait(c));
    s->mpi(t);
    assert_memory_equal(t->receive, t->expected, t->bytes);
  }
  ovk_collective_destroy(&c);
  assert_null(c);
  close_trial(t);
}

/* All trials of a list on a few ranks. With more ranks than cores, where each message waits for the
 * scheduler, a different subset each time. */
static int stride(void)
{
  return test_size > 2 ? 11 : 1;
}
static int first_trial(void)
{
  static int calls;
  return calls++ % stride();
}

void check_items(const subject *s, const char *spec, bool rooted)
{
  enum { NSIZES = 4, NCOUNTS = 4 };
  static const size_t sizes[NSIZES] = {1, 3, 8, 24};
  static const int counts[NCOUNTS] = {0, 1, 5, 3000};
  const int roots = rooted ? test_size : 1;
  for (int k = first_trial(); k < NSIZES * NCOUNTS * roots; k += stride()) {
    trial t = {.spec = spec,
               .size = sizes[k % NSIZES],
               .count = counts[k / NSIZES % NCOUNTS],
               .root = k / (NSIZES * NCOUNTS)};
    MPI_Type_contiguous((int)t.size, MPI_BYTE, &t.item);
    MPI_Type_commit(&t.item);
    check(&t, s, false, 2);
    MPI_Type_free(&t.item);
  }
}

void check_numbers(const subject *s, const char *spec, bool rooted)
{
  enum { NOPS = 3, NTYPES = 2, NCOUNTS = 4 };
  const MPI_Op ops[NOPS] = {[OVK_OP_SUM] = MPI_SUM, [OVK_OP_MAX] = MPI_MAX, [OVK_OP_MIN] = MPI_MIN};
  static const int counts[NCOUNTS] = {0, 1, 5, 1000};
  const int roots = rooted ? test_size : 1;
  for (int k = first_trial(); k < NOPS * NTYPES * NCOUNTS * roots; k += stride()) {
    const bool whole = k / NOPS % NTYPES;
    trial t = {.spec = spec,
               .count = counts[k / (NOPS * NTYPES) % NCOUNTS],
               .root = k / (NOPS * NTYPES * NCOUNTS),
               .size = 8,
               .type = whole ? OVK_TYPE_INT64 : OVK_TYPE_DOUBLE,
               .op = (ovk_op)(k % NOPS),
               .item = whole ? MPI_INT64_T : MPI_DOUBLE,
               .mpi_op = ops[k % NOPS]};
    check(&t, s, true, 2);
  }
}

void check_often(const subject *s, const char *spec, bool typed)
{
  trial t = {.spec = spec,
             .count = 4,
             .root = test_size / 2,
             .size = 8,
             .item = MPI_DOUBLE,
             .mpi_op = MPI_SUM};
  check(&t, s, typed, test_size > 2 ? 20 : 100);
}

/* An operation, in the words of the two libraries: its arguments there, as lists. */
#define LIST(...) __VA_ARGS__
#define SUBJECT(name, mpi, ours, theirs)                                                           \
  static ovk_err make_##name(const trial *t, ovk_collective **out)                                 \
  {                                                                                                \
    return ovk_collective_create_##name(test_ctx(), t->spec, LIST ours, out);                      \
  }                                                                                                \
  static void mpi_##name(const trial *t)                                                           \
  {                                                                                                \
    MPI_##mpi(LIST theirs, MPI_COMM_WORLD);                                                        \
  }                                                                                                \
  const subject name = {make_##name, mpi_##name};

SUBJECT(bcast, Bcast, (test_rank == t->root ? t->send : t->receive, t->count, t->size, t->root),
        (test_rank == t->root ? t->send : t->expected, t->count, t->item, t->root))
SUBJECT(gather, Gather, (t->send, t->receive, t->count, t->size, t->root),
        (t->send, t->count, t->item, t->expected, t->count, t->item, t->root))
SUBJECT(gatherv, Gatherv,
        (t->send, t->out_counts[t->root], t->receive, t->in_counts, t->offsets[IN], t->size,
         t->root),
        (t->send, t->out_counts[t->root], t->item, t->expected, t->in_counts, t->displacements[IN],
         t->item, t->root))
SUBJECT(scatter, Scatter, (t->send, t->receive, t->count, t->size, t->root),
        (t->send, t->count, t->item, t->expected, t->count, t->item, t->root))
SUBJECT(scatterv, Scatterv,
        (t->send, t->out_counts, t->offsets[OUT], t->receive, t->in_counts[t->root], t->size,
         t->root),
        (t->send, t->out_counts, t->displacements[OUT], t->item, t->expected, t->in_counts[t->root],
         t->item, t->root))
SUBJECT(allgather, Allgather, (t->send, t->receive, t->count, t->size),
        (t->send, t->count, t->item, t->expected, t->count, t->item))
SUBJECT(allgatherv, Allgatherv, (t->send, t->receive, t->counts, t->offsets[COMMON], t->size),
        (t->send, t->counts[test_rank], t->item, t->expected, t->counts, t->displacements[COMMON],
         t->item))
SUBJECT(alltoall, Alltoall, (t->send, t->receive, t->count, t->size),
        (t->send, t->count, t->item, t->expected, t->count, t->item))
SUBJECT(alltoallv, Alltoallv,
        (t->send, t->out_counts, t->offsets[OUT], t->receive, t->in_counts, t->offsets[IN],
         t->size),
        (t->send, t->out_counts, t->displacements[OUT], t->item, t->expected, t->in_counts,
         t->displacements[IN], t->item))
SUBJECT(reduce, Reduce, (t->send, t->receive, t->count, t->type, t->op, t->root),
        (t->send, t->expected, t->count, t->item, t->mpi_op, t->root))
SUBJECT(allreduce, Allreduce, (t->send, t->receive, t->count, t->type, t->op),
        (t->send, t->expected, t->count, t->item, t->mpi_op))
SUBJECT(reduce_scatter, Reduce_scatter, (t->send, t->receive, t->counts, t->type, t->op),
        (t->send, t->expected, t->counts, t->item, t->mpi_op))
SUBJECT(scan, Scan, (t->send, t->receive, t->count, t->type, t->op),
        (t->send, t->expected, t->count, t->item, t->mpi_op))
SUBJECT(exscan, Exscan, (t->send, t->receive, t->count, t->type, t->op),
        (t->send, t->expected, t->count, t->item, t->mpi_op))
