/* SPDX-License-Identifier: BSD-2-Clause */
/* Scaling of A, M and b by powers of two, so that squares stay in the range of doubles. */
#include "solvers/ops/scale.h"
#include "core/context/agree.h"
#include "matrix/vector/vec_exact.h"
#include "solvers/ops/ops_impl.h"

#include <math.h>
#include <stdlib.h>

/* A and M^-1 up to this exponent, and b up to these squares, are not scaled: vectors such as A^2 b
 * can be squared then, and compared over 16 orders of magnitude. */
enum { NEAR_ONE = 128 };
static const double LEAST_SQUARE = 1e-75, MOST_SQUARE = 1e75;

/* If r = b - A x0 is larger than b by this factor, no scale allows squaring both, and no digit of
 * x0 can be one of the solution. */
static const double FAR = 1e70;

/* The exponent of a norm, a multiple of 4, so that halves of it can be applied before and after a
 * product, and quarters to factors; 0 near 1, and if the norm is 0 or not finite. */
static int scale_exponent_of(double norm)
{
  int e = 0;
  if (norm > 0 && isfinite(norm)) (void)frexp(norm, &e);
  return abs(e) <= NEAR_ONE ? 0 : e / 4 * 4;
}

void ovk__scale_by(int exponent, ovk_vec *v)
{
  if (exponent) ovk__vec_shift(v->layout.local, exponent, v->array, v->array);
}

const ovk_vec *ovk__scale_copy(const ovk_solver *S, int k, int exponent, const ovk_vec *v)
{
  if (!exponent) return v;
  ovk__vec_shift(v->layout.local, exponent, v->array, S->scale.scratch[k]->array);
  return S->scale.scratch[k];
}

static ovk_err scale_create_vector(ovk_solver *S, ovk_vec **v)
{
  return *v ? OVK_OK : ovk_mat_create_vec(S->A, v);
}

static ovk_err scale_create_vectors(ovk_solver *S)
{
  for (int k = 0; k < 2; k++) OVK_TRY(scale_create_vector(S, &S->scale.scratch[k]));
  return scale_create_vector(S, &S->scale.D);
}

/* *max <- the largest absolute value of n numbers of each rank. */
static ovk_err scale_find_largest(ovk_solver *S, ovk_lidx n, const double *values, double *max)
{
  *max = 0;
  for (ovk_lidx i = 0; i < n; i++) *max = fmax(*max, fabs(values[i]));
  return ovk__agree_total(S->ctx, OVK_OK, max, 1, MPI_DOUBLE, MPI_MAX);
}

static ovk_err scale_find_norm(ovk_solver *S, const ovk_vec *v, double *norm)
{
  return ovk__agree(S->ctx, ovk__vec_exact_norm(v, norm));
}

/* *norm <- the norm of r = b - A x0, which is in work[OVK__WORK_R]. Where A is large, the product
 * of an x0 in the user's units may overflow between the halves of its scale. As A is scaled to
 * about 1, ||x0|| then estimates the norm. */
static ovk_err scale_find_residual(ovk_solver *S, double *norm)
{
  OVK_TRY(scale_find_norm(S, S->work[OVK__WORK_R], norm));
  return isfinite(*norm) ? OVK_OK : scale_find_norm(S, S->x, norm);
}

/* *norm <- ||F v|| / ||v|| of a random v, where apply() is the action of F; 0 if it fails */
static ovk_err scale_measure_action(ovk_solver *S,
                                    ovk_err (*apply)(const void *F, const ovk_vec *v, ovk_vec *z),
                                    const void *F, double *norm)
{
  ovk_vec *v = S->scale.scratch[0], *z = S->scale.scratch[1];
  double norm_v, norm_z;
  *norm = 0;
  ovk__vec_fill_random(v, S->A->keys);
  if (ovk__agree(S->ctx, apply(F, v, z))) return OVK_OK;
  OVK_TRY(scale_find_norm(S, v, &norm_v));
  OVK_TRY(scale_find_norm(S, z, &norm_z));
  if (norm_v > 0) *norm = norm_z / norm_v;
  return OVK_OK;
}

