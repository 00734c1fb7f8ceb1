/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a simulation. A rank is advanced on its own, ahead of the event time, until it
 * depends on an event: the end of a wait, or of computing that a sum may prolong. */
#ifndef OVK_MODEL_SIM_H
#define OVK_MODEL_SIM_H

#include "model/cycle.h"
#include "model/events.h"
#include "model/plan/plan.h"
#include "solvers/state/state.h"

/* The activity of a rank. */
typedef enum ovk__model_mode {
  OVK__COMPUTES,   /* possibly polling a sum */
  OVK__WAITS,      /* for a sum */
  OVK__WAITS_HALO, /* for the messages of a halo, or of another exchange of a cycle */
  OVK__IS_DONE
} ovk__model_mode;

/* The categories of the time of a rank. */
typedef enum ovk__purpose {
  OVK__COMPUTING,
  OVK__SUMMING,
  OVK__SUM_WAITING,
  OVK__HALO_TIME,
  OVK__PURPOSES
} ovk__purpose;

/* A piece of computing: stretches of work, each followed by a poll; the last stretch may be
 * shorter. Processor time spent on sums in polls is added to `base`. */
typedef struct ovk__computing {
  double base;
  double work, stretch,
      poll;         /* seconds: the work without polls, between two polls, and of one poll */
  double done;      /* seconds of work done: all, except for an update that ends with a sum */
  bool poll_first;  /* such an update: polls precede stretches and count from 0 */
  int npolls, paid; /* polls, and those made before the sum is complete, which cost time */
  int last;         /* the last poll that progressed the sum */
  int sum;          /* the polled sum, or -1 */
} ovk__computing;

typedef struct ovk__rank {
  double clock;         /* simulated time of the rank; while computing, the time of its start */
  ovk__model_mode mode; /* its activity */
  uint32_t serial;      /* counts changes of mode: events with another number are outdated */
  int iteration, phase, step;
  int active_sums; /* sums begun and not complete */
  uint64_t begun;  /* sums begun so far */
  double messages; /* in counted iterations */
  double spent[OVK__PURPOSES];
  ovk__model_adapter adapter, async_adapter;
  double start, finish;          /* of the counted iterations */
  ovk__model_exchange *exchange; /* the one that it receives messages of */
  double received;               /* earliest time at which all of these are received */
  int cycle_step;                /* of the multigrid cycle */
  double cycle_start, cycle_seconds, cycle_messages; /* the last two in counted iterations */
  uint64_t piece;                                    /* counts pieces of work */
  double rest; /* remaining fraction of an update that began earlier */
  ovk__computing now;
} ovk__rank;

/* The state of a sum on a rank. */
typedef struct ovk__sum_state {
  double handled; /* the time until which the rank has processed the sum */
  double due;     /* not complete before this time */
  uint32_t generation;
  int32_t round; /* index into the rounds of the plan */
  bool running;  /* begun, not yet waited for */
  bool complete; /* at `handled` or `due`, the later */
  bool ready;    /* the messages of the round have arrived and are not processed yet */
} ovk__sum_state;

/* Arrivals of a round: the last arrival time of the messages sent so far, and how many are missing.
 */
typedef struct ovk__arrivals {
  double last;
  int32_t missing, expected;
} ovk__arrivals;

/* A sum, with sets of arrivals for `sets` generations. Two suffice for a barrier: no rank begins
 * generation n + 2 before all ranks have completed n. Ranks may be any number of reductions to one
 * rank ahead of it, so those have a set for each. */
typedef struct ovk__sum {
  const ovk__model_plan *plan;
  ovk__sum_state *states;  /* [rank] */
  uint32_t sets;           /* a power of 2 */
  ovk__arrivals *arrivals; /* [sets round + generation % sets], rounds of the plan */
  double *times;           /* arrival times of rounds with several: [generation % sets][receive] */
} ovk__sum;

typedef struct ovk__sim {
  ovk_ctx *ctx;
  const ovk_model *model;
  const ovk__method *method;
  const ovk__phase *phases; /* of the method, or `pieces` */
  ovk__phase *pieces;       /* of a reduction without a solve; or NULL */
  int piece;                /* doubles of one */
  int depth;
  ovk__settings settings;
  ovk__precond_kind C;
  double rows;
  ovk__resolved backend;
  ovk__model_plan plans[OVK__MAX_SUMS];
  int nplans, nsums;
  ovk__sum sums[OVK__MAX_SUMS];
  ovk__model_exchange halo;
  ovk__cycle cycle; /* the preconditioner, if it has steps */
  ovk__medium medium;
  ovk__rank *ranks;
  ovk__events events;
  int warm, last; /* iterations that are not counted, and all iterations */
  bool faulty;    /* an internal inconsistency was found */
} ovk__sim;

