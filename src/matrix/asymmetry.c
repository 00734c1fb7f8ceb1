/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures the asymmetry of an operator by its action on two vectors. */
#include "matrix/asymmetry.h"
#include "base/check.h"
#include "base/mix.h"
#include "matrix/mat_impl.h"

#include <math.h>

/* Row i of the vector u (which = 0) or v (1): numbers in [-1, 1) that are the same for any number
 * of ranks. */
static double entry(int which, ovk_gidx i)
{
  return ovk__mix_number(2 * (uint64_t)i + (uint64_t)which + 1);
}

enum { OTHERS_IMAGE, SELF, IMAGE, SUMS };

/* in <- u or v; out <- A in; this rank's parts of (the other vector, out), (in, in), (out, out) */
static ovk_err probe(ovk__action apply, const void *A, int which, ovk_vec *in, ovk_vec *out,
                     double sums[SUMS])
{
  const ovk_gidx first = in->layout.first;
  for (ovk_lidx i = 0; i < in->layout.local; i++) in->array[i] = entry(which, first + i);
  const ovk_err err = apply(A, in, out);
  for (int k = 0; k < SUMS; k++) sums[k] = 0;
  for (ovk_lidx i = 0; !err && i < in->layout.local; i++) {
    sums[OTHERS_IMAGE] += entry(1 - which, first + i) * out->array[i];
    sums[SELF] += in->array[i] * in->array[i];
    sums[IMAGE] += out->array[i] * out->array[i];
  }
  return err;
}

ovk_err ovk__asymmetry(ovk__action apply, const void *A, ovk_vec *in, ovk_vec *out, double *result)
{
  ovk_ctx *ctx = in->ctx;
  double s[2][SUMS];
  ovk_err err = ovk__agree(ctx, probe(apply, A, 0, in, out, s[0]));
  if (!err) err = ovk__agree(ctx, probe(apply, A, 1, in, out, s[1]));
  if (err) return err;
  OVK_TRY(ovk__agree(ctx, ovk__allreduce(ctx, s, 2 * SUMS, MPI_DOUBLE, MPI_SUM)));
  const double size =
      fmax(sqrt(s[0][IMAGE]) * sqrt(s[1][SELF]), sqrt(s[1][IMAGE]) * sqrt(s[0][SELF]));
  const double difference = fabs(s[0][OTHERS_IMAGE] - s[1][OTHERS_IMAGE]);
  *result = difference == 0 ? 0 : difference / size;
  return OVK_OK;
}

ovk_err ovk__mat_action(const void *A, const ovk_vec *in, ovk_vec *out)
{
  double dot;
  return ovk__mat_mult_dot(A, in, out, ovk_poll_none(), &dot);
}

static ovk_err check(ovk_ctx *ctx, const ovk_mat *A, const double *asymmetry)
{
  OVK_CHECK_HANDLE(ctx, A);
  OVK_CHECK(asymmetry, ctx, OVK_ERR_ARG, "asymmetry is NULL");
  return ovk__mat_check_ready(A);
}

ovk_err ovk_mat_check_symmetric(const ovk_mat *A, double *asymmetry)
{
  ovk_ctx *ctx = ovk__ctx_of(A);
  if (!ctx) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(ctx, check(ctx, A, asymmetry)));
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
