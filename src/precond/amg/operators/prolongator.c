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
  const ovk__amg_strength *strength; /* NULL: A_F = A */
  const ovk__amg_tentative *T;
  double omega;
} smoother;

/* Whether T has entries in own row i. */
static bool prolongator_interpolates(const ovk__amg_tentative *T, ovk_lidx i)
{
  return T->of ? T->of[i] >= 0 : T->own.ptr[i + 1] > T->own.ptr[i];
}

/* A row of T with n entries stands for n rows of a scalar problem. Dense rows are not smoothed:
 * they would be dense rows of P, and their square dense blocks of P^T A P. */
static bool prolongator_is_dense(const smoother *s, ovk_lidx i)
{
  const int64_t modes = s->T->of ? 1 : s->T->own.ptr[i + 1] - s->T->own.ptr[i];
  return s->rows->ptr[i + 1] - s->rows->ptr[i] > OVK__AMG_MOST_ENTRIES * (modes > 1 ? modes : 1);
}

/* Whether entry k of row i stays in A_F. Rows without an aggregate keep couplings that are strong
 * for them alone: they are interpolated from these neighbors. */
static bool prolongator_keeps(const smoother *s, ovk_lidx i, int64_t k)
{
  if (!s->strength) return s->rows->col[k] != i;
  return s->T->of[i] >= 0 ? s->strength->strong[k]
                          : ovk__amg_strong_for_row(s->rows, s->strength, i, k);
}

/* The diagonal of A_F. */
static double prolongator_diagonal(const smoother *s, ovk_lidx i)
{
  const ovk__amg_rows *rows = s->rows;
  double diagonal = 0, strong = 0;
  for (int64_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) {
    if (prolongator_keeps(s, i, k)) {
      strong += fabs(rows->val[k]);
    } else {
      diagonal += rows->val[k];
    }
  }
  return diagonal > LEAST_DIAGONAL * rows->diagonal[i] || !(strong > 0) ? diagonal : strong;
}

/* Adds to the entry of a column from `at` on, which is inserted in order if it is new. */
static ovk_err prolongator_add(ovk_ctx *ctx, ovk__amg_entries *P, int64_t from, int64_t *end,
                               ovk_gidx col, double value)
{
  int64_t at = *end;
  while (at > from && P->col[at - 1] > col) at--;
  if (at > from && P->col[at - 1] == col) {
    P->val[at - 1] += value;
    return OVK_OK;
  }
  OVK_TRY(ovk__amg_entries_append(ctx, P, *end, col, value));
  for (int64_t k = (*end)++; k > at; k--) {
    P->col[k] = P->col[k - 1];
    P->val[k] = P->val[k - 1];
    P->col[k - 1] = col;
    P->val[k - 1] = value;
  }
  return OVK_OK;
}

/* Adds weight times row j of T. */
static ovk_err prolongator_add_row(const smoother *s, ovk__amg_entries *P, int64_t from,
                                   int64_t *end, ovk_lidx j, double weight)
{
  const ovk__amg_tentative *T = s->T;
  ovk_ctx *ctx = s->rows->A->ctx;
  if (T->of) {
    if (T->of[j] < 0) return OVK_OK;
    return prolongator_add(ctx, P, from, end, (ovk_gidx)T->of[j], weight);
  }
  const ovk__amg_entries *e = j < s->rows->n ? &T->own : &T->ghosts;
  const ovk_lidx row = j < s->rows->n ? j : j - s->rows->n;
  for (int64_t k = e->ptr[row]; k < e->ptr[row + 1]; k++) {
    if (e->val[k] != 0) OVK_TRY(prolongator_add(ctx, P, from, end, e->col[k], weight * e->val[k]));
  }
  return OVK_OK;
}

/* The smoothing part of row i: -omega / d a_ij for each j that stays. */
static ovk_err prolongator_smooth(const smoother *s, ovk_lidx i, ovk__amg_entries *P, int64_t from,
                                  int64_t *end)
{
  const ovk__amg_rows *rows = s->rows;
  const double diagonal = prolongator_diagonal(s, i);
  const double weight = (prolongator_interpolates(s->T, i) ? s->omega : 1) / diagonal;
  for (int64_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) {
    const ovk_lidx j = rows->col[k];
    if (j != i && !prolongator_keeps(s, i, k)) continue;
    const double a = j == i ? diagonal : rows->val[k];
    OVK_TRY(prolongator_add_row(s, P, from, end, j, -weight * a));
  }
  return OVK_OK;
}

static ovk_err prolongator_row(const smoother *s, ovk_lidx i, ovk__amg_entries *P)
{
  const int64_t from = P->ptr[i];
  int64_t end = from;
  OVK_TRY(prolongator_add_row(s, P, from, &end, i, 1));
  if (s->omega > 0 && !prolongator_is_dense(s, i)) OVK_TRY(prolongator_smooth(s, i, P, from, &end));
  for (int64_t k = from; k < end; k++) P->val[k] = (float)P->val[k];
  P->ptr[i + 1] = end;
  return OVK_OK;
}

static ovk_err prolongator_fill(const smoother *s, ovk__amg_entries *P)
{
  OVK_TRY(ovk__amg_entries_begin(s->rows->A->ctx, s->rows->n, P));
  for (ovk_lidx i = 0; i < s->rows->n; i++) OVK_TRY(prolongator_row(s, i, P));
  return OVK_OK;
}

ovk_err ovk__amg_prolongator_create(const ovk__amg_rows *rows, const ovk__amg_strength *strength,
                                    const ovk__amg_tentative *T, double omega, ovk__amg_entries *P)
{
  const smoother s = {rows, strength, T, omega};
  return ovk__agree(rows->A->ctx, prolongator_fill(&s, P));
}
