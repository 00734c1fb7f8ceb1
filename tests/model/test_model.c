/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulated iterations of small cases, compared with times calculated by hand, in microseconds. */
#include "model_case.h"
#include "support/test_main.h"

/* Messages only, of latency 1 us. */
static ovk_model idle_model(const char *method, const char *backend, int nranks)
{
  ovk_model m = model_of(method, backend, nranks);
  m.work.product = 0;
  m.machine.net.L = m.machine.node.L = 1 * US;
  return m;
}

#define assert_us(seconds, us) assert_close(1e6 * (seconds), (us), 1e-9)

TEST(one_rank_computes_and_begins_sums)
{
  ovk_model m = model_of("cg", "blocking", 1);
  m.machine.begin = 0.5 * US;
  m.work.boundary = 7 * US;
  m.work.stream = 1 * US;
  ovk_model_result r = run_model(&m);
  assert_us(r.compute, 100 + 7 + 10); /* r: 4 doubles a row, x and p: 6 */
  assert_us(r.sums, 3 * 0.5);
  assert_us(r.sum_wait + r.halo, 0);
  assert_true(r.messages == 0);
  m.work.constant = true;
  assert_us(run_model(&m).compute, 100 + 7 + 8);
  m.work.constant = false;
  m.work.precond = 20 * US;
  assert_us(run_model(&m).compute, 100 + 7 + 10 + 20);
  m.method = "overlap"; /* two halves, and 11 doubles */
  assert_us(run_model(&m).compute, 100 + 7 + 11 + 20);
  m.method = "pipeprcg";
  assert_us(run_model(&m).compute, 2 * 107 + 16 + 2 * 20);
  m.work.pair = 1.5;
  assert_us(run_model(&m).compute, 1.5 * 107 + 16 + 2 * 20);
}

TEST(a_blocking_sum_of_two_ranks_takes_a_message)
{
  ovk_model m = idle_model("single-reduction", "blocking", 2);
  const double begin = 0.5, o = 0.2, L = 1, combine = 0.01, values = 4;
  m.machine.begin = begin * US;
  m.machine.combine = combine * US;
  m.machine.net.o = o * US;
  ovk_model_result r = run_model(&m);
  assert_us(r.sums, begin + o + o + values * combine);
  assert_us(r.sum_wait, L);
  assert_us(r.halo, o + L + o);
  assert_true(r.messages == 1);
  const double O = 0.003, G = 0.005, bytes = 8 * values, face = 8 * 100;
  m.machine.net.O = O * US;
  m.machine.net.G = G * US;
  r = run_model(&m);
  assert_us(r.sums, begin + 2 * (o + bytes * O) + values * combine);
  assert_us(r.sum_wait, L + bytes * G);
  assert_us(r.halo, 2 * (o + face * O) + L + face * G);
}

TEST(a_reduction_without_a_solve_is_timed)
{
  ovk_model m = idle_model(NULL, "nbc", 2);
  const double o = 0.2, L = 1, G = 0.005, combine = 0.01, values = 1000;
  m.doubles = (int)values;
  m.n[0] = m.n[1] = m.n[2] = 0; /* there are no rows */
  m.machine.net.o = o * US;
  m.machine.net.G = G * US;
  m.machine.combine = combine * US;
  const double whole = 2 * o + L + values * (8 * G + combine);
  assert_us(run_model(&m).iteration, whole);
  m.backend = "nbc:fragment=2000,window=1"; /* one after the other */
  assert_us(run_model(&m).iteration, whole + 3 * (2 * o + L));
  m.backend = "nbc:fragment=2000,window=2";
  const ovk_model_result r = run_model(&m);
  assert_true(r.messages == 4);
  assert_true(r.iteration < (whole + 3 * (2 * o + L)) * US);
}

TEST(reductions_to_one_rank_follow_each_other_without_waiting)
{
  ovk_model m = idle_model(NULL, "nbc", 4);
  const double begin = 0.5, o = 0.2, combine = 0.01, values = 100;
  m.doubles = (int)values;
  m.to_root = true;
  m.machine.begin = begin * US;
  m.machine.net.o = o * US;
  m.machine.combine = combine * US;
  /* the root receives two messages, which are there, as the other ranks are ahead */
  const double each = begin + 2 * (o + values * combine);
  ovk_model_result r;
  assert_ok(ovk_model_run(test_ctx(), &m, &r));
  assert_us(r.iteration, each);
  assert_true(r.messages == 0.75);
  m.backend = "nbc:fragment=200,window=2";
  assert_ok(ovk_model_run(test_ctx(), &m, &r));
  assert_us(r.iteration, each + 3 * (begin + 2 * o));
  m.doubles = 0;
  assert_error(ovk_model_run(test_ctx(), &m, &r), OVK_ERR_ARG, "to_root needs doubles");
}

