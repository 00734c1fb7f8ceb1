/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares iterations for each digit of the residual, as right-hand sides, initial guesses and
 * tolerances may differ. Solves with another method or norm are not compared, nor are short ones,
 * in which a few more iterations mean nothing. All numbers come from totals, so they are the same
 * on all ranks. */
#include "solvers/convergence/pace.h"

#include <math.h>

/* A notice is issued for more than this factor. */
static const double SLOWER = 1.5;

/* A solve with fewer iterations is not slow; one with fewer digits is not comparable. */
enum { FEWEST = 10 };
static const double FEWEST_DIGITS = 2;

/* Decimal digits by which the norm of the residual has decreased. */
static double pace_digits(const ovk_solver *S)
{
  return fmax(0.5 * log10(S->norms.first_rr / S->norms.rr), 0);
}

static bool pace_tells(const ovk_solver *S)
{
  const double digits = pace_digits(S);
  return S->active == S->method && digits >= FEWEST_DIGITS && isfinite(digits);
}

static void pace_keep_first(ovk_solver *S)
{
  ovk__pace *pace = &S->M->pace;
  if (S->reason <= 0 || !pace_tells(S)) return;
  pace->method = S->method;
  pace->norm = (int)S->opts.norm;
  pace->per_digit = S->counts.iterations / pace_digits(S);
}

/* Whether this solve can be compared with the first one. */
static bool pace_is_comparable(const ovk_solver *S)
{
  const ovk__pace *pace = &S->M->pace;
  return pace->method == S->method && pace->norm == (int)S->opts.norm &&
         ((S->reason > 0 && pace_tells(S)) || S->reason == OVK_REASON_MAXIT);
}

static void pace_notify(ovk_solver *S, const char *stale)
{
  ovk__pace *pace = &S->M->pace;
  const double digits = pace_digits(S);
  if (S->counts.iterations < FEWEST || S->counts.iterations <= SLOWER * pace->per_digit * digits)
    return;
  pace->notified = true;
  ovk__notify(S->ctx,
              "preconditioner '%s': after an update %d iterations reduced the residual by %.2g "
              "digits, after the setup a digit took %.2g: %s",
              ovk_precond_name(S->M), S->counts.iterations, digits, pace->per_digit, stale);
}

void ovk__pace_compare(ovk_solver *S)
{
  ovk__pace *pace = &S->M->pace;
  const char *stale = S->M->ops->stale ? S->M->ops->stale(S->M->state) : NULL;
  if (!stale || !stale[0] || pace->notified) return;
  if (!pace->updated && !pace->method) pace_keep_first(S);
  if (!pace->updated || pace->compared || !pace_is_comparable(S)) return;
  pace->compared = true;
  pace_notify(S, stale);
}
