/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies of arrays, as they are and with values rounded to float. */
#include "matrix/formats/narrow.h"
#include "core/base/cpu_dispatch.h"

#include <math.h>
#include <string.h>

void ovk__copy_bytes(void *to, const void *from, size_t bytes)
{
  if (bytes > 0) memcpy(to, from, bytes);
}

/* Returns the sum of the values times 0: not 0 if one is not finite in float. */
OVK_FOR_EACH_CPU
static float narrow_round(const double *restrict val, size_t n, float *restrict out)
{
  enum { LANES = 16 };
  float zero[LANES] = {0}, sum = 0;
  size_t k = 0;
  for (; k + LANES <= n; k += LANES) {
    for (size_t l = 0; l < LANES; l++) {
      out[k + l] = (float)val[k + l];
      zero[l] += 0 * out[k + l];
    }
  }
  for (; k < n; k++) {
    out[k] = (float)val[k];
    sum += 0 * out[k];
  }
  for (size_t l = 0; l < LANES; l++) sum += zero[l];
  return sum;
}

static ovk_err narrow_check(ovk_ctx *ctx, double value)
{
  OVK_CHECK(isfinite((float)value) || !isfinite(value), ctx, OVK_ERR_RANGE,
            "the value %g of a matrix is beyond the range of float", value);
  return OVK_OK;
}

ovk_err ovk__narrow_values(ovk_ctx *ctx, const double *val, size_t n, float **out)
{
  OVK_NEW_ARRAY(ctx, *out, n);
  if (narrow_round(val, n, *out) == 0) return OVK_OK;
  for (size_t k = 0; k < n; k++) OVK_TRY(narrow_check(ctx, val[k]));
  return OVK_OK;
}

ovk_err ovk__round_values(ovk_ctx *ctx, double *val, size_t n)
{
  for (size_t k = 0; k < n; k++) {
    OVK_TRY(narrow_check(ctx, val[k]));
    val[k] = (double)(float)val[k];
  }
  return OVK_OK;
}
