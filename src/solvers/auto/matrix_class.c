/* SPDX-License-Identifier: BSD-2-Clause */
/* The class of a matrix, from its values. A symmetric matrix with a positive diagonal need not be
 * definite: a solve with conjugate gradients detects that, and reports it or continues with
 * minres. */
#include "solvers/auto/matrix_class.h"
#include "core/context/agree.h"
#include "matrix/asymmetry/asymmetry.h"
#include "matrix/near_symmetry.h"
#include "matrix/symmetry.h"

/* A shell with a larger relative asymmetry is not symmetric up to rounding. */
static const double SYMMETRIC = 1e-10;

/* Classifies a shell by two products. If one fails, so will the solve, with a more exact
 * message. */
static bool matrix_class_seems_symmetric(const ovk_solver *S)
{
  double asymmetry;
  const bool has_vectors = S->work && S->vectors >= 2; /* not yet in use by a solve */
  const ovk_err err =
      has_vectors ? ovk__asymmetry(ovk__mat_action, S->A, S->work[0], S->work[1], &asymmetry)
                  : ovk_mat_asymmetry(S->A, &asymmetry);
  return err || !(asymmetry > SYMMETRIC);
}

/* Elements' contributions are summed in different orders to A(i,j) and A(j,i), so these need not be
 * the same bit for bit. */
static ovk_err matrix_class_scan_entries(const ovk_mat *A, bool said, ovk__symmetry *out)
{
  OVK_TRY(ovk__mat_symmetry(A, out));
  out->symmetric = out->symmetric || said;
  return out->symmetric ? OVK_OK : ovk__mat_is_nearly_symmetric(A, &out->symmetric);
}

ovk_err ovk__precond_is_positive(ovk_solver *S, bool *positive)
{
  ovk__diagonal D = {NULL, false};
  const ovk_err err = ovk__precond_inverse_diagonal(S->M, S->M_kind, &D);
  bool all = !err && D.d;
  const ovk_lidx n = all ? (D.constant ? 1 : S->A->layout.local) : 0;
  for (ovk_lidx i = 0; i < n; i++) all = all && D.d[i] > 0;
  OVK_TRY(ovk__agree_flag(S->ctx, err, &all));
  *positive = all;
  return OVK_OK;
}

ovk_err ovk__matrix_class_of(ovk_solver *S, ovk__matrix_class *out, const char **why)
{
  ovk__symmetry A = {.symmetric = true, .positive_diagonal = true};
  const bool shell = S->A->state == OVK__MAT_SHELL, said = S->opts.symmetric;
  bool positive;
  if (shell) {
    A.symmetric = said || matrix_class_seems_symmetric(S);
  } else {
    OVK_TRY(matrix_class_scan_entries(S->A, said, &A));
  }
  *out = A.symmetric ? OVK__A_DEFINITE : OVK__A_ANY;
  *why = !A.symmetric ? "A is not symmetric" : said ? "the options declare A symmetric" : NULL;
  if (!A.symmetric || A.positive_diagonal) return OVK_OK;
  OVK_TRY(ovk__precond_is_positive(S, &positive));
  *out = positive ? OVK__A_SYMMETRIC : OVK__A_ANY;
  *why = positive ? "the diagonal of A is not positive"
                  : "the diagonal of A is not positive, and M not diagonal and positive";
  return OVK_OK;
}
