/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioner "ssor": symmetric successive over-relaxation on this rank's diagonal block
 * D + L + U of A, M = (D/w + L) E^-1 (D/w + U) with E = (2 - w)/w D and w = omega. As factors it is
 *
 *     K K^T with K = (D/w + L) E^-1/2              for a symmetric block with a positive diagonal,
 *     (I + w L D^-1) (D/w + U) / (2 - w)           for any other.
 *
 * For K K^T, L and U are in K, and E = F^2, so that the rank's block is K F + F K^T - E: a product
 * with it needs no more than K v, where v = F p, if K^T p is known (Eisenstat, SIAM J. Sci. Stat.
 * Comput. 2, 1981), and K is in a cache where it is used again for K^-1.
 *
 * Source: Saad, "Iterative methods for sparse linear systems" (2003), section 10.2. */
#include "core/context/mem.h"
#include "matrix/many.h"
#include "precond/incomplete/incomplete.h"

#include <math.h>
#include <stdlib.h>

/* The obstacle to factors K K^T, if there are none. */
typedef struct obstacle {
  ovk__mismatch asymmetry;
  bool negative; /* a diagonal entry, in this row */
  ovk_gidx row;
  double diagonal;
} obstacle;

typedef struct ssor {
  ovk__incomplete factors; /* first: the state of its functions */
  const ovk_mat *A;
  double omega;
  obstacle obstacle;
  double *v; /* for products by K; NULL: K does not hold A's values, or there are no factors */
} ssor;

typedef struct options {
  double omega;
  int single; /* values are kept as floats */
} options;

static const ovk_option table[] = {
    OVK_REAL("omega", 0, 2, 1, "relaxation factor, above 0 and below 2"), OVK__STORE_OPTION,
    OVK_OPTIONS_END};

static ovk_err ssor_read_options(ovk_ctx *ctx, const ovk_spec *spec, options *o)
{
  OVK_TRY(ovk_spec_word(ctx, spec, table, "store", &o->single));
  OVK_TRY(ovk_spec_double(ctx, spec, table, "omega", &o->omega));
  OVK_CHECK(o->omega > 0 && o->omega < 2, ctx, OVK_ERR_ARG,
            "'ssor': omega is %g, but must be above 0 and below 2", o->omega);
  return OVK_OK;
}

/* Checks the values of B. */
static ovk_err ssor_check(const ovk__block *B, double omega, const double *d, obstacle *out)
{
  OVK_TRY(ovk__block_check_finite(B, "ssor"));
  for (ovk_lidx i = 0; i < B->n; i++) {
    OVK_CHECK(d[i] != 0 && isfinite(omega / d[i]), B->ctx, OVK_ERR_ARG,
              "ssor cannot invert the diagonal: row %lld has %g", (long long)(B->first + i), d[i]);
    if (d[i] > 0 || out->negative) continue;
    out->negative = true;
    out->row = B->first + i;
    out->diagonal = d[i];
  }
  return ovk__block_find_asymmetry(B, &out->asymmetry);
}

/* Memory for the factors, and the sparsity: that of B. */
static ovk_err ssor_prepare(const ovk__block *B, bool symmetric, ovk__factor *F)
{
  OVK_TRY(ovk__sparsity_make(B, 0, &F->L, symmetric ? NULL : &F->U));
  OVK_NEW_ARRAY(B->ctx, F->lower, F->L.ptr[B->n]);
  if (!symmetric) OVK_NEW_ARRAY(B->ctx, F->upper, F->U.ptr[B->n]);
  OVK_NEW_ARRAY(B->ctx, F->inverse, B->n);
  return OVK_OK;
}

/* The numbers of the factors, with the inverse of K's diagonal, or of that of the upper factor. */
static void ssor_fill(const ovk__block *B, double omega, const double *d, ovk__factor *F)
{
  const bool symmetric = !F->upper;
  const double middle = 2 - omega, rest = 1 / middle;
  for (ovk_lidx i = 0; i < B->n; i++) {
    int64_t lower = F->L.ptr[i], upper = symmetric ? 0 : F->U.ptr[i];
    F->inverse[i] = symmetric ? sqrt(middle * omega / d[i]) : middle * omega / d[i];
    for (int64_t k = B->ptr[i]; k < B->ptr[i + 1]; k++) {
      const ovk_lidx j = B->col[k];
      if (j < i) F->lower[lower++] = B->val[k] * F->inverse[j] * rest;
      if (j > i && !symmetric) F->upper[upper++] = B->val[k] * rest;
    }
  }
}

