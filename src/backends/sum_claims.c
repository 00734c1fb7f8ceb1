/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares claims and verdicts. */
#include "backends/sum_claims.h"
#include "core/base/hash64.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double ovk__claim_mark(const ovk__claim *c)
{
  enum { BITS = 30 };
  const uint64_t which = ((uint64_t)c->number << 32) ^ (uint64_t)c->time;
  return 1 + (double)(ovk__mix(which + UINT64_C(0x9e3779b97f4a7c15)) >> (64 - BITS));
}

const char *ovk__claim_name(char text[OVK__CLAIM_NAME], const ovk__claim *c)
{
  snprintf(text, OVK__CLAIM_NAME, "number %d, of %d value%s, time %lld%s%s", c->number, c->count,
           c->count == 1 ? "" : "s", (long long)c->time, *c->note ? ", in " : "", c->note);
  return text;
}

ovk_err ovk__claims_compare(ovk_ctx *ctx, const char *spec, const ovk__allgather *claims)
{
  const int odd = ovk__allgather_first_difference(claims);
  char a[OVK__CLAIM_NAME], b[OVK__CLAIM_NAME];
  if (!odd) return OVK_OK;
  return OVK_FAIL(
      ctx, OVK_ERR_DIFFER,
      "OVK_CHECK: the ranks begin different reductions of '%.100s'; rank 0: %s; rank %d: %s", spec,
      ovk__claim_name(a, ovk__allgather_record(claims, 0)), odd,
      ovk__claim_name(b, ovk__allgather_record(claims, odd)));
}

/* All NaNs compare as equal. */
static double comparable(double total)
{
  return isnan(total) ? NAN : total;
}

void ovk__verdict_make(const ovk_sum *sum, const ovk__kept_error *failed, ovk__verdict *v)
{
  memset(v, 0, sizeof *v);
  v->failed = failed->err;
  snprintf(v->why, sizeof v->why, "%.*s", OVK__WHY - 1, failed->message);
  if (failed->err) return;
  v->mark = sum->values[sum->count - 1];
  for (int k = 0; k < sum->count - 1; k++) {
    const double total = comparable(sum->values[k]);
    uint64_t bits;
    memcpy(&bits, &total, sizeof bits);
    v->hash = ovk__mix(v->hash + bits + 1);
    if (k < OVK__SHOWN) v->shown[k] = total;
  }
}

/* Compares bits: zeros of different sign differ. */
static bool same_bits(const void *a, const void *b, size_t size)
{
  return memcmp(a, b, size) == 0;
}

/* Records the error message for two verdicts that differ. */
static ovk_err report_difference(ovk_ctx *ctx, const char *spec, const ovk__allgather *verdicts,
                                 const ovk__claim *claim, int rank)
{
  const ovk__verdict *a = ovk__allgather_record(verdicts, 0),
                     *b = ovk__allgather_record(verdicts, rank);
  char which[OVK__CLAIM_NAME];
  ovk__claim_name(which, claim);
  if (a->failed || b->failed) {
    return OVK_FAIL(
        ctx, OVK_ERR_DIFFER,
        "OVK_CHECK: the ranks differ in how a reduction of '%.60s' ended, %s; rank 0: %s %s; "
        "rank %d: %s %s",
        spec, which, ovk_err_name((ovk_err)a->failed), a->why, rank,
        ovk_err_name((ovk_err)b->failed), b->why);
  }
  int k = 0;
  while (k < OVK__SHOWN && same_bits(&a->shown[k], &b->shown[k], sizeof a->shown[k])) k++;
  if (k == OVK__SHOWN) {
    return OVK_FAIL(
        ctx, OVK_ERR_DIFFER,
        "OVK_CHECK: rank 0 and rank %d differ in the totals of a reduction of '%.100s', %s, "
        "after value %d",
        rank, spec, which, OVK__SHOWN - 1);
  }
  return OVK_FAIL(
      ctx, OVK_ERR_DIFFER,
      "OVK_CHECK: the ranks differ in the totals of a reduction of '%.100s', %s: value %d is "
      "%.17g (%a) on rank 0, %.17g (%a) on rank %d",
      spec, which, k, a->shown[k], a->shown[k], b->shown[k], b->shown[k], rank);
}

ovk_err ovk__verdicts_compare(ovk_ctx *ctx, const char *spec, const ovk__allgather *verdicts,
                              const ovk__claim *claim)
{
  const double right = ovk__claim_mark(claim) * verdicts->ranks;
  char which[OVK__CLAIM_NAME];
  for (int rank = 0; rank < verdicts->ranks; rank++) {
    const ovk__verdict *v = ovk__allgather_record(verdicts, rank);
    if (v->failed || v->mark == right) continue;
    return OVK_FAIL(
        ctx, OVK_ERR_DIFFER,
        "OVK_CHECK: the totals of a reduction of '%.100s', %s, on rank %d are not those of "
        "its parts: a mark that came to %.17g should come to %.17g",
        spec, ovk__claim_name(which, claim), rank, v->mark, right);
  }
  for (int rank = 1; rank < verdicts->ranks; rank++) {
    const ovk__verdict *a = ovk__allgather_record(verdicts, 0),
                       *b = ovk__allgather_record(verdicts, rank);
    const bool fail_alike = a->failed && a->failed == b->failed;
    if (!fail_alike && !same_bits(a, b, sizeof *a))
      return report_difference(ctx, spec, verdicts, claim, rank);
  }
  return OVK_OK;
}
