/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors of a basis that a sweep reads at the same time, of doubles or of floats: apart, because
 * the formulas of the sweeps need not know which. */
#ifndef OVK_SOLVERS_KERNELS_BASIS_GROUP_H
#define OVK_SOLVERS_KERNELS_BASIS_GROUP_H

#include "solvers/kernels/updates_basis.h"

/* As many as have their sums in registers. */
enum { ABREAST = 4 };

OVK_ALWAYS_INLINE ovk__basis doubles(void *const *v)
{
  return (ovk__basis){.v = v, .single = false};
}

OVK_ALWAYS_INLINE ovk__basis singles(void *const *v)
{
  return (ovk__basis){.v = v, .single = true};
}

/* Vectors to read at the same time, and those to prefetch meanwhile, as they are the next: `later`
 * rows further on. */
typedef struct group {
  void *const *v, *const *next;
  ovk_lidx later;
  bool single;
} group;

/* ABREAST vectors from v_i on, or the one v_i, of k in blocks of n rows. */
OVK_ALWAYS_INLINE group group_of(ovk__basis V, int i, int k, ovk_lidx n)
{
  void *const *v = V.v + i;
  if (i + 2 * ABREAST <= k) return (group){v, v + ABREAST, 0, V.single};
  return (group){v, i + ABREAST <= k ? V.v : v, n, V.single};
}

/* Prefetches n rows from i on of m vectors. Of floats: blocks of doubles are long enough for the
 * processor to prefetch them itself. */
OVK_ALWAYS_INLINE void ask_ahead(const group *g, int m, ovk_lidx i, ovk_lidx n)
{
  const ovk_lidx line = 64 / sizeof(float);
  for (ovk_lidx l = i + g->later; g->single && l < i + g->later + n; l += line) {
    for (int j = 0; j < m; j++) OVK_PREFETCH((const char *)g->next[j] + (size_t)l * sizeof(float));
  }
}

/* v[i] */
OVK_ALWAYS_INLINE double element(const void *v, bool single, ovk_lidx i)
{
  return single ? ((const float *)v)[i] : ((const double *)v)[i];
}

#endif
