/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors of a basis that a sweep reads at the same time, of doubles or of floats: apart, because
 * the formulas of the sweeps need not know which. */
#ifndef OVK_SOLVERS_KERNELS_BASIS_GROUP_H
#define OVK_SOLVERS_KERNELS_BASIS_GROUP_H

#include "core/base/reals.h"
#include "solvers/kernels/basis/updates_basis.h"

/* As many as have their sums in registers. */
enum { ABREAST = 4 };

/* Bytes of a basis of doubles from which prefetching it pays: in a cache it costs up to 1.3, beyond
 * one it gains up to 1.4. */
enum { LONG_BASIS = 1 << 24 };

OVK_ALWAYS_INLINE ovk__basis doubles(void *const *v, ovk_lidx n, int k)
{
  return (ovk__basis){.v = v, .ahead = (int64_t)n * k >= LONG_BASIS / (int)sizeof(double)};
}

/* Half of the bytes come in half of the time, which the processor's own prefetches do not reach. */
OVK_ALWAYS_INLINE ovk__basis singles(void *const *v)
{
  return (ovk__basis){.v = v, .single = true, .ahead = true};
}

/* Vectors to read at the same time, and those to prefetch meanwhile, as they are the next: `later`
 * rows further on. */
typedef struct group {
  void *const *v, *const *next;
  ovk_lidx later;
  bool single, ahead;
} group;

/* ABREAST vectors from v_i on, or the one v_i, of k in blocks of n rows. */
OVK_ALWAYS_INLINE group group_of(ovk__basis V, int i, int k, ovk_lidx n)
{
  void *const *v = V.v + i;
  if (i + 2 * ABREAST <= k) return (group){v, v + ABREAST, 0, V.single, V.ahead};
  return (group){v, i + ABREAST <= k ? V.v : v, n, V.single, V.ahead};
}

/* Prefetches n rows from i on of m vectors. */
OVK_ALWAYS_INLINE void ask_ahead(const group *g, int m, ovk_lidx i, ovk_lidx n)
{
  const size_t size = ovk__real_size(g->single);
  const ovk_lidx line = (ovk_lidx)(64 / size);
  for (ovk_lidx l = i + g->later; g->ahead && l < i + g->later + n; l += line) {
    for (int j = 0; j < m; j++) OVK_PREFETCH((const char *)g->next[j] + (size_t)l * size);
  }
}

#endif
