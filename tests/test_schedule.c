/* SPDX-License-Identifier: BSD-2-Clause */
/* Schedules of all ranks, carried out in one process: the totals are right and bit-identical, no
 * message can be taken for another, and there are as many messages and rounds as theory says. */
#include "backends/schedule/schedule.h"
#include "support/matrices.h"
#include "support/test_main.h"

#include <math.h>
#include <stdlib.h>

/* One message on its way: they are kept in order of sending, and each receiver takes the first from
 * its sender, as MPI does with one tag. */
typedef struct message {
  int from, to;
  double value;
  bool taken;
} message;

typedef struct process {
  ovk__schedule schedule;
  double *buffers;
  int round;
  bool started; /* the sends of the round are under way */
} process;

typedef struct machine {
  int nranks;
  process *processes;
  message *mail;
  int nmail, room;
} machine;

static double part(int rank)
{
  return (random_number(21, (uint64_t)rank) - 0.5) *
         pow(10, floor(random_number(22, (uint64_t)rank) * 10));
}

static machine make(const ovk__shape *shape, int nranks)
{
  machine m = {.nranks = nranks};
  m.processes = calloc((size_t)nranks, sizeof *m.processes);
  assert_non_null(m.processes);
  for (int rank = 0; rank < nranks; rank++) {
    process *p = &m.processes[rank];
    assert_ok(ovk__schedule_build(test_ctx(), shape, nranks, rank, &p->schedule));
    p->buffers = malloc((size_t)p->schedule.nbuffers * sizeof *p->buffers);
    assert_non_null(p->buffers);
    for (int k = 0; k < p->schedule.nbuffers; k++) p->buffers[k] = NAN; /* unless written: no use */
    p->buffers[0] = part(rank);
    for (int k = 0; k < p->schedule.nactions; k++)
      m.room += p->schedule.actions[k].kind == OVK__SEND;
  }
  m.mail = malloc(((size_t)m.room + 1) * sizeof *m.mail);
  assert_non_null(m.mail);
  return m;
}

static void clear(machine *m)
{
  for (int rank = 0; rank < m->nranks; rank++) {
    ovk__schedule_free(&m->processes[rank].schedule);
    free(m->processes[rank].buffers);
  }
  free(m->processes);
  free(m->mail);
}

static message *find(machine *m, int from, int to)
{
  for (int k = 0; k < m->nmail; k++) {
    message *mail = &m->mail[k];
    if (!mail->taken && mail->from == from && mail->to == to) return mail;
  }
  return NULL;
}

static void start_round(machine *m, int rank)
{
  process *p = &m->processes[rank];
  const ovk__round r = p->schedule.rounds[p->round];
  for (int k = r.first; k < r.first + r.nmessages; k++) {
    const ovk__action a = p->schedule.actions[k];
    assert_true(a.kind == OVK__SEND || a.kind == OVK__RECEIVE);
    assert_in_range(a.peer, 0, m->nranks - 1);
    assert_int_not_equal(a.peer, rank);
    if (a.kind == OVK__SEND) {
      m->mail[m->nmail++] = (message){.from = rank, .to = a.peer, .value = p->buffers[a.from]};
    }
  }
  p->started = true;
}

/* Can the round end? Only if all its receives have their message. */
static bool finish_round(machine *m, int rank)
{
  process *p = &m->processes[rank];
  const ovk__round r = p->schedule.rounds[p->round];
  for (int k = r.first; k < r.first + r.nmessages; k++) {
    const ovk__action a = p->schedule.actions[k];
    if (a.kind == OVK__RECEIVE && !find(m, a.peer, rank)) return false;
  }
  for (int k = r.first; k < r.first + r.nmessages + r.nlocal; k++) {
    const ovk__action a = p->schedule.actions[k];
    if (a.kind == OVK__RECEIVE) {
      message *mail = find(m, a.peer, rank);
      assert_non_null(mail); /* two receives of a round from one peer would be ambiguous */
      mail->taken = true;
      p->buffers[a.to] = mail->value;
    } else if (a.kind == OVK__COMBINE) {
      p->buffers[a.to] += p->buffers[a.from];
    } else if (a.kind == OVK__COPY) {
      p->buffers[a.to] = p->buffers[a.from];
    }
  }
  p->round++;
  p->started = false;
  return true;
}

