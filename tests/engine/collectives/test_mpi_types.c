/* SPDX-License-Identifier: BSD-2-Clause */
/* Reductions of the predefined types of MPI and of user-defined types and operations: every
 * operation that MPI defines for a type gives the result of MPI, all others are errors on all
 * ranks. */
#include "support/problem.h"

#include <ovkrylov/comm/collectives.h>

enum { ITEMS = 5, MOST_BYTES = 64 };

typedef unsigned char bytes[ITEMS * MOST_BYTES];

/* Small numbers in the type's own representation, made by adding up ones. */
typedef enum kind { INTEGER, OTHER_INTEGER, REAL, LOGICAL, COMPLEX, BYTE, PAIR } kind;

static const struct {
  MPI_Datatype type;
  kind kind;
} types[] = {
    {MPI_SIGNED_CHAR, INTEGER},
    {MPI_UNSIGNED_SHORT, INTEGER},
    {MPI_INT, INTEGER},
    {MPI_LONG, INTEGER},
    {MPI_UNSIGNED_LONG_LONG, INTEGER},
    {MPI_INT16_T, INTEGER},
    {MPI_AINT, OTHER_INTEGER},
    {MPI_COUNT, OTHER_INTEGER},
    {MPI_FLOAT, REAL},
    {MPI_DOUBLE, REAL},
    {MPI_LONG_DOUBLE, REAL},
    {MPI_C_BOOL, LOGICAL},
    {MPI_C_FLOAT_COMPLEX, COMPLEX},
    {MPI_C_DOUBLE_COMPLEX, COMPLEX},
    {MPI_BYTE, BYTE},
    {MPI_DOUBLE_INT, PAIR},
    {MPI_SHORT_INT, PAIR},
    {MPI_2INT, PAIR},
    {MPI_CHAR, PAIR + 1}, /* has none */
};
enum { NTYPES = sizeof types / sizeof *types };

static const struct {
  MPI_Op op;
  unsigned kinds;
} ops[] = {
    {MPI_SUM, 1 << INTEGER | 1 << OTHER_INTEGER | 1 << REAL | 1 << COMPLEX},
    {MPI_PROD, 1 << INTEGER | 1 << OTHER_INTEGER | 1 << REAL | 1 << COMPLEX},
    {MPI_MAX, 1 << INTEGER | 1 << OTHER_INTEGER | 1 << REAL},
    {MPI_LAND, 1 << INTEGER | 1 << LOGICAL},
    {MPI_LXOR, 1 << INTEGER | 1 << LOGICAL},
    {MPI_BOR, 1 << INTEGER | 1 << OTHER_INTEGER | 1 << BYTE},
    {MPI_MINLOC, 1 << PAIR},
    {MPI_REPLACE, 0},
};
enum { NOPS = sizeof ops / sizeof *ops };

/* Numbers that are exact in each type: any bytes are an integer; of reals, pairs and complex
 * numbers, ones and zeros of their parts. */
static void fill_bytes(bytes data, MPI_Datatype type, kind k)
{
  static const long double one_l = 1;
  static const double one_d = 1;
  static const float one_f = 1;
  memset(data, 0, sizeof(bytes));
  for (int i = 0; i < ITEMS; i++) {
    const int value = (test_rank + i) % 2;
    int size;
    MPI_Type_size(type, &size);
    unsigned char *at = data;
    if (k == REAL || k == COMPLEX) {
      const int part = k == COMPLEX ? size / 2 : size;
      at += (size_t)i * (size_t)size;
      if (value && part == (int)sizeof one_f) memcpy(at, &one_f, sizeof one_f);
      if (value && part == (int)sizeof one_d) memcpy(at, &one_d, sizeof one_d);
      if (value && part == (int)sizeof one_l) memcpy(at, &one_l, sizeof one_l);
    } else if (k == PAIR) {
      MPI_Aint lower, extent;
      MPI_Type_get_extent(type, &lower, &extent);
      at += i * extent;
      if (type == MPI_2INT) memcpy(at, (int[]){value, test_rank}, 2 * sizeof(int));
      if (type == MPI_SHORT_INT) memcpy(at, &(short){(short)value}, sizeof(short));
      if (type == MPI_SHORT_INT) memcpy(at + sizeof(int), &test_rank, sizeof(int));
      if (type == MPI_DOUBLE_INT && value) memcpy(at, &one_d, sizeof one_d);
      if (type == MPI_DOUBLE_INT) memcpy(at + sizeof(double), &test_rank, sizeof(int));
    } else {
      at[i * size] = (unsigned char)(k == LOGICAL ? value : value * 3);
    }
  }
}

static void check(MPI_Datatype type, MPI_Op op, kind k)
{
  bytes in, own, mpi;
  fill_bytes(in, type, k);
  memset(own, 0, sizeof own);
  memset(mpi, 0, sizeof mpi);
  run_collective(allreduce_mpi, NULL, in, own, ITEMS, type, op);
  MPI_Allreduce(in, mpi, ITEMS, type, op, MPI_COMM_WORLD);
  assert_memory_equal(own, mpi, sizeof own);
}

