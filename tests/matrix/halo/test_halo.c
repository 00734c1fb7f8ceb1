/* SPDX-License-Identifier: BSD-2-Clause */
/* The halo exchange: all ways to move rows give the same bits; OVK_HALO chooses. */
#include "support/problem.h"
#include "support/system/no_shared_memory.h"

/* Nodes of so many ranks are emulated; 0: they are as they are. */
static int ranks_a_node;

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out)
{
  int rank;
  if (!ranks_a_node) return PMPI_Comm_split_type(comm, type, key, info, out);
  PMPI_Comm_rank(comm, &rank);
  return PMPI_Comm_split(comm, rank / ranks_a_node, key, out);
}

/* A context made while rank 0 had OVK_HALO set to `value`; NULL: had not. */
static ovk_ctx *make_ctx(const char *value)
{
  const char *had = getenv("OVK_HALO");
  scoped_array char *kept = had ? strdup(had) : NULL;
  if (test_rank == 0 && value) {
    setenv("OVK_HALO", value, 1);
  } else {
    unsetenv("OVK_HALO");
  }
  ovk_ctx *ctx = new_ctx();
  if (kept) setenv("OVK_HALO", kept, 1);
  if (!kept) unsetenv("OVK_HALO");
  return ctx;
}

/* GRID: its stencil; FULL: all entries, where ranks have 0, 1, 2, ... rows; ONE_WAY: a rank needs
 * rows of the next rank, which needs none of its. */
typedef enum problem { GRID, FULL, ONE_WAY, PROBLEMS } problem;

static ovk_mat *make_matrix(ovk_ctx *ctx, problem p)
{
  enum { N = 20 };
  const int n[3] = {3, 4, 5}, grid[3] = {1, 1, test_size};
  ovk_mat *A = NULL;
  if (p == GRID) {
    assert_int_equal(ovk_gallery_laplace27(ctx, n, grid, NULL, &A), OVK_OK);
    return A;
  }
  scoped_array double *all = random_spd(N, 10, 7);
  for (int i = 0; i < N && p == ONE_WAY; i++) {
    for (int j = 0; j < i; j++) all[i * N + j] = 0;
  }
  const ovk_lidx rest = N - (test_size - 1) * (test_size - 2) / 2;
  A = distribute(ctx, all, N, is_last() ? rest : test_rank);
  return A;
}

/* x <- A x, several times. */
static void multiply(const ovk_mat *A, ovk_vec *x)
{
  enum { TIMES = 6 };
  scoped_vec *y = NULL;
  assert_int_equal(ovk_vec_duplicate(x, &y), OVK_OK);
  for (int k = 0; k < TIMES; k++) {
    assert_int_equal(ovk_mat_mult(A, k % 2 ? y : x, k % 2 ? x : y), OVK_OK);
  }
}

/* This rank's rows of such a product, to be freed. A second matrix is used in turn with the first,
 * and a third where the first was. */
static double *products(const char *value, problem p, ovk_lidx *nrows)
{
  scoped_ctx *ctx = make_ctx(value);
  scoped_mat *A = make_matrix(ctx, p), *B = make_matrix(ctx, p);
  scoped_vec *x = new_vec(A);
  *nrows = ovk_vec_local_size(x);
  for (ovk_lidx i = 0; i < *nrows; i++) {
    ovk_vec_array(x)[i] = random_number((uint64_t)test_rank, (uint64_t)i);
  }
  multiply(A, x);
  multiply(B, x);
  multiply(A, x);
  ovk_mat_destroy(&A);
  A = make_matrix(ctx, p);
  multiply(B, x);
  multiply(A, x);
  double *result = new_memory((size_t)(*nrows + 1) * sizeof *result);
  memcpy(result, ovk_vec_array(x), (size_t)*nrows * sizeof *result);
  return result;
}

static void compare_with_messages(const char *value)
{
  for (problem p = GRID; p < PROBLEMS; p++) {
    ovk_lidx n;
    scoped_array double *expected = products("p2p", p, &n), *result = products(value, p, &n);
    assert_memory_equal(result, expected, (size_t)n * sizeof *result);
  }
}

TEST(all_ways_give_the_same_bits)
{
  static const char *const values[] = {NULL,
                                       "shm",
                                       "nbc",
                                       "nbc:window=1",
                                       "nbc:window=6",
                                       "verbs:device=emulated",
                                       "verbs:device=emulated,window=1"};
  for (size_t k = 0; k < sizeof values / sizeof *values; k++) compare_with_messages(values[k]);
}

TEST(ranks_of_other_nodes_get_messages)
{
  for (ranks_a_node = 1; ranks_a_node <= 2; ranks_a_node++) compare_with_messages("shm");
  ranks_a_node = 0;
}

static int64_t matrix_bytes(const char *value)
{
  scoped_ctx *ctx = make_ctx(value);
  scoped_mat *A = make_matrix(ctx, GRID);
  return ovk_mat_bytes(A);
}

TEST(bytes_are_those_of_the_transport)
{
  const int64_t face = 12 * (int64_t)sizeof(double), faces = 2 * (int64_t)(test_size - 1);
  const int64_t messages = matrix_bytes("p2p");
  assert_int_equal(matrix_bytes("shm"), messages + faces * face); /* two places, no buffer */
  ranks_a_node = 1;
  assert_int_equal(matrix_bytes("shm"), messages);
  ranks_a_node = 0;
}

TEST(messages_replace_memory_that_is_not_there)
{
  no_shared_memory = true;
  compare_with_messages(NULL);
  ovk_ctx *ctx = make_ctx("shm");
  const int n[3] = {3, 4, 5}, grid[3] = {1, 1, test_size};
  ovk_mat *A = NULL;
  const ovk_err err = ovk_gallery_laplace27(ctx, n, grid, NULL, &A);
  assert_int_equal(err, test_size > 1 ? OVK_ERR_MEMORY : OVK_OK); /* asked for by name */
  ovk_mat_destroy(&A);
  ovk_ctx_destroy(&ctx);
  no_shared_memory = false;
}

TEST(memory_that_one_node_lacks_is_replaced_on_all)
{
  ranks_a_node = 2;
  no_shared_memory = test_rank < ranks_a_node;
  compare_with_messages(NULL);
  no_shared_memory = false;
  ranks_a_node = 0;
}

TEST(what_is_no_halo_exchange_is_an_error_of_assembly)
{
  static const struct {
    const char *value;
    ovk_err err;
    const char *said;
  } list[] = {
      {"rdma", OVK_ERR_UNKNOWN, "unknown halo exchange 'rdma'; there are: shm, p2p, nbc"},
      {"nbd", OVK_ERR_UNKNOWN, "did you mean 'nbc'?"},
      {"p2p:window=2", OVK_ERR_UNKNOWN, "window"},
      {"shm:window=2", OVK_ERR_UNKNOWN, "window"},
      {"nbc:widow=2", OVK_ERR_UNKNOWN, "did you mean 'window'?"},
      {"nbc:window=0", OVK_ERR_ARG, "window"},
      {"nbc:", OVK_ERR_ARG, ""},
      {"verbs:device=emulated,widow=2", OVK_ERR_UNKNOWN, "did you mean 'window'?"},
  };
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    scoped_ctx *ctx = make_ctx(list[k].value);
    scoped_mat *A = NULL;
    assert_int_equal(ovk_mat_create(ctx, 2, &A), OVK_OK);
    assert_int_equal(ovk_mat_assemble(A), list[k].err);
    if (!strstr(ovk_ctx_error(ctx), list[k].said)) fail_msg("it said: %s", ovk_ctx_error(ctx));
  }
}
