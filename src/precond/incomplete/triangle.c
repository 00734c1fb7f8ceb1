/* SPDX-License-Identifier: BSD-2-Clause */
/* Packs a triangular factor: finds rows with the same distances, and rounds values to floats. */
#include "precond/incomplete/triangle.h"
#include "base/mem.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lists of distances, found by a hash of their contents. */
typedef struct dictionary {
  const ovk__sparsity *S;
  ovk__triangle *T;
  uint32_t *slots; /* the beginnings of lists, or NONE; 2^bits */
  int bits;
} dictionary;

static const uint32_t NONE = UINT32_MAX;

static uint32_t distance_of(const ovk__sparsity *S, ovk_lidx i, int64_t k)
{
  return (uint32_t)(S->col[k] < i ? i - S->col[k] : S->col[k] - i);
}

static uint32_t stored(const ovk__triangle *T, int64_t at)
{
  return T->narrow ? ((const uint16_t *)T->distances)[at] : ((const uint32_t *)T->distances)[at];
}

static void store(ovk__triangle *T, uint32_t number)
{
  if (T->narrow) {
    ((uint16_t *)T->distances)[T->ndistances++] = (uint16_t)number;
  } else {
    ((uint32_t *)T->distances)[T->ndistances++] = number;
  }
}

/* The entries of row i that are not beside the diagonal: from *begin to *end - 1. */
static void list_range(const ovk__sparsity *S, ovk_lidx i, int64_t *begin, int64_t *end)
{
  *begin = S->ptr[i];
  *end = S->ptr[i + 1];
  if (*begin < *end && S->col[*begin] == i + 1) ++*begin;
  if (*begin < *end && S->col[*end - 1] == i - 1) --*end;
}

static uint64_t hash_row(const ovk__sparsity *S, ovk_lidx i)
{
  int64_t begin, end;
  uint64_t hash = 0;
  list_range(S, i, &begin, &end);
  for (int64_t k = begin; k < end; k++) {
    hash = (hash ^ distance_of(S, i, k)) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 32;
  }
  return hash;
}

static bool same(const dictionary *known, uint32_t list, ovk_lidx i)
{
  const ovk__sparsity *S = known->S;
  int64_t begin, end;
  list_range(S, i, &begin, &end);
  if (stored(known->T, list) != end - begin) return false;
  for (int64_t k = begin; k < end; k++) {
    if (stored(known->T, list + 1 + k - begin) != distance_of(S, i, k)) return false;
  }
  return true;
}

/* The list of row i, which is appended if it is new. */
static uint32_t list_of(dictionary *known, ovk_lidx i)
{
  const ovk__sparsity *S = known->S;
  const size_t mask = ((size_t)1 << known->bits) - 1;
  size_t slot = hash_row(S, i) & mask;
  int64_t begin, end;
  for (; known->slots[slot] != NONE; slot = (slot + 1) & mask) {
    if (same(known, known->slots[slot], i)) return known->slots[slot];
  }
  known->slots[slot] = (uint32_t)known->T->ndistances;
  list_range(S, i, &begin, &end);
  store(known->T, (uint32_t)(end - begin));
  for (int64_t k = begin; k < end; k++) store(known->T, distance_of(S, i, k));
  return known->slots[slot];
}

static uint32_t greatest_distance(const ovk__sparsity *S, ovk_lidx n)
{
  uint32_t greatest = 0;
  for (ovk_lidx i = 0; i < n; i++) {
    for (int64_t k = S->ptr[i]; k < S->ptr[i + 1]; k++) {
      if (distance_of(S, i, k) > greatest) greatest = distance_of(S, i, k);
    }
  }
  return greatest;
}

/* Room for all rows' lists, most of which is given back. */
static ovk_err pack_columns(ovk_ctx *ctx, dictionary *known)
{
  ovk__triangle *T = known->T;
  const size_t most = (size_t)T->nvalues + (size_t)T->n;
  const size_t each = T->narrow ? sizeof(uint16_t) : sizeof(uint32_t);
  OVK_CHECK(most < NONE, ctx, OVK_ERR_RANGE, "a factor of %zu entries on a rank is too large",
            most);
  while (((size_t)1 << known->bits) < 2 * (size_t)T->n) known->bits++;
  OVK_NEW_ARRAY(ctx, T->list, T->n);
  OVK_NEW_ARRAY(ctx, known->slots, (size_t)1 << known->bits);
  memset(known->slots, 0xff, sizeof *known->slots << known->bits); /* NONE */
  T->distances = ovk__array(most, each);
  OVK_CHECK(T->distances, ctx, OVK_ERR_MEMORY, "no memory for the columns of a factor");
  for (ovk_lidx i = 0; i < T->n; i++) T->list[i] = list_of(known, i);
  void *fitting = realloc(T->distances, ((size_t)T->ndistances + 1) * each);
  OVK_CHECK(fitting, ctx, OVK_ERR_MEMORY, "no memory for the columns of a factor");
  T->distances = fitting;
  return OVK_OK;
}

