/* SPDX-License-Identifier: BSD-2-Clause */
/* The reductions of a solver, plain and exact. */
#include "solvers/ops/dots.h"
#include "backends/open.h"
#include "core/base/hash64.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "core/exact/exact_window.h"
#include "solvers/ops/marks.h"

#include <math.h>
#include <string.h>

/* The inner products of one reduction of long forms. */
enum { LONG_COUNT = 4 };

static void dots_forget_units(ovk__dots *sum)
{
  for (int v = 0; v < sum->count; v++) sum->units[v] = OVK__NO_UNIT;
}

void ovk__dots_start_solve(ovk_solver *S)
{
  for (int k = 0; S->exact_all && k < 2 * OVK__MAX_SUMS; k++) {
    ovk__dots *sum = S->all_sums[k / OVK__MAX_SUMS][k % OVK__MAX_SUMS];
    if (sum) dots_forget_units(sum);
  }
}

/* The memory of exact sums. Not collective. */
static ovk_err dots_allocate(ovk_solver *S, int count, ovk__dots **out)
{
  ovk_ctx *ctx = S->ctx;
  OVK_NEW_AT(ctx, *out, ovk__dots, sum);
  sum->count = count;
  if (!S->exact) return OVK_OK;
  OVK_NEW_ZEROS(ctx, sum->parts, count + 1);
  OVK_NEW_ARRAY(ctx, sum->windows, count);
  for (int v = 0; v < count; v++) sum->windows[v] = OVK__NO_WINDOW;
  if (!S->exact_all) return OVK_OK;
  OVK_NEW_ARRAY(ctx, sum->units, count);
  dots_forget_units(sum);
  S->reduced_values += count;
  OVK_TRY(ovk__marks_reserve(S, S->reduced_values));
  sum->marks = S->marks;
  OVK_NEW_ZEROS(ctx, sum->kept, count);
  return OVK_OK;
}

int ovk__dots_values(const ovk_solver *S, int count, bool status)
{
  return count * (S->exact ? OVK__WINDOW_WORDS : 1) + status;
}

ovk_err ovk__dots_create(ovk_solver *S, int count, bool status, ovk__dots **out)
{
  const int values = ovk__dots_values(S, count, status);
  OVK_TRY(ovk__agree(S->ctx, dots_allocate(S, count, out)));
  (*out)->status = status;
  return ovk__reduction_create(S->ctx, &S->opened, values, &(*out)->reduction);
}

void ovk__dots_destroy(ovk__dots **sum)
{
  if (!*sum) return;
  ovk_reduction_destroy(&(*sum)->reduction);
  free((*sum)->parts);
  free((*sum)->windows);
  free((*sum)->units);
  free((*sum)->kept);
  free(*sum);
  *sum = NULL;
}

ovk_err ovk__dots_create_long(ovk_solver *S)
{
  if (!S->exact) return OVK_OK;
  return ovk__reduction_create(S->ctx, &S->opened, LONG_COUNT * OVK__LONG_WORDS, &S->long_sum);
}

double *ovk__dots_parts(ovk__dots *sum)
{
  return sum->parts ? sum->parts : ovk_reduction_values(sum->reduction);
}

/* Values of one reduction are often of similar size: one without a window takes that of the value
 * before it. */
static void dots_put_short(ovk__dots *sum)
{
  double *words = ovk_reduction_values(sum->reduction);
  for (int v = 0; v < sum->count; v++, words += OVK__WINDOW_WORDS) {
    int *window = &sum->windows[v];
    if (*window == OVK__NO_WINDOW && v > 0) *window = window[-1];
    if (sum->marks) {
      ovk__mark_take(sum->marks, sum->parts[v], &sum->kept[v]);
      ovk__exact_sum_put(&sum->kept[v], *window, words);
    } else {
      ovk__window_put(sum->parts[v], *window, words);
    }
  }
  if (sum->status) *words = sum->parts[sum->count];
}

ovk_err ovk__dots_begin(ovk__dots *sum)
{
  if (sum->parts) dots_put_short(sum);
  return ovk_reduction_begin(sum->reduction);
}

/* The long form of a part, which is a mark if there are some. */
static void dots_put_long(const struct ovk__marks *marks, double part,
                          double words[OVK__LONG_WORDS])
{
  ovk__exact_sum sum = {0};
  if (marks) {
    ovk__mark_take(marks, part, &sum);
    ovk__exact_sum_put_long(&sum, words);
  } else {
    ovk__long_put(part, words);
  }
}