TEST(ranks_of_a_node_take_its_link)
{
  ovk_model m = idle_model("single-reduction", "blocking", 2);
  m.machine.net.L = 50 * US;
  m.machine.ranks_per_node = 2;
  assert_us(run_model(&m).iteration, 1 + 1);
  m.machine.ranks_per_node = 1;
  assert_us(run_model(&m).iteration, 50 + 50);
}

TEST(an_adapter_leaves_gaps_between_messages)
{
  ovk_model m = idle_model("single-reduction", "nbc:alg=flat", 4);
  const int row[3] = {4, 1, 1};
  memcpy(m.grid, row, sizeof row);
  m.machine.net.g = 0.25 * US;
  m.machine.net.L = 10 * US;
  /* three messages of a sum, the last 0.5 us after the first, and then the halo's two: the last
   * leaves 1 us after the first, and the next sum starts with all gaps over */
  assert_us(run_model(&m).sum_wait, 10 + 0.5);
}

TEST(a_sum_behind_a_product_costs_its_processor_time)
{
  ovk_model m = model_of("pipecg", "iallreduce", 2);
  const double begin = 0.5, o = 0.2, poll = 0.1, combine = 0.01;
  m.machine.begin = begin * US;
  m.machine.poll = poll * US;
  m.machine.combine = combine * US;
  m.machine.net.o = o * US;
  m.machine.net.L = 5 * US;
  m.work.stream = 1 * US;
  ovk_model_result r = run_model(&m);
  const double values = (r.sums / US - begin - 2 * o - poll) / combine; /* that are added up */
  assert_close(values, 10 + 1, 1e-6);
  assert_us(r.sum_wait, 0);
  assert_us(r.halo, o + o);
  assert_us(r.compute, 100 + 16);
  m.machine.net.L = 35 * US; /* found by the fourth poll */
  assert_us(run_model(&m).sums, 1e6 * r.sums + 3 * poll);
  m.machine.net.L = 200 * US; /* by none of ten: in wait */
  assert_us(run_model(&m).sums, 1e6 * r.sums + 9 * poll);
  m.poll_rows = 0;
  m.machine.net.L = 5 * US;
  assert_us(run_model(&m).sums, 1e6 * r.sums - poll);
  m.work.dot = 0.5 * US; /* ten inner products, which count as three */
  assert_us(run_model(&m).compute, 100 + 16 + 1.5);
}

/* A message takes 7 us of a processor, with a latency of 5 us. Returns the result with the latency
 * alone. */
static ovk_model_result check_cost_of_a_message(ovk_model *m, double *cost)
{
  m->machine.net.L = 5 * US;
  const ovk_model_result before = run_model(m);
  *cost = 7 * US;
  const ovk_model_result r = run_model(m);
  assert_us(r.sums, 1e6 * before.sums + 7);
  assert_us(r.halo, 1e6 * before.halo + 7);
  return before;
}

TEST(a_message_interrupts_a_rank_that_computes_and_none_that_waits)
{
  ovk_model m = model_of("pipecg", "iallreduce", 2);
  const ovk_model_result before = check_cost_of_a_message(&m, &m.machine.interrupt);
  m.machine.net.L = 200 * US;
  assert_us(run_model(&m).sums, 1e6 * before.sums);
  m.machine.ranks_per_node = 2;
  assert_us(run_model(&m).iteration, 1e6 * before.iteration);
}

TEST(forwarding_takes_time_from_a_sender_that_works_and_from_none_that_waits)
{
  ovk_model m = model_of("pipecg", "iallreduce", 2);
  const ovk_model_result before = check_cost_of_a_message(&m, &m.machine.forward);
  m.machine.ranks_per_node = 2;
  assert_us(run_model(&m).iteration, 1e6 * before.iteration);
  m = model_of("pipecg", "iallreduce", 4);
  m.doubles = 1; /* two rounds */
  m.machine.net.L = 50 * US;
  m.machine.forward = 30 * US;
  assert_us(run_model(&m).iteration, 2 * 50);
  m.machine.forward = 70 * US;
  assert_us(run_model(&m).iteration, 2 * 70);
}

