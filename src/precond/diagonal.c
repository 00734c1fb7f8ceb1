/* SPDX-License-Identifier: BSD-2-Clause */
/* The kind of M: constant, diagonal or neither, the same on all ranks. */
#include "core/context/agree.h"
#include "precond/precond_impl.h"

#include <string.h>

extern const ovk_precond_ops ovk__precond_none;

/* M^-1 of this rank's rows; d is NULL if it is not diagonal. The identity on a rank without rows,
 * whose array is not read. */
static ovk__diagonal diagonal_read_diagonal(const ovk_precond *M)
{
  if (M->ops == &ovk__precond_none) return ovk__diagonal_identity();
  const double *d = M->ops->inverse_diagonal ? M->ops->inverse_diagonal(M->state) : NULL;
  const ovk_lidx n = M->A->layout.local;
  if (n == 0) return ovk__diagonal_identity();
  return (ovk__diagonal){d, d && !memcmp(d, d + 1, (size_t)(n - 1) * sizeof *d)};
}

ovk_err ovk__precond_kind_of(const ovk_precond *M, ovk__precond_kind *kind)
{
  const ovk__diagonal D = diagonal_read_diagonal(M);
  int greatest = !D.d ? OVK__M_OTHER : D.constant ? OVK__M_CONSTANT : OVK__M_DIAGONAL;
  OVK_TRY(ovk__total_of(M->ctx, &greatest, 1, MPI_INT, MPI_MAX));
  *kind = (ovk__precond_kind)greatest;
  return OVK_OK;
}

ovk_err ovk__precond_inverse_diagonal(const ovk_precond *M, ovk__precond_kind kind,
                                      ovk__diagonal *out)
{
  *out = (ovk__diagonal){0};
  if (kind == OVK__M_OTHER) return OVK_OK;
  *out = diagonal_read_diagonal(M);
  if (out->d) return OVK_OK;
  *out = ovk__diagonal_identity();
  return OVK_FAIL(
      M->ctx, OVK_ERR_USER,
      "preconditioner '%s' gives no inverse diagonal, but did when the solver was created",
      M->ops->name);
}
