/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the preloaded libovk_mpi.so: gathers, scatters and all-to-alls have the results of the
 * MPI, for lengths up to those that are handed back or sent as messages. */
#include "support/test_main.h"

enum { LENGTHS = 7, MOST_RANKS = 3, SPACE = 3 * MOST_RANKS * 40000, GAP = -7 };
static const int lengths[LENGTHS] = {0, 1, 3, 300, 3000, 9000, 40000};
static int from[SPACE], to[SPACE], expected[SPACE];

/* Items that say where they come from. */
static void fill_all(int id)
{
  for (int k = 0; k < SPACE; k++) {
    from[k] = (test_rank + 1) * 10000000 + id * 500000 + k;
    to[k] = expected[k] = GAP;
  }
}

/* A call of the MPI and that of the library write the same to `result`. */
#define COMPARE(name, ...)                                                                         \
  do {                                                                                             \
    int *result = expected;                                                                        \
    PMPI_##name(__VA_ARGS__);                                                                      \
    result = to;                                                                                   \
    MPI_##name(__VA_ARGS__);                                                                       \
    assert_memory_equal(to, expected, sizeof to);                                                  \
  } while (0)

/* Every second int, with the extent of two. */
static MPI_Datatype spaced_int(void)
{
  MPI_Datatype type;
  MPI_Type_create_resized(MPI_INT, 0, 2 * (MPI_Aint)sizeof(int), &type);
  MPI_Type_commit(&type);
  return type;
}

/* Ranks differ in the type with one signature: of odd ranks it has gaps. */
static MPI_Datatype own_type(MPI_Datatype spaced)
{
  return test_rank % 2 ? spaced : MPI_INT;
}

TEST(gathers_have_the_results_of_the_mpi)
{
  MPI_Datatype spaced = spaced_int();
  const MPI_Datatype own = own_type(spaced);
  for (int k = 0; k < LENGTHS; k++) {
    const int n = lengths[k], root = k % test_size;
    fill_all(k);
    COMPARE(Gather, from, n, own, result, n, MPI_INT, root, MPI_COMM_WORLD);
    COMPARE(Allgather, from, n, MPI_INT, result, n, own, MPI_COMM_WORLD);
  }
  MPI_Type_free(&spaced);
}

TEST(scatters_have_the_results_of_the_mpi)
{
  MPI_Datatype spaced = spaced_int();
  const MPI_Datatype own = own_type(spaced);
  for (int k = 0; k < LENGTHS; k++) {
    const int n = lengths[k], root = (k + 1) % test_size;
    fill_all(k);
    COMPARE(Scatter, from, n, own, result, n, MPI_INT, root, MPI_COMM_WORLD);
    COMPARE(Alltoall, from, n, own, result, n, MPI_INT, MPI_COMM_WORLD);
  }
  MPI_Type_free(&spaced);
}

TEST(in_place_items_are_where_they_belong)
{
  for (int k = 0; k < LENGTHS; k++) {
    const int n = lengths[k], root = k % test_size;
    const bool here = test_rank == root;
    void *place = MPI_IN_PLACE;
    fill_all(k);
    memcpy(to, from, sizeof to);
    memcpy(expected, from, sizeof to);
    COMPARE(Gather, here ? place : from, n, MPI_INT, result, n, MPI_INT, root, MPI_COMM_WORLD);
    COMPARE(Scatter, from, n, MPI_INT, here ? place : result, n, MPI_INT, root, MPI_COMM_WORLD);
    COMPARE(Allgather, place, 0, MPI_DATATYPE_NULL, result, n, MPI_INT, MPI_COMM_WORLD);
    COMPARE(Alltoall, place, 0, MPI_DATATYPE_NULL, result, n, MPI_INT, MPI_COMM_WORLD);
  }
}

/* The items that one rank sends to another; some send none, some many. */
static int items_of_pair(int sender, int receiver, int k)
{
  return lengths[(3 * sender + 5 * receiver + k) % LENGTHS];
}

/* Places with a gap between blocks, the last block first. */
static int list_places(const int *counts, int *displs)
{
  int at = 0;
  for (int rank = test_size - 1; rank >= 0; rank--) {
    displs[rank] = at;
    at += counts[rank] + 1;
  }
  return at;
}