static ovk_err scale_measure_precond(ovk_solver *S)
{
  double norm;
  OVK_TRY(scale_create_vectors(S));
  if (S->M_kind == OVK__M_OTHER) {
    OVK_TRY(scale_measure_action(S, ovk__precond_action, S->M, &norm));
  } else {
    ovk__diagonal D;
    ovk__op_record_error(S, ovk__precond_inverse_diagonal(S->M, S->M_kind, &D));
    OVK_TRY(scale_find_largest(S, rows(S) > 0 && D.constant ? 1 : rows(S), D.d, &norm));
  }
  S->scale.M = -scale_exponent_of(norm);
  return OVK_OK;
}

/* Measures an A that is not scaled yet. */
static ovk_err scale_measure_product(ovk_solver *S)
{
  double norm;
  OVK_TRY(scale_create_vectors(S));
  OVK_TRY(scale_measure_action(S, ovk__scale_product, S, &norm));
  S->scale.A = -scale_exponent_of(norm);
  return OVK_OK;
}

ovk_err ovk__scale_measure(ovk_solver *S)
{
  double max;
  S->scale.A = S->scale.M = 0;
  S->scale.tried = false;
  if (S->A->state == OVK__MAT_SHELL) return OVK_OK;
  ovk__mat_read_diagonal(S->A, S->work[OVK__WORK_R]->array);
  OVK_TRY(scale_find_largest(S, rows(S), S->work[OVK__WORK_R]->array, &max));
  S->scale.A = -scale_exponent_of(max);
  if (max == 0) OVK_TRY(scale_measure_product(S));
  return S->scale.A ? scale_measure_precond(S) : OVK_OK;
}

ovk_err ovk__scale_retry(ovk_solver *S, bool *changed)
{
  const ovk__scaling old = S->scale;
  const bool shell = S->A->state == OVK__MAT_SHELL, users = S->M->ops == &S->M->own_ops;
  *changed = false;
  if (S->scale.tried || !(shell || users)) return OVK_OK;
  S->scale.tried = true;
  if (shell) OVK_TRY(scale_measure_product(S));
  if (S->scale.A != old.A || (users && !old.M)) OVK_TRY(scale_measure_precond(S));
  *changed = S->scale.A != old.A || S->scale.M != old.M;
  if (*changed) ovk__scale_by(old.A - old.b, S->x);
  return OVK_OK;
}

void ovk__scale_destroy(ovk_solver *S)
{
  for (int k = 0; k < 2; k++) ovk_vec_destroy(&S->scale.scratch[k]);
  ovk_vec_destroy(&S->scale.D);
  ovk_vec_destroy(&S->scale.rhs);
}

void ovk__scale_diagonal(ovk_solver *S)
{
  ovk__op_record_error(S, ovk__precond_inverse_diagonal(S->M, S->M_kind, &S->D));
  if (!S->scale.M || !S->D.d || rows(S) == 0) return;
  ovk__vec_shift(S->D.constant ? 1 : rows(S), S->scale.M, S->D.d, S->scale.D->array);
  S->D.d = S->scale.D->array;
}

/* x0 <- 2^exponent x0. Entries that would overflow become LARGEST: they are then far off, or have
 * no effect on A x0. */
static void scale_guess(ovk_solver *S, int exponent)
{
  static const double LARGEST = 0x1p1000;
  if (!exponent) return;
  const double most = ldexp(LARGEST, -exponent);
  double *x = S->x->array;
  for (ovk_lidx i = 0; exponent > 0 && i < rows(S); i++) {
    if (isfinite(x[i]) && fabs(x[i]) > most) x[i] = copysign(most, x[i]);
  }
  ovk__scale_by(exponent, S->x);
}

void ovk__scale_begin(ovk_solver *S)
{
  S->scale.b = 0;
  scale_guess(S, -S->scale.A);
}

static bool scale_in_range(double square)
{
  return square >= LEAST_SQUARE && square <= MOST_SQUARE;
}

static bool scale_plain_fits(const ovk__square *b, const ovk__square *r)
{
  return scale_in_range(b->plain) && r->plain <= MOST_SQUARE;
}

static bool scale_test_fits(const ovk__square *b, const ovk__square *r)
{
  return scale_in_range(b->test) && r->test <= MOST_SQUARE;
}

