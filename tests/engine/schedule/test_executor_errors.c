/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of the executor that need no other rank, and its errors, which are the same on all
 * ranks. */
#include "comm/engine/channels/channel.h"
#include "comm/engine/schedule/builder.h"
#include "executor_case.h"
#include "support/test_main.h"

TEST(sends_of_the_same_data_share_a_copy)
{
  SCOPED(ovk__schedule_free) ovk__schedule s;
  ovk__send_copies copies;
  ovk__builder b = ovk__build_begin(test_ctx(), (ovk__group){8, 0, NULL}, &s);
  double data[4];
  ovk__build_round(&b);
  for (int peer = 1; peer < 4; peer++) ovk__build_send(&b, peer, (ovk_place){OVK_OUTPUT, 1}, 2);
  ovk__build_send(&b, 4, (ovk_place){OVK_OUTPUT, 1}, 1);
  ovk__build_send(&b, 5, (ovk_place){OVK_OUTPUT, 2}, 1);
  ovk__build_round(&b);
  ovk__build_send(&b, 6, (ovk_place){OVK_OUTPUT, 2}, 1); /* may have changed since */
  assert_ok(ovk__build_end(&b));
  const ovk__buffers buffers = {.at = {[OVK_OUTPUT] = (char *)data}, .element = sizeof *data};
  assert_ok(ovk__send_copies_make(test_ctx(), &s, OVK__P2P, sizeof *data, 8, SIZE_MAX, &copies));
  const int of_send[] = {0, 0, 0, 1, 2, 3};
  assert_memory_equal(copies.of_send, of_send, sizeof of_send);
  assert_true(copies.first[0] == 0 && copies.first[1] == 3 && copies.first[2] == 4);
  assert_ptr_equal(ovk__buffers_at(&buffers, copies.list[0].from), data + 1);
  assert_int_equal(copies.list[0].bytes, 2 * sizeof *data);
  assert_int_equal(copies.list[3].offset, 3 * 2 * 64);
  assert_int_equal(copies.bytes, 4 * 2 * 64);
  ovk__send_copies_free(&copies);
}

TEST(shared_memory_with_another_node_is_an_error)
{
  double data = 1;
  ovk__request *request = NULL;
  if (test_size == 1) skip();
  SCOPED(ovk__schedule_free) ovk__schedule s = sum_schedule(ALL_SHM, 1);
  const ovk__op_desc desc = {.schedule = &s, .output = &data, .element = sizeof data};
  MPI_Group here = engine->transport.node_group;
  if (is_last())
    MPI_Comm_group(MPI_COMM_SELF, &engine->transport.node_group); /* as if alone on its node */
  const ovk_err err = ovk__request_create(engine, &desc, false, &request);
  char said[64];
  snprintf(said, sizeof said, "between ranks %d and 0, which share no memory", test_rank);
  if (is_last()) {
    assert_local_error(err, OVK_ERR_UNSUPPORTED, said);
    MPI_Group_free(&engine->transport.node_group);
    engine->transport.node_group = here;
  } else {
    assert_ok(err);
  }
  assert_null(request);
}

TEST(a_rank_that_has_failed_before_leaves_nobody_behind)
{
  double data = 1;
  for (channels kind = ALL_P2P; kind < NCHANNELS; kind++) {
    SCOPED(ovk__schedule_free) ovk__schedule s = sum_schedule(kind, 1);
    const ovk__op_desc desc = {.schedule = &s, .output = &data, .element = sizeof data};
    SCOPED(ovk__request_destroy) ovk__request *request = NULL;
    assert_ok(ovk__request_create(engine, test_rank ? &desc : NULL, test_rank == 0, &request));
    assert_null(request);
  }
}

TEST(messages_too_large_for_mpi_are_an_error)
{
  double data = 1;
  ovk__request *request = NULL;
  if (test_size == 1) skip();
  SCOPED(ovk__schedule_free) ovk__schedule s = bcast_schedule(OVK__P2P, (size_t)INT_MAX + 1);
  const ovk__op_desc desc = {.schedule = &s, .output = &data, .element = sizeof data};
  assert_error(ovk__request_create(engine, &desc, false, &request), OVK_ERR_RANGE,
               "a message of 2147483648 elements");
  assert_null(request);
}

/* Each rank has reserved a different tag; when numbers wrap around, all ranks skip all of these. */
TEST(tags_in_use_are_left_out)
{
  enum { TAGS = 32768, KEPT = 2, BEFORE = 5 };
  ovk__tags tags = {.next = TAGS - BEFORE};
  ovk__tag own;
  assert_int_equal(ovk__tag_use(&tags, &own, KEPT + test_rank), KEPT + test_rank);
  for (int k = 0; k < BEFORE + KEPT + 3; k++) {
    int64_t number = -1;
    assert_ok(ovk__tags_deal(test_ctx(), engine_comm, &tags, &number));
    const int skipped = k < BEFORE + KEPT ? 0 : test_size;
    assert_int_equal(number, TAGS - BEFORE + k + skipped);
  }
  ovk__tag_free(&tags, &own);
  assert_null(tags.used);
}

TEST_GROUP(open_engine, close_engine)