TEST(blocks_of_gathers_may_differ_in_length)
{
  MPI_Datatype spaced = spaced_int();
  const MPI_Datatype own = own_type(spaced);
  for (int k = 0; k < 2 * LENGTHS; k++) {
    const int root = k % test_size;
    int counts[MOST_RANKS], displs[MOST_RANKS];
    for (int rank = 0; rank < test_size; rank++) counts[rank] = items_of_pair(rank, 0, k);
    list_places(counts, displs);
    const int n = counts[test_rank];
    const void *send = k % 3 == 0 && test_rank == root ? MPI_IN_PLACE : from;
    fill_all(k);
    COMPARE(Gatherv, send, n, own, result, counts, displs, MPI_INT, root, MPI_COMM_WORLD);
    COMPARE(Allgatherv, from, n, own, result, counts, displs, MPI_INT, MPI_COMM_WORLD);
    COMPARE(Scatterv, from, counts, displs, MPI_INT, result, n, own, root, MPI_COMM_WORLD);
  }
  MPI_Type_free(&spaced);
}

TEST(blocks_of_exchanges_may_differ_in_length)
{
  MPI_Datatype spaced = spaced_int();
  for (int k = 0; k < 2 * LENGTHS; k++) {
    int sends[MOST_RANKS], starts[MOST_RANKS], receives[MOST_RANKS], places[MOST_RANKS];
    MPI_Datatype out[MOST_RANKS], in[MOST_RANKS];
    for (int rank = 0; rank < test_size; rank++) {
      sends[rank] = items_of_pair(test_rank, rank, k);
      receives[rank] = items_of_pair(rank, test_rank, k);
      out[rank] = in[rank] = MPI_INT;
    }
    list_places(sends, starts);
    list_places(receives, places);
    fill_all(k);
    COMPARE(Alltoallv, from, sends, starts, MPI_INT, result, receives, places, MPI_INT,
            MPI_COMM_WORLD);
    out[k % test_size] = spaced;
    for (int rank = 0; rank < test_size; rank++) {
      starts[rank] *= (int)sizeof(int);
      places[rank] *= (int)sizeof(int);
    }
    COMPARE(Alltoallw, from, sends, starts, out, result, receives, places, in, MPI_COMM_WORLD);
  }
  MPI_Type_free(&spaced);
}

/* Of the last rank. MPICH does not look at their types. */
TEST(empty_blocks_may_have_no_type)
{
  const int last = test_size - 1;
  int counts[MOST_RANKS] = {0}, displs[MOST_RANKS] = {0};
  MPI_Datatype in[MOST_RANKS], out[MOST_RANKS];
  fill_all(2);
  for (int rank = 0; rank < test_size; rank++) {
    in[rank] = out[rank] = test_rank == last && last > 0 ? MPI_DATATYPE_NULL : MPI_INT;
  }
  if (test_rank == 0) counts[0] = 3;
  MPI_Alltoallw(from, counts, displs, out, to, counts, displs, in, MPI_COMM_WORLD);
  if (test_rank == 0) memcpy(expected, from, 3 * sizeof(int));
  assert_memory_equal(to, expected, sizeof to);
}

/* Blocks in place are replaced by those of the other ranks. */
TEST(exchanges_of_different_blocks_may_be_in_place)
{
  int counts[MOST_RANKS], displs[MOST_RANKS];
  fill_all(1);
  memcpy(to, from, sizeof to);
  memcpy(expected, from, sizeof to);
  for (int rank = 0; rank < test_size; rank++) counts[rank] = 2 + test_rank + rank;
  list_places(counts, displs);
  COMPARE(Alltoallv, MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, result, counts, displs, MPI_INT,
          MPI_COMM_WORLD);
}

static int class_of(int code)
{
  int class;
  MPI_Error_class(code, &class);
  return class;
}

TEST(ranks_that_differ_in_bytes_get_an_error_and_may_go_on)
{
  MPI_Comm comm;
  const bool here = test_rank == 0;
  int one = 1, sum = 0;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const int n = here ? 2 : 1;
  assert_int_equal(class_of(MPI_Allgather(from, n, MPI_INT, to, n, MPI_INT, comm)), MPI_ERR_ARG);
  assert_int_equal(class_of(MPI_Alltoall(from, n, MPI_INT, to, n, MPI_INT, comm)), MPI_ERR_ARG);
  const int code = MPI_Gather(from, n, MPI_INT, to, n, MPI_INT, 0, comm);
  assert_int_equal(class_of(code), here ? MPI_ERR_ARG : MPI_SUCCESS);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  assert_int_equal(sum, test_size);
  MPI_Comm_free(&comm);
}

