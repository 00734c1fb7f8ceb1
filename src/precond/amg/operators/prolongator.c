/* SPDX-License-Identifier: BSD-2-Clause */
/* Builds the prolongator row by row, each in the order of columns of the whole problem. */
#include "precond/amg/operators/prolongator.h"
#include "core/context/agree.h"

#include <math.h>

/* If weak couplings leave less than this of the diagonal, the sum of the strong ones replaces
 * it. */
static const double LEAST_DIAGONAL = 0.1;

typedef struct smoother {
  const ovk__amg_rows *rows;
  const ovk__amg_strength *strength; /* of a T of the constant; otherwise A_F = A */
  const ovk__amg_tentative *T;
  double omega;
} smoother;

/* A row of T with n entries stands for n rows of a scalar problem. Dense rows are not smoothed:
 * they would be dense rows of P, and their square dense blocks of P^T A P. */
static bool prolongator_smooths(const smoother *s, ovk_lidx i)
{
  const int64_t modes = s->T->of ? 1 : s->T->own.ptr[i + 1] - s->T->own.ptr[i];
  const int64_t entries = s->rows->ptr[i + 1] - s->rows->ptr[i];
  return s->omega > 0 && entries <= OVK__AMG_MOST_ENTRIES * (modes > 1 ? modes : 1);
}

/* Adds to the entry of a column from `from` on, which is inserted in order if it is new. P has room
 * for it. Returns the place of the entry. */
static inline int64_t prolongator_add(ovk__amg_entries *P, int64_t from, int64_t *end, ovk_gidx col,
                                      double value)
{
  int64_t at = *end;
  while (at > from && P->col[at - 1] > col) at--;
  if (at > from && P->col[at - 1] == col) {
    P->val[at - 1] += value;
    return at - 1;
  }
  for (int64_t k = (*end)++; k > at; k--) {
    P->col[k] = P->col[k - 1];
    P->val[k] = P->val[k - 1];
  }
  P->col[at] = col;
  P->val[at] = value;
  return at;
}

/* Whether entry k of row i stays in A_F. Rows without an aggregate keep couplings that are strong
 * for them alone, with rows that have one: they are interpolated from these neighbors. */
static inline bool constant_keeps(const smoother *s, ovk_lidx i, int64_t k)
{
  if (s->T->of[i] >= 0) return s->strength->strong[k];
  return s->T->of[s->rows->col[k]] >= 0 && ovk__amg_strong_for_row(s->rows, s->strength, i, k);
}

/* Adds the couplings of row i that A_F keeps, by aggregate; returns its diagonal, 0 if it keeps
 * none. */
static double constant_add_couplings(const smoother *s, ovk_lidx i, ovk__amg_entries *P,
                                     int64_t from, int64_t *end)
{
  const ovk__amg_rows *rows = s->rows;
  const double *of = s->T->of;
  double diagonal = 0, strong = 0, last = -1; /* aggregate that was added to: often the next one */
  int64_t place = 0;
  for (int64_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) {
    const double aggregate = of[rows->col[k]];
    if (!constant_keeps(s, i, k)) {
      diagonal += rows->val[k];
      continue;
    }
    strong += fabs(rows->val[k]);
    if (aggregate < 0) continue;
    if (aggregate == last) {
      P->val[place] += rows->val[k];
    } else {
      place = prolongator_add(P, from, end, (ovk_gidx)aggregate, rows->val[k]);
      last = aggregate;
    }
  }
  if (!(strong > 0)) return 0;
  return diagonal > LEAST_DIAGONAL * rows->diagonal[i] ? diagonal : strong;
}

/* Row i if T interpolates the constant: it keeps 1 - omega of its aggregate, where it has one. */
static ovk_err constant_row(const smoother *s, ovk_lidx i, ovk__amg_entries *P, int64_t *end)
{
  const ovk__amg_rows *rows = s->rows;
  const int64_t from = *end;
  const bool smooths = prolongator_smooths(s, i), member = s->T->of[i] >= 0;
  const ovk_gidx own = member ? (ovk_gidx)s->T->of[i] : -1;
  OVK_TRY(ovk__amg_entries_reserve(rows->A->ctx, P, from + 1 + rows->ptr[i + 1] - rows->ptr[i]));
  if (member) prolongator_add(P, from, end, own, 0);
  const double diagonal = smooths ? constant_add_couplings(s, i, P, from, end) : 0;
  const double weight = diagonal > 0 ? (member ? s->omega : 1) / diagonal : 0;
  for (int64_t k = from; k < *end; k++) {
    const double kept = P->col[k] != own ? 0 : diagonal > 0 ? 1 - s->omega : 1;
    P->val[k] = kept - weight * P->val[k];
  }
  return OVK_OK;
}

/* Adds weight times row j of T. */
static ovk_err modes_add_row(const smoother *s, ovk__amg_entries *P, int64_t from, int64_t *end,
                             ovk_lidx j, double weight)
{
  const ovk__amg_tentative *T = s->T;
  const ovk__amg_entries *e = j < s->rows->n ? &T->own : &T->ghosts;
  const ovk_lidx row = j < s->rows->n ? j : j - s->rows->n;
  OVK_TRY(ovk__amg_entries_reserve(s->rows->A->ctx, P, *end + e->ptr[row + 1] - e->ptr[row]));
  for (int64_t k = e->ptr[row]; k < e->ptr[row + 1]; k++) {
    if (e->val[k] != 0) prolongator_add(P, from, end, e->col[k], weight * e->val[k]);
  }
  return OVK_OK;
}

/* Row i for several modes, with A_F = A. A row without an aggregate is interpolated from its
 * neighbors. */
static ovk_err modes_row(const smoother *s, ovk_lidx i, ovk__amg_entries *P, int64_t *end)
{
  const ovk__amg_rows *rows = s->rows;
  const int64_t from = *end;
  const bool member = s->T->own.ptr[i + 1] > s->T->own.ptr[i];
  OVK_TRY(modes_add_row(s, P, from, end, i, 1));
  if (!prolongator_smooths(s, i)) return OVK_OK;
  const double weight = (member ? s->omega : 1) / rows->diagonal[i];
  for (int64_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) {
    OVK_TRY(modes_add_row(s, P, from, end, rows->col[k], -weight * rows->val[k]));
  }
  return OVK_OK;
}

static ovk_err prolongator_fill(const smoother *s, ovk__amg_entries *P)
{
  int64_t end = 0;
  OVK_TRY(ovk__amg_entries_begin(s->rows->A->ctx, s->rows->n, P));
  for (ovk_lidx i = 0; i < s->rows->n; i++) {
    OVK_TRY(s->T->of ? constant_row(s, i, P, &end) : modes_row(s, i, P, &end));
    for (int64_t k = P->ptr[i]; k < end; k++) P->val[k] = (float)P->val[k];
    P->ptr[i + 1] = end;
  }
  return OVK_OK;
}

ovk_err ovk__amg_prolongator_create(const ovk__amg_rows *rows, const ovk__amg_strength *strength,
                                    const ovk__amg_tentative *T, double omega, ovk__amg_entries *P)
{
  const smoother s = {rows, strength, T, omega};
  return ovk__agree(rows->A->ctx, prolongator_fill(&s, P));
}
