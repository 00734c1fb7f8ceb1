/* SPDX-License-Identifier: BSD-2-Clause */
/* The bases of null spaces when a solver is made, and whether they are null spaces of the values.
 */
#include "solvers/nullspace/nullspace.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "matrix/vector/vec_exact.h"
#include "matrix/vector/vec_list.h"
#include "solvers/ops/dots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A v is rounding if ||A v|| is at most this fraction of ||A|| ||v||. */
static const double IS_NULL = 1e-8;

/* ||A^T v|| is only estimated, from one vector: it may be this many times smaller. */
static const double ESTIMATE = 10;

/* The vectors of one of the two spaces in the options. */
typedef struct given {
  bool constant, left;
  int count;
  const ovk_vec *const *vectors;
} given;

static given nullspace_right_basis(const ovk_solver_opts *o)
{
  return (given){o->null_constant, false, o->null_count, o->null_vectors};
}

static given nullspace_left_basis(const ovk_solver_opts *o)
{
  return (given){o->left_null_constant, true, o->left_null_count, o->left_null_vectors};
}

/* "the constant vector", or the number of one of the user's. */
enum { NAME = 48 };
static void nullspace_name(const given *g, int k, char name[NAME])
{
  const int users = k - g->constant;
  const char *left = g->left ? "left " : "";
  if (users < 0) {
    snprintf(name, NAME, "%s", g->left ? "the left constant vector" : "the constant vector");
  } else {
    snprintf(name, NAME, "%snull-space vector %d", left, users);
  }
}

static ovk_err nullspace_check_given(ovk_ctx *ctx, const ovk_mat *A, given g)
{
  const char *left = g.left ? "left_" : "";
  OVK_CHECK(g.count >= 0, ctx, OVK_ERR_ARG, "%snull_count is %d", left, g.count);
  OVK_CHECK(g.count == 0 || g.vectors, ctx, OVK_ERR_ARG,
            "%snull_vectors is NULL, with %snull_count %d", left, left, g.count);
  for (int k = 0; k < g.count; k++) {
    char name[NAME];
    const ovk_vec *v = g.vectors[k];
    nullspace_name(&g, g.constant + k, name);
    OVK_CHECK(v, ctx, OVK_ERR_ARG, "%s is NULL", name);
    OVK_TRY(ovk__mat_check_vec(A, v, name));
  }
  return OVK_OK;
}

ovk_err ovk__nullspace_check(ovk_ctx *ctx, const ovk_mat *A, const ovk_solver_opts *opts)
{
  OVK_TRY(nullspace_check_given(ctx, A, nullspace_right_basis(opts)));
  return nullspace_check_given(ctx, A, nullspace_left_basis(opts));
}

static ovk_err nullspace_create_basis(ovk_solver *S, given g, ovk__null_space *N)
{
  char name[NAME];
  const int n = g.constant + g.count;
  if (n == 0) return OVK_OK;
  N->basis = ovk__zeros((size_t)n, sizeof *N->basis);
  OVK_CHECK_ALL(N->basis, S->ctx, OVK_ERR_MEMORY, "no memory for %d null-space vectors", n);
  while (N->count < n) {
    const int k = N->count++, users = k - g.constant;
    OVK_TRY(ovk_mat_create_vec(S->A, &N->basis[k]));
    if (users < 0) {
      OVK_TRY(ovk_vec_fill(N->basis[k], 1));
    } else {
      OVK_TRY(ovk_vec_copy(g.vectors[users], N->basis[k]));
    }
    nullspace_name(&g, k, name);
    OVK_TRY(ovk__vec_extend_basis(N->basis, k, name));
  }
  return ovk__dots_create(S, n + 1, false, &N->sum);
}

ovk_err ovk__nullspace_create(ovk_solver *S)
{
  if (S->A->layout.global == 0) return OVK_OK;
  OVK_TRY(nullspace_create_basis(S, nullspace_right_basis(&S->opts), &S->null));
  OVK_TRY(nullspace_create_basis(S, nullspace_left_basis(&S->opts), &S->left_null));
  S->opts.null_vectors = S->opts.left_null_vectors = NULL; /* the user's, who may free them */
  if (!S->null.count && !S->left_null.count) return OVK_OK;
  return ovk_mat_create_vec(S->A, &S->null_rhs);
}

