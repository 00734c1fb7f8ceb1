/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioner "ic": M = L L^T of this rank's diagonal block, an incomplete Cholesky
 * factorization with fill of level K. Between ranks it is block Jacobi. The factors are made row by
 * row (Meijerink and van der Vorst, Math. Comp. 31, 1977):
 *
 *     l_ij = (a_ij - sum_k<j l_ik l_jk) / l_jj    for (i,j) in the sparsity of L, j < i
 *     l_ii = sqrt(a_ii + shift |a_ii| - sum_k<i l_ik^2)
 */
#include "precond/incomplete/incomplete.h"

#include <math.h>

/* w <- row i of A below the diagonal; returns a_ii. */
static double ic_scatter(const ovk__block *B, ovk_lidx i, double *w)
{
  int64_t k = B->ptr[i];
  for (; k < B->ptr[i + 1] && B->col[k] < i; k++) w[B->col[k]] = B->val[k];
  return k < B->ptr[i + 1] && B->col[k] == i ? B->val[k] : 0;
}

/* The first entry of row j of L in or after a column. */
static int64_t entry_from(const ovk__sparsity *L, ovk_lidx j, ovk_lidx column)
{
  int64_t m = L->ptr[j + 1];
  while (m > L->ptr[j] && L->col[m - 1] >= column) m--;
  return m;
}

/* Makes row i of L from that of A in w, which is 0 again in the end; returns the square of l_ii
 * that is left of `pivot`. Products with l_ik before its first column are omitted. */
static double ic_eliminate(ovk__factor *F, ovk_lidx i, double pivot, double *restrict w)
{
  const int64_t *ptr = F->L.ptr;
  const ovk_lidx *col = F->L.col;
  double *l = F->lower;
  for (int64_t k = ptr[i]; k < ptr[i + 1]; k++) {
    const ovk_lidx j = col[k];
    double sum = w[j];
    for (int64_t m = entry_from(&F->L, j, col[ptr[i]]); m < ptr[j + 1]; m++) {
      sum -= l[m] * w[col[m]]; /* l_jk l_ik */
    }
    w[j] = l[k] = sum * F->inverse[j];
    pivot -= l[k] * l[k];
  }
  for (int64_t k = ptr[i]; k < ptr[i + 1]; k++) w[col[k]] = 0;
  return pivot;
}

ovk_lidx ovk__factorise_ic(const ovk__block *B, double shift, const ovk__row_work *work,
                           ovk__factor *F, double *pivot)
{
  for (ovk_lidx i = 0; i < B->n; i++) {
    const double a = ic_scatter(B, i, work->value);
    *pivot = ic_eliminate(F, i, a + shift * fabs(a), work->value);
    if (!(*pivot > OVK__TINY_PIVOT * fabs(a) && isfinite(*pivot))) return i;
    F->inverse[i] = 1 / sqrt(*pivot);
  }
  return -1;
}

const ovk__incomplete_kind ovk__incomplete_ic = {"ic", ovk__factorise_ic, true};

static ovk_err ic_setup(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  (void)user;
  return ovk__incomplete_setup(A, NULL, spec, &ovk__incomplete_ic, state);
}

static ovk_err ic_update(const ovk_mat *A, void *state)
{
  return ovk__incomplete_update(A, &ovk__incomplete_ic, state);
}

static ovk_err ic_factor(void *state)
{
  (void)state; /* setup has made L */
  return OVK_OK;
}

const ovk_precond_ops ovk__precond_ic = {
    .name = "ic",
    .aliases = "icc",
    .summary = "incomplete Cholesky factors of the diagonal block of each rank",
    .keys = ovk__incomplete_table,
    .apply = ovk__incomplete_apply,
    .setup = ic_setup,
    .destroy = ovk__incomplete_destroy,
    .factor = ic_factor,
    .apply_left = ovk__incomplete_apply_left,
    .apply_right = ovk__incomplete_apply_right,
    .bytes = ovk__incomplete_bytes,
    .update = ic_update,
    .info = ovk__incomplete_info,
    .warning = ovk__incomplete_info,
    .local = true,
    .apply_many = ovk__incomplete_apply_many,
    .prepare_many = ovk__incomplete_prepare_many,
};
