/* SPDX-License-Identifier: BSD-2-Clause */
/* Takes the candidate with the least predicted time. */
#include "precond/auto/choose.h"
#include "core/context/agree.h"
#include "precond/auto/chooser.h"
#include "precond/auto/trial.h"

#include <stdio.h>

/* If A is not symmetric each iteration has two products and applications. Iterations with jacobi
 * where the symmetric part of A is not positive definite, so that steps cannot estimate them. */
static const double GENERAL_ITERATIONS = 50, GENERAL_PRODUCTS = 2;

/* amg refuses larger skewnesses than about this. */
static const double MOST_SKEWNESS = 0.6;

/* Leaves one candidate, without predictions. */
static void choose_only(ovk__auto_kind kind, const char *why, ovk__auto_choice *out)
{
  *out = (ovk__auto_choice){.order = {kind}, .n = 1};
  snprintf(out->why, sizeof out->why, "%s, because %s", ovk__auto_name(kind), why);
}

/* out->order <- the candidates, the least time first. Kinds are in the order of their setups. */
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

/* A is symmetric with a positive diagonal; *M is jacobi at first, and the preconditioner that is
 * set up at the end. */
static ovk_err choose_definite(ovk__chooser *c, ovk__auto_candidate *M, ovk__auto_choice *out)
{
  bool definite;
  OVK_TRY(ovk__chooser_predict_definite(c, M, &definite));
  if (!definite) {
    choose_only(OVK__AUTO_JACOBI, "A is not positive definite", out);
    return OVK_OK;
  }
  choose_sort(c, out);
  choose_explain(c, out);
  return OVK_OK;
}

/* For a nonsymmetric A. *M is jacobi. */
static ovk_err choose_general(ovk__chooser *c, const ovk__auto_candidate *M, bool positive,
                              ovk__auto_choice *out)
{
  const ovk__auto_features *A = &c->features;
  double a = 0, b = 0, iterations = GENERAL_ITERATIONS;
  if (positive) OVK_TRY(ovk__auto_trial_symmetric_part(c->A, M, &a, &b));
  if (a > 0) iterations = ovk__auto_general_iterations(ovk__auto_jacobi_iterations(A, a, b));
  ovk__chooser_predict(c, OVK__AUTO_JACOBI, GENERAL_PRODUCTS * iterations);
  ovk__chooser_predict(c, OVK__AUTO_ILU, GENERAL_PRODUCTS * iterations / ovk__auto_general_gain(A));
  if (a > 0 && ovk__chooser_takes_amg(c) && A->skewness <= MOST_SKEWNESS) {
    ovk__chooser_predict(c, OVK__AUTO_AMG, GENERAL_PRODUCTS * OVK__AUTO_AMG_ITERATIONS);
  }
  choose_sort(c, out);
  choose_explain(c, out);
  return OVK_OK;
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

/* Chooses for an assembled matrix. *M is jacobi. For a symmetric A with a diagonal of both signs it
 * would rule out minres. */
static ovk_err choose_assembled(ovk__chooser *c, ovk__auto_candidate *M, ovk__auto_choice *out)
{
  bool positive, mixed;
  OVK_TRY(choose_check_signs(c->A, M, &positive, &mixed));
  if (!c->features.symmetric) return choose_general(c, M, positive, out);
  if (mixed) {
    choose_only(OVK__AUTO_NONE, "the diagonal of A has both signs", out);
  } else if (!positive) {
    choose_only(OVK__AUTO_JACOBI, "the diagonal of A is not positive", out);
  } else {
    return choose_definite(c, M, out);
  }
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
  const ovk_err err = ovk__auto_candidate_create(A, OVK__AUTO_JACOBI, M);
  if (!err) return choose_assembled(&c, M, out);
  if (err != OVK_ERR_ARG) return err;
  ovk__clear_message(A->ctx);
  choose_only(c.features.symmetric ? OVK__AUTO_NONE : OVK__AUTO_ILU,
              "the diagonal of A has no inverse", out);
  return OVK_OK;
}
