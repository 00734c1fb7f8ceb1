/* SPDX-License-Identifier: BSD-2-Clause */
/* The dictionary of slices: a hash table, as slices also come with new values of a matrix. */
#include "matrix/formats/dia/dia_slices.h"
#include "core/context/mem.h"
#include "matrix/formats/narrow.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE = 2 * OVK__MAX_SLICES }; /* a power of two; at most half of it is used */

ovk_err ovk__slices_make(ovk_ctx *ctx, int32_t most, ovk__slices *out)
{
  *out = (ovk__slices){.most = most < OVK__MAX_SLICES ? most : OVK__MAX_SLICES};
  OVK_NEW_ARRAY(ctx, out->val, (size_t)out->most * OVK__SLICE);
  OVK_NEW_ZEROS(ctx, out->table, TABLE);
  return OVK_OK;
}

ovk_err ovk__slices_copy_narrow(ovk_ctx *ctx, const ovk__slices *s, ovk__slices *out)
{
  *out = (ovk__slices){.n = s->n, .most = s->n};
  return ovk__narrow_values(ctx, s->val, (size_t)s->n * OVK__SLICE, &out->narrow);
}

void ovk__slices_free(ovk__slices *s)
{
  free(s->val);
  free(s->narrow);
  free(s->table);
  *s = (ovk__slices){0};
}

void ovk__slices_clear(ovk__slices *s)
{
  s->n = 0;
  memset(s->table, 0, TABLE * sizeof *s->table);
}

/* Sums of bits with odd factors, in which no product waits for another. */
static size_t dia_slices_hash(const double *val)
{
  uint64_t bits[OVK__SLICE], h = 0;
  memcpy(bits, val, sizeof bits);
  for (uint64_t l = 0; l < OVK__SLICE; l++) {
    h += (bits[l] ^ bits[l] >> 32) * (UINT64_C(0x9E3779B97F4A7C15) + 2 * l * l * l);
  }
  h = (h ^ h >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
  return (size_t)(h >> 40) % TABLE;
}

static bool dia_slices_same(const void *a, const void *b)
{
  return memcmp(a, b, OVK__SLICE * sizeof(double)) == 0;
}

int32_t ovk__slices_enter(ovk__slices *s, const double *val)
{
  size_t at = dia_slices_hash(val);
  for (; s->table[at]; at = (at + 1) % TABLE) {
    const int32_t k = s->table[at] - 1;
    if (dia_slices_same(s->val + (size_t)k * OVK__SLICE, val)) return k;
  }
  if (s->n == s->most) return -1;
  memcpy(s->val + (size_t)s->n * OVK__SLICE, val, OVK__SLICE * sizeof *val);
  s->table[at] = (uint16_t)++s->n;
  return s->n - 1;
}
