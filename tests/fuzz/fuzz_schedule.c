/* SPDX-License-Identifier: BSD-2-Clause */
/* Algorithm specs and their schedules: if a text is a valid spec, the schedules of all ranks give
 * the sum when carried out, and no two messages can be confused (schedule_machine.h). Input: ranks,
 * count, operation, root, seed, a byte each; then the spec. */
#include "comm/engine/schedule/algorithm_spec.h"
#include "support/comm/schedule_machine.h"
#include "support/fuzz/fuzz.h"

#include <ovkrylov/comm/schedule.h>
#include <stdlib.h>

enum { MOST_RANKS = 23, MOST_COUNT = 40 };

/* The parameters given by an input. */
typedef struct setting {
  int nranks, root;
  size_t count;
  unsigned seed;
  ovk__algorithm_spec algorithms;
  ovk__hierarchy hierarchy;
} setting;

/* Groups that intersect, for levels that have names. */
static ovk_err make_hierarchy(setting *s)
{
  const int n = s->nranks, groupings = s->algorithms.ngroupings;
  if (s->algorithms.by_size || groupings == 0)
    return ovk__hierarchy_by_size(fuzz_ctx(), n, s->algorithms.size, groupings, &s->hierarchy);
  int colors[OVK__MAX_LEVELS * MOST_RANKS];
  for (int k = 0; k < groupings * n; k++) {
    const unsigned mixed = (unsigned)(k % n) * (s->seed | 1u) + (unsigned)(k / n) * 7u;
    colors[k] = (int)(mixed / 3 % (s->seed % 5 + 1));
  }
  return ovk__hierarchy_by_color(fuzz_ctx(), n, colors, groupings, &s->hierarchy);
}

/* A rank's part of element i: small integers, so that all sums are exact. */
static double part(int rank, size_t i)
{
  return (double)(rank + 1) * (double)(i + 1);
}

static double sum(int nranks, size_t i)
{
  return (double)(nranks * (nranks + 1) / 2) * (double)(i + 1);
}

static void put_parts(machine *m, int rank, ovk_buffer buffer, size_t count)
{
  double *values = machine_give(m, rank, buffer, count);
  for (size_t i = 0; i < count; i++) values[i] = part(rank, i);
}

static void check_totals(const machine *m, int rank, size_t count)
{
  const double *totals = machine_buffer_of(m, rank, OVK_OUTPUT);
  for (size_t i = 0; i < count; i++)
    FUZZ_CHECK(totals[i] == sum(m->nranks, i), "rank %d has %g as total %zu", rank, totals[i], i);
}

static void check_allreduce(const setting *s, machine *m)
{
  const size_t size =
      s->seed % 2 ? (size_t)1 << 20 : 1; /* alg=auto finds these segments long or short */
  for (int rank = 0; rank < s->nranks; rank++) {
    ovk__schedule *schedule = &m->ranks[rank].schedule;
    const ovk_err err = ovk__schedule_allreduce(fuzz_ctx(), &s->algorithms, &s->hierarchy, rank,
                                                s->count, size, schedule);
    FUZZ_CHECK(err == OVK_OK, "no all-reduce of rank %d", rank);
    FUZZ_CHECK(schedule->barrier || s->count == 0, "an all-reduce that is no barrier");
    put_parts(m, rank, OVK_OUTPUT, s->count);
  }
  machine_run(m, s->seed);
  for (int rank = 0; rank < s->nranks; rank++) check_totals(m, rank, s->count);
}

static void check_reduce(const setting *s, machine *m)
{
  for (int rank = 0; rank < s->nranks; rank++) {
    const ovk_err err = ovk__schedule_reduce(fuzz_ctx(), &s->algorithms, &s->hierarchy, rank,
                                             s->root, s->count, &m->ranks[rank].schedule);
    FUZZ_CHECK(err == OVK_OK, "no reduction of rank %d", rank);
    put_parts(m, rank, OVK_INPUT, s->count);
  }
  machine_give(m, s->root, OVK_OUTPUT, s->count);
  machine_run(m, s->seed);
  check_totals(m, s->root, s->count);
}

static void check_bcast(const setting *s, machine *m)
{
  for (int rank = 0; rank < s->nranks; rank++) {
    const ovk_err err = ovk__schedule_bcast(fuzz_ctx(), &s->algorithms, &s->hierarchy, rank,
                                            s->root, s->count, &m->ranks[rank].schedule);
    FUZZ_CHECK(err == OVK_OK, "no broadcast of rank %d", rank);
    machine_give(m, rank, OVK_OUTPUT, s->count);
  }
  double *values = machine_buffer_of(m, s->root, OVK_OUTPUT);
  for (size_t i = 0; i < s->count; i++) values[i] = part(s->root, i);
  machine_run(m, s->seed);
  for (int rank = 0; rank < s->nranks; rank++) {
    const double *got = machine_buffer_of(m, rank, OVK_OUTPUT);
    for (size_t i = 0; i < s->count; i++)
      FUZZ_CHECK(got[i] == part(s->root, i), "rank %d got %g", rank, got[i]);
  }
}

static void run_operation(setting *s, unsigned operation)
{
  static void (*const checks[])(const setting *s, machine *m) = {check_allreduce, check_reduce,
                                                                 check_bcast};
  /* Rings and halving exist for sums to all only; for others they are refused, or omitted by the
   * plug-ins. */
  const ovk__algorithm top = s->algorithms.level[s->algorithms.ngroupings].algorithm;
  const bool all_only = top == OVK__RING || top == OVK__HALVING;
  FUZZ_CHECK(make_hierarchy(s) == OVK_OK, "no hierarchy of %d ranks", s->nranks);
  scoped_machine *m = machine_make(s->nranks);
  checks[all_only ? 0 : operation % 3](s, m);
  ovk__hierarchy_free(&s->hierarchy);
}

/* The same through the public function, whose accepted arguments are known. */
static void count_action(void *actions, int round, const char *action)
{
  FUZZ_CHECK(round >= 1 && *action, "round %d: '%s'", round, action);
  ++*(int *)actions;
}

static void check_listing(const setting *s, const char *text)
{
  int actions = 0;
  const ovk_err err = ovk_list_schedule(fuzz_ctx(), text, s->nranks, s->root, (int)s->count,
                                        count_action, &actions);
  if (err) fuzz_refused(err);
  FUZZ_CHECK(err || actions > 0 || s->nranks == 1, "'%s' does nothing", text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_bytes in = {data, data + size};
  setting s = {.nranks = 1 + (int)fuzz_below(&in, MOST_RANKS),
               .count = fuzz_below(&in, MOST_COUNT)};
  const unsigned operation = fuzz_byte(&in);
  s.root = (int)fuzz_below(&in, (unsigned)s.nranks);
  s.seed = fuzz_byte(&in);
  scoped_array char *text = fuzz_text(&in);
  ovk_spec *spec = NULL;
  ovk_err err = ovk_spec_parse(fuzz_ctx(), text, &spec);
  if (!err) err = ovk__algorithm_spec_read(fuzz_ctx(), spec, &s.algorithms);
  if (err) {
    fuzz_refused(err);
  } else {
    run_operation(&s, operation);
  }
  ovk_spec_destroy(&spec);
  check_listing(&s, text);
  return 0;
}
