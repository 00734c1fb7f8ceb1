/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums begun, tested, waited for, destroyed and misused in any order, several of several backends
 * at once: the states are those of reduction.h, and totals of equal parts are multiples of them. */
#include "support/fuzz/fuzz.h"

#include <math.h>
#include <ovkrylov/comm/reduction.h>
#include <string.h>

enum { NSLOTS = 4, MOST_COUNT = 300 };

/* A sum and its expected state. */
typedef struct slot {
  ovk_reduction *red;
  bool running;
  int count;
  double parts[MOST_COUNT];
} slot;

static const char *const specs[] = {"blocking",
                                    "iallreduce",
                                    "shm",
                                    "nbc",
                                    "auto",
                                    "nbc:alg=tree,channel=shm",
                                    "nbc:alg=ring,fragment=64,window=3",
                                    "nbc:alg=flat+kary,levels=2,channel=shm+p2p,fragment=800",
                                    "emulate-latency:us=0|nbc",
                                    "emulate-latency:us=1|emulate-latency:us=0|shm",
                                    "verbs:device=emulated,alg=tree",
                                    "verbs:device=emulated,mode=atomic"};
enum { NSPECS = sizeof specs / sizeof *specs };

static void destroy_sum(slot *s)
{
  ovk_reduction_destroy(&s->red);
  *s = (slot){0};
}

static void create_sum(slot *s, fuzz_bytes *in)
{
  const char *spec = specs[fuzz_byte(in) % NSPECS];
  destroy_sum(s);
  s->count = (int)fuzz_below(in, MOST_COUNT);
  const ovk_err err = ovk_reduction_create(fuzz_ctx(), spec, s->count, &s->red);
  FUZZ_CHECK((err == OVK_OK) == (s->red != NULL), "%s", spec);
  if (err) {
    FUZZ_CHECK(s->count == 0 || err == OVK_ERR_UNSUPPORTED, "%s: %s", spec, fuzz_refused(err));
    s->count = 0;
  }
}

static void write_parts(slot *s, fuzz_bytes *in)
{
  double *values = ovk_reduction_values(s->red);
  for (int k = 0; k < s->count; k++) {
    if (k < 8) s->parts[k] = fuzz_double(in);
    if (k >= 8) s->parts[k] = k * s->parts[k % 8];
    values[k] = s->parts[k];
  }
}

static void begin_sum(slot *s, fuzz_bytes *in)
{
  if (!s->running) write_parts(s, in);
  const ovk_err err = ovk_reduction_begin(s->red);
  FUZZ_CHECK(err == (s->running ? OVK_ERR_STATE : OVK_OK), "begin: %s", ovk_err_name(err));
  if (err) fuzz_refused(err);
  s->running = true;
}

static void test_sum(slot *s)
{
  bool complete = false;
  const ovk_err err = ovk_reduction_test(s->red, &complete);
  FUZZ_CHECK(err == (s->running ? OVK_OK : OVK_ERR_STATE), "test: %s", ovk_err_name(err));
  if (err) fuzz_refused(err);
}

static void wait_sum(slot *s)
{
  const ovk_err err = ovk_reduction_wait(s->red);
  FUZZ_CHECK(err == (s->running ? OVK_OK : OVK_ERR_STATE), "wait: %s", ovk_err_name(err));
  s->running = false;
  if (err) {
    fuzz_refused(err);
    return;
  }
  const double *totals = ovk_reduction_values(s->red);
  for (int k = 0; k < s->count; k++) {
    const double sum = s->parts[k] * ovk_ctx_size(fuzz_ctx()); /* exact up to 3 ranks */
    FUZZ_CHECK(totals[k] == sum || (isnan(totals[k]) && isnan(sum)),
               "%s: total %d is %.17g, not %.17g", ovk_reduction_spec(s->red), k, totals[k], sum);
  }
}

static void next_step(slot *slots, fuzz_bytes *in)
{
  const unsigned command = fuzz_byte(in);
  slot *s = &slots[command % NSLOTS];
  if (!s->red || command / NSLOTS % 8 == 0) {
    create_sum(s, in);
  } else if (command / NSLOTS % 8 < 4) {
    begin_sum(s, in);
  } else if (command / NSLOTS % 8 < 6) {
    test_sum(s);
  } else {
    wait_sum(s);
  }
  FUZZ_CHECK(!s->red || ovk_reduction_running(s->red) == s->running, "running: %d", s->running);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_bytes in = {data, data + size};
  static slot slots[NSLOTS];
  memset(slots, 0, sizeof slots);
  while (in.at < in.end) next_step(slots, &in);
  for (int k = 0; k < NSLOTS; k++) destroy_sum(&slots[k]);
  return 0;
}
