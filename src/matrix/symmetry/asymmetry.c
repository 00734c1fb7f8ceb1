/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures the asymmetry of an operator by its action on two vectors. */
#include "core/base/hash64.h"
#include "core/context/agree.h"
#include "core/context/check.h"
#include "matrix/symmetry/symmetry.h"
#include "matrix/vector/vec_exact.h"

#include <math.h>

/* Row i of the vector u (which = 0) or v (1): numbers in [-1, 1) that are the same for any number
 * of ranks. */
static double asymmetry_entry(int which, ovk_gidx i)
{
  return ovk__mix_number(2 * (uint64_t)i + (uint64_t)which + 1);
}

/* v <- v times the power of two that brings its largest entry to about 1, so that squares of the
 * entries neither overflow nor vanish; *exponent <- that power. Collective; agrees on the error
 * with which v was computed. */
static ovk_err asymmetry_normalize(ovk_vec *v, ovk_err mine, int *exponent)
{
  double most = 0;
  for (ovk_lidx i = 0; i < v->layout.local; i++) most = fmax(most, fabs(v->array[i]));
  OVK_TRY(ovk__agree_total(v->ctx, mine, &most, 1, MPI_DOUBLE, MPI_MAX));
  *exponent = most > 0 && isfinite(most) ? -ilogb(most) : 0;
  ovk__vec_shift(v->layout.local, *exponent, v->array, v->array);
  return OVK_OK;
}

enum { OTHERS_IMAGE, SELF, IMAGE, SUMS };

static void asymmetry_fill(int which, ovk_vec *v)
{
  for (ovk_lidx i = 0; i < v->layout.local; i++) {
    v->array[i] = asymmetry_entry(which, v->layout.first + i);
  }
}

/* The sums of asymmetry_probe() for a matrix in order, the same for any partition. */
static ovk_err asymmetry_sum_exactly(int which, ovk_vec *in, const ovk_vec *out, double sums[SUMS])
{
  ovk_err err = ovk__vec_exact_dot(in, in, &sums[SELF]);
  if (!err) err = ovk__vec_exact_dot(out, out, &sums[IMAGE]);
  asymmetry_fill(1 - which, in);
  if (!err) err = ovk__vec_exact_dot(in, out, &sums[OTHERS_IMAGE]);
  asymmetry_fill(which, in);
  return ovk__agree(in->ctx, err);
}

/* in <- u or v; out <- 2^exponent A in; sums <- (the other vector, out), (in, in), (out, out) of
 * all ranks. Collective; errors are agreed. */
static ovk_err asymmetry_probe(ovk__operator apply, const void *A, int which, ovk_vec *in,
                               ovk_vec *out, double sums[SUMS], int *exponent)
{
  const ovk_gidx first = in->layout.first;
  asymmetry_fill(which, in);
  OVK_TRY(asymmetry_normalize(out, apply(A, in, out), exponent));
  if (in->ordered && out->ordered) return asymmetry_sum_exactly(which, in, out, sums);
  for (int k = 0; k < SUMS; k++) sums[k] = 0;
  for (ovk_lidx i = 0; i < in->layout.local; i++) {
    sums[OTHERS_IMAGE] += asymmetry_entry(1 - which, first + i) * out->array[i];
    sums[SELF] += in->array[i] * in->array[i];
    sums[IMAGE] += out->array[i] * out->array[i];
  }
  return ovk__agree_total(in->ctx, OVK_OK, sums, SUMS, MPI_DOUBLE, MPI_SUM);
}

ovk_err ovk__asymmetry(ovk__operator apply, const void *A, ovk_vec *in, ovk_vec *out,
                       double *result)
{
  double u[SUMS], v[SUMS];
  int of_u, of_v;
  OVK_TRY(asymmetry_probe(apply, A, 0, in, out, u, &of_u));
  OVK_TRY(asymmetry_probe(apply, A, 1, in, out, v, &of_v));
  const double to_v = ldexp(1, of_v - of_u); /* so that both are 2^of_v A */
  const double size = fmax(to_v * sqrt(u[IMAGE]) * sqrt(v[SELF]), sqrt(v[IMAGE]) * sqrt(u[SELF]));
  const double difference = fabs(to_v * u[OTHERS_IMAGE] - v[OTHERS_IMAGE]);
  ovk__vec_shift(out->layout.local, -of_v, out->array, out->array);
  *result = difference == 0 ? 0 : difference / size;
  return OVK_OK;
}

static ovk_err asymmetry_check(ovk_ctx *ctx, const ovk_mat *A, const double *asymmetry)
{
  OVK_CHECK_HANDLE(ctx, A);
  OVK_CHECK(asymmetry, ctx, OVK_ERR_ARG, "asymmetry is NULL");
  return ovk__mat_check_ready(A);
}

ovk_err ovk_mat_asymmetry(const ovk_mat *A, double *asymmetry)
{
  ovk_ctx *ctx = ovk__ctx_of(A);
  if (!ctx) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(ctx, asymmetry_check(ctx, A, asymmetry)));
  const ovk__used used = OVK_USE(A);
  ovk_vec *in = NULL, *out = NULL;
  ovk_err err = ovk_mat_create_vec(A, &in);
  if (!err) err = ovk_mat_create_vec(A, &out);
  if (!err) err = ovk__asymmetry(ovk__mat_action, A, in, out, asymmetry);
  ovk_vec_destroy(&in);
  ovk_vec_destroy(&out);
  ovk__end_use(&used);
  return err;
}