ovk_err ovk__dots_total(ovk_solver *S, int n, const double *parts, double *totals)
{
  enum { SIZE = OVK__LONG_WORDS };
  double words[OVK__DOTS_TOTALS * SIZE];
  if (!S->exact) {
    memmove(totals, parts, (size_t)n * sizeof *totals);
    return ovk__agree(S->ctx, ovk__total(S->ctx, totals, n, MPI_SUM));
  }
  for (int k = 0; k < n; k++) dots_put_long(S->marks, parts[k], words + (ptrdiff_t)k * SIZE);
  OVK_TRY(ovk__agree(S->ctx, ovk__total(S->ctx, words, n * SIZE, MPI_SUM)));
  for (int k = 0; k < n; k++) totals[k] = ovk__long_round(words + (ptrdiff_t)k * SIZE);
  return OVK_OK;
}

/* The totals of n <= LONG_COUNT inner products from their long forms. */
static ovk_err dots_reduce_long(ovk_solver *S, ovk__dots *sum, const int *which, int n)
{
  const ptrdiff_t size = OVK__LONG_WORDS;
  double *words = ovk_reduction_values(S->long_sum);
  memset(words, 0, LONG_COUNT * (size_t)size * sizeof *words);
  for (int k = 0; k < n; k++) {
    if (sum->marks) {
      ovk__exact_sum_put_long(&sum->kept[which[k]], words + k * size);
    } else {
      ovk__long_put(sum->parts[which[k]], words + k * size);
    }
  }
  OVK_TRY(ovk_reduction_begin(S->long_sum));
  OVK_TRY(ovk_reduction_wait(S->long_sum));
  for (int k = 0; k < n; k++) sum->parts[which[k]] = ovk__long_round(words + k * size);
  return OVK_OK;
}

/* Which totals are certain follows from the words, so all ranks find the same. */
static ovk_err dots_round(ovk_solver *S, ovk__dots *sum)
{
  const double *words = ovk_reduction_values(sum->reduction);
  int uncertain[LONG_COUNT], n = 0;
  for (int v = 0; v < sum->count; v++, words += OVK__WINDOW_WORDS) {
    double total;
    if (ovk__window_round(words, sum->windows[v], &total)) {
      sum->parts[v] = total;
      continue;
    }
    uncertain[n++] = v;
    if (n < LONG_COUNT) continue;
    OVK_TRY(dots_reduce_long(S, sum, uncertain, n));
    n = 0;
  }
  if (n > 0) OVK_TRY(dots_reduce_long(S, sum, uncertain, n));
  if (sum->status) sum->parts[sum->count] = *words;
  return OVK_OK;
}

/* The units of the next estimate of a total: a few bits above it, and enough below. None after 0,
 * which units that were too large for it may have made. */
static int dots_unit_of(double total)
{
  enum { BITS_BELOW = 46 };
  int exponent;
  if (!isfinite(total) || total == 0) return OVK__NO_UNIT;
  (void)frexp(total, &exponent);
  const int unit = exponent - BITS_BELOW;
  return unit < OVK__LEAST_ROUGH_UNIT || unit > OVK__MOST_ROUGH_UNIT ? OVK__NO_UNIT : unit;
}

/* Takes the next windows and the fingerprint of the solve from the totals. */
static void dots_note_totals(ovk_solver *S, ovk__dots *sum)
{
  uint64_t hash = 0;
  for (int v = 0; v < sum->count; v++) {
    uint64_t bits;
    if (sum->units) sum->units[v] = dots_unit_of(sum->parts[v]);
    if (sum->parts[v] == 0) continue;
    memcpy(&bits, &sum->parts[v], sizeof bits);
    hash += ovk__mix(bits + (uint64_t)v);
    sum->windows[v] = ovk__window_of(sum->parts[v], sum->windows[v]);
  }
  S->fingerprint = ovk__mix(31 * S->fingerprint + hash + 1);
}

ovk_err ovk__dots_wait(ovk_solver *S, ovk__dots *sum)
{
  OVK_TRY(ovk_reduction_wait(sum->reduction));
  if (!sum->parts) return OVK_OK;
  OVK_TRY(dots_round(S, sum));
  dots_note_totals(S, sum);
  return OVK_OK;
}
