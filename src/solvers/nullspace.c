/* SPDX-License-Identifier: BSD-2-Clause */
/* Null spaces: their basis when a solver is made, and their part of b and x when a solve starts.
 * What is done in the iterations is in steps/step_null.c. */
#include "solvers/nullspace.h"
#include "backends/open.h"
#include "base/mem.h"
#include "matrix/asymmetry.h"
#include "solvers/steps/step.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A v is rounding if ||A v|| is at most this fraction of ||A|| ||v||. */
static const double IS_NULL = 1e-8;

/* A vector that has less than this fraction of its norm left depends on those before it. */
static const double DEPENDS = 1e-8;

/* A larger part of b in the null space is told. */
static const double NOTABLE = 1e-10;

/* If no more than this fraction of b is outside of the null space, that is rounding. */
static const double NOTHING = 16 * DBL_EPSILON;

ovk_err ovk__nullspace_check(ovk_ctx *ctx, const ovk_mat *A, const ovk_pcg_opts *opts)
{
  const int n = opts->null_count;
  OVK_CHECK(n >= 0, ctx, OVK_ERR_ARG, "null_count is %d", n);
  OVK_CHECK(n == 0 || opts->null_vectors, ctx, OVK_ERR_ARG,
            "null_vectors is NULL, with null_count %d", n);
  for (int k = 0; k < n; k++) {
    char name[48];
    const ovk_vec *v = opts->null_vectors[k];
    snprintf(name, sizeof name, "null-space vector %d", k);
    OVK_CHECK(v, ctx, OVK_ERR_ARG, "%s is NULL", name);
    OVK_TRY(ovk__mat_check_vec(A, v, name));
  }
  return OVK_OK;
}

/* "the constant vector", or the number of one of the user's. */
enum { NAME = 48 };
static void name_of(const ovk_solver *S, int k, char name[NAME])
{
  const int users = k - S->opts.null_constant;
  if (users < 0) {
    snprintf(name, NAME, "the constant vector");
  } else {
    snprintf(name, NAME, "null-space vector %d", users);
  }
}

/* Makes vector k of the basis orthogonal to those before it, twice for rounding, and its norm 1. */
static ovk_err orthonormalise(ovk_solver *S, int k)
{
  ovk_vec *v = S->null_basis[k];
  double norm, left, part;
  char name[NAME];
  name_of(S, k, name);
  OVK_TRY(ovk_vec_norm(v, &norm));
  OVK_CHECK(norm > 0 && isfinite(norm), S->ctx, OVK_ERR_ARG, "%s has the norm %g", name, norm);
  for (ovk_lidx i = 0; i < v->layout.local; i++) v->array[i] /= norm;
  for (int q = 0; q < 2 * k; q++) {
    OVK_TRY(ovk_vec_dot(S->null_basis[q % k], v, &part));
    OVK_TRY(ovk_vec_axpy(-part, S->null_basis[q % k], v));
  }
  OVK_TRY(ovk_vec_norm(v, &left));
  OVK_CHECK(left > DEPENDS, S->ctx, OVK_ERR_ARG,
            "%s is a combination of those before it: %g of its norm is left", name, left);
  for (ovk_lidx i = 0; i < v->layout.local; i++) v->array[i] /= left;
  return OVK_OK;
}

/* *growth <- ||A in|| / ||in|| */
static ovk_err measure(ovk_solver *S, const ovk_vec *in, ovk_vec *out, double *growth)
{
  double norm_in, norm_out;
  OVK_TRY(ovk__agree(S->ctx, ovk__mat_action(S->A, in, out)));
  OVK_TRY(ovk_vec_norm(in, &norm_in));
  OVK_TRY(ovk_vec_norm(out, &norm_out));
  *growth = norm_in > 0 ? norm_out / norm_in : 0;
  return OVK_OK;
}

static ovk_err verify(ovk_solver *S, ovk_vec *in, ovk_vec *out)
{
  double norm_A, growth;
  char name[NAME];
  ovk__vec_fill_random(in);
  OVK_TRY(measure(S, in, out, &norm_A));
  for (int k = 0; k < S->null_count; k++) {
    name_of(S, k, name);
    OVK_TRY(measure(S, S->null_basis[k], out, &growth));
    OVK_CHECK(growth <= IS_NULL * norm_A, S->ctx, OVK_ERR_ARG,
              "%s is not in the null space of A: ||A v|| is %.3g ||A|| ||v||%s", name,
              growth / norm_A, k > S->opts.null_constant ? ", after orthogonalisation" : "");
  }
  return OVK_OK;
}