/* array[at] <- value. Squares of floats stay far from the ends of their range. */
static void put(const ovk__triangle *T, void *array, int64_t at, double value)
{
  if (T->single) {
    ((float *)array)[at] = (float)value;
  } else {
    ((double *)array)[at] = value;
  }
}

/* A diagonal whose inverse is no normal float would make a triangle that is singular or worse. */
static ovk_err check_floats(const ovk__block *B, const char *who, const ovk__sparsity *S,
                            const double *value, const double *inverse)
{
  for (ovk_lidx i = 0; i < B->n; i++) {
    const long long row = (long long)(B->first + i);
    const double d = inverse ? fabs(inverse[i]) : 1;
    OVK_CHECK(d >= FLT_MIN && d <= FLT_MAX, B->ctx, OVK_ERR_RANGE,
              "%s: store=float cannot hold the diagonal of row %lld's factor, %g", who, row,
              1 / inverse[i]);
    for (int64_t k = S->ptr[i]; k < S->ptr[i + 1]; k++) {
      OVK_CHECK(fabs(value[k]) <= FLT_MAX, B->ctx, OVK_ERR_RANGE,
                "%s: store=float cannot hold %g, of row %lld of a factor", who, value[k], row);
    }
  }
  return OVK_OK;
}

static ovk_err pack_values(const ovk__block *B, const ovk__sparsity *S, const double *value,
                           const double *inverse, ovk__triangle *T)
{
  const size_t each = T->single ? sizeof(float) : sizeof(double);
  int64_t at = 0;
  T->value = ovk__array((size_t)T->nvalues, each);
  T->near = ovk__zeros((size_t)T->n, each);
  if (inverse) T->inverse = ovk__array((size_t)T->n, each);
  OVK_CHECK(T->value && T->near && (T->inverse || !inverse), B->ctx, OVK_ERR_MEMORY,
            "no memory for the values of a factor");
  for (ovk_lidx i = 0; i < T->n; i++) {
    if (inverse) put(T, T->inverse, i, inverse[i]);
    for (int64_t k = S->ptr[i]; k < S->ptr[i + 1]; k++) {
      if (distance_of(S, i, k) == 1) {
        put(T, T->near, i, value[k]);
      } else {
        put(T, T->value, at++, value[k]);
      }
    }
  }
  return OVK_OK;
}

/* Entries that are not beside the diagonal. */
static int64_t count_values(const ovk__sparsity *S, ovk_lidx n)
{
  int64_t count = 0;
  for (ovk_lidx i = 0; i < n; i++) {
    for (int64_t k = S->ptr[i]; k < S->ptr[i + 1]; k++) count += distance_of(S, i, k) != 1;
  }
  return count;
}

ovk_err ovk__triangle_pack(const ovk__block *B, const char *who, const ovk__sparsity *S,
                           const double *value, const double *inverse, bool single,
                           ovk__triangle *out)
{
  *out = (ovk__triangle){.n = B->n,
                         .single = single,
                         .narrow = greatest_distance(S, B->n) <= UINT16_MAX,
                         .nvalues = count_values(S, B->n)};
  dictionary known = {.S = S, .T = out};
  ovk_err err = pack_columns(B->ctx, &known);
  free(known.slots);
  if (!err && single) err = check_floats(B, who, S, value, inverse);
  if (!err) err = pack_values(B, S, value, inverse, out);
  return err;
}

void ovk__triangle_free(ovk__triangle *T)
{
  free(T->list);
  free(T->distances);
  free(T->value);
  free(T->near);
  free(T->inverse);
  *T = (ovk__triangle){0};
}

int64_t ovk__triangle_bytes(const ovk__triangle *T)
{
  const int64_t real = T->single ? sizeof(float) : sizeof(double);
  const int64_t distance = T->narrow ? sizeof(uint16_t) : sizeof(uint32_t);
  return T->n * (int64_t)sizeof *T->list + T->ndistances * distance +
         (T->nvalues + (T->inverse ? 2 : 1) * (int64_t)T->n) * real;
}
