/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulated multigrid cycles of small cases, compared with times calculated by hand. */
#include "model_case.h"
#include "support/test_main.h"

#define assert_us(seconds, us) assert_close(1e6 * (seconds), (us), 1e-9)

/* Levels of a 10th of the rows, down to `coarse`; no work. */
static ovk_model cycle_model(const char *method, const char *backend, int nranks, int coarse)
{
  ovk_model m = model_of(method, backend, nranks);
  m.cycle = (ovk_model_cycle){.degree = 1, .coarse = coarse, .coarsening = 10, .cached = 1};
  return m;
}

TEST(one_rank_does_the_work_of_all_levels)
{
  ovk_model m = cycle_model("cg", "blocking", 1, 50); /* 1000, 100 and 10 rows */
  const double start = 0.01, product = 0.03, transfer = 0.02, inverse = 0.007;
  m.cycle.degree = 3;
  m.cycle.start = start * US;
  m.cycle.product = product * US;
  m.cycle.transfer = transfer * US;
  m.cycle.inverse = inverse * US;
  const double row = start + 6 * product + 2 * transfer, last = 10 * 10 * inverse;
  ovk_model_result r = run_model(&m);
  assert_us(r.cycle, 1100 * row + last);
  assert_us(r.compute, 100 + 1100 * row + last);
  assert_true(r.cycle_messages == 0);
  m.cycle.cache_rows = 100;
  m.cycle.cached = 0.25;
  assert_us(run_model(&m).cycle, 1025 * row + last);
  m.method = "pipeprcg"; /* two cycles an iteration */
  assert_us(run_model(&m).cycle, 2 * (1025 * row + last));
}

TEST(a_small_level_is_visited_twice_unless_it_is_the_last)
{
  ovk_model m = cycle_model("cg", "blocking", 1, 50); /* 1000, 100 and 10 rows */
  const double product = 0.03, transfer = 0.02;
  m.cycle.product = product * US;
  m.cycle.transfer = transfer * US;
  m.cycle.twice = true;
  assert_us(run_model(&m).cycle, 1100 * (2 * product + 2 * transfer));
  /* And 1 row: the visits of 10 rows have a smoother of degree 2, and the product of a residual
   * between them. */
  m.cycle.coarse = 5;
  assert_us(run_model(&m).cycle,
            1100 * (2 * product + 2 * transfer) + 20 * (4 * product + 2 * transfer) + 10 * product);
  /* 1000, 50 and 2.5 rows, rounded up to 3: the second level is small. */
  m.cycle.coarsening = 20;
  assert_us(run_model(&m).cycle, 1100 * (2 * product + 2 * transfer) + 50 * product);
}

TEST(several_ranks_gather_the_last_level)
{
  ovk_model m = cycle_model("cg", "blocking", 2, 2000);
  m.machine.net.L = 1 * US;
  m.cycle.inverse = 1e-6 * US;
  ovk_model_result r = run_model(&m);
  assert_us(r.cycle, 1 + 2000 * 1000 * 1e-6);
  assert_true(r.cycle_messages == 1);
  m.nranks = 5; /* three rounds */
  m.cycle.coarse = 5000;
  r = run_model(&m);
  assert_us(r.cycle, 3 + 5000 * 1000 * 1e-6);
  assert_close(r.cycle_messages, 3, 1e-12);
  m.nranks = 4; /* two rounds, of one part and of two, each of 8000 bytes */
  m.machine.net.G = 1e-4 * US;
  assert_us(run_model(&m).cycle, 2 + 3 * 0.8 + 4000 * 1000 * 1e-6);
}

/* Messages take 1 us. Rank 0 begins at 0, and rank 1 at 1, where the end of the sum before it
 * leaves them. Rank 0 has the halo and the sums of rank 1 at 2, which has the values of rank 0 and
 * its halo at 3. The halo of rank 1 arrives at 4. */