TEST(a_medium_forwards_one_message_after_the_other_whoever_sends_it)
{
  ovk_model m = model_of("pipecg", "iallreduce", 4);
  m.doubles = 1; /* two rounds. In each round all ranks send. */
  m.machine.net.L = 50 * US;
  assert_us(run_model(&m).iteration, 2 * 50);
  m.machine.medium = 30 * US;
  assert_us(run_model(&m).iteration, 2 * 4 * 30);
  m.machine.ranks_per_node = 4;
  assert_us(run_model(&m).iteration, 0);
}

TEST(a_delay_counts_from_begin)
{
  ovk_model m = model_of("pipecg", "emulate-latency:us=50|iallreduce", 1);
  m.machine.begin = 1 * US;
  m.work.stream = 1 * US;
  ovk_model_result r = run_model(&m);
  assert_us(r.iteration, 1 + 100 + 16);
  assert_us(r.sum_wait, 0);
  m.backend = "emulate-latency:us=150|iallreduce";
  r = run_model(&m);
  assert_us(r.iteration, 150 + 16);
  assert_us(r.sum_wait, 49);
  m.backend = "emulate-latency:us=150|emulate-latency:us=30|blocking";
  assert_us(run_model(&m).iteration, 150 + 16);
  m.method = "cg";
  assert_us(run_model(&m).iteration, 3 * 150 + 100 + 10);
  m.method = "pipelcg:l=2"; /* 12 + 1 + 3 l doubles; two iterations to hide it */
  m.backend = "emulate-latency:us=220|iallreduce";
  r = run_model(&m);
  assert_us(r.iteration, 1 + 100 + 19);
  assert_us(r.sum_wait, 0);
  m.backend = "emulate-latency:us=320|iallreduce"; /* two begins, products and updates, except for
                                                      one update */
  r = run_model(&m);
  assert_us(r.iteration, (320 + 19) / 2.0);
}

TEST(jitter_is_that_of_the_backend)
{
  ovk_model m = model_of("single-reduction", "emulate-latency:us=100,jitter=1|iallreduce", 1);
  m.work.product = 0;
  m.iterations = 4000;
  assert_close(1e6 * run_model(&m).iteration, 150, 0.02);
}

TEST(doubling_among_eight_takes_three_rounds)
{
  ovk_model m = idle_model("single-reduction", "iallreduce", 8);
  m.machine.combine = 0.01 * US;
  ovk_model_result r = run_model(&m);
  assert_us(r.sum_wait, 3);
  assert_us(r.sums, 3 * 4 * 0.01);
  assert_us(r.halo, 1);
  assert_true(r.messages == 3);
  m.backend = "nbc:alg=flat";
  assert_us(run_model(&m).sum_wait, 1);
  m.backend = "nbc:alg=ring"; /* segments of half a value: some are empty */
  assert_true(run_model(&m).sum_wait > 3 * US);
}

TEST(a_third_rank_has_a_proxy)
{
  ovk_model m = idle_model("single-reduction", "nbc", 3);
  const ovk_model_result r = run_model(&m);
  assert_us(r.iteration, 3); /* to the proxy, exchange, and back; halos come after that */
  assert_close(r.messages, 4.0 / 3, 1e-12);
}

TEST(levels_follow_nodes)
{
  ovk_model m = idle_model("single-reduction", "nbc:levels=node+net,alg=flat+doubling", 4);
  m.machine.net.L = 10 * US;
  m.machine.ranks_per_node = 2;
  assert_us(run_model(&m).iteration, 1 + 10 + 1 + 10); /* up, across, down; and a halo */
  m.backend = "nbc:levels=2,channel=shm+p2p";
  assert_us(run_model(&m).iteration, 1 + 10 + 1 + 10);
  m.backend = "auto";
  assert_us(run_model(&m).iteration, 1 + 10 + 1 + 10);
  m.machine.ranks_per_node = 4;
  assert_us(run_model(&m).iteration, 1 + 1); /* shm */
}

TEST(a_slow_rank_holds_up_all)
{
  ovk_model m = model_of("cg", "iallreduce", 4);
  m.noise.slow = 0.5;
  const ovk_model_result r = run_model(&m);
  assert_us(r.iteration, 150);
  assert_us(r.compute, (3 * 100 + 150) / 4.0);
}

