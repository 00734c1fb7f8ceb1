/* SPDX-License-Identifier: BSD-2-Clause */
/* Takes the candidate with the least predicted time, but prefers longer setups. */
#include "precond/auto/choose.h"
#include "core/context/agree.h"
#include "matrix/finite.h"
#include "matrix/near_nullspace/find_block.h"
#include "precond/auto/chooser.h"

#include <stdio.h>

/* Leaves one candidate, without predictions. */
static void choose_only(ovk__auto_kind kind, const char *why, ovk__auto_choice *out)
{
  *out = (ovk__auto_choice){.order = {kind}, .n = 1};
  snprintf(out->why, sizeof out->why, "%s, because %s", ovk__auto_name(kind), why);
}

/* out->order <- the candidates, the least compared time first. Of equal ones the shorter setup is
 * first, as kinds are in the order of their setups. */
static void choose_sort(const ovk__chooser *c, ovk__auto_choice *out)
{
  out->n = 0;
  for (int i = 0; i < OVK__AUTO_KINDS; i++) {
    const ovk__auto_kind kind = (ovk__auto_kind)i;
    if (c->seconds[kind] < 0) continue;
    int k = out->n++;
    const double least = ovk__chooser_compared(c, kind);
    for (; k > 0 && least < ovk__chooser_compared(c, out->order[k - 1]); k--) {
      out->order[k] = out->order[k - 1];
    }
    out->order[k] = kind;
  }
}

static void choose_explain(const ovk__chooser *c, ovk__auto_choice *out)
{
  char *text = out->why;
  const size_t size = sizeof out->why;
  size_t used = 0;
  for (int k = 0; k < out->n && used < size; k++) {
    const char *name = ovk__auto_name(out->order[k]);
    const double ms = 1e3 * c->seconds[out->order[k]];
    used +=
        (size_t)(k ? snprintf(text + used, size - used, ", %s %.3g ms", name, ms)
                   : snprintf(text, size, "%s, predicted to take %.3g ms for setup and %d solve%s",
                              name, ms, c->solves, c->solves == 1 ? "" : "s"));
  }
}

/* Whether jacobi is positive on all ranks, or has entries of both signs. */
static ovk_err choose_check_signs(const ovk_mat *A, const ovk__auto_candidate *jacobi,
                                  bool *positive, bool *mixed)
{
  enum { ABOVE, BELOW, SIGNS };
  const double *inverse = jacobi->ops->inverse_diagonal(jacobi->state);
  int64_t counts[SIGNS] = {0, 0};
  for (ovk_lidx i = 0; i < A->layout.local; i++) {
    counts[ABOVE] += inverse[i] > 0;
    counts[BELOW] += inverse[i] < 0;
  }
  OVK_TRY(ovk__agree_total(A->ctx, OVK_OK, counts, SIGNS, MPI_INT64_T, MPI_SUM));
  *positive = counts[ABOVE] == A->layout.global;
  *mixed = counts[ABOVE] > 0 && counts[BELOW] > 0;
  return OVK_OK;
}

/* Chooses for an assembled matrix. *M is jacobi at first, and the preconditioner that is set up at
 * the end. For a symmetric A with a diagonal of both signs jacobi would rule out minres. */
static ovk_err choose_assembled(ovk__chooser *c, ovk__auto_candidate *M, ovk__auto_choice *out)
{
  bool positive, mixed, definite = true;
  OVK_TRY(choose_check_signs(c->A, M, &positive, &mixed));
  if (!c->features.symmetric) {
    OVK_TRY(ovk__chooser_predict_general(c, M, positive));
  } else if (positive) {
    OVK_TRY(ovk__chooser_predict_definite(c, M, &definite));
  } else {
    choose_only(mixed ? OVK__AUTO_NONE : OVK__AUTO_JACOBI,
                mixed ? "the diagonal of A has both signs" : "the diagonal of A is not positive",
                out);
    return OVK_OK;
  }
  if (!definite) {
    const bool finite = !ovk__check_finite(c->A, "auto");
    ovk__clear_message(c->A->ctx);
    choose_only(OVK__AUTO_JACOBI,
                finite ? "A is not positive definite" : "an entry of A is not finite", out);
    return OVK_OK;
  }
  choose_sort(c, out);
  choose_explain(c, out);
  return OVK_OK;
}

/* The number of unknowns per point matters to amg, and to its cost, only. */
static ovk_err choose_find_points(ovk__chooser *c)
{
  int block;
  if (!ovk__chooser_takes_amg(c)) return OVK_OK;
  OVK_TRY(ovk__mat_find_block(c->A, &block));
  c->features.points = block > 1;
  return OVK_OK;
}

ovk_err ovk__auto_choose(const ovk_mat *A, int solves, ovk__auto_choice *out,
                         ovk__auto_candidate *M)
{
  ovk__chooser c = {.A = A, .solves = solves, .seconds = {-1, -1, -1, -1, -1}};
  *M = (ovk__auto_candidate){0};
  if (A->state == OVK__MAT_SHELL) {
    choose_only(OVK__AUTO_JACOBI, "A is a matrix-free operator", out);
    return OVK_OK;
  }
  OVK_TRY(ovk__auto_features_read(A, &c.features));
  OVK_TRY(choose_find_points(&c));
  const ovk_err err = ovk__auto_candidate_create(A, OVK__AUTO_JACOBI, M);
  if (!err) return choose_assembled(&c, M, out);
  if (err != OVK_ERR_ARG) return err;
  ovk__clear_message(A->ctx);
  choose_only(c.features.symmetric ? OVK__AUTO_NONE : OVK__AUTO_ILU,
              "the diagonal of A has no inverse", out);
  return OVK_OK;
}
