/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules that map the reason of a failed solve and the known properties of A and M to the next step
 * to try. */
#include "solvers/convergence/advice.h"

#include <stdio.h>
#include <string.h>

/* Measuring A and M costs products. That is too expensive after a solve limited to fewer iterations
 * than this, where maxit may have been intended to end it. */
enum { MANY_ITERATIONS = 100 };

#define MAXIT OVK__FOR(MAXIT)
#define INDEFINITE_A OVK__FOR(BREAKDOWN_INDEFINITE_A)
#define INDEFINITE_M OVK__FOR(BREAKDOWN_INDEFINITE_M)
#define NOT_FINITE OVK__FOR(NAN)
#define DIVERGED OVK__FOR(DIVERGED)
#define STAGNATED OVK__FOR(STAGNATED)
#define LANCZOS OVK__FOR(BREAKDOWN_LANCZOS)
#define BICG OVK__FOR(BREAKDOWN_BICG)
#define RESTART OVK__FOR(STAGNATED_RESTART)
#define SINGULAR OVK__FOR(SINGULAR)
#define NUMERICAL (MAXIT | INDEFINITE_A | DIVERGED | STAGNATED | LANCZOS | BICG | RESTART)

static const ovk__advice rules[] = {
    {NUMERICAL | INDEFINITE_M | SINGULAR, OVK__FACT_ASYMMETRIC | OVK__FACT_SAID,
     "A is not symmetric, though the options say so", "set neither spd nor symmetric"},
    {NUMERICAL | INDEFINITE_M | SINGULAR, OVK__FACT_ASYMMETRIC,
     "A is not symmetric, as the method needs it to be", "use bcgs or gmres"},
    {NUMERICAL | SINGULAR, OVK__FACT_CONSTANT, "A is singular, as A 1 = 0",
     "set null_constant (--nullspace constant)"},
    {NUMERICAL | SINGULAR, OVK__FACT_ROW_SUMS,
     "A is singular, as A 1 = 0, but its columns do not sum to 0",
     "set null_constant, and left_null_vectors to the null space of A^T"},
    {NUMERICAL | INDEFINITE_M | SINGULAR, OVK__FACT_ASYMMETRIC_M,
     "the preconditioner is not symmetric, as the method needs it to be",
     "use a symmetric preconditioner, or bcgs or gmres"},
    {NUMERICAL, OVK__FACT_SMALL_AX, "A is singular or nearly so",
     "give the null space of A (null_vectors, left_null_vectors)"},
    {SINGULAR, 0, "b has a part that no A x has",
     "give the null space of A^T (null_vectors of a symmetric A, left_null_vectors), or accept x, "
     "whose residual is the least"},
    {NOT_FINITE, OVK__FACT_LARGE_M, "the preconditioner M is nearly singular, as M^-1 is large",
     "use precond none, with minres if A is symmetric"},
    {NOT_FINITE, OVK__FACT_RANGE, "", "scale the system"},
    {NOT_FINITE, OVK__FACT_BAD_ENTRIES, "",
     "check this row, or scale the system if its entries are finite"},
    {NOT_FINITE, OVK__FACT_BAD_SUM, "", "use another backend"},
    {INDEFINITE_M, OVK__FACT_FLOAT_M, "values of the preconditioner in float may be too coarse",
     "use store=double in its spec, such as amg:store=double, or precond none, with minres if A is "
     "symmetric"},
    {INDEFINITE_M, 0, "", "use precond none, with minres if A is symmetric"},
    {INDEFINITE_A, OVK__FACT_SAID_SPD, "A is not positive definite, though the options say so",
     "set symmetric instead of spd"},
    {INDEFINITE_A, 0, "", "use minres, with precond none or another positive definite one"},
    {MAXIT, OVK__FACT_NO_TREND, "", "raise maxit"},
    {MAXIT, OVK__FACT_NEAR, "", "raise maxit"},
    {DIVERGED | LANCZOS | BICG | RESTART | MAXIT, OVK__FACT_SYMMETRIC | OVK__FACT_ANY_A,
     "A is symmetric", "use minres, with precond none or another positive definite one"},
    {RESTART, OVK__FACT_FLOAT_BASIS, "", "use basis=double, bcgs or a longer restart"},
    {RESTART | MAXIT, OVK__FACT_RESTARTS, "", "use bcgs or a longer restart"},
    {DIVERGED | LANCZOS | BICG, OVK__FACT_ANY_A, "",
     "use gmres, with precond ilu, or with none and a long restart if the diagonal has a 0"},
    {DIVERGED, 0, "", "use minres, with precond none or another positive definite one"},
    {MAXIT, OVK__FACT_SHELL, "", "use a preconditioner (ovk_precond_create_from_ops())"},
    {MAXIT, OVK__FACT_DIAGONAL_M | OVK__FACT_ANY_A, "",
     "use a stronger preconditioner, such as ilu"},
    {MAXIT, OVK__FACT_DIAGONAL_M, "", "use a stronger preconditioner, such as ic"},
    {MAXIT, 0, "", "use a stronger preconditioner, such as ic:level=1 or ilu:level=1"},
    {STAGNATED, 0, "", "raise rtol, or scale the rows of A"},
};

