/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulated solves: parameters are refused with a message, or give times that are finite, add up
 * and are reproducible. Input: methods, sizes, times, a byte or a few each; then the backend. */
#include "support/fuzz/fuzz.h"

#include "model/model.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 20, MOST_ITERATIONS = 6 };

static const char *const methods[] = {"cg",          "split-cg",    "overlap",  "single-reduction",
                                      "groppcg",     "pipecg",      "pipeprcg", "pipelcg:l=1",
                                      "pipelcg:l=2", "pipelcg:l=5", "pipefcg"};
enum { NMETHODS = sizeof methods / sizeof *methods };

/* A size: small ones are more likely. */
static int read_size(fuzz_bytes *in)
{
  static const int special[] = {0, 1, 2, 100, 1 << 16, INT_MAX, -1, 1290};
  const unsigned which = fuzz_byte(in);
  return which < 8 ? special[which] : (int)which - 7;
}

/* Seconds: realistic ones, zero, or any double. */
static double read_seconds(fuzz_bytes *in)
{
  const unsigned which = fuzz_byte(in);
  return which < 64 ? ldexp(1, -(int)which) : which < 96 ? 1e6 : which < 224 ? 0 : fuzz_double(in);
}

static void read_model(ovk_model *m, fuzz_bytes *in)
{
  *m = ovk_model_default();
  m->method = methods[fuzz_byte(in) % NMETHODS];
  m->async = fuzz_byte(in) % 4 == 3;
  m->nranks = 1 + (int)fuzz_below(in, MOST_RANKS);
  m->iterations = 1 + (int)fuzz_below(in, MOST_ITERATIONS);
  for (int k = 0; k < 3; k++) m->n[k] = read_size(in);
  m->poll_rows = read_size(in);
  m->machine.ranks_per_node = read_size(in);
  if (fuzz_byte(in) % 4 == 3) m->grid[0] = m->nranks;
  m->grid[1] = m->grid[2] = m->grid[0] ? 1 : 0;
  m->work.constant = fuzz_byte(in) % 2;
  m->noise.seed = fuzz_byte(in);
  double *const all[] = {&m->machine.node.L,   &m->machine.node.o,
                         &m->machine.node.O,   &m->machine.node.g,
                         &m->machine.node.G,   &m->machine.net.L,
                         &m->machine.net.o,    &m->machine.net.O,
                         &m->machine.net.g,    &m->machine.net.G,
                         &m->machine.begin,    &m->machine.poll,
                         &m->machine.combine,  &m->machine.async_overhead,
                         &m->machine.loopback, &m->work.product,
                         &m->work.boundary,    &m->work.precond,
                         &m->work.stream,      &m->work.dot,
                         &m->work.pair,        &m->noise.exponential,
                         &m->noise.spike,      &m->noise.spikes_a_second,
                         &m->noise.node,       &m->noise.slow,
                         &m->machine.agent};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) *all[k] = read_seconds(in);
}

/* Read last, so that inputs from before the cycle keep their meaning. */
static void read_cycle(ovk_model_cycle *c, fuzz_bytes *in)
{
  c->degree = (int)(fuzz_byte(in) % 5);
  c->gather = read_size(in);
  c->coarse = read_size(in);
  c->coarsening = 1.0 + fuzz_byte(in);
  c->cache_rows = fuzz_byte(in);
  c->cached = fuzz_byte(in) / 128.0;
  double *const all[] = {&c->start, &c->product, &c->transfer, &c->inverse};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) *all[k] = read_seconds(in);
  c->twice = fuzz_byte(in) % 2;
}

static void check_result(const ovk_model_result *r)
{
  const double parts[] = {r->iteration, r->compute,  r->sums,  r->sum_wait,
                          r->halo,      r->messages, r->cycle, r->cycle_messages};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
    FUZZ_CHECK(isfinite(parts[k]) && parts[k] >= 0, "part %zu is %g", k, parts[k]);
  const double sum = r->compute + r->sums + r->sum_wait + r->halo;
  FUZZ_CHECK(fabs(sum - r->iteration) <= 1e-6 * r->iteration + 1e-300, "parts of %g, %g in all",
             r->iteration, sum);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_bytes in = {data, data + size};
  ovk_model model;
  ovk_model_result result, again;
  read_model(&model, &in);
  scoped_array char *text = fuzz_text(&in);
  model.backend = *text ? text : NULL;
  read_cycle(&model.cycle, &in);
  const ovk_err err = ovk_model_run(fuzz_ctx(), &model, &result);
  if (err) {
    fuzz_refused(err);
  } else {
    check_result(&result);
    FUZZ_CHECK(ovk_model_run(fuzz_ctx(), &model, &again) == OVK_OK, "not again");
    FUZZ_CHECK(memcmp(&result, &again, sizeof result) == 0, "%.17g s, then %.17g", result.iteration,
               again.iteration);
  }
  return 0;
}