/* Not collective. */
ovk_err ovk__model_check(ovk_ctx *ctx, const ovk_model *model);

/* The phases of a reduction without a solve. */
ovk_err ovk__pieces_make(ovk__sim *sim);

/* Begins a sum on a rank at its clock, and advances the clock. */
void ovk__sum_begin(ovk__sim *sim, int rank, int sum);

/* All messages of a round have arrived, the last at `time`. The start time for a waiting rank to
 * process all of them at once, such that it ends when processing each on arrival would end. */
double ovk__sum_taken_from(const ovk__sim *sim, int rank, int sum, double time);

/* All messages of a round have arrived: progresses the sum from `time` on as far as possible;
 * returns the processor time that it takes. */
double ovk__sum_advance(ovk__sim *sim, int rank, int sum, double time);

/* The completion time of a sum on a rank; INFINITY if not complete. */
double ovk__sum_complete_at(const ovk__sum_state *state);

/* Runs a rank until it waits or computes. */
void ovk__rank_run(ovk__sim *sim, int rank);

/* Handles an event of a rank. */
void ovk__rank_handle_event(ovk__sim *sim, const ovk__event *event);

/* Advances the clock of a rank to a time if it is earlier, and accounts for the waiting. */
void ovk__rank_idle(ovk__sim *sim, int rank, double until);

/* Computes for `work` seconds plus noise with `rows` rows, polling a sum (-1: none); with
 * `while_incomplete`, polls first and stops when the sum is complete. False if an event is needed.
 */
bool ovk__compute(ovk__sim *sim, int rank, double work, double rows, int sum,
                  bool while_incomplete);

/* Ends the current computing. */
void ovk__compute_end(ovk__sim *sim, int rank);
double ovk__compute_until(const ovk__computing *computing);
void ovk__compute_plan_end(ovk__sim *sim, int rank);

/* A computing rank progresses a sum whose round has arrived: at this poll; or plans its next poll.
 */
void ovk__compute_poll(ovk__sim *sim, int rank, int number, double time);
void ovk__compute_ready(ovk__sim *sim, int rank, int sum, double time);

/* Executes a step, of a product or of the cycle; vectors: exchanged at once. Polls a sum (-1:
 * none). False if an event is needed; then it is called again. */
bool ovk__step_run(ovk__sim *sim, int rank, const ovk__step *step, int vectors, int sum);

/* Executes the multigrid cycle, and a sweep of `sweep` seconds after it. Likewise. */
bool ovk__cycle_run(ovk__sim *sim, int rank, double sweep, int sum);

/* Sends and receives the messages of an exchange; receive returns false if the rank waits. */
void ovk__messages_send(ovk__sim *sim, int rank, ovk__model_exchange *x, int vectors);
bool ovk__messages_receive(ovk__sim *sim, int rank, ovk__model_exchange *x, int vectors);

/* The rank has received all messages at that time. */
void ovk__messages_received(ovk__sim *sim, int rank, double time);

/* A waiting rank progresses a sum whose round has arrived. */
void ovk__rank_serve(ovk__sim *sim, int rank, int sum, double time);

/* A waiting rank progresses all sums whose rounds have arrived. */
void ovk__rank_serve_all(ovk__sim *sim, int rank);

/* Plans the event that ends a wait. */
void ovk__rank_wake(ovk__sim *sim, int rank, double time);

/* Adds to the time of a category. */
static inline void ovk__rank_spend(ovk__rank *rank, ovk__purpose purpose, double seconds)
{
  rank->spent[purpose] += seconds;
}

/* Changes the mode of a rank; events planned before are outdated. */
static inline void ovk__rank_set_mode(ovk__rank *rank, ovk__model_mode mode)
{
  rank->mode = mode;
  rank->serial++;
}

/* Seconds of piece number `piece` of a rank, `work` seconds without noise. Depends only on these
 * and the seed, so methods compared with the same seed get the same noise. */
double ovk__noise_add(const ovk_model *model, int rank, uint64_t piece, double work);

#endif