bool ovk__scale_fits(const ovk__square *b, const ovk__square *r)
{
  return scale_plain_fits(b, r) && scale_test_fits(b, r);
}

/* Scales b, of norm norm_b, and r = b - A x0, of a norm that may be unknown: NaN or Inf. */
static ovk_err scale_rhs(ovk_solver *S, double norm_b, double norm_r)
{
  S->scale.b = -scale_exponent_of(norm_r > norm_b && isfinite(norm_r) ? norm_r : norm_b);
  if (!S->scale.b) return OVK_OK;
  OVK_TRY(scale_create_vector(S, &S->scale.rhs));
  ovk__vec_shift(rows(S), S->scale.b, S->given_b->array, S->scale.rhs->array);
  S->b = S->scale.rhs;
  scale_guess(S, S->scale.b);
  return OVK_OK;
}

ovk_err ovk__scale_fit(ovk_solver *S, const ovk__square *b, const ovk__square *r, bool *changed)
{
  double norm_b, norm_r;
  const int M = S->scale.M;
  const bool plain = scale_plain_fits(b, r), test = scale_test_fits(b, r);
  bool far = false;
  *changed = false;
  if (plain && test) return OVK_OK;
  if (!plain) {
    OVK_TRY(scale_find_norm(S, S->given_b, &norm_b));
    OVK_TRY(scale_find_residual(S, &norm_r));
    far = norm_b > 0 && isfinite(norm_r) && norm_r > FAR * norm_b;
    if (far) ovk__vec_zero(S->x);
    OVK_TRY(scale_rhs(S, norm_b, far ? norm_b : norm_r));
  }
  if (!test && !M && S->opts.norm != OVK_NORM_UNPRECONDITIONED) {
    OVK_TRY(scale_measure_precond(S));
    ovk__scale_diagonal(S);
  }
  *changed = far || S->scale.b || S->scale.M != M;
  return OVK_OK;
}

void ovk__scale_solution(const ovk_solver *S, ovk_vec *x)
{
  ovk__scale_by(S->scale.A - S->scale.b, x);
}

bool ovk__scale_round(ovk_solver *S)
{
  const int to_users = S->scale.A - S->scale.b;
  bool exact = true;
  for (ovk_lidx i = 0; to_users && i < rows(S); i++) {
    double users, back;
    ovk__vec_shift(1, to_users, &S->x->array[i], &users);
    ovk__vec_shift(1, -to_users, &users, &back);
    exact = exact && (back == S->x->array[i] || isnan(back)); /* a NaN has its own message */
    S->x->array[i] = back;
  }
  return exact;
}

/* A norm of the test is this power of two times that in the user's units. */
static int scale_exponent_of_test(const ovk_solver *S)
{
  const int M = S->scale.M;
  const int of_norm[] = {
      [OVK_NORM_UNPRECONDITIONED] = 0, [OVK_NORM_PRECONDITIONED] = M, [OVK_NORM_NATURAL] = M / 2};
  return S->scale.b + of_norm[S->opts.norm];
}

double ovk__scale_norm(const ovk_solver *S, double norm)
{
  return ldexp(norm, -scale_exponent_of_test(S));
}

double ovk__scale_tolerance(const ovk_solver *S)
{
  return fmax(S->opts.rtol * ovk__scale_norm(S, S->norms.b), S->opts.atol);
}

double ovk__scale_atol(const ovk_solver *S)
{
  return ldexp(S->opts.atol, scale_exponent_of_test(S));
}

ovk_err ovk__scale_product(const void *solver, const ovk_vec *in, ovk_vec *out)
{
  const ovk_solver *S = solver;
  const int half = S->scale.A / 2;
  const ovk_err err = ovk__mat_action(S->A, ovk__scale_copy(S, 0, half, in), out);
  ovk__scale_by(half, out);
  return err;
}

ovk_err ovk__scale_solve(const void *solver, const ovk_vec *in, ovk_vec *out)
{
  const ovk_solver *S = solver;
  const int half = S->scale.M / 2;
  const ovk_err err = ovk__precond_action(S->M, ovk__scale_copy(S, 0, half, in), out);
  ovk__scale_by(half, out);
  return err;
}