TEST(a_rank_without_rows_waits_for_its_values)
{
  ovk_model m = cycle_model("cg", "blocking", 2, 200);
  m.cycle.gather = 200;
  m.machine.net.L = 1 * US;
  ovk_model_result r = run_model(&m);
  assert_us(r.cycle, (4 + 2) / 2.0);
  assert_true(r.cycle_messages == 3);
  m.cycle.inverse = 1e-3 * US; /* 200 rows, on rank 0 */
  r = run_model(&m);
  assert_us(r.cycle, (4 + 2) / 2.0 + 40);
  assert_us(r.compute, 100 + 40 / 2.0);
  m.cycle.gather = 100; /* both keep 100 rows: four halos and a round */
  r = run_model(&m);
  assert_us(r.cycle, 5 + 20);
  assert_true(r.cycle_messages == 5);
}

TEST(gathering_saves_messages_and_moves_work)
{
  ovk_model m = cycle_model("cg", "blocking", 64, 100);
  m.cycle.product = 0.01 * US;
  const ovk_model_result spread = run_model(&m);
  double before = spread.cycle_messages;
  for (int gather = 200; gather <= 20000; gather *= 10) {
    m.cycle.gather = gather;
    const ovk_model_result r = run_model(&m);
    assert_true(r.cycle_messages < before);
    assert_us(r.compute, 1e6 * spread.compute);
    assert_true(r.cycle > spread.cycle);
    before = r.cycle_messages;
  }
}

/* The first level's halo of eight ranks on a square grid has 7 messages. The next one is on every
 * fourth rank, a plane of the grid: one message. Ranks send their sums to both, 2, less their own;
 * the way back is the same. */
TEST(gathered_ranks_are_neighbors_of_gathered_ones)
{
  ovk_model m = cycle_model("cg", "blocking", 8, 100);
  m.cycle.gather = 400;
  const double halos = 2 * 7, moves = 2 * 8 * 2 - 2 * 2, coarse_halos = 2 * 1;
  const double last = 2; /* 80 rows, on one rank: one message of two to another one, and back */
  const ovk_model_result r = run_model(&m);
  assert_close(r.cycle_messages, (8 * halos + moves + 2 * coarse_halos + last) / 8, 1e-12);
}

/* Both rounds of a sum end while the ranks work or wait in the cycle; polls cost time. */
TEST(steps_of_the_cycle_poll)
{
  ovk_model m = cycle_model("groppcg", "nbc:alg=doubling", 4, 400);
  m.machine.net.L = 1 * US;
  m.machine.poll = 0.1 * US;
  m.cycle.gather = 1000;
  m.cycle.start = 0.1 * US;
  const ovk_model_result polled = run_model(&m);
  assert_us(polled.sum_wait, 0);
  m.precond_never_polls = true;
  const ovk_model_result waited = run_model(&m);
  assert_us(waited.sum_wait, 0);
  assert_true(waited.sums < polled.sums);
}

TEST(every_cycle_adds_up_and_repeats)
{
  static const char *const methods[] = {"cg", "groppcg", "pipecg", "pipeprcg", "pipelcg:l=2"};
  static const int gathers[] = {0, 30, 300, 100000};
  for (int k = 0; k < 5 * 4 * 17; k++) {
    ovk_model m =
        cycle_model(methods[k % 5], k % 2 ? "nbc" : "nbc:progress=thread", 1 + k / 20, 40);
    m.cycle = (ovk_model_cycle){.degree = 2,
                                .gather = gathers[k / 5 % 4],
                                .coarse = 40,
                                .coarsening = 5,
                                .product = 2e-8,
                                .transfer = 1e-8,
                                .inverse = 1e-9,
                                .twice = k % 2 == 0};
    m.machine.node = (ovk_model_link){3e-7, 1e-7, 1e-10, 2e-8, 1e-10};
    m.machine.net = (ovk_model_link){2e-6, 2e-7, 1e-10, 5e-8, 2e-10};
    m.machine.ranks_per_node = 3;
    m.noise = (ovk_model_noise){.exponential = 0.1, .seed = (uint64_t)k};
    m.iterations = 4;
    const ovk_model_result r = run_model(&m), again = run_model(&m);
    assert_memory_equal(&r, &again, sizeof r);
    assert_true(r.cycle > 0 && r.cycle <= r.iteration * (1 + 1e-12));
    assert_true((r.cycle_messages > 0) == (m.nranks > 1));
  }
}
