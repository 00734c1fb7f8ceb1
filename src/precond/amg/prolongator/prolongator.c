/* SPDX-License-Identifier: BSD-2-Clause */
/* Builds the prolongator row by row, each in the order of columns of the whole problem. */
#include "precond/amg/prolongator/prolongator.h"
#include "core/context/agree.h"
#include "precond/amg/prolongator/mode_sums.h"

#include <math.h>

/* If weak couplings leave less than this of the diagonal, the sum of the strong ones replaces
 * it. */
static const double LEAST_DIAGONAL = 0.1;

typedef struct smoother {
  ovk__amg_rows *rows;
  const ovk__amg_strength *strength; /* of a T of the constant; otherwise A_F = A */
  const ovk__amg_tentative *T;
  double omega;
  ovk__amg_mode_sums *sums; /* of a row, for several modes */
} smoother;

/* A row of T with n entries stands for n rows of a scalar problem. Dense rows are not smoothed:
 * they would be dense rows of P, and their square dense blocks of P^T A P. */
static bool prolongator_smooths(const smoother *s, ovk_lidx i, ovk_lidx entries)
{
  const int64_t modes = s->T->of ? 1 : s->T->own.ptr[i + 1] - s->T->own.ptr[i];
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

/* Adds the couplings of row i that A_F keeps, by aggregate; returns its diagonal, 0 if it keeps
 * none. Rows without an aggregate keep couplings that are strong for them alone, with rows that
 * have one: they are interpolated from these neighbors. */
static double constant_add_couplings(const smoother *s, ovk_lidx i, ovk__amg_entries *P,
                                     int64_t from, int64_t *end)
{
  const ovk__amg_row row = ovk__amg_rows_row(s->rows, i);
  const double *of = s->T->of;
  const bool member = of[i] >= 0;
  ovk__amg_strong_ones ones = ovk__amg_strong_begin(s->strength, i);
  double diagonal = 0, strong = 0, last = -1; /* aggregate that was added to: often the next one */
  int64_t place = 0;
  for (ovk_lidx k = 0; k < row.n; k++) {
    const ovk_lidx j = row.col[k];
    const double aggregate = of[j];
    const bool keeps =
        member ? ovk__amg_strong_next(&ones, i, j)
               : aggregate >= 0 && ovk__amg_strong_for_row(s->strength, i, j, row.val[k]);
    if (!keeps) {
      diagonal += row.val[k];
      continue;
    }
    strong += fabs(row.val[k]);
    if (aggregate < 0) continue;
    if (aggregate == last) {
      P->val[place] += row.val[k];
    } else {
      place = prolongator_add(P, from, end, (ovk_gidx)aggregate, row.val[k]);
      last = aggregate;
    }
  }
  if (!(strong > 0)) return 0;
  return diagonal > LEAST_DIAGONAL * s->rows->diagonal[i] ? diagonal : strong;
}

/* Row i if T interpolates the constant: it keeps 1 - omega of its aggregate, where it has one. */
static ovk_err constant_row(const smoother *s, ovk_lidx i, ovk__amg_entries *P, int64_t *end)
{
  const int64_t from = *end;
  const ovk_lidx entries = ovk__amg_rows_row(s->rows, i).n;
  const bool smooths = prolongator_smooths(s, i, entries), member = s->T->of[i] >= 0;
  const ovk_gidx own = member ? (ovk_gidx)s->T->of[i] : -1;
  OVK_TRY(ovk__amg_entries_reserve(s->rows->A->ctx, P, from + 1 + entries));
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
static void modes_add_row(const smoother *s, ovk_lidx j, double weight)
{
  const bool own = j < s->rows->n;
  ovk__amg_mode_sums_add(s->sums, own ? &s->T->own : &s->T->ghosts, own ? j : j - s->rows->n,
                         weight);
}

/* Row i for several modes, with A_F = A. A row without an aggregate is interpolated from its
 * neighbors. */
static ovk_err modes_row(const smoother *s, ovk_lidx i, ovk__amg_entries *P, int64_t *end)
{
  ovk_ctx *ctx = s->rows->A->ctx;
  const ovk__amg_row row = ovk__amg_rows_row(s->rows, i);
  const bool member = s->T->own.ptr[i + 1] > s->T->own.ptr[i];
  const bool smooths = prolongator_smooths(s, i, row.n);
  const double weight = (member ? s->omega : 1) / s->rows->diagonal[i];
  OVK_TRY(ovk__amg_mode_sums_begin(ctx, s->sums, row.n + 1));
  modes_add_row(s, i, 1);
  for (ovk_lidx k = 0; k < row.n && smooths; k++) {
    modes_add_row(s, row.col[k], -weight * row.val[k]);
  }
  return ovk__amg_mode_sums_append(ctx, s->sums, P, end);
}

/* Room for so many entries for each one of T: most matrices need fewer, and pages that are not
 * written take no memory. */
enum { USUAL_ENTRIES = 8 };

static ovk_err prolongator_fill(const smoother *s, ovk__amg_entries *P)
{
  ovk_ctx *ctx = s->rows->A->ctx;
  const int64_t entries = s->T->of ? s->rows->n : s->T->own.ptr[s->rows->n];
  int64_t end = 0;
  OVK_TRY(ovk__amg_entries_begin(ctx, s->rows->n, P));
  OVK_TRY(ovk__amg_entries_reserve(ctx, P, USUAL_ENTRIES * entries + 1));
  for (ovk_lidx i = 0; i < s->rows->n; i++) {
    OVK_TRY(ovk__amg_rows_read(s->rows, i, i + 1));
    OVK_TRY(s->T->of ? constant_row(s, i, P, &end) : modes_row(s, i, P, &end));
    for (int64_t k = P->ptr[i]; k < end; k++) P->val[k] = (float)P->val[k];
    P->ptr[i + 1] = end;
  }
  return OVK_OK;
}

ovk_err ovk__amg_prolongator_create(ovk__amg_rows *rows, const ovk__amg_strength *strength,
                                    const ovk__amg_tentative *T, double omega, ovk__amg_entries *P)
{
  ovk__amg_mode_sums sums = {.size = T->modes};
  const smoother s = {rows, strength, T, omega, &sums};
  const ovk_err err = ovk__agree(rows->A->ctx, prolongator_fill(&s, P));
  ovk__amg_mode_sums_free(&sums);
  return err;
}
