/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend "auto": its choices, and that it reports them. */
#include "backends/choose.h"
#include "support/conformance.h"
#include "support/problem.h"

#include <ovkrylov/comm/reduction.h>

/* Number of ranks that share memory with this one. */
static int ranks_here(void)
{
  SCOPED(MPI_Comm_free) MPI_Comm node = MPI_COMM_NULL;
  int size = 0;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &size);
  return size;
}

TEST(shared_memory_if_all_ranks_have_it)
{
  assert_string_equal(ovk__backend_suits(1, 1, true), "shm");
  assert_string_equal(ovk__backend_suits(48, 48, false), "shm");
  const char *const over_nodes = ovk__backend_suits(1, 2, false);
  assert_string_equal(over_nodes, "nbc:levels=node+net,channel=shm+p2p,alg=flat+doubling");
  assert_string_equal(ovk__backend_suits(47, 48, false), over_nodes);
  assert_string_equal(ovk__backend_suits(1, 2, true),
                      "nbc:levels=node+net,channel=shm+p2p,alg=flat+doubling,progress=thread");
}

TEST(what_it_chooses_over_nodes_conforms_anywhere)
{
  conformance_check(ovk__backend_suits(1, 2, false), NULL);
}

static ovk_reduction *make_sum(ovk_ctx *ctx, const char *spec)
{
  ovk_reduction *red = NULL;
  assert_int_equal(ovk_reduction_create(ctx, spec, 1, &red), OVK_OK);
  return red;
}

/* Sums over `first` and then `second` use one opened backend, whose spec states the choice. */
static void check_shared(const char *first, const char *second)
{
  const char *const chosen = ovk__backend_suits(ranks_here(), test_size, false);
  scoped_ctx *ctx = new_ctx();
  scoped_reduction *a = make_sum(ctx, first), *b = make_sum(ctx, second);
  assert_string_equal(ovk_reduction_spec(a), chosen);
  assert_ptr_equal(ovk_reduction_spec(a), ovk_reduction_spec(b));
  for (int t = 0; t < 3; t++) {
    ovk_reduction_values(a)[0] = test_rank + 1;
    ovk_reduction_values(b)[0] = t;
    assert_int_equal(ovk_reduction_begin(a), OVK_OK);
    assert_int_equal(ovk_reduction_begin(b), OVK_OK);
    assert_int_equal(ovk_reduction_wait(b), OVK_OK);
    assert_int_equal(ovk_reduction_wait(a), OVK_OK);
    assert_true(ovk_reduction_values(a)[0] == test_size * (test_size + 1) / 2.0);
    assert_true(ovk_reduction_values(b)[0] == t * test_size);
  }
}

TEST(auto_is_another_name_of_what_it_chose)
{
  const char *const chosen = ovk__backend_suits(ranks_here(), test_size, false);
  check_shared("auto", "auto");
  check_shared("auto", chosen);
  check_shared(chosen, "auto");
}

TEST(auto_is_the_default)
{
  unsetenv("OVK_BACKEND");
  check_shared("auto", NULL);
  assert_int_equal(setenv("OVK_BACKEND", "auto", 1), 0);
  check_shared(NULL, "auto");
  unsetenv("OVK_BACKEND");
}

TEST(a_solver_tells_what_was_chosen)
{
  scoped_mat *A = new_laplace7(4, 4, 4);
  scoped_solver *solver = new_solver(A, NULL, NULL);
  assert_string_equal(ovk_solver_backend(solver),
                      ovk__backend_suits(ranks_here(), test_size, false));
}

TEST(it_is_listed_and_takes_no_keys)
{
  ovk_choice first = OVK_CHOICE;
  assert_true(ovk_list_backends(NULL, 0, &first));
  assert_string_equal(first.name, "auto");
  ovk_reduction *red = new_sum("AUTO", 1);
  assert_ok(ovk_reduction_begin(red));
  assert_ok(ovk_reduction_wait(red));
  ovk_reduction_destroy(&red);
  assert_no_sum("auto:alg=flat", 1, OVK_ERR_UNKNOWN, "no keys");
  assert_no_sum("auto|shm", 1, OVK_ERR_ARG, "is no decorator");
}
