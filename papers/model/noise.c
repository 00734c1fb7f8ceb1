/* SPDX-License-Identifier: BSD-2-Clause */
/* Noise from stateless random numbers. */
#include "core/base/hash64.h"
#include "model/sim.h"

#include <math.h>

/* Random number `index` of a piece of work, in [0,1). */
static double random_number(uint64_t seed, int rank, uint64_t piece, uint64_t index)
{
  const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
  uint64_t bits = ovk__mix(seed + step);
  bits = ovk__mix(bits + ((uint64_t)rank + 1) * step);
  bits = ovk__mix(bits + (piece + 1) * step);
  bits = ovk__mix(bits + (index + 1) * step);
  return ldexp((double)(bits >> 11), -53);
}

/* A Poisson-distributed count with this mean, by inversion with a uniform number; for a large mean,
 * the mean itself. */
static double count_rare(double mean, double uniform)
{
  enum { MANY = 100 };
  if (mean > MANY) return mean;
  double chance = exp(-mean), sum = chance;
  int n = 0;
  while (uniform >= sum && n < 10 * MANY) {
    n++;
    chance *= mean / n;
    sum += chance;
  }
  return n;
}

double ovk__noise_add(const ovk_model *model, int rank, uint64_t piece, double work)
{
  const ovk_model_noise *noise = &model->noise;
  double more = 0;
  if (rank == model->nranks - 1) work *= 1 + noise->slow;
  if (noise->exponential > 0) {
    more -= work * noise->exponential * log1p(-random_number(noise->seed, rank, piece, 0));
  }
  if (noise->node > 0) {
    const int first = rank - rank % model->machine.ranks_per_node;
    more -= work * noise->node * log1p(-random_number(noise->seed, first, piece, 2));
  }
  if (noise->spikes_a_second > 0) {
    const double uniform = random_number(noise->seed, rank, piece, 1);
    more += noise->spike * count_rare(work * noise->spikes_a_second, uniform);
  }
  return work + more;
}