/* A product with a random vector, by which null spaces are judged. */
typedef struct probe {
  ovk_vec *in, *out; /* out = A in */
  double norm_in;
  double norm_A; /* ||out|| / ||in|| */
} probe;

/* *growth <- ||A in|| / ||in|| */
static ovk_err nullspace_measure(ovk_solver *S, const ovk_vec *in, ovk_vec *out, double *norm_in,
                                 double *growth)
{
  double norm_out;
  OVK_TRY(ovk__agree(S->ctx, ovk__mat_action(S->A, in, out)));
  OVK_TRY(ovk__vec_exact_norm(in, norm_in));
  OVK_TRY(ovk__vec_exact_norm(out, &norm_out));
  *growth = *norm_in > 0 ? norm_out / *norm_in : 0;
  return OVK_OK;
}

/* *growth <- an estimate of ||A^T v|| for ||v|| = 1, as (v, A in) = (A^T v, in). */
static ovk_err nullspace_measure_left(const probe *p, const ovk_vec *v, double *growth)
{
  double part;
  OVK_TRY(ovk__vec_exact_dot(v, p->out, &part));
  *growth = p->norm_in > 0 ? fabs(part) * sqrt((double)v->layout.global) / p->norm_in : 0;
  return OVK_OK;
}

/* The vectors given for A^T, which must be in its null space, and those of A, which may be. */
static ovk_err nullspace_verify_left(ovk_solver *S, const probe *p)
{
  const given g = nullspace_left_basis(&S->opts);
  const double most = ESTIMATE * IS_NULL * p->norm_A;
  double growth;
  char name[NAME];
  for (int k = 0; k < S->left_null.count; k++) {
    nullspace_name(&g, k, name);
    OVK_TRY(nullspace_measure_left(p, S->left_null.basis[k], &growth));
    OVK_CHECK(growth <= most, S->ctx, OVK_ERR_ARG,
              "%s is not in the null space of A^T: ||A^T v|| is about %.3g ||A|| ||v||%s", name,
              growth / p->norm_A, k > g.constant ? ", after orthogonalisation" : "");
  }
  S->values.null_is_left = true;
  for (int k = 0; k < S->null.count; k++) {
    OVK_TRY(nullspace_measure_left(p, S->null.basis[k], &growth));
    S->values.null_is_left = S->values.null_is_left && growth <= most;
  }
  return OVK_OK;
}

static ovk_err nullspace_verify(ovk_solver *S, probe *p)
{
  const given g = nullspace_right_basis(&S->opts);
  double norm, growth;
  char name[NAME];
  ovk__vec_fill_random(p->in, S->A->keys);
  OVK_TRY(nullspace_measure(S, p->in, p->out, &p->norm_in, &p->norm_A));
  OVK_TRY(nullspace_verify_left(S, p));
  for (int k = 0; k < S->null.count; k++) {
    nullspace_name(&g, k, name);
    OVK_TRY(nullspace_measure(S, S->null.basis[k], p->out, &norm, &growth));
    OVK_CHECK(growth <= IS_NULL * p->norm_A, S->ctx, OVK_ERR_ARG,
              "%s is not in the null space of A: ||A v|| is %.3g ||A|| ||v||%s", name,
              growth / p->norm_A, k > g.constant ? ", after orthogonalisation" : "");
  }
  return OVK_OK;
}

ovk_err ovk__nullspace_verify(ovk_solver *S)
{
  probe p = {.in = NULL};
  if (!S->null.count && !S->left_null.count) return OVK_OK;
  ovk_err err = ovk_mat_create_vec(S->A, &p.in);
  if (!err) err = ovk_mat_create_vec(S->A, &p.out);
  if (!err) err = nullspace_verify(S, &p);
  ovk_vec_destroy(&p.in);
  ovk_vec_destroy(&p.out);
  return err;
}

static void nullspace_destroy_basis(ovk__null_space *N)
{
  for (int k = 0; k < N->count; k++) ovk_vec_destroy(&N->basis[k]);
  free(N->basis);
  ovk__dots_destroy(&N->sum);
}

void ovk__nullspace_destroy(ovk_solver *S)
{
  nullspace_destroy_basis(&S->null);
  nullspace_destroy_basis(&S->left_null);
  ovk_vec_destroy(&S->null_rhs);
}
