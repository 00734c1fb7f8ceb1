/* SPDX-License-Identifier: BSD-2-Clause */
/* What A and b are measured in is no matter: powers of two that scale them change no bit of a
 * method's residuals, so no decision either. */
#include "support/create.h"
#include "support/matrices.h"
#include "support/methods.h"
#include "support/systems.h"
#include "support/test_main.h"

#include <math.h>
#include <string.h>

enum { N = 30, MOST = 500 };

typedef struct history_of_solve {
  ovk_result res;
  ovk_history history;
  ovk_progress entries[MOST];
} history_of_solve;

static void solve(const char *method, const char *precond, int power_A, int power_b,
                  history_of_solve *h)
{
  dense_system S = system_of(random_spd(N, 100, 7), N, 8, ldexp(1, power_A), ldexp(1, power_b));
  ovk_precond *M = new_precond(S.A, precond);
  *h = (history_of_solve){.history = {h->entries, MOST, 0}};
  ovk_pcg_opts opts = with_method(method);
  opts.backend = "nbc";
  opts.monitor = ovk_monitor_record;
  opts.monitor_arg = &h->history;
  h->res = system_solve(&S, M, &opts);
  ovk_precond_destroy(&M);
  system_clear(&S);
}

static void check(const char *method, const char *precond)
{
  static const int powers[][2] = {{-100, 0}, {100, -100}, {0, 100}};
  static history_of_solve plain, scaled;
  solve(method, precond, 0, 0, &plain);
  assert_true(plain.history.count <= MOST);
  assert_int_equal(plain.res.reason, OVK_REASON_CONVERGED_RTOL);
  for (size_t k = 0; k < sizeof powers / sizeof *powers; k++) {
    solve(method, precond, powers[k][0], powers[k][1], &scaled);
    assert_int_equal(scaled.res.reason, plain.res.reason);
    assert_int_equal(scaled.res.replacements, plain.res.replacements);
    assert_int_equal(scaled.history.count, plain.history.count);
    for (int i = 0; i < plain.history.count; i++) {
      const double norm = ldexp(plain.entries[i].residual_norm, powers[k][1]);
      assert_true(scaled.entries[i].residual_norm == norm);
    }
  }
}

static void powers_of_two_change_no_bit_of_a_residual(void **state)
{
  ovk_choice method;
  for (int k = 0; list_named_methods(test_ctx(), k, &method); k++) {
    static const char *const preconds[] = {"none", "ssor"};
    for (int p = 0; p < 2; p++) {
      print_message("%s, %s\n", method.name, preconds[p]);
      check(method.name, preconds[p]);
    }
  }
}

int run_all_tests(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(powers_of_two_change_no_bit_of_a_residual),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
