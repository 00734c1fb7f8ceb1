/* SPDX-License-Identifier: BSD-2-Clause */
/* The event log: statistics over ranks that did different things, and the table on disk. */
#include "core/context/ctx_impl.h"
#include "support/problem.h"

/* A context with the times that each test enters: 2 + rank calls to MULT, together 1 + rank seconds
 * and more. */
static ovk_ctx *make_busy_ctx(void)
{
  ovk_ctx *ctx = NULL;
  assert_int_equal(ovk_ctx_create(MPI_COMM_WORLD, &ctx), OVK_OK);
  ovk__log_add(&ctx->log, OVK_EVENT_MULT, ovk__log_now(&ctx->log) - (1 + test_rank));
  for (int i = 0; i <= test_rank; i++)
    ovk__log_add(&ctx->log, OVK_EVENT_MULT, ovk__log_now(&ctx->log));
  return ctx;
}

/* A file name that rank 0 has made up for all; the file exists. */
static void make_path(char path[64])
{
  snprintf(path, 64, "/tmp/ovk_test_log_XXXXXX");
  if (test_rank == 0) {
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
  }
  MPI_Bcast(path, 64, MPI_CHAR, 0, MPI_COMM_WORLD);
}

/* Reads rank 0's file on rank 0, removes it, and gives its text to all. */
static void take_file(const char *path, char text[4096])
{
  memset(text, 0, 4096);
  if (test_rank == 0) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    (void)!fread(text, 1, 4095, file);
    fclose(file);
    remove(path);
  }
  MPI_Bcast(text, 4096, MPI_CHAR, 0, MPI_COMM_WORLD);
}

TEST(adding_an_event_returns_the_time_now)
{
  scoped_ctx *ctx = make_busy_ctx();
  const double start = ovk__log_now(&ctx->log);
  const double now = ovk__log_add(&ctx->log, OVK_EVENT_READ, start);
  assert_true(now >= start && now <= ovk__log_now(&ctx->log));
  assert_true(ovk_log_seconds(ctx, OVK_EVENT_READ) == now - start);
}

TEST(stats_are_over_ranks_with_different_calls)
{
  scoped_ctx *ctx = make_busy_ctx();
  ovk_event_stats stats[OVK_EVENT_COUNT];
  assert_int_equal(ovk_log_stats(ctx, stats), OVK_OK);
  const ovk_event_stats *mult = &stats[OVK_EVENT_MULT];
  assert_string_equal(mult->name, "matrix product");
  assert_int_equal(mult->calls, test_size + 1);
  double own = ovk_log_seconds(ctx, OVK_EVENT_MULT), least, most, sum;
  MPI_Allreduce(&own, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(&own, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  assert_true(own >= 1 + test_rank);
  assert_true(mult->min_seconds == least && mult->max_seconds == most);
  assert_close(mult->avg_seconds, sum / test_size, 1e-12);
}

TEST(what_never_happened_is_all_zero)
{
  scoped_ctx *ctx = make_busy_ctx();
  ovk_event_stats stats[OVK_EVENT_COUNT];
  assert_int_equal(ovk_log_stats(ctx, stats), OVK_OK);
  for (int i = 0; i < OVK_EVENT_COUNT; i++) {
    assert_true(stats[i].name && stats[i].name[0]);
    if (i == OVK_EVENT_MULT) continue;
    assert_int_equal(stats[i].calls, 0);
    assert_true(stats[i].max_seconds == 0);
  }
}

TEST(one_rank_without_room_for_stats_fails_all)
{
  ovk_event_stats stats[OVK_EVENT_COUNT];
  const int last = test_rank == test_size - 1;
  assert_error(ovk_log_stats(test_ctx(), last ? NULL : stats), OVK_ERR_ARG, "stats is NULL");
  assert_error(ovk_log_write(test_ctx(), last ? NULL : "/dev/null"), OVK_ERR_ARG, "path is NULL");
}

TEST(the_table_has_a_line_for_each_event_that_occurred)
{
  ovk_ctx *ctx = make_busy_ctx();
  char path[64], text[4096], head[64];
  make_path(path);
  assert_int_equal(ovk_log_write(ctx, path), OVK_OK);
  take_file(path, text);
  ovk_ctx_destroy(&ctx);
  assert_int_equal(sscanf(text, "event calls min s avg s max s %63[^0-9\n]", head), 1);
  assert_memory_equal(head, "matrix product  ", 16);
  int calls = 0;
  double min = 0, avg = 0, max = 0;
  assert_int_equal(sscanf(strstr(text, "product") + 7, "%d %lf %lf %lf", &calls, &min, &avg, &max),
                   4);
  assert_int_equal(calls, test_size + 1);
  assert_true(1 <= min && min <= avg && avg <= max && max >= test_size);
  assert_null(strstr(text, "halo"));
}

TEST(a_file_for_json_gets_json)
{
  ovk_ctx *ctx = make_busy_ctx();
  char path[72], text[4096];
  make_path(path);
  if (test_rank == 0) remove(path);
  strcat(path, ".json");
  assert_int_equal(ovk_log_write(ctx, path), OVK_OK);
  take_file(path, text);
  ovk_ctx_destroy(&ctx);
  int calls = 0;
  double min = 0, avg = 0, max = 0;
  assert_int_equal(sscanf(text,
                          "{\"events\": [ {\"event\": \"matrix product\", \"calls\": %d, "
                          "\"min_seconds\": %lf, \"avg_seconds\": %lf, \"max_seconds\": %lf}",
                          &calls, &min, &avg, &max),
                   4);
  assert_int_equal(calls, test_size + 1);
  assert_true(1 <= min && min <= avg && avg <= max && max >= test_size);
  assert_non_null(strstr(text, "}\n]}\n"));
}

TEST(a_table_that_cannot_be_written_fails_all)
{
  assert_error(ovk_log_write(test_ctx(), "/nowhere/at/all"), OVK_ERR_IO,
               "/nowhere/at/all: No such file");
  if (access("/dev/full", W_OK) == 0)
    assert_error(ovk_log_write(test_ctx(), "/dev/full"), OVK_ERR_IO, "/dev/full: No space left");
}

TEST(OVK_LOG_names_the_file_written_at_the_end)
{
  char path[64], text[4096];
  make_path(path);
  if (test_rank == 0) assert_int_equal(setenv("OVK_LOG", path, 1), 0);
  ovk_ctx *ctx = make_busy_ctx();
  assert_int_equal(unsetenv("OVK_LOG"), 0);
  ovk_ctx_destroy(&ctx);
  take_file(path, text);
  assert_non_null(strstr(text, "matrix product"));
}

TEST(an_OVK_LOG_that_cannot_be_written_is_a_notice)
{
  char notice[NOTICE] = "";
  assert_int_equal(setenv("OVK_LOG", "/nowhere/at/all", 1), 0);
  ovk_ctx *ctx = make_busy_ctx();
  assert_int_equal(unsetenv("OVK_LOG"), 0);
  ovk_ctx_on_notice(ctx, keep_notice, notice);
  assert_true((notice[0] != '\0') == (test_rank == 0)); /* rank 0 hears of it at once */
  ovk_ctx_destroy(&ctx);
  assert_null(ctx);
  assert_non_null(strstr(notice, "OVK_LOG: /nowhere/at/all: No such file"));
}

static int unset_log(void **state)
{
  return unsetenv("OVK_LOG");
}

TEST_GROUP(unset_log, NULL)
