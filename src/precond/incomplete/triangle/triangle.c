/* SPDX-License-Identifier: BSD-2-Clause */
/* Packs a triangular factor: finds groups of rows with the same columns and groups with the same
 * distances, and rounds values to floats. */
#include "precond/incomplete/triangle/triangle.h"
#include "core/base/reals.h"
#include "core/context/mem.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Groups of rows that are shorter gain nothing. */
enum { SHORTEST_GROUP = 4, HEAD = 2 };

/* The entries to pack, with rows in the order of the sweeps; and the lists of distances, found by a
 * hash of their contents. */
typedef struct packing {
  const ovk__sparsity *S;
  ovk__triangle *T;
  uint32_t *slots; /* the beginnings of lists, or NONE; 2^bits */
  int bits;
} packing;

static const uint32_t NONE = UINT32_MAX;

/* The row of S that is row i of T. */
static ovk_lidx triangle_row_of(const packing *P, ovk_lidx i)
{
  return P->T->upper ? P->T->n - 1 - i : i;
}

static ovk_lidx length_of(const packing *P, ovk_lidx i)
{
  const ovk_lidx row = triangle_row_of(P, i);
  return (ovk_lidx)(P->S->ptr[row + 1] - P->S->ptr[row]);
}

/* The place in S of entry e of row i of T. */
static int64_t triangle_place_of(const packing *P, ovk_lidx i, ovk_lidx e)
{
  const ovk_lidx row = triangle_row_of(P, i);
  return P->T->upper ? P->S->ptr[row + 1] - 1 - e : P->S->ptr[row] + e;
}

/* How far entry e of row i is from the diagonal; decreases with e. */
static ovk_lidx triangle_distance_of(const packing *P, ovk_lidx i, ovk_lidx e)
{
  const ovk_lidx row = triangle_row_of(P, i), col = P->S->col[triangle_place_of(P, i, e)];
  return P->T->upper ? col - row : row - col;
}

/* Whether row i + m has the columns of row i and i to i + m - 1. */
static bool triangle_joins(const packing *P, ovk_lidx i, ovk_lidx m)
{
  const ovk_lidx length = length_of(P, i), last = i + m;
  if (last >= P->T->n || length_of(P, last) != length + m) return false;
  for (ovk_lidx e = 0; e < length; e++) {
    if (triangle_distance_of(P, last, e) != triangle_distance_of(P, i, e) + m) return false;
  }
  for (ovk_lidx e = 0; e < m; e++) {
    if (triangle_distance_of(P, last, length + e) != m - e) return false;
  }
  return true;
}

static ovk_lidx group_of(const packing *P, ovk_lidx i)
{
  ovk_lidx m = 1;
  if (length_of(P, i) < SHORTEST_GROUP) return m;
  while (m < OVK__GROUP_MAX && triangle_joins(P, i, m)) m++;
  return m;
}

/* The columns of a group that begins with row i: without the one next to the diagonal of a single
 * row. */
static ovk_lidx columns_of(const packing *P, ovk_lidx i, ovk_lidx m)
{
  const ovk_lidx length = length_of(P, i);
  return length - (m == 1 && length > 0 && triangle_distance_of(P, i, length - 1) == 1);
}

static uint32_t triangle_stored(const ovk__triangle *T, int64_t at)
{
  return T->narrow ? ((const uint16_t *)T->distances)[at] : ((const uint32_t *)T->distances)[at];
}

static void triangle_store(ovk__triangle *T, ovk_lidx number)
{
  if (T->narrow) {
    ((uint16_t *)T->distances)[T->ndistances++] = (uint16_t)number;
  } else {
    ((uint32_t *)T->distances)[T->ndistances++] = (uint32_t)number;
  }
}

static uint64_t hash_group(const packing *P, ovk_lidx i, ovk_lidx m, ovk_lidx columns)
{
  uint64_t hash = (uint64_t)m;
  for (ovk_lidx e = 0; e < columns; e++) {
    hash = (hash ^ (uint64_t)triangle_distance_of(P, i, e)) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 32;
  }
  return hash;
}

