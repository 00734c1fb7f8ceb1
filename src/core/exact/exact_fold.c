/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel of exact sums. Terms that do not fit are found by the bits that remain, after the rows
 * of a call: the lanes are stored only if all fit. */
#include "core/exact/exact_fold.h"

#include <stddef.h>
#include <string.h>

/* Sums of so many terms stay within 64 bits in all lanes together. */
enum { FEW = 1 << 11 };

static const uint64_t MAGNITUDE = (uint64_t)INT64_MAX;

typedef uint64_t bits_half __attribute__((vector_size(OVK__HALF * sizeof(uint64_t))));

/* The sums in each unit; bits that are 0 if all terms fit. */
typedef struct running {
  bits_half sum[OVK__MOST_FOLDS][2], above, below;
} running;

/* n units, a compile-time constant; m: 1.5 2^52 units. With one unit, the rest of a term is not
 * needed. */
OVK_ALWAYS_INLINE void fold_term(running *f, int n, ptrdiff_t half, ovk__half *term,
                                 const ovk__half *m)
{
  for (int k = 0; k < n; k++) {
    const ovk__half q = *term + m[k];
    f->sum[k][half] += (bits_half)q;
    if (k == 0) f->above |= (bits_half)q ^ (bits_half)m[0];
    if (n > 1) *term -= q - m[k];
  }
  if (n > 1) f->below |= (bits_half)*term;
}

OVK_ALWAYS_INLINE void fold_rows(running *f, int n, const double *x, const double *y,
                                 const ovk__half *m)
{
  for (ptrdiff_t half = 0; half < 2; half++) {
    ovk__half term, other;
    ovk__half_of_doubles(&term, x + half * OVK__HALF);
    ovk__half_of_doubles(&other, y + half * OVK__HALF);
    ovk__half_scale(&term, &other);
    fold_term(f, n, half, &term, m);
  }
}

/* Fewer than eight rows at the end are as rows that zeros follow. */
OVK_ALWAYS_INLINE void fold_last_rows(running *f, int n, size_t rows, const double *x,
                                      const double *y, const ovk__half *m)
{
  double rest[2][OVK__LANES] = {{0}};
  memcpy(rest[0], x, rows * sizeof *x);
  memcpy(rest[1], y, rows * sizeof *y);
  fold_rows(f, n, rest[0], rest[1], m);
}

static uint64_t bits_of(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

double ovk__power_of_two(int exponent)
{
  const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* The addend of a term in fold k. */
static double fold_magic(int k, int exponent)
{
  return 1.5 * ovk__power_of_two(exponent - (k + 1) * OVK__FOLD_BITS + 52);
}

static bool fold_fits(const running *f)
{
  uint64_t above = 0, below = 0;
  for (int l = 0; l < OVK__HALF; l++) {
    above |= f->above[l];
    below |= f->below[l];
  }
  return above >> 52 == 0 && (below & MAGNITUDE) == 0;
}

/* The rows of a call, with a constant number of folds. */
OVK_ALWAYS_INLINE bool fold_all(ovk__folds *out, int folds, int exponent, ovk_lidx n,
                                const double *x, const double *y)
{
  ovk__half m[OVK__MOST_FOLDS];
  running f; /* only the sums in use are set */
  memset(&f.above, 0, sizeof f.above);
  memset(&f.below, 0, sizeof f.below);
  for (int k = 0; k < folds; k++) {
    const double magic = fold_magic(k, exponent);
    m[k] = (ovk__half){magic, magic, magic, magic};
    memcpy(f.sum[k], out->lane[k], sizeof f.sum[k]);
  }
  ovk_lidx i = 0;
  for (; i <= n - OVK__LANES; i += OVK__LANES) {
    fold_rows(&f, folds, x + i, y + i, m);
  }
  if (i < n) fold_last_rows(&f, folds, (size_t)(n - i), x + i, y + i, m);
  if (!fold_fits(&f)) return false;
  for (int k = 0; k < folds; k++) memcpy(out->lane[k], f.sum[k], sizeof f.sum[k]);
  out->terms += i < n ? i + OVK__LANES : i;
  return true;
}

OVK_FOR_EACH_CPU
bool ovk__folds_add(ovk__folds *f, int folds, int exponent, ovk_lidx n, const double *x,
                    const double *y)
{
  switch (folds) {
  case 1:
    return fold_all(f, 1, exponent, n, x, y);
  case 2:
    return fold_all(f, 2, exponent, n, x, y);
  case 3:
    return fold_all(f, 3, exponent, n, x, y);
  default:
    return fold_all(f, OVK__MOST_FOLDS, exponent, n, x, y);
  }
}

void ovk__folds_total(const ovk__folds *f, int k, int exponent, int64_t *high, int64_t *low)
{
  const uint64_t each = (uint64_t)(f->terms / OVK__LANES) * bits_of(fold_magic(k, exponent));
  *high = *low = 0;
  if (f->terms <= FEW) {
    uint64_t sum = 0;
    for (int l = 0; l < OVK__LANES; l++) sum += f->lane[k][l] - each;
    *low = (int64_t)sum;
    return;
  }
  for (int l = 0; l < OVK__LANES; l++) {
    const uint64_t sum = f->lane[k][l] - each, sign = sum >> 63;
    *high += (int64_t)(sum >> 32) - (int64_t)(sign << 32);
    *low += (int64_t)(sum & UINT32_MAX);
  }
}