TEST(ranks_of_a_node_are_late_together)
{
  ovk_model m = model_of("cg", "iallreduce", 4);
  m.noise.node = 0.5;
  m.machine.ranks_per_node = 4;
  ovk_model_result r = run_model(&m);
  assert_true(r.compute > 100 * US);
  assert_us(r.sum_wait + r.halo, 0);
  m.machine.ranks_per_node = 2;
  r = run_model(&m);
  assert_true(r.sum_wait + r.halo > 1 * US);
}

TEST(an_adapter_that_adds_needs_time_but_no_processor)
{
  ovk_model m = idle_model("single-reduction", "nbc:alg=doubling", 8);
  const double before = run_model(&m).iteration;
  m.machine.loopback = 5 * US;
  assert_us(run_model(&m).iteration - before, 0);
  m.async = true;
  const ovk_model_result r = run_model(&m);
  assert_us(r.iteration - before, 3 * 5);
  assert_us(r.sums, 0);
  m.backend = "nbc:alg=flat"; /* seven messages in a round */
  const double with = run_model(&m).iteration;
  m.machine.loopback = 0;
  assert_us(with - run_model(&m).iteration, 7 * 5);
}

TEST(the_most_rows_may_have_a_poll_each)
{
  ovk_model m = model_of("pipecg", "nbc", 4);
  m.n[0] = INT_MAX;
  m.n[1] = m.n[2] = 1;
  m.machine.net.L = 10 * US;
  m.poll_rows = 1; /* both rounds end in polls, none in wait */
  assert_us(run_model(&m).sum_wait, 0);
}

TEST(what_nobody_polls_waits_for_wait_or_goes_on_by_itself)
{
  ovk_model m = model_of("pipecg", "nbc", 8);
  m.machine.net.L = 10 * US;
  m.machine.async_overhead = 0.5 * US;
  m.poll_rows = 0;
  ovk_model_result r = run_model(&m); /* the first of three messages is there when wait begins */
  assert_us(r.sum_wait, 20);
  m.async = true;
  r = run_model(&m);
  assert_us(r.sum_wait, 0);
  assert_us(r.sums, 6 * 0.5);
  m.async = false;
  m.backend = "nbc:progress=thread";
  assert_us(run_model(&m).sums, 6 * 0.5);
  m.backend = "nbc";
  m.poll_rows = 100;
  assert_us(run_model(&m).sum_wait, 0);
}

/* Three rounds of doubling, each of a message out and one in, after the part of the rank. */
TEST(an_agent_takes_its_own_time_for_messages)
{
  ovk_model m = model_of("single-reduction", "verbs:agent=thread,alg=doubling", 8);
  m.machine.net.L = 10 * US;
  m.machine.net.o = 100 * US; /* of ranks, which have no messages */
  m.machine.begin = 1 * US;
  m.machine.agent = 0.5 * US;
  m.poll_rows = 0;
  ovk_model_result r = run_model(&m);
  assert_us(r.sums, 1);
  assert_us(r.sum_wait, 3 * 10 + 7 * 0.5);
  m.method = "pipecg";
  r = run_model(&m);
  assert_us(r.sums, 1);
  assert_us(r.sum_wait, 0);
}

/* The update of x continues until gamma is complete; overlap has no other work for it. */
TEST(an_update_is_split_where_the_sum_is_complete)
{
  ovk_model m = model_of("overlap", "emulate-latency:us=12|iallreduce", 1);
  m.work.stream = 10 * US; /* x takes 30 us, in ten parts */
  const ovk_model_result r = run_model(&m);
  /* sdotp has the rest of x after 12 us, 15; iprod the 20 of t; gamma x */
  assert_us(r.sum_wait, 0);
  assert_us(r.compute, 100 + 130);
  m.backend = "emulate-latency:us=20|iallreduce"; /* x: 21 and 9, which leaves 11 of sdotp */
  assert_us(run_model(&m).sum_wait, 11);
}

/* The preconditioner overlaps one of the two reductions of groppcg: the second of its two rounds
 * begins in wait if nothing polls, unless reductions progress by themselves. */
TEST(a_preconditioner_that_never_polls_leaves_rounds_to_wait)
{
  ovk_model m = model_of("groppcg", "nbc:alg=doubling", 4);
  m.work.precond = 100 * US;
  m.machine.net.L = 1 * US;
  assert_us(run_model(&m).sum_wait, 0);
  m.precond_never_polls = true;
  assert_us(run_model(&m).sum_wait, 1);
  m.async = true;
  assert_us(run_model(&m).sum_wait, 0);
}
