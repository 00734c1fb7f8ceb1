/* SPDX-License-Identifier: BSD-2-Clause */
/* The installed checks of the reduction contract, called from CMocka tests. */
#include "support/conformance.h"
#include "support/test_main.h"

#include <ovkrylov/plugin/conformance.h>

static void failed(const char *message)
{
  print_error("%s\n", message);
  fail();
}

/* Quick with more ranks than cores, where each sum waits for the scheduler, for milliseconds if MPI
 * does not yield; and in the emulated machines in which devices are tested. */
static ovk_conformance over(const char *spec, ovk_err (*introduce)(ovk_ctx *ctx))
{
  return (ovk_conformance){.comm = MPI_COMM_WORLD,
                           .spec = spec,
                           .introduce = introduce,
                           .failed = failed,
                           .quick = test_size > 2 || getenv("OVK_TEST_DEVICE")};
}

void conformance_check(const char *spec, ovk_err (*introduce)(ovk_ctx *ctx))
{
  const ovk_conformance what = over(spec, introduce);
  ovk_conformance_check(&what);
}

void conformance_check_mixed(const char *spec)
{
  const ovk_conformance what = over(spec, NULL);
  ovk_conformance_check_mixed(&what);
}

void conformance_check_thousands(const char *spec)
{
  if (test_size > 2) return; /* nothing new on more ranks, and slow */
  const ovk_conformance what = over(spec, NULL);
  ovk_conformance_check_thousands(&what);
}
