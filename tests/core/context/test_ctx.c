/* SPDX-License-Identifier: BSD-2-Clause */
/* Contexts: the communicators that they accept, that they do not disturb each other, and that they
 * free all that they took. */
#include "core/context/agree.h"
#include "core/context/ctx_impl.h"
#include "support/test_main.h"

static ovk_ctx *make_ctx(MPI_Comm comm)
{
  ovk_ctx *ctx = NULL;
  assert_int_equal(ovk_ctx_create(comm, &ctx), OVK_OK);
  assert_non_null(ctx);
  return ctx;
}

TEST(a_context_has_a_duplicate_of_the_communicator)
{
  ovk_ctx *ctx = make_ctx(MPI_COMM_WORLD);
  int relation = MPI_UNEQUAL;
  MPI_Comm_compare(ovk_ctx_comm(ctx), MPI_COMM_WORLD, &relation);
  assert_int_equal(relation, MPI_CONGRUENT);
  assert_int_equal(ovk_ctx_rank(ctx), test_rank);
  assert_int_equal(ovk_ctx_size(ctx), test_size);
  ovk_ctx_destroy(&ctx);
  assert_null(ctx);
}

TEST(no_communicator_is_an_error)
{
  ovk_ctx *ctx = (ovk_ctx *)&ctx; /* must be overwritten */
  assert_int_equal(ovk_ctx_create(MPI_COMM_NULL, &ctx), OVK_ERR_ARG);
  assert_null(ctx);
}

TEST(a_communicator_of_fortran_gives_a_context)
{
  ovk_ctx *ctx = NULL;
  assert_int_equal(ovk_ctx_create_f(MPI_Comm_c2f(MPI_COMM_WORLD), &ctx), OVK_OK);
  assert_int_equal(ovk_ctx_rank(ctx), test_rank);
  assert_int_equal(ovk_ctx_size(ctx), test_size);
  ovk_ctx_destroy(&ctx);
  ctx = (ovk_ctx *)&ctx; /* must be overwritten */
  assert_int_equal(ovk_ctx_create_f(MPI_Comm_c2f(MPI_COMM_NULL), &ctx), OVK_ERR_ARG);
  assert_null(ctx);
}

TEST(one_rank_without_an_out_pointer_fails_all)
{
  for (int rank = 0; rank < test_size; rank++) {
    ovk_ctx *ctx = NULL;
    assert_int_equal(ovk_ctx_create(MPI_COMM_WORLD, test_rank == rank ? NULL : &ctx), OVK_ERR_ARG);
    assert_null(ctx);
  }
}

TEST(an_intercommunicator_is_an_error)
{
  if (test_size == 1) return;
  const int lower = test_rank < test_size / 2;
  SCOPED(MPI_Comm_free) MPI_Comm half = MPI_COMM_NULL, inter = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, lower, test_rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, lower ? test_size / 2 : 0, 7, &inter);
  ovk_ctx *ctx = NULL;
  assert_int_equal(ovk_ctx_create(inter, &ctx), OVK_ERR_ARG);
  assert_null(ctx);
}

TEST(a_context_over_some_ranks_counts_those)
{
  MPI_Comm parity;
  MPI_Comm_split(MPI_COMM_WORLD, test_rank % 2, -test_rank, &parity); /* in reverse */
  scoped_ctx *ctx = make_ctx(parity);
  MPI_Comm_free(&parity); /* the caller's to free, even before the context */
  const int size = (test_size + 1 - test_rank % 2) / 2;
  assert_int_equal(ovk_ctx_size(ctx), size);
  assert_int_equal(ovk_ctx_rank(ctx), size - 1 - test_rank / 2);
  assert_int_equal(ovk__agree(ctx, OVK_OK), OVK_OK);
}

TEST(two_contexts_do_not_disturb_each_other)
{
  ovk_ctx *a = make_ctx(MPI_COMM_WORLD), *b = make_ctx(MPI_COMM_WORLD);
  int relation = MPI_UNEQUAL;
  MPI_Comm_compare(ovk_ctx_comm(a), ovk_ctx_comm(b), &relation);
  assert_int_equal(relation, MPI_CONGRUENT); /* the same ranks, but not the same messages */
  ovk_ctx_fail(a, OVK_ERR_USER, "a's");
  assert_string_equal(ovk_ctx_error(b), "");
  ovk_ctx_fail(b, OVK_ERR_USER, "b's");
  assert_string_equal(ovk_ctx_error(a), "a's");
  ovk__log_add(&a->log, OVK_EVENT_SOLVE, ovk__log_now(&a->log) - 1);
  assert_true(ovk_log_seconds(a, OVK_EVENT_SOLVE) >= 1);
  assert_true(ovk_log_seconds(b, OVK_EVENT_SOLVE) == 0);
  ovk_ctx_destroy(&a);
  assert_string_equal(ovk_ctx_error(b), "b's");
  assert_int_equal(ovk__agree(b, OVK_OK), OVK_OK);
  ovk_ctx_destroy(&b);
}

TEST(destroying_nothing_is_allowed)
{
  ovk_ctx *none = NULL;
  ovk_ctx_destroy(NULL);
  ovk_ctx_destroy(&none);
  assert_null(none);
}

/* Communicator ids run out at about 2000 in MPICH, 65000 in Open MPI, where they are not freed. */
TEST(thousands_of_contexts_use_up_no_communicators)
{
  if (test_size > 2) return; /* says the same on more ranks, but takes long */
  for (int i = 0; i < 5000; i++) {
    scoped_ctx *ctx = make_ctx(MPI_COMM_WORLD);
  }
}

typedef struct counted {
  ovk__resource resource;
  int *clock, ended_at;
} counted;

static void end(ovk__resource *self)
{
  counted *c = (counted *)self;
  c->ended_at = ++*c->clock;
}

TEST(what_a_context_owns_ends_with_it_the_youngest_first)
{
  ovk_ctx *ctx = make_ctx(MPI_COMM_WORLD);
  int clock = 0;
  counted things[3];
  for (int i = 0; i < 3; i++) {
    things[i] = (counted){.resource = {.destroy = end}, .clock = &clock};
    ovk__ctx_own(ctx, &things[i].resource);
  }
  ovk_ctx_destroy(&ctx);
  for (int i = 0; i < 3; i++) assert_int_equal(things[i].ended_at, 3 - i);
}

TEST(tags_stay_in_what_mpi_guarantees)
{
  scoped_ctx *ctx = make_ctx(MPI_COMM_WORLD);
  int last = ovk__ctx_tag(ctx);
  for (int i = 0; i < 70000; i++) {
    const int tag = ovk__ctx_tag(ctx);
    assert_in_range(tag, 0, 32767);
    assert_int_not_equal(tag, last);
    last = tag;
  }
}

TEST(the_linked_version_is_that_of_the_header)
{
  assert_string_equal(ovk_version(), OVK_VERSION);
}
