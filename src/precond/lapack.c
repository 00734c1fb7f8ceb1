/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks the integers of LAPACK. */
#include "precond/lapack.h"

/* A LAPACK of longer integers overwrites the second element. */
ovk_err ovk__lapack_check(ovk_ctx *ctx, const char *who)
{
  _Alignas(int64_t) lapack_int major[2] = {-1, -1}, minor[2], patch[2];
  LAPACKE_ilaver(major, minor, patch);
  OVK_CHECK(major[1] == -1, ctx, OVK_ERR_UNSUPPORTED,
            "%s: the LAPACK of this program has 64-bit integers, ovkrylov was built for one with "
            "32-bit integers",
            who);
  return OVK_OK;
}
