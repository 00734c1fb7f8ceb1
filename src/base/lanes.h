/* SPDX-License-Identifier: BSD-2-Clause */
/* Consecutive rows that are worked on at the same time, one in each lane of a vector. Compilers
 * that have vectors do not always find them in loops over arrays. */
#ifndef OVK_BASE_LANES_H
#define OVK_BASE_LANES_H

#include "base/clones.h"

#include <stdbool.h>
#include <string.h>

enum { OVK__LANES = 8 };

#ifdef __GNUC__
typedef double ovk__lanes __attribute__((vector_size(OVK__LANES * sizeof(double))));
typedef float ovk__float_lanes __attribute__((vector_size(OVK__LANES * sizeof(float))));
#else
typedef struct ovk__lanes {
  double of[OVK__LANES];
} ovk__lanes;
#endif

OVK_ALWAYS_INLINE void ovk__lanes_of_doubles(ovk__lanes *out, const double *from)
{
  memcpy(out, from, sizeof *out);
}

OVK_ALWAYS_INLINE void ovk__lanes_to_doubles(double *to, const ovk__lanes *from)
{
  memcpy(to, from, sizeof *from);
}

OVK_ALWAYS_INLINE void ovk__lanes_of_floats(ovk__lanes *out, const float *from)
{
#ifdef __GNUC__
  ovk__float_lanes narrow;
  memcpy(&narrow, from, sizeof narrow);
  *out = __builtin_convertvector(narrow, ovk__lanes);
#else
  for (int l = 0; l < OVK__LANES; l++) out->of[l] = from[l];
#endif
}

/* From the elements `at` and behind of floats or doubles. */
OVK_ALWAYS_INLINE void ovk__lanes_of(ovk__lanes *out, const void *array, bool single, int64_t at)
{
  if (single) {
    ovk__lanes_of_floats(out, (const float *)array + at);
  } else {
    ovk__lanes_of_doubles(out, (const double *)array + at);
  }
}

/* a <- a b */
OVK_ALWAYS_INLINE void ovk__lanes_scale(ovk__lanes *a, const ovk__lanes *b)
{
#ifdef __GNUC__
  *a *= *b;
#else
  for (int l = 0; l < OVK__LANES; l++) a->of[l] *= b->of[l];
#endif
}

/* a <- a + b c */
OVK_ALWAYS_INLINE void ovk__lanes_add(ovk__lanes *a, const ovk__lanes *b, const ovk__lanes *c)
{
#ifdef __GNUC__
  *a += *b * *c;
#else
  for (int l = 0; l < OVK__LANES; l++) a->of[l] += b->of[l] * c->of[l];
#endif
}

/* a <- a - b c */
OVK_ALWAYS_INLINE void ovk__lanes_subtract(ovk__lanes *a, const ovk__lanes *b, const ovk__lanes *c)
{
#ifdef __GNUC__
  *a -= *b * *c;
#else
  for (int l = 0; l < OVK__LANES; l++) a->of[l] -= b->of[l] * c->of[l];
#endif
}

#endif