static bool triangle_same(const packing *P, int64_t list, ovk_lidx i, ovk_lidx m, ovk_lidx columns)
{
  const ovk__triangle *T = P->T;
  if (triangle_stored(T, list) != (uint32_t)m || triangle_stored(T, list + 1) != (uint32_t)columns)
    return false;
  for (ovk_lidx e = 0; e < columns; e++) {
    if (triangle_stored(T, list + HEAD + e) != (uint32_t)triangle_distance_of(P, i, e))
      return false;
  }
  return true;
}

/* The list of a group, which is appended if it is new. */
static uint32_t triangle_list_of(packing *P, ovk_lidx i, ovk_lidx m, ovk_lidx columns)
{
  const size_t mask = ((size_t)1 << P->bits) - 1;
  size_t slot = hash_group(P, i, m, columns) & mask;
  for (; P->slots[slot] != NONE; slot = (slot + 1) & mask) {
    if (triangle_same(P, P->slots[slot], i, m, columns)) return P->slots[slot];
  }
  P->slots[slot] = (uint32_t)P->T->ndistances;
  triangle_store(P->T, m);
  triangle_store(P->T, columns);
  for (ovk_lidx e = 0; e < columns; e++) triangle_store(P->T, triangle_distance_of(P, i, e));
  return P->slots[slot];
}

/* Fills T->list, T->distances and T->nvalues. */
static void triangle_pack_columns(packing *P)
{
  ovk__triangle *T = P->T;
  for (ovk_lidx i = 0, m; i < T->n; i += m) {
    m = group_of(P, i);
    const ovk_lidx columns = columns_of(P, i, m);
    const uint32_t list = triangle_list_of(P, i, m, columns);
    for (ovk_lidx l = 0; l < m; l++) T->list[i + l] = list;
    T->nvalues += (int64_t)m * columns + m * (m - 1) / 2;
    T->grouped |= m > 1;
  }
}

static void triangle_pack_values(const packing *P, const double *value, const double *inverse)
{
  ovk__triangle *T = P->T;
  int64_t at = 0;
  for (ovk_lidx i = 0, m; i < T->n; i += m) {
    m = (ovk_lidx)triangle_stored(T, T->list[i]);
    const ovk_lidx columns = (ovk_lidx)triangle_stored(T, T->list[i] + 1);
    const bool near = m == 1 && columns < length_of(P, i);
    ovk__real_put(T->near, T->single, i, near ? value[triangle_place_of(P, i, columns)] : 0);
    for (ovk_lidx l = 1; l < m; l++) ovk__real_put(T->near, T->single, i + l, 0);
    for (ovk_lidx l = 0; inverse && l < m; l++)
      ovk__real_put(T->inverse, T->single, i + l, inverse[triangle_row_of(P, i + l)]);
    for (ovk_lidx e = 0; e < columns; e++) {
      for (ovk_lidx l = 0; l < m; l++)
        ovk__real_put(T->value, T->single, at++, value[triangle_place_of(P, i + l, e)]);
    }
    for (ovk_lidx l = 1; l < m; l++) {
      for (ovk_lidx e = 0; e < l; e++) {
        ovk__real_put(T->value, T->single, at++, value[triangle_place_of(P, i + l, columns + e)]);
      }
    }
  }
}

/* A diagonal whose inverse is no normal float would make a triangle that is singular or worse. */
static ovk_err triangle_check_floats(const ovk__block *B, const char *who, const ovk__sparsity *S,
                                     const double *value, const double *inverse)
{
  for (ovk_lidx i = 0; i < B->n; i++) {
    const ovk_gidx row = ovk__block_number(B, i);
    const double d = inverse ? fabs(inverse[i]) : 1;
    OVK_CHECK(d >= FLT_MIN && d <= FLT_MAX, B->ctx, OVK_ERR_RANGE,
              "%s: store=float cannot hold the diagonal of row %lld's factor, %g", who,
              (long long)row, 1 / inverse[i]);
    for (int64_t k = S->ptr[i]; k < S->ptr[i + 1]; k++) {
      OVK_CHECK(fabs(value[k]) <= FLT_MAX, B->ctx, OVK_ERR_RANGE,
                "%s: store=float cannot hold %g, of row %lld of a factor", who, value[k],
                (long long)row);
    }
  }
  return OVK_OK;
}

