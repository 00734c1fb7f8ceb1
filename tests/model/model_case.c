/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of the model. */
#include "model_case.h"
#include "support/test_main.h"

ovk_model model_of(const char *method, const char *backend, int nranks)
{
  ovk_model m = OVK_MODEL;
  m.method = method;
  m.backend = backend;
  m.nranks = nranks;
  for (int k = 0; k < 3; k++) m.n[k] = 10;
  m.poll_rows = 100;
  m.work.product = 100 * US;
  return m;
}

ovk_model_result run_model(const ovk_model *m)
{
  ovk_model_result r;
  assert_ok(ovk_model_run(test_ctx(), m, &r));
  assert_close(1e6 * (r.compute + r.sums + r.sum_wait + r.halo), 1e6 * r.iteration, 1e-9);
  return r;
}