static ovk_err ssor_make_factors(const ovk__block *B, const options *o, const double *d, ssor *S)
{
  const bool symmetric = !S->obstacle.asymmetry.found && !S->obstacle.negative;
  ovk__factor F = {0};
  ovk_err err = ssor_prepare(B, symmetric, &F);
  if (!err) {
    ssor_fill(B, o->omega, d, &F);
    err = ovk__incomplete_pack(B, "ssor", o->single, &F, &S->factors);
  }
  ovk__factor_free(&F);
  return err;
}

static ovk_err ssor_make(const ovk__block *B, const options *o, ssor *S)
{
  double *d;
  OVK_NEW_ARRAY(B->ctx, d, B->n);
  ovk__block_diagonal(B, d);
  ovk_err err = ssor_check(B, o->omega, d, &S->obstacle);
  if (!err) err = ssor_make_factors(B, o, d, S);
  free(d);
  return err;
}

static void ssor_destroy(void *state)
{
  free(((ssor *)state)->v);
  ovk__incomplete_destroy(state);
}

static ovk_err ssor_setup(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  (void)user;
  ovk_ctx *ctx = ovk_mat_ctx(A);
  options o;
  ovk__block B;
  OVK_TRY(ssor_read_options(ctx, spec, &o));
  ssor *S = calloc(1, sizeof *S);
  OVK_CHECK(S, ctx, OVK_ERR_MEMORY, "no memory for a preconditioner");
  S->A = A;
  S->omega = o.omega;
  ovk_err err = ovk__block_copy(A, "ssor", &B);
  if (!err) err = ssor_make(&B, &o, S);
  ovk__block_free(&B);
  if (err) {
    ssor_destroy(S);
  } else {
    *state = S;
  }
  return err;
}

static ovk_err ssor_factor(void *state)
{
  ssor *S = state;
  const ovk__triangle *K = &S->factors.L;
  OVK_TRY(ovk__asymmetry_error(S->A->ctx, "ssor with factors", &S->obstacle.asymmetry));
  OVK_CHECK(!S->obstacle.negative, S->A->ctx, OVK_ERR_INDEFINITE,
            "ssor has no factors: row %lld has diagonal %g", (long long)S->obstacle.row,
            S->obstacle.diagonal);
  if (!K->single && !S->obstacle.asymmetry.rounding) OVK_NEW_ARRAY(S->A->ctx, S->v, K->n);
  return OVK_OK;
}

/* v <- F p, s <- s + (F K^T - E) p + the diagonal of K times v, where u = K^T p */
static void ssor_start_product(const ssor *S, const double *restrict u, const double *restrict p,
                               double *restrict s)
{
  const double *restrict inverse = ovk__triangle_inverse(&S->factors.L);
  const double f = 2 - S->omega; /* F is f times the diagonal of K */
  double *restrict v = S->v;
  for (ovk_lidx i = 0; i < S->factors.L.n; i++) {
    const double k = 1 / inverse[i];
    v[i] = f * k * p[i];
    s[i] += k * (f * u[i] + (1 - f) * v[i]);
  }
}

/* p <- K^-T u, s <- A p, q <- K^-1 s */
static ovk_err ssor_apply_split(void *state, const double *u, double *p, double *s, double *q,
                                ovk_poll poll)
{
  const ssor *S = state;
  OVK_TRY(ovk__incomplete_apply_right(state, u, p, poll));
  if (!S->v) {
    OVK_TRY(ovk__mat_mult_many(S->A, 1, p, s, poll, NULL));
    return ovk__incomplete_apply_left(state, s, q, poll);
  }
  OVK_TRY(ovk__mat_mult_remote(S->A, p, s));
  ssor_start_product(S, u, p, s);
  ovk__triangle_multiply_solve(&S->factors.L, S->v, s, q, poll);
  return OVK_OK;
}

static int64_t ssor_bytes(void *state)
{
  const ssor *S = state;
  return ovk__incomplete_bytes(state) + (S->v ? S->factors.L.n * (int64_t)sizeof *S->v : 0);
}

const ovk_precond_ops ovk__precond_ssor = {
    .name = "ssor",
    .aliases = "sor",
    .summary = "SSOR of the diagonal block of each rank",
    .keys = table,
    .apply = ovk__incomplete_apply,
    .setup = ssor_setup,
    .destroy = ssor_destroy,
    .factor = ssor_factor,
    .apply_left = ovk__incomplete_apply_left,
    .apply_right = ovk__incomplete_apply_right,
    .bytes = ssor_bytes,
    .apply_split = ssor_apply_split,
    .local = true,
    .apply_many = ovk__incomplete_apply_many,
    .prepare_many = ovk__incomplete_prepare_many,
};
