/* SPDX-License-Identifier: BSD-2-Clause */
/* Collective operations over "verbs" that cannot be made, or whose network fails: the same errors
 * on all ranks. */
#include "support/problem.h"
#include "support/specs/verbs_spec.h"

#include <ovkrylov/comm/collectives.h>

/* Arguments of the calls. */
static double data[64];

TEST(what_agents_cannot_do_is_refused)
{
  assert_no_collective(barrier, OVK_ERR_UNKNOWN, "agent cannot be 'butler'; it takes: none, thread",
                       "verbs:device=emulated,agent=butler");
  assert_no_collective(barrier, OVK_ERR_UNKNOWN, "'agent'", "nbc:agent=thread");
  assert_no_collective(allreduce_mpi, OVK_ERR_UNSUPPORTED, "cannot execute MPI operations",
                       "verbs:device=emulated,agent=thread", data, data + 32, 1, MPI_DOUBLE,
                       MPI_SUM);
  if (test_size > 1) {
    assert_no_collective(bcast, OVK_ERR_UNSUPPORTED, "an agent needs channel=verbs at every level",
                         "verbs:device=emulated,agent=thread,channel=shm", data, 1, 8, 0);
  }
}

TEST(bad_specs_are_errors_on_all_ranks)
{
  assert_no_collective(barrier, OVK_ERR_UNKNOWN, "did you mean 'verbs'", "verb");
  assert_no_collective(barrier, OVK_ERR_ARG, "'verbs' has nothing to", "verbs|nbc");
  assert_no_collective(barrier, OVK_ERR_UNKNOWN, "'device'", "verbs:devise=x");
  assert_no_collective(barrier, OVK_ERR_UNKNOWN, "'window'", "verbs:windo=1");
  assert_no_collective(barrier, OVK_ERR_UNKNOWN, "'window'", "nbc:window=1");
  assert_no_collective(barrier, OVK_ERR_UNKNOWN, "'device'", "nbc:device=emulated");
  assert_no_collective(bcast, OVK_ERR_UNKNOWN, "'ways'", "verbs:ways=2", data, 1, 8, 0);
  assert_no_collective(alltoall, OVK_ERR_ARG, "but must be a whole number from 1",
                       "verbs:device=emulated,window=0", data, data + 32, 1, 8);
  assert_no_collective(scan, OVK_ERR_ARG, "window is 'two'", "verbs:device=emulated,window=two",
                       data, data, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM);
  assert_no_collective(allgather, OVK_ERR_ARG, "belongs to alg=flat",
                       "verbs:device=emulated,alg=ring,window=2", data, data, 1, 8);
  assert_no_collective(barrier, OVK_ERR_ARG, "port is", "verbs:device=emulated,port=0");
  assert_no_collective(barrier, OVK_ERR_ARG, "timeout_ms is",
                       "verbs:device=emulated,timeout_ms=-1");
  ovk_collective *none = NULL;
  assert_int_not_equal(ovk_collective_create_barrier(test_ctx(), "verbs:device=nowhere", &none),
                       OVK_OK);
  if (test_size > 1) {
    assert_no_collective(bcast, OVK_ERR_UNSUPPORTED, "begins with 'verbs'", "nbc:channel=verbs",
                         data, 1, 8, 0);
    assert_no_collective(barrier, OVK_ERR_ARG, "different specs",
                         is_last() ? "nbc" : "verbs:device=emulated");
  }
}

TEST(bad_arguments_are_errors_on_all_ranks)
{
  char text[VERBS_SPEC_SIZE], said[96];
  const char *spec = verbs_spec(text, NULL);
  scoped_array int *counts = new_memory((size_t)test_size * sizeof *counts);
  for (int k = 0; k < test_size; k++) counts[k] = 1;
  if (is_last()) counts[0] = 3;
  scoped_array int *ones = new_memory((size_t)test_size * sizeof *ones);
  for (int k = 0; k < test_size; k++) ones[k] = 1;
  snprintf(said, sizeof said, "rank %d sends 3 items to rank 0, which expects 1", test_size - 1);
  assert_no_collective(alltoallv, OVK_ERR_ARG, said, spec, data, counts, NULL, data + 32, ones,
                       NULL, 8);
  assert_no_collective(alltoall, OVK_ERR_ARG, "the buffer to receive is NULL", spec, data,
                       is_last() ? NULL : data + 32, 1, 8);
}