static ovk_err triangle_make_columns(ovk_ctx *ctx, packing *P)
{
  ovk__triangle *T = P->T;
  const size_t most = (size_t)P->S->ptr[T->n] + HEAD * (size_t)T->n; /* mostly given back */
  const size_t each = T->narrow ? sizeof(uint16_t) : sizeof(uint32_t);
  OVK_CHECK(most < NONE, ctx, OVK_ERR_RANGE, "a factor of %zu entries on a rank is too large",
            most);
  while (((size_t)1 << P->bits) < 2 * (size_t)T->n) P->bits++;
  OVK_NEW_ARRAY(ctx, T->list, T->n);
  OVK_NEW_ARRAY(ctx, P->slots, (size_t)1 << P->bits);
  memset(P->slots, 0xff, sizeof *P->slots << P->bits); /* NONE */
  T->distances = ovk__array(most, each);
  OVK_CHECK(T->distances, ctx, OVK_ERR_MEMORY, "no memory for the columns of a factor");
  triangle_pack_columns(P);
  void *fitting = realloc(T->distances, ((size_t)T->ndistances + 1) * each);
  OVK_CHECK(fitting, ctx, OVK_ERR_MEMORY, "no memory for the columns of a factor");
  T->distances = fitting;
  return OVK_OK;
}

static ovk_err triangle_make_values(ovk_ctx *ctx, const packing *P, const double *value,
                                    const double *inverse)
{
  ovk__triangle *T = P->T;
  const size_t each = ovk__real_size(T->single);
  T->value = ovk__array((size_t)T->nvalues, each);
  T->near = ovk__array((size_t)T->n, each);
  if (inverse) T->inverse = ovk__array((size_t)T->n, each);
  OVK_CHECK(T->value && T->near && (T->inverse || !inverse), ctx, OVK_ERR_MEMORY,
            "no memory for the values of a factor");
  triangle_pack_values(P, value, inverse);
  return OVK_OK;
}

/* Whether distances and numbers of columns fit 16 bits: the first entry of a row is the farthest.
 */
static bool triangle_is_narrow(const packing *P)
{
  for (ovk_lidx i = 0; i < P->T->n; i++) {
    if (length_of(P, i) > 0 && triangle_distance_of(P, i, 0) > UINT16_MAX) return false;
  }
  return true;
}

static ovk_err triangle_pack_rows(ovk_ctx *ctx, const ovk__sparsity *S, const double *value,
                                  const double *inverse, ovk__triangle *T)
{
  packing P = {.S = S, .T = T};
  T->narrow = triangle_is_narrow(&P);
  ovk_err err = triangle_make_columns(ctx, &P);
  free(P.slots);
  return err ? err : triangle_make_values(ctx, &P, value, inverse);
}

ovk_err ovk__triangle_pack(const ovk__block *B, const char *who, const ovk__sparsity *S,
                           const double *value, const double *inverse, bool upper, bool single,
                           ovk__triangle *out)
{
  *out = (ovk__triangle){.n = B->n, .upper = upper, .single = single};
  if (single) OVK_TRY(triangle_check_floats(B, who, S, value, inverse));
  OVK_TRY(ovk__dia_triangle_plan(B->ctx, B->n, S, &out->dia, &out->by_diagonals));
  if (!out->by_diagonals) return triangle_pack_rows(B->ctx, S, value, inverse, out);
  return ovk__dia_triangle_fill(B->ctx, S, value, inverse, single, &out->dia);
}

void ovk__triangle_free(ovk__triangle *T)
{
  free(T->list);
  free(T->distances);
  free(T->value);
  free(T->near);
  free(T->inverse);
  ovk__dia_triangle_free(&T->dia);
  *T = (ovk__triangle){0};
}

const double *ovk__triangle_inverse(const ovk__triangle *T)
{
  return T->by_diagonals ? T->dia.inverse : T->inverse;
}

int64_t ovk__triangle_bytes(const ovk__triangle *T)
{
  if (T->by_diagonals) return ovk__dia_triangle_bytes(&T->dia);
  const int64_t real = (int64_t)ovk__real_size(T->single);
  const int64_t distance = T->narrow ? sizeof(uint16_t) : sizeof(uint32_t);
  return T->n * (int64_t)sizeof *T->list + T->ndistances * distance +
         (T->nvalues + (T->inverse ? 2 : 1) * (int64_t)T->n) * real;
}
