/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of the predict-and-recompute method against their formulas in plain C, bit for bit,
 * for lengths around the lanes and the blocks, and for both kinds of diagonal. */
#include "solvers/kernels/updates_predict.h"
#include "support/matrices.h"
#include "support/test_main.h"

#include <string.h>

enum { LANES = 8, MAX = 300, GUARD = 1, ARRAYS = 10 };

static const int lengths[] = {0, 1, 7, 8, 9, 127, 128, 129, 136, 257, MAX};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

typedef struct data {
  double x[MAX + GUARD], r[MAX + GUARD], rt[MAX + GUARD], w[MAX + GUARD], wt[MAX + GUARD],
      p[MAX + GUARD], s[MAX + GUARD], st[MAX + GUARD], u[MAX + GUARD], ut[MAX + GUARD];
} data;

static double diagonal_rows[MAX];

/* The same numbers in two copies: one for the sweep, one for the formulas. */
static void make(uint64_t seed, data *v, data *formula)
{
  double *rows = v->x;
  for (uint64_t i = 0; i < ARRAYS * (MAX + GUARD); i++) rows[i] = random_number(seed, i) - 0.5;
  for (uint64_t i = 0; i < MAX; i++) diagonal_rows[i] = random_number(seed + 1, i) + 0.5;
  *formula = *v;
}

static ovk__predict arrays_of(data *v)
{
  return (ovk__predict){.w = v->w,
                        .wt = v->wt,
                        .u = v->u,
                        .ut = v->ut,
                        .x = v->x,
                        .r = v->r,
                        .rt = v->rt,
                        .p = v->p,
                        .s = v->s,
                        .st = v->st};
}

/* (x, y) in the order specified in lanes.h. */
static double dot(int n, const double *x, const double *y)
{
  double s[LANES] = {0};
  for (int i = 0; i < n; i++) s[i % LANES] += x[i] * y[i];
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

static void check_sums(int n, const data *f, const double sums[OVK__PREDICT_SUMS])
{
  assert_true(sums[OVK__PREDICT_NU] == dot(n, f->rt, f->r));
  assert_true(sums[OVK__PREDICT_MU] == dot(n, f->p, f->s));
  assert_true(sums[OVK__PREDICT_DELTA] == dot(n, f->rt, f->s));
  assert_true(sums[OVK__PREDICT_GAMMA] == dot(n, f->st, f->s));
  assert_true(sums[OVK__PREDICT_RR] == dot(n, f->r, f->r));
}

static void the_sweep_updates_six_vectors(void **state)
{
  (void)state;
  static data v, f;
  for (int k = 0; k < LENGTHS; k++) {
    const int n = lengths[k];
    make(1, &v, &f);
    double sums[OVK__PREDICT_SUMS];
    const ovk__predict a = arrays_of(&v);
    ovk__sums_predict(n, &a, sums);
    check_sums(n, &f, sums);
    ovk__update_predict(n, 0.3, 0.8, &a, sums);
    for (int i = 0; i < n; i++) {
      f.x[i] += 0.3 * f.p[i];
      f.r[i] -= 0.3 * f.s[i];
      f.rt[i] -= 0.3 * f.st[i];
      f.p[i] = f.rt[i] + 0.8 * f.p[i];
      f.s[i] = (f.w[i] - 0.3 * f.u[i]) + 0.8 * f.s[i];
      f.st[i] = (f.wt[i] - 0.3 * f.ut[i]) + 0.8 * f.st[i];
    }
    assert_memory_equal(&v, &f, sizeof v);
    check_sums(n, &f, sums);
  }
}

static void the_sweep_with_a_diagonal_makes_rt_and_st_of_r_and_s(void **state)
{
  (void)state;
  static data v, f;
  for (int constant = 0; constant < 2; constant++) {
    for (int k = 0; k < LENGTHS; k++) {
      const int n = lengths[k];
      make(2, &v, &f);
      double sums[OVK__PREDICT_SUMS];
      const ovk__predict a = arrays_of(&v);
      const ovk__diagonal D = {diagonal_rows, constant == 1};
      ovk__update_predict_diagonal(n, 0.3, 0.8, D, &a, sums);
      for (int i = 0; i < n; i++) {
        const double d = diagonal_rows[constant ? 0 : i];
        f.x[i] += 0.3 * f.p[i];
        f.r[i] -= 0.3 * f.s[i];
        f.rt[i] = d * f.r[i];
        f.p[i] = f.rt[i] + 0.8 * f.p[i];
        f.s[i] = (f.w[i] - 0.3 * f.u[i]) + 0.8 * f.s[i];
        f.st[i] = d * f.s[i];
      }
      assert_memory_equal(&v, &f, sizeof v);
      check_sums(n, &f, sums);
    }
  }
}

int run_all_tests(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_sweep_updates_six_vectors),
      cmocka_unit_test(the_sweep_with_a_diagonal_makes_rt_and_st_of_r_and_s),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
