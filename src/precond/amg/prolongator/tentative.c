/* SPDX-License-Identifier: BSD-2-Clause */
/* Restricts the modes to aggregates: the transpose of that matrix has the modes of an aggregate as
 * rows, on one rank and in the order of the whole problem. They are made orthonormal there. */
#include "precond/amg/prolongator/tentative.h"
#include "core/context/agree.h"
#include "core/context/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ovk_err ovk__amg_modes_create(const ovk_mat *A, int block, ovk__amg_modes *out)
{
  const int given = ovk_mat_near_nullspace_size(A);
  const ovk_lidx n = A->layout.local;
  *out = (ovk__amg_modes){.block = block, .count = given ? given : block, .rows = n};
  if (given == 0 && block == 1) return OVK_OK;
  OVK_NEW_ZEROS(A->ctx, out->val, (int64_t)out->count * n);
  for (int k = 0; k < given && n; k++) {
    const ovk_vec *v = ovk_mat_near_nullspace_vec(A, k);
    memcpy(out->val + (int64_t)k * n, v->array, (size_t)n * sizeof *v->array);
  }
  for (ovk_lidx i = 0; !given && i < n; i++) out->val[(int64_t)(i % block) * n + i] = 1;
  return OVK_OK;
}

void ovk__amg_modes_free(ovk__amg_modes *modes)
{
  free(modes->val);
  *modes = (ovk__amg_modes){0};
}

/* *out <- the modes, with a column for each mode of each aggregate. */
static ovk_err tentative_restrict(const ovk__amg_rows *rows, const ovk__amg_aggregates *aggregates,
                                  const ovk__amg_modes *modes, ovk__amg_entries *out)
{
  int64_t at = 0;
  OVK_TRY(ovk__amg_entries_begin(rows->A->ctx, rows->n, out));
  OVK_TRY(ovk__amg_entries_reserve(rows->A->ctx, out, (int64_t)rows->n * modes->count));
  for (ovk_lidx i = 0; i < rows->n; i++) {
    const double of = aggregates->of[i / modes->block];
    for (int k = 0; k < modes->count && of >= 0; k++, at++) {
      OVK_TRY(ovk__amg_entries_append(rows->A->ctx, out, at, (ovk_gidx)of * modes->count + k,
                                      modes->val[(int64_t)k * modes->rows + i]));
    }
    out->ptr[i + 1] = at;
  }
  return OVK_OK;
}

static double mode_dot(int64_t n, const double *u, const double *v)
{
  double sum = 0;
  for (int64_t i = 0; i < n; i++) sum += u[i] * v[i];
  return sum;
}

/* v <- v - r u */
static void mode_subtract(int64_t n, double r, const double *u, double *v)
{
  for (int64_t i = 0; i < n; i++) v[i] -= r * u[i];
}

/* Makes mode k orthogonal to those before it, twice for rounding, and its norm 1; zero if it
 * depends on them. Modes are n values each; R has its column k. */
static void aggregate_orthonormalize(int64_t n, double *modes, int k, double *R)
{
  static const double DEPENDENT = 1e-8;
  double *v = modes + k * n;
  const double before = sqrt(mode_dot(n, v, v));
  for (int pass = 0; pass < 2; pass++) {
    for (int l = 0; l < k; l++) {
      const double r = mode_dot(n, modes + l * n, v);
      mode_subtract(n, r, modes + l * n, v);
      R[l] += r;
    }
  }
  const double norm = sqrt(mode_dot(n, v, v));
  const bool independent = norm > DEPENDENT * before;
  R[k] = independent ? norm : 0;
  for (int64_t i = 0; i < n; i++) v[i] = independent ? v[i] / norm : 0;
}

/* V^T has the modes of each aggregate as rows of the same columns: V = Q R, V <- Q, the modes of
 * the coarse level <- R. */
static ovk_err tentative_factor(ovk_ctx *ctx, ovk__amg_entries *transposed, int count,
                                ovk__amg_modes *coarse)
{
  const ovk_lidx rows = transposed->rows;
  *coarse = (ovk__amg_modes){.block = count, .count = count, .rows = rows};
  OVK_NEW_ZEROS(ctx, coarse->val, (int64_t)count * rows);
  for (ovk_lidx first = 0; first < rows; first += count) {
    const int64_t from = transposed->ptr[first], n = transposed->ptr[first + 1] - from;
    for (int k = 0; k < count; k++) {
      aggregate_orthonormalize(n, transposed->val + from, k,
                               coarse->val + (int64_t)k * rows + first);
    }
  }
  return OVK_OK;
}

static ovk_err tentative_make(const ovk__amg_rows *rows, const ovk__amg_aggregates *aggregates,
                              const ovk__amg_modes *modes, ovk__amg_entries *restricted,
                              ovk__amg_entries *transposed, ovk__amg_tentative *T,
                              ovk__amg_modes *coarse)
{
  const ovk_mat *A = rows->A;
  ovk_ctx *ctx = A->ctx;
  OVK_TRY(ovk__agree(ctx, tentative_restrict(rows, aggregates, modes, restricted)));
  OVK_TRY(ovk__amg_entries_transpose(ctx, restricted, &A->layout, &T->coarse, transposed));
  ovk__amg_entries_free(restricted);
  OVK_TRY(ovk__agree(ctx, tentative_factor(ctx, transposed, modes->count, coarse)));
  OVK_TRY(ovk__amg_entries_transpose(ctx, transposed, &T->coarse, &A->layout, &T->own));
  ovk__amg_entries_free(transposed);
  return ovk__amg_entries_fetch(ctx, &A->layout, &T->own, A->ghosts.col, A->ghosts.count,
                                &T->ghosts);
}

/* The layout of the columns of T. */
static ovk_err tentative_find_layout(ovk_ctx *ctx, const ovk__amg_aggregates *aggregates, int count,
                                     ovk__layout *out)
{
  const int64_t local = (int64_t)aggregates->coarse.local * count;
  ovk_err err = OVK_OK;
  if (local > INT32_MAX) {
    err = OVK_FAIL(ctx, OVK_ERR_RANGE, "amg: %lld coarse rows of a rank, 2^31 - 1 are the most",
                   (long long)local);
  }
  OVK_TRY(ovk__agree(ctx, err));
  return ovk__agree(ctx, ovk__layout_create(ctx, (ovk_lidx)local, out));
}

ovk_err ovk__amg_tentative_create(const ovk__amg_rows *rows, const ovk__amg_aggregates *aggregates,
                                  const ovk__amg_modes *modes, ovk__amg_tentative *out,
                                  ovk__amg_modes *coarse)
{
  ovk__amg_entries restricted = {0}, transposed = {0};
  *out = (ovk__amg_tentative){.coarse = aggregates->coarse, .modes = modes->count};
  *coarse = (ovk__amg_modes){.block = 1, .count = 1, .rows = aggregates->coarse.local};
  if (!modes->val) {
    out->of = aggregates->of;
    return OVK_OK;
  }
  ovk_err err = tentative_find_layout(rows->A->ctx, aggregates, modes->count, &out->coarse);
  if (!err) {
    err = tentative_make(rows, aggregates, modes, &restricted, &transposed, out, coarse);
  }
  ovk__amg_entries_free(&restricted);
  ovk__amg_entries_free(&transposed);
  return err;
}

void ovk__amg_tentative_free(ovk__amg_tentative *T)
{
  ovk__amg_entries_free(&T->own);
  ovk__amg_entries_free(&T->ghosts);
  *T = (ovk__amg_tentative){0};
}
