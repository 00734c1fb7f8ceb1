/* SPDX-License-Identifier: BSD-2-Clause */
/* Each fused sweep against its formula, element by element, for all lengths around the lane width.
 */
#include "solvers/updates.h"
#include "support/matrices.h"
#include "support/test_main.h"

#include <math.h>
#include <string.h>

enum { MAX = 37, GUARD = 1 };

typedef struct data {
  double a[MAX + GUARD], b[MAX + GUARD], c[MAX + GUARD], d[MAX + GUARD];
} data;

static data make(uint64_t seed)
{
  data v;
  for (uint64_t i = 0; i < MAX + GUARD; i++) {
    v.a[i] = random_number(seed, i) - 0.5;
    v.b[i] = random_number(seed + 1, i) - 0.5;
    v.c[i] = random_number(seed + 2, i) - 0.5;
    v.d[i] = random_number(seed + 3, i) - 0.5;
  }
  return v;
}

static double plain_dot(int n, const double *x, const double *y)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

static void dot_is_the_sum_of_products(void **state)
{
  (void)state;
  const data v = make(1);
  for (int n = 0; n <= MAX; n++) assert_close(ovk__dot(n, v.a, v.b), plain_dot(n, v.a, v.b), 1e-15);
}

static void residual_subtracts_and_sums_both_squares(void **state)
{
  (void)state;
  for (int n = 0; n <= MAX; n++) {
    data v = make(2);
    const data was = v;
    double bb = NAN;
    const double rr = ovk__residual(n, v.a, v.b, &bb);
    for (int i = 0; i < n; i++) assert_true(v.b[i] == was.a[i] - was.b[i]);
    assert_true(v.b[n] == was.b[n]);
    assert_close(bb, plain_dot(n, was.a, was.a), 1e-15);
    assert_close(rr, plain_dot(n, v.b, v.b), 1e-15);
  }
}

static void count_call(void *arg)
{
  ++*(int *)arg;
}

static void axpy_adds_and_polls(void **state)
{
  (void)state;
  for (int n = 0; n <= MAX; n++) {
    data v = make(3);
    const data was = v;
    int calls = 0;
    ovk__axpy(n, 0.7, v.a, v.b, (ovk_poll){count_call, &calls, 5});
    for (int i = 0; i < n; i++) assert_close(v.b[i], was.b[i] + 0.7 * was.a[i], 1e-16);
    assert_true(v.b[n] == was.b[n]);
    assert_int_equal(calls, (n + 4) / 5);
  }
}

static void axpy_norm_subtracts_and_sums_squares(void **state)
{
  (void)state;
  for (int n = 0; n <= MAX; n++) {
    data v = make(4);
    const data was = v;
    const double rr = ovk__axpy_norm(n, 0.7, v.a, v.b);
    for (int i = 0; i < n; i++) assert_close(v.b[i], was.b[i] - 0.7 * was.a[i], 1e-16);
    assert_true(v.b[n] == was.b[n]);
    assert_close(rr, plain_dot(n, v.b, v.b), 1e-15);
  }
}

static void update_x_r_is_both_updates_at_once(void **state)
{
  (void)state;
  for (int n = 0; n <= MAX; n++) {
    data v = make(5);
    const data was = v;
    const double rr = ovk__update_x_r(n, -1.3, v.a, v.b, v.c, v.d);
    for (int i = 0; i < n; i++) {
      assert_close(v.c[i], was.c[i] - 1.3 * was.a[i], 1e-16);
      assert_close(v.d[i], was.d[i] + 1.3 * was.b[i], 1e-16);
    }
    assert_true(v.c[n] == was.c[n] && v.d[n] == was.d[n]);
    assert_close(rr, plain_dot(n, v.d, v.d), 1e-15);
  }
}

static void scale_dot_multiplies_and_sums(void **state)
{
  (void)state;
  for (int n = 0; n <= MAX; n++) {
    data v = make(6);
    const data was = v;
    const double rz = ovk__scale_dot(n, v.a, v.b, v.c);
    for (int i = 0; i < n; i++) assert_true(v.c[i] == was.a[i] * was.b[i]);
    assert_true(v.c[n] == was.c[n]);
    assert_close(rz, plain_dot(n, was.b, v.c), 1e-15);
  }
}

static void direction_works_in_place_and_apart(void **state)
{
  (void)state;
  for (int n = 0; n <= MAX; n++) {
    data v = make(7);
    const data was = v;
    ovk__direction(n, v.a, 0.3, v.b, v.c);
    ovk__direction(n, v.a, 0.3, v.b, v.b);
    for (int i = 0; i < n; i++) assert_close(v.c[i], was.a[i] + 0.3 * was.b[i], 1e-16);
    assert_memory_equal(v.c, v.b, (size_t)n * sizeof *v.b);
    assert_true(v.c[n] == was.c[n] && v.b[n] == was.b[n]);
  }
}

int run_all_tests(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dot_is_the_sum_of_products),
      cmocka_unit_test(residual_subtracts_and_sums_both_squares),
      cmocka_unit_test(axpy_adds_and_polls),
      cmocka_unit_test(axpy_norm_subtracts_and_sums_squares),
      cmocka_unit_test(update_x_r_is_both_updates_at_once),
      cmocka_unit_test(scale_dot_multiplies_and_sums),
      cmocka_unit_test(direction_works_in_place_and_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