/* Runs ranks in a random order until all are through; a deadlock fails. */
static void run(machine *m)
{
  uint64_t turn = 0;
  for (int left = m->nranks, idle = 0; left > 0;) {
    const int start = (int)(random_number(23, turn++) * m->nranks);
    left = 0;
    bool moved = false;
    for (int k = 0; k < m->nranks; k++) {
      const int rank = (start + k) % m->nranks;
      process *p = &m->processes[rank];
      if (p->round == p->schedule.nrounds) continue;
      left++;
      if (!p->started) {
        start_round(m, rank);
        moved = true;
      } else if (finish_round(m, rank)) {
        moved = true;
      }
    }
    idle = moved ? 0 : idle + 1;
    assert_true(idle < 2);
  }
}

static void check(machine *m)
{
  double sum = 0, size = 0;
  for (int rank = 0; rank < m->nranks; rank++) {
    sum += part(rank);
    size += fabs(part(rank));
  }
  const double total = m->processes[0].buffers[0];
  assert_true(fabs(total - sum) <= 1e-15 * m->nranks * size);
  for (int rank = 0; rank < m->nranks; rank++) {
    assert_memory_equal(&m->processes[rank].buffers[0], &total, sizeof total);
  }
  for (int k = 0; k < m->nmail; k++) assert_true(m->mail[k].taken); /* nothing for the next sum */
}

/* In each round a rank has at most one message to, and one from, each other rank. */
static void check_unambiguous(const machine *m)
{
  for (int rank = 0; rank < m->nranks; rank++) {
    const ovk__schedule *s = &m->processes[rank].schedule;
    for (int r = 0; r < s->nrounds; r++) {
      const ovk__action *a = s->actions + s->rounds[r].first;
      for (int k = 0; k < s->rounds[r].nmessages && m->nranks <= 70; k++) {
        for (int l = 0; l < k; l++) assert_false(a[k].kind == a[l].kind && a[k].peer == a[l].peer);
      }
    }
  }
}

static int most_rounds(const machine *m)
{
  int most = 0;
  for (int rank = 0; rank < m->nranks; rank++) {
    const int rounds = m->processes[rank].schedule.nrounds;
    if (rounds > most) most = rounds;
  }
  return most;
}

/* Largest power of k that is not above n, and its exponent. */
static int power_below(int n, int k, int *exponent)
{
  int m = 1;
  for (*exponent = 0; m * k <= n; ++*exponent) m *= k;
  return m;
}

static void check_counts(const machine *m, const ovk__shape *shape)
{
  const int n = m->nranks;
  int digits;
  const int core = power_below(n, shape->k, &digits);
  switch (shape->algorithm) {
  case OVK__FLAT:
    assert_int_equal(m->nmail, n * (n - 1));
    assert_int_equal(most_rounds(m), n > 1);
    break;
  case OVK__KARY:
    assert_int_equal(m->nmail, core * digits * (shape->k - 1) + 2 * (n - core));
    assert_int_equal(most_rounds(m), digits + (n > core ? 2 : 0));
    break;
  case OVK__TREE:
    assert_int_equal(m->nmail, 2 * (n - 1));
    assert_in_range(most_rounds(m), n > 1, 4);
    break;
  }
}

static void check_shape(const ovk__shape *shape, int nranks)
{
  machine m = make(shape, nranks);
  run(&m);
  check(&m);
  check_unambiguous(&m);
  check_counts(&m, shape);
  clear(&m);
}

