/* SPDX-License-Identifier: BSD-2-Clause */
/* The model's noise, and bounds that hold for all methods and backends. */
#include "model_case.h"
#include "support/methods.h"
#include "support/test_main.h"

TEST(noise_has_the_mean_that_it_is_given)
{
  ovk_model m = model_of("single-reduction", "iallreduce", 1);
  m.iterations = 20000;
  m.noise.exponential = 0.5;
  m.noise.seed = 17;
  const double once = run_model(&m).compute;
  assert_close(1e6 * once, 150, 0.02);
  assert_true(run_model(&m).compute == once);
  m.noise.seed = 18;
  assert_true(run_model(&m).compute != once);
  m.noise.exponential = 0;
  m.noise.spike = 1000 * US;
  m.noise.spikes_a_second = 500; /* one in twenty products */
  assert_close(1e6 * run_model(&m).compute, 100 + 50, 0.05);
  m.noise.spikes_a_second = 1e6;
  assert_close(1e6 * run_model(&m).compute, 100 + 1e5, 0.05);
}

/* Noise on each rank makes blocking reductions wait for the slowest, and more so among more ranks.
 */
TEST(noise_costs_more_where_sums_block)
{
  ovk_model few = model_of("cg", "blocking", 4), many = few, hidden;
  few.noise.exponential = 0.2;
  many.noise.exponential = 0.2;
  many.nranks = 512;
  hidden = many;
  hidden.method = "pipecg";
  hidden.backend = "nbc";
  hidden.async = true;
  assert_true(run_model(&few).iteration > 120 * US);
  assert_true(run_model(&many).iteration > 1.3 * run_model(&few).iteration);
  assert_true(run_model(&hidden).iteration < run_model(&many).iteration);
}

static const char *const backends[] = {"blocking",
                                       "iallreduce",
                                       "nbc:alg=flat",
                                       "nbc:alg=kary,k=3",
                                       "nbc:alg=tree",
                                       "nbc:alg=ring",
                                       "nbc:levels=2x2,alg=flat+tree+doubling",
                                       "nbc:levels=node+net,channel=shm+p2p",
                                       "nbc:progress=thread",
                                       "verbs:alg=doubling",
                                       "auto",
                                       "emulate-latency:us=70,jitter=0.5|nbc",
                                       "emulate-latency:us=30|blocking"};

/* All of a model that matters at once; nothing special about the numbers. */
static ovk_model rich_model(const char *method, const char *backend, int nranks)
{
  ovk_model m = model_of(method, backend, nranks);
  m.machine.node = (ovk_model_link){3e-7, 1e-7, 1e-10, 2e-8, 1e-10};
  m.machine.net = (ovk_model_link){2e-6, 2e-7, 1e-10, 5e-8, 2e-10};
  m.machine.ranks_per_node = 3;
  m.machine.begin = 2e-7;
  m.machine.poll = 5e-8;
  m.machine.combine = 1e-9;
  m.machine.async_overhead = 5e-8;
  m.work.boundary = 9e-6;
  m.work.stream = 8e-7;
  m.work.precond = nranks % 2 ? 3e-5 : 0;
  m.noise = (ovk_model_noise){.exponential = 0.1, .seed = (uint64_t)nranks};
  m.iterations = 5;
  return m;
}

static void check_bounds(const ovk_model *m)
{
  ovk_model quick = *m;
  quick.machine.node = quick.machine.net = (ovk_model_link){0};
  const ovk_model_result r = run_model(m), again = run_model(m), free_messages = run_model(&quick);
  assert_memory_equal(&r, &again, sizeof r);
  const bool makes_sums = strcmp(m->method, "chebyshev") != 0; /* in every iteration */
  assert_true(r.iteration >= r.compute * (1 - 1e-12) && r.compute > 0);
  assert_true((r.sums > 0) == makes_sums && r.sum_wait >= 0 && r.halo >= 0);
  assert_true(m->nranks == 1 || (r.halo > 0 && (r.messages > 0) == makes_sums));
  /* another split has other noise */
  if (strcmp(m->method, "overlap") != 0) {
    assert_true(free_messages.iteration <= r.iteration * (1 + 1e-12));
  }
}

TEST(every_method_with_every_backend_adds_up)
{
  FOR_EACH_CHOICE(list_named_methods, method) {
    for (size_t b = 0; b < sizeof backends / sizeof *backends; b++) {
      for (int nranks = 1; nranks <= 17; nranks++) {
        const ovk_model m = rich_model(method.name, backends[b], nranks);
        check_bounds(&m);
      }
    }
  }
}

TEST(a_thousand_ranks_have_their_messages)
{
  ovk_model m = rich_model("pipelcg:l=3", "nbc", 1000);
  m.iterations = 10;
  /* 512 exchange nine times; 488 have proxies: one message more for each, and back */
  assert_close(run_model(&m).messages, (512 * 9 + 2 * 488) / 1000.0, 0.1);
}
