/* SPDX-License-Identifier: BSD-2-Clause */
/* Exact sums of floats and doubles: their form in a message, and their rounding. */
#include "carry/exact/reals.h"
#include "core/exact/exact.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

_Static_assert((int)CARRY_EXACT_WORDS == (int)OVK__EXACT_WORDS, "words of a number");

typedef struct reals_entry {
  MPI_Datatype type;
  int each;
} reals_entry;

static const reals_entry entries[] = {
    {MPI_DOUBLE, 1},         {MPI_FLOAT, 1},   {MPI_DOUBLE_PRECISION, 1}, {MPI_REAL, 1},
    {MPI_REAL8, 1},          {MPI_REAL4, 1},   {MPI_C_DOUBLE_COMPLEX, 2}, {MPI_C_FLOAT_COMPLEX, 2},
    {MPI_DOUBLE_COMPLEX, 2}, {MPI_COMPLEX, 2},
};

/* Compilers may give Fortran's types other sizes, so the MPI is asked. */
carry_reals carry_reals_of(MPI_Datatype type)
{
  for (size_t k = 0; k < sizeof entries / sizeof *entries; k++) {
    const int each = entries[k].each;
    int size = 0;
    if (entries[k].type != type || PMPI_Type_size(type, &size)) continue;
    const bool singles = size == each * (int)sizeof(float);
    const bool known = singles || size == each * (int)sizeof(double);
    return (carry_reals){known ? each : 0, singles};
  }
  return (carry_reals){0, false};
}

void carry_exact_put(carry_reals type, const void *reals, int64_t at, int n, uint64_t *words)
{
  const float *floats = reals;
  const double *doubles = reals;
  memset(words, 0, (size_t)n * CARRY_EXACT_WORDS * sizeof *words);
  for (int k = 0; k < n; k++, words += CARRY_EXACT_WORDS) {
    ovk__exact_add_value(words, type.singles ? (double)floats[at + k] : doubles[at + k]);
  }
}

/* Rounding to a double and then to a float would round twice. So a double that is not the sum
 * itself moves to a neighbor with an odd last bit, which is not halfway between two floats. */
static float exact_round_float(const uint64_t words[CARRY_EXACT_WORDS])
{
  const double nearest = ovk__exact_round(words);
  uint64_t rest[CARRY_EXACT_WORDS], bits;
  if (!isfinite(nearest)) return (float)nearest;
  memcpy(rest, words, sizeof rest);
  ovk__exact_add_value(rest, -nearest);
  const double lost = ovk__exact_round(rest);
  memcpy(&bits, &nearest, sizeof bits);
  if (lost == 0 || bits & 1) return (float)nearest;
  bits += (lost > 0) == (nearest > 0) ? 1 : (uint64_t)-1;
  double odd;
  memcpy(&odd, &bits, sizeof odd);
  return (float)odd;
}

void carry_exact_get(carry_reals type, const uint64_t *words, int64_t at, int n, void *reals)
{
  float *floats = reals;
  double *doubles = reals;
  for (int k = 0; k < n; k++, words += CARRY_EXACT_WORDS) {
    if (type.singles) {
      floats[at + k] = exact_round_float(words);
    } else {
      doubles[at + k] = ovk__exact_round(words);
    }
  }
}
