/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioner "ilu": M = (I + L) (D + U) of this rank's diagonal block, an incomplete
 * factorization with fill of level K, for values that need not be symmetric. Between ranks it is
 * block Jacobi. The factors are made row by row (Saad, Iterative Methods for Sparse Linear Systems,
 * algorithm 10.4): for each (i,j) in the sparsity of L, in the order of j,
 *
 *     l_ij = a_ij / d_j,    a_ik <- a_ik - l_ij u_jk    for (i,k) in the sparsity, k > j
 *
 * after which d_i and row i of U are the rest of row i. */
#include "precond/incomplete/incomplete.h"

#include <math.h>

/* Gives the working row the columns of a sparsity, with values 0. */
static void ilu_open_columns(const ovk__row_work *work, const ovk__sparsity *S, ovk_lidx i)
{
  for (int64_t k = S->ptr[i]; k < S->ptr[i + 1]; k++) {
    work->row[S->col[k]] = i;
    work->value[S->col[k]] = 0;
  }
}

/* The working row <- row i of A + shift D; returns its largest entry. */
static double ilu_start_row(const ovk__block *B, double shift, const ovk__row_work *work,
                            const ovk__factor *F, ovk_lidx i)
{
  double greatest = 0;
  ilu_open_columns(work, &F->L, i);
  ilu_open_columns(work, &F->U, i);
  work->row[i] = i;
  work->value[i] = 0;
  for (int64_t k = B->ptr[i]; k < B->ptr[i + 1]; k++) {
    work->value[B->col[k]] = B->val[k];
    greatest = fmax(greatest, fabs(B->val[k]));
  }
  work->value[i] += shift * work->value[i];
  return greatest;
}

static void ilu_eliminate(ovk__factor *F, const ovk__row_work *work, ovk_lidx i)
{
  const ovk__sparsity *L = &F->L, *U = &F->U;
  double *a = work->value;
  for (int64_t k = L->ptr[i]; k < L->ptr[i + 1]; k++) {
    const ovk_lidx j = L->col[k];
    const double l = F->lower[k] = a[j] * F->inverse[j];
    for (int64_t m = U->ptr[j]; m < U->ptr[j + 1]; m++) {
      if (work->row[U->col[m]] == i) a[U->col[m]] -= l * F->upper[m];
    }
  }
  for (int64_t k = U->ptr[i]; k < U->ptr[i + 1]; k++) F->upper[k] = a[U->col[k]];
}

static ovk_lidx ilu_factorize(const ovk__block *B, double shift, const ovk__row_work *work,
                              ovk__factor *F, double *pivot)
{
  for (ovk_lidx i = 0; i < B->n; i++) work->row[i] = -1;
  for (ovk_lidx i = 0; i < B->n; i++) {
    const double greatest = ilu_start_row(B, shift, work, F, i);
    ilu_eliminate(F, work, i);
    *pivot = work->value[i];
    if (!(fabs(*pivot) > OVK__TINY_PIVOT * greatest && isfinite(*pivot))) return i;
    F->inverse[i] = 1 / *pivot;
  }
  return -1;
}

const ovk__incomplete_kind ovk__incomplete_ilu = {"ilu", ilu_factorize, false};

static ovk_err ilu_setup(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  (void)user;
  return ovk__incomplete_setup(A, NULL, spec, &ovk__incomplete_ilu, state);
}

const ovk_precond_ops ovk__precond_ilu = {
    .name = "ilu",
    .summary = "incomplete LU factors of the diagonal block of each rank",
    .keys = ovk__incomplete_table,
    .apply = ovk__incomplete_apply,
    .setup = ilu_setup,
    .destroy = ovk__incomplete_destroy,
    .bytes = ovk__incomplete_bytes,
    .info = ovk__incomplete_info,
    .warning = ovk__incomplete_info,
    .local = true,
    .apply_many = ovk__incomplete_apply_many,
    .prepare_many = ovk__incomplete_prepare_many,
};
