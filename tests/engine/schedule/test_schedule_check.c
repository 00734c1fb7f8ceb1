/* SPDX-License-Identifier: BSD-2-Clause */
/* The library's own schedules pass the checks that are made of users' schedules. */
#include "comm/engine/schedule/algorithm_spec.h"
#include "comm/engine/schedule/algorithms/collectives.h"
#include "comm/engine/schedule/check.h"
#include "support/test_main.h"

enum { COUNT = 12 };

static void check_built(ovk_err built, ovk__schedule *s)
{
  const size_t most = (size_t)COUNT * (size_t)test_size;
  assert_ok(built);
  assert_ok(ovk__schedule_check(test_ctx(), s, (ovk__limits){most, most, true}));
  assert_ok(ovk__schedules_match(test_ctx(), s));
  ovk__schedule_free(s);
}

static void check_algorithms(const char *text)
{
  ovk_ctx *ctx = test_ctx();
  ovk_spec *spec = NULL;
  ovk__algorithm_spec algorithms;
  SCOPED(ovk__hierarchy_free) ovk__hierarchy h;
  ovk__schedule s;
  assert_ok(ovk_spec_parse(ctx, text, &spec));
  assert_ok(ovk__algorithm_spec_read(ctx, spec, &algorithms));
  ovk_spec_destroy(&spec);
  assert_ok(ovk__hierarchy_by_size(ctx, test_size, algorithms.size, algorithms.ngroupings, &h));
  check_built(ovk__schedule_allreduce(ctx, &algorithms, &h, test_rank, COUNT, sizeof(double), &s),
              &s);
  check_built(ovk__schedule_barrier(ctx, &algorithms, &h, test_rank, 2, &s), &s);
  for (int root = 0; root < test_size && !strstr(text, "ring") && !strstr(text, "halving");
       root++) {
    check_built(ovk__schedule_reduce(ctx, &algorithms, &h, test_rank, root, COUNT, &s), &s);
    check_built(ovk__schedule_bcast(ctx, &algorithms, &h, test_rank, root, COUNT, &s), &s);
  }
}

TEST(the_librarys_own_schedules_pass)
{
  static const char *const specs[] = {"nbc",
                                      "nbc:alg=flat",
                                      "nbc:alg=kary,k=3",
                                      "nbc:alg=tree",
                                      "nbc:alg=nary",
                                      "nbc:alg=ring",
                                      "nbc:alg=halving",
                                      "nbc:levels=2,alg=tree+kary",
                                      "nbc:levels=2x2,alg=flat+nary+ring"};
  ovk_ctx *ctx = test_ctx();
  const int n = test_size, rank = test_rank;
  ovk__segment segments[64];
  ovk__schedule s;
  assert_true(n <= 64);
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) check_algorithms(specs[k]);
  for (int k = 0; k < n; k++) segments[k] = (ovk__segment){(size_t)k * COUNT, COUNT};
  for (int window = OVK__NO_WINDOW; window < 3; window++) {
    check_built(ovk__schedule_gather(ctx, n, rank, n - 1, COUNT, segments, window, &s), &s);
    check_built(ovk__schedule_scatter(ctx, n, rank, n - 1, COUNT, segments, window, &s), &s);
    check_built(ovk__schedule_allgather(ctx, n, rank, segments, window, &s), &s);
    check_built(ovk__schedule_alltoall(ctx, n, rank, segments, segments, window, &s), &s);
    check_built(ovk__schedule_reduce_scatter(ctx, n, rank, segments, window, &s), &s);
  }
  check_built(ovk__schedule_allgather_ring(ctx, n, rank, segments, &s), &s);
  check_built(ovk__schedule_reduce_scatter_ring(ctx, n, rank, segments, &s), &s);
  check_built(ovk__schedule_scan(ctx, n, rank, COUNT, &s), &s);
  check_built(ovk__schedule_exscan(ctx, n, rank, COUNT, &s), &s);
}
