/* SPDX-License-Identifier: BSD-2-Clause */
/* The class of a matrix, from its values. A symmetric matrix with a positive diagonal need not be
 * definite: a solve with conjugate gradients detects that, and reports it or continues with
 * minres. */
#include "solvers/auto/matrix_class.h"
#include "core/context/agree.h"
#include "matrix/symmetry/symmetry.h"

#include <math.h>

/* A shell with a larger relative asymmetry is not symmetric up to rounding. */
static const double SYMMETRIC = 1e-10;

/* A matrix, and the least time of its products. */
typedef struct timed_matrix {
  const ovk_mat *A;
  double *seconds;
} timed_matrix;

static ovk_err matrix_class_multiply(const void *timed, const ovk_vec *in, ovk_vec *out)
{
  const timed_matrix *t = timed;
  const double start = MPI_Wtime();
  const ovk_err err = ovk__mat_action(t->A, in, out);
  *t->seconds = fmin(*t->seconds, MPI_Wtime() - start);
  return err;
}

static ovk_err matrix_class_measure(ovk_solver *S, double *seconds, double *asymmetry)
{
  ovk_vec *v[2] = {NULL, NULL};
  const bool has_vectors = S->work && S->vectors >= 2; /* not yet in use by a solve */
  ovk_err err = has_vectors ? OVK_OK : ovk__vecs_create(S->ctx, &S->A->layout, 2, false, v);
  for (int k = 0; !err && k < 2; k++) {
    if (has_vectors) v[k] = S->work[k];
    v[k]->ordered = S->A->ordered;
  }
  const timed_matrix A = {S->A, seconds};
  if (!err) err = ovk__asymmetry(matrix_class_multiply, &A, v[0], v[1], asymmetry);
  for (int k = 0; !has_vectors && k < 2; k++) ovk_vec_destroy(&v[k]);
  return err;
}

/* Classifies a shell by two products, whose times a trial uses. If one fails, so will the solve,
 * with a more exact message. */
static bool matrix_class_seems_symmetric(ovk_solver *S)
{
  double asymmetry, seconds = INFINITY;
  const ovk_err err = matrix_class_measure(S, &seconds, &asymmetry);
  S->selection.product_seconds = err ? INFINITY : seconds;
  return err || !(asymmetry > SYMMETRIC);
}

/* Elements' contributions are summed in different orders to A(i,j) and A(j,i), so these need not be
 * the same bit for bit. A test takes as long as many products, and the first one is enough unless
 * entries are much larger than the diagonal. */
static ovk_err matrix_class_find_symmetry(const ovk_mat *A, bool *symmetric)
{
  OVK_TRY(ovk__mat_is_nearly_symmetric(A, symmetric));
  return *symmetric ? OVK_OK : ovk__mat_is_symmetric(A, symmetric);
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
  const bool shell = S->A->state == OVK__MAT_SHELL, said = S->opts.symmetric;
  bool symmetric = said, positive = true;
  if (!said && shell) symmetric = matrix_class_seems_symmetric(S);
  if (!said && !shell) OVK_TRY(matrix_class_find_symmetry(S->A, &symmetric));
  if (symmetric && !shell) OVK_TRY(ovk__mat_has_positive_diagonal(S->A, &positive));
  *out = symmetric ? OVK__A_DEFINITE : OVK__A_ANY;
  *why = !symmetric ? "A is not symmetric" : said ? "the options declare A symmetric" : NULL;
  if (!symmetric || positive) return OVK_OK;
  OVK_TRY(ovk__precond_is_positive(S, &positive));
  *out = positive ? OVK__A_SYMMETRIC : OVK__A_ANY;
  *why = positive ? "the diagonal of A is not positive"
                  : "the diagonal of A is not positive, and M not diagonal and positive";
  return OVK_OK;
}
