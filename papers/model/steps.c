/* SPDX-License-Identifier: BSD-2-Clause */
/* Steps of a rank: messages with computing between and after them. */
#include "model/sim.h"

/* Each case falls through to the next unless it needs an event. */
bool ovk__step_run(ovk__sim *sim, int rank, const ovk__step *step, int vectors, int sum)
{
  ovk__rank *own = &sim->ranks[rank];
  ovk__model_exchange *x = step->exchange;
  if (rank % step->stride) return true;
  switch (own->step++) {
  case 0:
    if (x) ovk__messages_send(sim, rank, x, vectors);
    if (!ovk__compute(sim, rank, step->work, step->rows, sum, false)) return false;
    own->step++;
    /* fall through */
  case 1:
    if (x && !ovk__messages_receive(sim, rank, x, vectors)) return false;
    own->step++;
    /* fall through */
  case 2:
    return ovk__compute(sim, rank, step->rest, step->rows, -1, false);
  default:
    return true;
  }
}

bool ovk__cycle_run(ovk__sim *sim, int rank, double sweep, int sum)
{
  ovk__rank *own = &sim->ranks[rank];
  const int n = sim->cycle.n;
  if (own->cycle_step == 0 && own->step == 0) own->cycle_start = own->clock;
  while (own->cycle_step < n) {
    if (!ovk__step_run(sim, rank, &sim->cycle.steps[own->cycle_step], 1, sum)) return false;
    own->cycle_step++;
    own->step = 0;
  }
  if (own->cycle_step == n) {
    own->cycle_step++;
    own->cycle_seconds += own->clock - own->cycle_start;
    if (!ovk__compute(sim, rank, sweep, sim->rows, sum, false)) return false;
  }
  own->cycle_step = 0;
  return true;
}
