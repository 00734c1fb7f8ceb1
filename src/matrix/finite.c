/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks all entries. That takes as long as a product, so it is done after a failure only. */
#include "matrix/finite.h"
#include "core/context/agree.h"
#include "matrix/some_rows.h"

#include <math.h>

typedef struct finite_check {
  const ovk_mat *A;
  const char *who;
} finite_check;

static ovk_err finite_check_row(void *arg, ovk_gidx i, ovk_lidx n, const ovk_gidx *col,
                                const double *val)
{
  const finite_check *c = arg;
  for (ovk_lidx k = 0; k < n; k++) {
    OVK_CHECK(isfinite(val[k]), c->A->ctx, OVK_ERR_ARG, "%s: row %lld, column %lld of A is %g",
              c->who, (long long)i, (long long)col[k], val[k]);
  }
  return OVK_OK;
}

ovk_err ovk__check_finite(const ovk_mat *A, const char *who)
{
  finite_check c = {A, who};
  if (A->state == OVK__MAT_SHELL) return OVK_OK;
  return ovk__agree(A->ctx, ovk__mat_for_some_rows(A, NULL, finite_check_row, &c));
}

ovk_err ovk__finite_or(ovk_err err, const ovk_mat *A, const char *who)
{
  if (err != OVK_ERR_ARG && err != OVK_ERR_INDEFINITE) return err;
  const ovk_err cause = ovk__check_finite(A, who);
  return cause ? cause : err;
}
