/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors that are cut into fragments: fragments are the vector, results have the bits of a vector
 * that is not cut, and only items of the vector are combined. */
#include "comm/engine/pipeline.h"
#include "support/problem.h"
#include "support/specs/verbs_spec.h"

#include <ovkrylov/comm/collectives.h>

TEST(pieces_make_up_the_vector)
{
  for (int count = 0; count < 40; count++) {
    for (size_t bytes = 0; bytes < 90; bytes += 3) {
      for (int window = 1; window < 5; window++) {
        const ovk__cut cut = ovk__cut_up(count, 6, (ovk__fragments){bytes, window});
        assert_int_equal((cut.nfragments - 1) * cut.fragment + cut.last, count);
        assert_true(cut.nfragments == 1 || (cut.last >= 1 && cut.last <= cut.fragment));
        assert_true(!bytes || cut.fragment <= 1 || (size_t)cut.fragment * 6 <= bytes);
        assert_int_equal(cut.nstreams, cut.nfragments < window ? cut.nfragments : window);
      }
    }
  }
  const ovk__cut cut = ovk__cut_up(INT_MAX, 8, (ovk__fragments){1, 64});
  assert_true(cut.fragment == 1 && cut.nfragments == INT_MAX && cut.nstreams == 64);
}

enum { N = 101 };

/* Numbers for which different orders of summation give different bits. */
static void fill_vector(double x[N], int time)
{
  for (int i = 0; i < N; i++)
    x[i] = sin(1 + i + N * test_rank + time) * pow(10, (i * 7 + test_rank) % 9);
}

/* A reduction to each rank, one to all, and a broadcast from each, one after the other. */
static void carry_out(const char *spec, int time, double results[3][N])
{
  ovk_ctx *ctx = test_ctx();
  const int root = time % test_size;
  double part[N];
  ovk_collective *c[3] = {NULL};
  assert_ok(ovk_collective_create_reduce(ctx, spec, part, results[0], N, OVK_TYPE_DOUBLE,
                                         OVK_OP_SUM, root, &c[0]));
  assert_ok(ovk_collective_create_allreduce(ctx, spec, part, results[1], N, OVK_TYPE_DOUBLE,
                                            OVK_OP_SUM, &c[1]));
  assert_ok(ovk_collective_create_bcast(ctx, spec, results[2], N, sizeof(double), root, &c[2]));
  for (int again = 0; again < 3; again++) {
    fill_vector(part, time + again);
    memset(results, 0, 3 * sizeof *results);
    if (test_rank == root) fill_vector(results[2], time + again);
    for (int k = 0; k < 3; k++) assert_ok(ovk_collective_begin(c[k]));
    for (int k = 3; k-- > 0;) assert_ok(ovk_collective_wait(c[k]));
  }
  for (int k = 0; k < 3; k++) ovk_collective_destroy(&c[k]);
}

static void check_bits(const char *whole, const char *cut)
{
  double expected[3][N], got[3][N];
  carry_out(whole, test_size / 2, expected);
  carry_out(cut, test_size / 2, got);
  assert_memory_equal(got, expected, sizeof expected);
}

TEST(results_have_the_bits_of_a_vector_that_is_not_cut)
{
  static const char *const keys[] = {
      "alg=doubling", "alg=kary,k=3",          "alg=flat", "alg=tree", "alg=nary",
      "alg=auto",     "levels=2,alg=tree+flat"};
  static const char *const fragments[] = {"fragment=8", "fragment=80,window=1",
                                          "fragment=100,window=3", "fragment=404,window=64",
                                          "fragment=100000"};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
    char whole[80], cut[120], over_verbs[VERBS_SPEC_SIZE], cut_keys[100];
    const char *fragment = fragments[k % (sizeof fragments / sizeof *fragments)];
    snprintf(whole, sizeof whole, "nbc:%s", keys[k]);
    snprintf(cut, sizeof cut, "nbc:%s,%s", keys[k], fragment);
    check_bits(whole, cut);
    if (!on_one_node()) continue;
    snprintf(cut, sizeof cut, "nbc:%s,channel=shm,%s", keys[k], fragment);
    check_bits(whole, cut);
    snprintf(cut_keys, sizeof cut_keys, "%s,%s", keys[k], fragment);
    check_bits(whole, verbs_spec(over_verbs, cut_keys));
  }
}

/* An operation that counts how often it has seen an item that no rank has given. */
static int strangers;

static void multiply(void *from, void *to, int *count, MPI_Datatype *type)
{
  const int *a = from;
  int *b = to;
  for (int k = 0; k < *count; k++) {
    strangers += a[k] == 0 || b[k] == 0;
    b[k] *= a[k];
  }
}

TEST(users_operations_see_the_users_items_only)
{
  enum { COUNT = 10 };
  int part[COUNT], total[COUNT] = {0}, at_root[COUNT] = {0}, expected = 1;
  SCOPED(MPI_Op_free) MPI_Op op = MPI_OP_NULL;
  ovk_collective *c[2] = {NULL};
  const char *spec = "nbc:fragment=12,window=2"; /* fragments of 3, 3, 3 and 1 */
  strangers = 0;
  MPI_Op_create(multiply, 1, &op);
  for (int k = 0; k < COUNT; k++) part[k] = 1 + (test_rank + k) % 2;
  for (int rank = 0; rank < test_size; rank++) expected *= 1 + (rank + COUNT - 1) % 2;
  assert_ok(ovk_collective_create_allreduce_mpi(test_ctx(), spec, part, total, COUNT, MPI_INT, op,
                                                &c[0]));
  assert_ok(ovk_collective_create_reduce_mpi(test_ctx(), spec, part, at_root, COUNT, MPI_INT, op, 0,
                                             &c[1]));
  for (int k = 0; k < 2; k++) assert_ok(ovk_collective_run(c[k]));
  assert_int_equal(total[COUNT - 1], expected);
  assert_int_equal(at_root[COUNT - 1], test_rank == 0 ? expected : 0);
  assert_int_equal(strangers, 0);
  for (int k = 0; k < 2; k++) ovk_collective_destroy(&c[k]);
}

TEST(wrong_keys_are_errors_on_all_ranks)
{
  static const char *const wrong[][2] = {
      {"nbc:window=2", "window belongs to fragment="},
      {"nbc:fragment=0", "fragment"},
      {"nbc:fragment=64,window=65", "window"},
      {"verbs:device=emulated,fragment=64,window=0", "window"},
  };
  double x[4] = {0};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    const char *spec = wrong[k][0], *said = wrong[k][1];
    assert_no_collective(bcast, OVK_ERR_ARG, said, spec, x, 4, sizeof *x, 0);
    assert_no_collective(reduce, OVK_ERR_ARG, said, spec, x, x, 4, OVK_TYPE_DOUBLE, OVK_OP_SUM, 0);
    assert_no_collective(allreduce, OVK_ERR_ARG, said, spec, x, x, 4, OVK_TYPE_DOUBLE, OVK_OP_SUM);
  }
  assert_no_collective(scan, OVK_ERR_UNKNOWN, "'fragment'", "nbc:fragment=8", x, x, 4,
                       OVK_TYPE_DOUBLE, OVK_OP_SUM);
}