static void flat_is_right_for_every_rank_count(void **state)
{
  (void)state;
  for (int n = 1; n <= 70; n++) check_shape(&(ovk__shape){OVK__FLAT, 2, 2, 4}, n);
}

static void kary_is_right_for_every_rank_count_and_k(void **state)
{
  (void)state;
  for (int k = 2; k <= 8; k++) {
    for (int n = 1; n <= 70; n++) check_shape(&(ovk__shape){OVK__KARY, k, 2, 4}, n);
  }
}

static void tree_is_right_for_every_rank_count_and_degrees(void **state)
{
  (void)state;
  for (int reduce = 2; reduce <= 8; reduce++) {
    for (int bcast = 2; bcast <= 8; bcast++) {
      for (int n = 1; n <= 70; n += bcast == 4 || reduce == bcast ? 1 : 7) {
        check_shape(&(ovk__shape){OVK__TREE, 2, reduce, bcast}, n);
      }
    }
  }
}

static void trees_and_doubling_are_right_for_hundreds_of_ranks(void **state)
{
  (void)state;
  const int sizes[] = {127, 256, 625};
  for (int i = 0; i < 3; i++) {
    check_shape(&(ovk__shape){OVK__KARY, 2, 2, 4}, sizes[i]);
    check_shape(&(ovk__shape){OVK__KARY, 5, 2, 4}, sizes[i]);
    check_shape(&(ovk__shape){OVK__TREE, 2, 2, 4}, sizes[i]);
  }
}

static void check_spec(const char *text, ovk_err err, const char *says, ovk__shape expected)
{
  ovk_spec *spec = NULL;
  ovk__shape shape = {0};
  assert_ok(ovk_spec_parse(test_ctx(), text, &spec));
  if (err) {
    assert_local_error(ovk__shape_read(test_ctx(), spec, &shape), err, says);
  } else {
    assert_ok(ovk__shape_read(test_ctx(), spec, &shape));
    assert_int_equal(shape.algorithm, expected.algorithm);
    assert_int_equal(shape.k, expected.k);
    assert_int_equal(shape.reduce, expected.reduce);
    assert_int_equal(shape.bcast, expected.bcast);
  }
  ovk_spec_destroy(&spec);
}

static void shapes_are_read_from_specs(void **state)
{
  (void)state;
  const ovk__shape none = {0};
  check_spec("nbc", OVK_OK, "", (ovk__shape){OVK__KARY, 2, 2, 4});
  check_spec("nbc:alg=flat", OVK_OK, "", (ovk__shape){OVK__FLAT, 2, 2, 4});
  check_spec("nbc:alg=kary", OVK_OK, "", (ovk__shape){OVK__KARY, 4, 2, 4});
  check_spec("nbc:alg=kary,k=8", OVK_OK, "", (ovk__shape){OVK__KARY, 8, 2, 4});
  check_spec("nbc:alg=tree,reduce=3,bcast=2", OVK_OK, "", (ovk__shape){OVK__TREE, 2, 3, 2});
  check_spec("nbc:alg=ring", OVK_ERR_ARG, "not 'ring'", none);
  check_spec("nbc:alg=kary,k=9", OVK_ERR_ARG, "from 2 to 8", none);
  check_spec("nbc:alg=kary,k=1", OVK_ERR_ARG, "from 2 to 8", none);
  check_spec("nbc:k=4", OVK_ERR_ARG, "k belongs to alg=kary", none);
  check_spec("nbc:alg=kary,bcast=4", OVK_ERR_ARG, "bcast belongs to alg=tree", none);
}

int run_all_tests(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flat_is_right_for_every_rank_count),
      cmocka_unit_test(kary_is_right_for_every_rank_count_and_k),
      cmocka_unit_test(tree_is_right_for_every_rank_count_and_degrees),
      cmocka_unit_test(trees_and_doubling_are_right_for_hundreds_of_ranks),
      cmocka_unit_test(shapes_are_read_from_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
