/* SPDX-License-Identifier: BSD-2-Clause */
/* The elimination of ic in place, by diagonals. The products l_jk l_ik of an entry (i,j) are the
 * same in all rows: those of diagonals f and g with distance f = distance of (i,j) + distance g. As
 * many rows as there are lanes are processed at once, except for their nearest diagonal and their
 * pivots, which follow row by row. */
#include "core/base/lanes.h"
#include "precond/incomplete/factor.h"
#include "precond/incomplete/ic_diagonals.h"

#include <math.h>

enum {
  MAX_ENTRIES = OVK__DIA_MAX_DIAGONALS + 1,
  MAX_PRODUCTS = MAX_ENTRIES * (MAX_ENTRIES - 1) / 2
};

/* l_ik is in diagonal f, l_jk in g. */
typedef struct product {
  unsigned char f, g;
} product;

/* The diagonals of a triangle, with the nearest as the last one. */
typedef struct elimination {
  int64_t n;
  int count;
  int64_t distance[MAX_ENTRIES];
  double *l[MAX_ENTRIES]; /* l[e][i] is the entry (i, i - distance[e]) */
  double *inverse;
  const ovk__dia_gaps *gaps;
  double shift;
  int first[MAX_ENTRIES + 1]; /* the first product of a diagonal, in the order of k */
  product products[MAX_PRODUCTS];
} elimination;

static void ic_diagonals_list_products(elimination *E)
{
  int count = 0;
  for (int e = 0; e < E->count; e++) {
    E->first[e] = count;
    for (int f = 0, g = 0; f < e; f++) {
      while (g < E->count && E->distance[g] > E->distance[f] - E->distance[e]) g++;
      if (g < E->count && E->distance[g] == E->distance[f] - E->distance[e]) {
        E->products[count++] = (product){(unsigned char)f, (unsigned char)g};
      }
    }
  }
  E->first[E->count] = count;
}

static void ic_diagonals_start(const ovk__dia_triangle *T, const ovk__dia_gaps *gaps, double shift,
                               elimination *E)
{
  E->n = T->n;
  E->count = T->count + 1;
  E->inverse = T->inverse;
  E->gaps = gaps;
  E->shift = shift;
  for (int e = 0; e < T->count; e++) {
    E->distance[e] = T->distance[e];
    E->l[e] = (double *)T->value + e * T->stride;
  }
  E->distance[T->count] = 1;
  E->l[T->count] = T->near;
  ic_diagonals_list_products(E);
}

/* Stores the inverse of l_ii; false if its square cannot be used. */
OVK_ALWAYS_INLINE bool finish(const elimination *E, int64_t i, double a, double pivot)
{
  E->inverse[i] = 1 / sqrt(pivot);
  return pivot > OVK__TINY_PIVOT * fabs(a) && isfinite(pivot);
}

OVK_ALWAYS_INLINE double start_pivot(const elimination *E, double a)
{
  return a + E->shift * fabs(a);
}

/* Row i, whose entries are in the diagonals from `first` on. */
static bool ic_diagonals_eliminate_row(const elimination *E, int64_t i, int first)
{
  const double a = E->inverse[i];
  double pivot = start_pivot(E, a);
  for (int e = first; e < E->count; e++) {
    const int64_t j = i - E->distance[e];
    double sum = E->l[e][i];
    if (*ovk__dia_gap_byte(E->gaps, e, i) >> (i % 8) & 1) continue;
    for (int p = E->first[e]; p < E->first[e + 1]; p++) {
      sum -= E->l[E->products[p].g][j] * E->l[E->products[p].f][i];
    }
    E->l[e][i] = sum *= E->inverse[j];
    pivot -= sum * sum;
  }
  return finish(E, i, a, pivot);
}

/* *sum <- a_ij - sum_k l_ik l_jk for the entries of diagonal e in the rows from i on */
OVK_ALWAYS_INLINE void subtract_products(const elimination *E, int e, int64_t i, ovk__lanes *sum)
{
  const int64_t j = i - E->distance[e];
  ovk__lanes_of_doubles(sum, E->l[e] + i);
  for (int p = E->first[e]; p < E->first[e + 1]; p++) {
    ovk__lanes l_ik, l_jk;
    ovk__lanes_of_doubles(&l_ik, E->l[E->products[p].f] + i);
    ovk__lanes_of_doubles(&l_jk, E->l[E->products[p].g] + j);
    ovk__lanes_subtract(sum, &l_jk, &l_ik);
  }
}

/* Entries that are not there stay 0. */
OVK_ALWAYS_INLINE void clear_gaps(unsigned bits, ovk__lanes *l)
{
  double of[OVK__LANES];
  if (!bits) return;
  ovk__lanes_to_doubles(of, l);
  for (int k = 0; k < OVK__LANES; k++) {
    if (bits >> k & 1) of[k] = 0;
  }
  ovk__lanes_of_doubles(l, of);
}

/* Eliminates as many rows as there are lanes, from row i on, a multiple of that. */
OVK_ALWAYS_INLINE bool eliminate_lanes(const elimination *E, int64_t i, int first)
{
  _Static_assert(OVK__LANES == 8, "a byte of gaps has the rows of all lanes");
  const int nearest = E->count - 1;
  double a[OVK__LANES], pivot_of[OVK__LANES], near[OVK__LANES];
  ovk__lanes pivot, sum, inverse;
  memcpy(a, E->inverse + i, sizeof a);
  for (int k = 0; k < OVK__LANES; k++) pivot_of[k] = start_pivot(E, a[k]);
  ovk__lanes_of_doubles(&pivot, pivot_of);
  for (int e = first; e < nearest; e++) {
    subtract_products(E, e, i, &sum);
    ovk__lanes_of_doubles(&inverse, E->inverse + i - E->distance[e]);
    ovk__lanes_scale(&sum, &inverse);
    clear_gaps(*ovk__dia_gap_byte(E->gaps, e, i), &sum);
    ovk__lanes_to_doubles(E->l[e] + i, &sum);
    ovk__lanes_subtract(&pivot, &sum, &sum);
  }
  subtract_products(E, nearest, i, &sum);
  clear_gaps(*ovk__dia_gap_byte(E->gaps, nearest, i), &sum);
  ovk__lanes_to_doubles(near, &sum);
  ovk__lanes_to_doubles(pivot_of, &pivot);
  bool usable = true;
  for (int k = 0; k < OVK__LANES; k++) {
    const double l = E->l[nearest][i + k] = near[k] * E->inverse[i + k - 1];
    usable &= finish(E, i + k, a[k], pivot_of[k] - l * l);
  }
  return usable;
}

OVK_FOR_EACH_CPU
static bool ic_diagonals_eliminate(const elimination *E)
{
  int first = E->count;
  for (int64_t i = 0; i < E->n;) {
    while (first > 0 && E->distance[first - 1] <= i) first--;
    /* Each diagonal has entries in every lane or in none. */
    const bool whole = first == 0 || E->distance[first - 1] >= i + OVK__LANES;
    if (i > 0 && i % OVK__LANES == 0 && whole && i + OVK__LANES <= E->n) {
      if (!eliminate_lanes(E, i, first)) return false;
      i += OVK__LANES;
    } else {
      if (!ic_diagonals_eliminate_row(E, i, first)) return false;
      i++;
    }
  }
  return true;
}

bool ovk__dia_triangle_factorise(ovk__dia_triangle *T, const ovk__dia_gaps *gaps, double shift)
{
  elimination E;
  ic_diagonals_start(T, gaps, shift, &E);
  return ic_diagonals_eliminate(&E);
}