const ovk__advice *ovk__advice_rules(int *n)
{
  *n = sizeof rules / sizeof *rules;
  return rules;
}

/* The class of A that the options state. */
static unsigned advice_given_facts(const ovk_solver *S)
{
  if (S->opts.spd) return OVK__FACT_SAID | OVK__FACT_SAID_SPD;
  return S->opts.symmetric ? OVK__FACT_SAID : 0;
}

/* Whether M has values in float: by the key `store` of its spec, or as `auto` has taken amg. */
static bool advice_M_is_in_float(const ovk_precond *M)
{
  static const char AMG[] = "amg,"; /* the text of `auto` begins with its choice */
  int word = -1;
  if (strcmp(M->ops->name, "auto") == 0) return strncmp(M->info, AMG, strlen(AMG)) == 0;
  for (const ovk_option *o = M->ops->keys; o && o->name; o++) {
    if (strcmp(o->name, "store") != 0 || o->type != OVK_OPTION_WORD) continue;
    if (ovk_spec_word(M->ctx, M->spec, M->ops->keys, o->name, &word) || word < 0) return false;
    return strcmp(o->words[word], "float") == 0;
  }
  return false;
}

/* The properties that are known without products. */
static unsigned advice_known_facts(const ovk_solver *S)
{
  const bool any = S->method->A == OVK__A_ANY, diagonal = S->M_kind != OVK__M_OTHER;
  const bool shell = S->A->state == OVK__MAT_SHELL;
  return S->facts | advice_given_facts(S) | (any ? OVK__FACT_ANY_A : 0) |
         (any && S->settings.restart ? OVK__FACT_RESTARTS : 0) |
         (S->settings.basis_float ? OVK__FACT_FLOAT_BASIS : 0) |
         (advice_M_is_in_float(S->M) ? OVK__FACT_FLOAT_M : 0) |
         (diagonal ? OVK__FACT_DIAGONAL_M : 0) | (diagonal && shell ? OVK__FACT_SHELL : 0);
}

bool ovk__advice_is_worth_spmvs(const ovk_solver *S)
{
  switch (S->reason) {
  case OVK_REASON_MAXIT:
    return S->counts.iterations >= MANY_ITERATIONS;
  case OVK_REASON_NAN:
    return S->facts & (OVK__FACT_RANGE | OVK__FACT_BAD_ENTRIES);
  case OVK_REASON_MONITOR:
    return false;
  default:
    return S->reason < 0;
  }
}

static const ovk__advice *advice_find(unsigned reason, unsigned facts)
{
  const ovk__advice *a = rules, *end = rules + sizeof rules / sizeof *rules;
  while (a < end && !((a->reasons & reason) && (a->facts & facts) == a->facts)) a++;
  return a < end ? a : NULL;
}

/* Appends to a message of OVK__MESSAGE_SIZE. */
static void advice_append(char *message, const char *before, const char *text)
{
  const size_t end = strlen(message);
  if (text[0]) snprintf(message + end, OVK__MESSAGE_SIZE - end, "%s%s", before, text);
}

void ovk__advise(ovk_solver *S)
{
  char numbers[160];
  unsigned facts = advice_known_facts(S);
  if (S->reason >= 0) return;
  if (S->reason == OVK_REASON_MAXIT) {
    facts |= ovk__trend_write(S, numbers, sizeof numbers);
    advice_append(S->message, "", numbers);
  }
  if (ovk__advice_is_worth_spmvs(S)) facts |= ovk__traits_measure(S);
  const ovk__advice *a = advice_find(1u << -(int)S->reason, facts);
  if (!a) return;
  ovk__traits_write(S, a->facts, numbers, sizeof numbers);
  advice_append(S->message, "; ", a->cause);
  advice_append(S->message, "", numbers);
  advice_append(S->message, "; ", a->remedy);
}