ovk_err ovk__nullspace_verify(ovk_solver *S)
{
  ovk_vec *in = NULL, *out = NULL;
  if (!S->null_count) return OVK_OK;
  ovk_err err = ovk_mat_create_vec(S->A, &in);
  if (!err) err = ovk_mat_create_vec(S->A, &out);
  if (!err) err = verify(S, in, out);
  ovk_vec_destroy(&in);
  ovk_vec_destroy(&out);
  return err;
}

static ovk_err make_basis(ovk_solver *S, int n)
{
  S->null_basis = ovk__zeros((size_t)n, sizeof *S->null_basis);
  OVK_CHECK_ALL(S->null_basis, S->ctx, OVK_ERR_MEMORY, "no memory for %d null-space vectors", n);
  for (; S->null_count < n; S->null_count++) {
    const int k = S->null_count, users = k - S->opts.null_constant;
    OVK_TRY(ovk_mat_create_vec(S->A, &S->null_basis[k]));
    if (users < 0) {
      OVK_TRY(ovk_vec_fill(S->null_basis[k], 1));
    } else {
      OVK_TRY(ovk_vec_copy(S->opts.null_vectors[users], S->null_basis[k]));
    }
    OVK_TRY(orthonormalise(S, k));
  }
  return OVK_OK;
}

ovk_err ovk__nullspace_create(ovk_solver *S)
{
  const int n = S->opts.null_constant + S->opts.null_count;
  if (n == 0 || S->A->layout.global == 0) return OVK_OK;
  OVK_TRY(make_basis(S, n));
  S->opts.null_vectors = NULL; /* the user's, who may free them */
  OVK_TRY(ovk__nullspace_verify(S));
  OVK_TRY(ovk_mat_create_vec(S->A, &S->null_rhs));
  return ovk__reduction_create(S->ctx, &S->opened, n + 1, &S->null_sum);
}

/* The second projection removes what rounding left of the first. */
static ovk_err project_rhs(ovk_solver *S)
{
  ovk__split first, second;
  OVK_TRY(ovk__step_project(S, S->null_rhs, &first));
  OVK_TRY(ovk__step_project(S, S->null_rhs, &second));
  if (!(first.whole > 0) || !isfinite(first.whole)) return OVK_OK;
  S->rhs_null_part = fmin(1, sqrt(first.null / first.whole));
  if (second.whole <= NOTHING * NOTHING * first.whole) OVK_TRY(ovk_vec_fill(S->null_rhs, 0));
  if (S->rhs_null_part > NOTABLE) {
    ovk__notify(S->ctx,
                "b is not in the range of A: %.3g of its norm lies in the null space, and the "
                "system without that part is solved",
                S->rhs_null_part);
  }
  return OVK_OK;
}

ovk_err ovk__nullspace_start(ovk_solver *S)
{
  if (!S->null_count) return OVK_OK;
  OVK_TRY(ovk_vec_copy(S->b, S->null_rhs));
  S->b = S->null_rhs;
  OVK_TRY(project_rhs(S));
  return ovk__nullspace_end(S);
}

ovk_err ovk__nullspace_end(ovk_solver *S)
{
  return S->null_count ? ovk__step_project(S, S->x, NULL) : OVK_OK;
}

ovk_err ovk__nullspace_action(const void *solver, const ovk_vec *in, ovk_vec *out)
{
  ovk_solver *S = (ovk_solver *)solver;
  OVK_TRY(ovk_vec_copy(in, S->null_rhs));
  OVK_TRY(ovk__step_project(S, S->null_rhs, NULL));
  const ovk_err own = ovk__precond_action(S->M, S->null_rhs, out);
  const ovk_err sum = ovk__step_project(S, out, NULL); /* also after a failure: it is collective */
  return own ? own : sum;
}

void ovk__nullspace_destroy(ovk_solver *S)
{
  const int made = S->null_basis ? S->null_count + 1 : 0; /* the last may have failed */
  const int most = S->opts.null_constant + S->opts.null_count;
  for (int k = 0; k < made && k < most; k++) ovk_vec_destroy(&S->null_basis[k]);
  free(S->null_basis);
  ovk_vec_destroy(&S->null_rhs);
  ovk_reduction_destroy(&S->null_sum);
}