TEST(what_mpi_defines_is_what_mpi_computes_and_nothing_else_is_taken)
{
  for (int t = 0; t < NTYPES; t++) {
    for (int o = 0; o < NOPS; o++) {
      bytes in, out;
      if (ops[o].kinds >> types[t].kind & 1) {
        check(types[t].type, ops[o].op, types[t].kind);
      } else {
        assert_no_collective(allreduce_mpi, OVK_ERR_ARG,
                             "MPI does not define this operation for this type", NULL, in, out,
                             ITEMS, types[t].type, ops[o].op);
      }
    }
  }
}

/* Sets, as a type of the user's: a range of numbers; joining them is not commutative. */
typedef struct range {
  int first, last;
  double gap; /* not in the type */
} range;

static void join(void *from, void *to, int *count, MPI_Datatype *type)
{
  const range *a = from;
  range *b = to;
  for (int k = 0; k < *count; k++) {
    if (a[k].last + 1 != b[k].first) b[k].last = -1000; /* not neighbors in this order */
    b[k].first = a[k].first;
  }
}

static void widen(void *from, void *to, int *count, MPI_Datatype *type)
{
  const range *a = from;
  range *b = to;
  for (int k = 0; k < *count; k++) {
    if (a[k].first < b[k].first) b[k].first = a[k].first;
    if (a[k].last > b[k].last) b[k].last = a[k].last;
  }
}

static MPI_Datatype make_range_type(void)
{
  MPI_Datatype two, type;
  MPI_Type_contiguous(2, MPI_INT, &two);
  MPI_Type_create_resized(two, 0, sizeof(range), &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&two);
  return type;
}

static void check_ranges(const range *r, int first, int last)
{
  for (int k = 0; k < ITEMS; k++) {
    assert_int_equal(r[k].first, first);
    assert_int_equal(r[k].last, last);
  }
}

TEST(users_types_and_operations_are_reduced)
{
  static const char *const specs[] = {NULL, "nbc:alg=tree", "nbc:alg=ring",
                                      "nbc:levels=2,channel=shm"};
  const int root = test_size - 1;
  SCOPED(MPI_Type_free) MPI_Datatype type = make_range_type();
  SCOPED(MPI_Op_free) MPI_Op op = MPI_OP_NULL;
  range in[ITEMS], out[ITEMS];
  MPI_Op_create(widen, 1, &op);
  for (int k = 0; k < ITEMS; k++) in[k] = (range){test_rank, test_rank, 0};
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
    run_collective(allreduce_mpi, specs[k], in, out, ITEMS, type, op);
    check_ranges(out, 0, test_size - 1);
    if (k == 2) continue; /* the ring has no root */
    run_collective(reduce_mpi, specs[k], in, out, ITEMS, type, op, root);
    if (test_rank == root) check_ranges(out, 0, test_size - 1);
  }
  scoped_array int *counts = new_zeros((size_t)test_size, sizeof *counts);
  counts[root] = ITEMS;
  run_collective(reduce_scatter_mpi, NULL, in, out, counts, type, op);
  if (test_rank == root) check_ranges(out, 0, test_size - 1);
}

TEST(operations_that_do_not_commute_are_for_scans)
{
  SCOPED(MPI_Type_free) MPI_Datatype type = make_range_type();
  SCOPED(MPI_Op_free) MPI_Op op = MPI_OP_NULL;
  range in[ITEMS], out[ITEMS];
  MPI_Op_create(join, 0, &op);
  for (int k = 0; k < ITEMS; k++) in[k] = (range){test_rank, test_rank, 0};
  run_collective(scan_mpi, NULL, in, out, ITEMS, type, op);
  check_ranges(out, 0, test_rank);
  run_collective(exscan_mpi, NULL, in, out, ITEMS, type, op);
  if (test_rank > 0) check_ranges(out, 0, test_rank - 1);
  assert_no_collective(allreduce_mpi, OVK_ERR_ARG, "must be commutative", NULL, in, out, ITEMS,
                       type, op);
}

TEST(types_whose_items_overlap_or_do_not_begin_at_0_are_refused)
{
  double in[16] = {0}, out[16];
  SCOPED(MPI_Type_free)
  MPI_Datatype column = MPI_DATATYPE_NULL, narrow = MPI_DATATYPE_NULL, shifted = MPI_DATATYPE_NULL;
  MPI_Type_vector(3, 1, 4, MPI_DOUBLE, &column);
  MPI_Type_create_resized(column, 0, sizeof(double), &narrow);
  MPI_Type_create_resized(MPI_DOUBLE, -8, 24, &shifted);
  MPI_Type_commit(&narrow);
  MPI_Type_commit(&shifted);
  assert_no_collective(scan_mpi, OVK_ERR_ARG, "must not overlap", NULL, in, out, 1, narrow,
                       MPI_SUM);
  assert_no_collective(scan_mpi, OVK_ERR_ARG, "a type of 24 bytes from -8 on", NULL, in, out, 1,
                       shifted, MPI_SUM);
}

TEST(a_missing_operation_on_one_rank_is_an_error_on_all)
{
  const int in = 1;
  int out;
  const MPI_Op op = test_rank == test_size - 1 ? MPI_OP_NULL : MPI_SUM;
  assert_no_collective(allreduce_mpi, OVK_ERR_ARG, "the operation is MPI_OP_NULL", NULL, &in, &out,
                       1, MPI_INT, op);
  assert_no_collective(exscan_mpi, OVK_ERR_ARG, "the operation is MPI_OP_NULL", NULL, &in, &out, 1,
                       MPI_INT, op);
}