/* Repeats the operation until it fails, which must happen soon. */
static void run_into_failure(ovk_collective *c)
{
  enum { MOST_TIMES = 100 };
  ovk_err err = OVK_OK;
  for (int time = 0; !err && time < MOST_TIMES; time++) {
    err = ovk_collective_begin(c);
    if (!err) err = ovk_collective_wait(c);
  }
  assert_local_error(err, OVK_ERR_NETWORK, "a collective operation: ");
  assert_false(ovk_collective_running(c));
  assert_local_error(ovk_collective_begin(c), OVK_ERR_STATE, "can only be destroyed");
}

enum { LEVELS = 4, NFAULTY = 6 };

/* Makes one of the operations that are tested with faults: in most of them some ranks receive
 * nothing from some others; with levels some ranks receive nothing over the network. */
static ovk_err make_faulty(int which, const char *spec, ovk_collective **out)
{
  ovk_ctx *ctx = test_ctx();
  switch (which) {
  case 0:
    return ovk_collective_create_alltoall(ctx, spec, data, data + 32, 1, 8, out);
  case 1:
    return ovk_collective_create_bcast(ctx, spec, data, 8, 8, 0, out);
  case 2:
    return ovk_collective_create_gather(ctx, spec, data, data + 32, 2, 8, 0, out);
  case 3:
    return ovk_collective_create_exscan(ctx, spec, data, data + 32, 1, OVK_TYPE_DOUBLE, OVK_OP_SUM,
                                        out);
  case LEVELS:
    return ovk_collective_create_allreduce(ctx, spec, data, data + 32, 1, OVK_TYPE_DOUBLE,
                                           OVK_OP_SUM, out);
  default:
    return ovk_collective_create_barrier(ctx, spec, out);
  }
}

static void check_fault(const char *fault, int which)
{
  char text[VERBS_SPEC_SIZE], keys[128];
  ovk_collective *c = NULL, *other = NULL;
  const char *shape = which == LEVELS ? ",levels=2" : "";
  /* a separate NIC for each, as that of the previous operation has failed */
  snprintf(keys, sizeof keys, "fault=%s,fault_rank=%d,fault_at=%d,timeout_ms=400%s", fault,
           which == LEVELS ? 0 : which % test_size, 5 + which, shape);
  assert_ok(make_faulty(which, verbs_spec(text, keys), &c));
  assert_ok(make_faulty(which, text, &other));
  const ovk_err begun = ovk_collective_begin(other);
  assert_true(begun == OVK_OK || begun == OVK_ERR_NETWORK);
  run_into_failure(c);
  ovk_collective_destroy(&c);
  ovk_collective_destroy(&other);
  assert_true(!c && !other);
  assert_error(make_faulty(which, text, &c), OVK_ERR_NETWORK, "");
  assert_ok(make_faulty(which, "nbc", &c));
  assert_ok(ovk_collective_begin(c));
  assert_ok(ovk_collective_wait(c));
  ovk_collective_destroy(&c);
}

TEST(a_failure_of_the_network_shows_on_every_rank)
{
  static const char *const faults[] = {"break", "device", "silence"};
  char text[VERBS_SPEC_SIZE];
  ovk_collective *none = NULL;
  const ovk_err err =
      ovk_collective_create_barrier(test_ctx(), verbs_spec(text, "fault_at=1000"), &none);
  ovk_collective_destroy(&none);
  if (err == OVK_ERR_UNSUPPORTED || test_size == 1) skip();
  for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
    for (int which = 0; which < NFAULTY; which++) {
      if (which != LEVELS || test_size > 2) check_fault(faults[k], which);
    }
  }
}

TEST_GROUP(skip_without_nic, NULL)