/* Blocks of these lengths are messages. */
TEST(a_message_of_another_length_is_an_error_of_its_receiver)
{
  enum { LONG = 30000 };
  int sends[MOST_RANKS], receives[MOST_RANKS], displs[MOST_RANKS];
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (int more = -1; more <= 1; more++) {
    for (int rank = 0; rank < test_size; rank++) {
      displs[rank] = rank * (LONG + 1);
      sends[rank] = LONG + (rank == 0 && test_rank != 0 ? more : 0);
      receives[rank] = LONG;
    }
    const int code =
        MPI_Alltoallv(from, sends, displs, MPI_INT, to, receives, displs, MPI_INT, comm);
    assert_int_equal(class_of(code), test_rank == 0 && more != 0 ? MPI_ERR_ARG : MPI_SUCCESS);
  }
  MPI_Comm_free(&comm);
}

/* Of 3 ranks: rank 1 sends a block above the limit, for which rank 0 has no room. */
TEST(a_message_of_a_failed_call_reaches_no_later_one)
{
  enum { LONG = 690 };
  int counts[MOST_RANKS] = {0}, displs[MOST_RANKS] = {0};
  MPI_Comm comm;
  if (test_size < 3) skip(); /* the sender of a longer message would wait */
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (int call = 0; call < 2; call++) {
    fill_all(call);
    counts[1] = call == 0 ? 1 : LONG;
    const int n = test_rank == 1 ? LONG : 0;
    const int code = MPI_Gatherv(from, n, MPI_INT, to, counts, displs, MPI_INT, 0, comm);
    assert_int_equal(class_of(code), test_rank == 0 && call == 0 ? MPI_ERR_ARG : MPI_SUCCESS);
  }
  for (int k = 0; k < LONG && test_rank == 0; k++) assert_int_equal(to[k], 20500000 + k);
  MPI_Comm_free(&comm);
}

/* The type of a short block of rank 0 is not committed, so the MPI does not pack it. */
TEST(a_rank_with_a_wrong_block_exchanges_its_messages)
{
  enum { LONG = 30000, SHORT = 2 };
  int counts[MOST_RANKS], displs[MOST_RANKS];
  MPI_Datatype types[MOST_RANKS], wrong;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Type_vector(SHORT, 1, 2, MPI_INT, &wrong);
  for (int rank = 0; rank < test_size; rank++) {
    counts[rank] = rank == test_rank ? SHORT : LONG;
    displs[rank] = rank * LONG * (int)sizeof(int);
    types[rank] = MPI_INT;
  }
  if (test_rank == 0) {
    counts[0] = 1;
    types[0] = wrong;
  }
  fill_all(0);
  const int code = MPI_Alltoallw(from, counts, displs, types, to, counts, displs, types, comm);
  assert_int_not_equal(code, MPI_SUCCESS);
  const int sent = test_rank * LONG; /* the place of the block in `from` of its sender */
  for (int rank = 0; rank < test_size; rank++) {
    const int first = (rank + 1) * 10000000 + sent;
    if (rank != test_rank) assert_int_equal(to[rank * LONG], first);
  }
  MPI_Type_free(&wrong);
  MPI_Comm_free(&comm);
}

TEST(a_root_that_is_no_rank_is_an_error)
{
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (int n = 0; n < 2; n++) {
    int code = MPI_Gather(from, n, MPI_INT, to, n, MPI_INT, test_size, comm);
    assert_int_equal(class_of(code), MPI_ERR_ROOT);
    code = MPI_Scatter(from, n, MPI_INT, to, n, MPI_INT, -3, comm);
    assert_int_equal(class_of(code), MPI_ERR_ROOT);
  }
  const bool here = test_rank == 0, last = test_rank == test_size - 1;
  const int code = MPI_Gather(from, 1, MPI_INT, to, 1, MPI_INT, here ? -1 : test_size - 1, comm);
  assert_int_equal(class_of(code), here ? MPI_ERR_ROOT : last ? MPI_ERR_ARG : MPI_SUCCESS);
  MPI_Comm_free(&comm);
}

TEST_GROUP(NULL, NULL)
