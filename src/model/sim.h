/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a simulation. A rank goes on by itself, ahead of the time of events, until it needs
 * what only events can bring: the end of a wait, or of computing that a sum may stretch. */
#ifndef OVK_MODEL_SIM_H
#define OVK_MODEL_SIM_H

#include "model/events.h"
#include "model/grid.h"
#include "model/plan.h"
#include "solvers/solver_impl.h"

/* What a rank does. */
typedef enum ovk__mode {
  OVK__COMPUTES,   /* and may poll a sum */
  OVK__WAITS,      /* for a sum */
  OVK__WAITS_HALO, /* for what other ranks have for a product */
  OVK__IS_DONE
} ovk__mode;

/* What its time goes to. */
typedef enum ovk__purpose {
  OVK__COMPUTING,
  OVK__SUMMING,
  OVK__SUM_WAITING,
  OVK__HALO_TIME,
  OVK__PURPOSES
} ovk__purpose;

/* A piece of computing, with polls behind stretches of work, the last of which may be shorter. What
 * polls find to do moves `base`. */
typedef struct ovk__computing {
  double base;
  double work, stretch, poll; /* seconds: all of it without polls, that between two, and of one */
  double done;                /* of the work: all, but for an update that a sum's end ends */
  bool looks_first;           /* such an update: polls are before stretches, from number 0 on */
  int npolls, paid; /* polls, and those before the sum is complete, which cost something */
  int last;         /* the last poll that found something to do */
  int sum;          /* that is polled, or -1 */
} ovk__computing;

typedef struct ovk__rank {
  double clock;    /* how far it has gone; while it computes, where that began */
  ovk__mode mode;  /* what it does, */
  uint32_t serial; /* and counts that, for events to see that they are late */
  int iteration, phase, step;
  int under_way;   /* sums that are not complete, */
  uint64_t begun;  /* and all so far */
  double messages; /* of iterations that count, */
  double spent[OVK__PURPOSES];
  ovk__adapter adapter, async_adapter;
  double start, finish; /* from when to when they took */
  uint32_t exchange;    /* counts halo exchanges, */
  int around;           /* in which so many ranks take part; */
  double received;      /* when it has received everything at the earliest */
  uint64_t piece;       /* counts pieces of work */
  double rest;          /* of an update that was begun before: the part that is left */
  ovk__computing now;
} ovk__rank;

/* A rank's part in a sum. */
typedef struct ovk__part {
  double looked; /* until when the round has been looked after */
  double due;    /* complete only then, whatever has arrived */
  uint32_t generation;
  int32_t round; /* among all of the plan */
  bool running;  /* begun, not yet waited for */
  bool complete; /* at `looked` or when due */
  bool ready;    /* the round's messages are there, and nobody has looked yet */
} ovk__part;

/* Messages of a round: when the last is there of those that have been sent, and how many have not.
 */
typedef struct ovk__arrivals {
  double last;
  int32_t missing, expected;
} ovk__arrivals;

/* A sum. Two sets of arrivals are enough: nobody begins the next but one before all have completed
 * this one, as sums are barriers. */
typedef struct ovk__sum {
  const ovk__plan *plan;
  ovk__part *parts;        /* [rank] */
  ovk__arrivals *arrivals; /* [2 round + generation % 2], rounds of the plan */
  double *times[2];        /* of arrival, where a round has several: [generation % 2][receive] */
} ovk__sum;

typedef struct ovk__sim {
  ovk_ctx *ctx;
  const ovk_model *model;
  const ovk__method *method;
  int depth;
  ovk__precond_kind C;
  double rows;
  ovk__followed backend;
  ovk__plan plans[OVK__MAX_SUMS];
  int nplans, nsums;
  ovk__sum sums[OVK__MAX_SUMS];
  ovk__rank_grid halo;
  ovk__rank *ranks;
  ovk__events events;
  int warm, last; /* iterations that do not count, and all */
  bool faulty;    /* a rank has met what cannot be */
} ovk__sim;

/* Not collective. */
ovk_err ovk__model_check(ovk_ctx *ctx, const ovk_model *model);

/* Begins a sum on a rank at its clock, which moves on. */
void ovk__sum_begin(ovk__sim *sim, int rank, int sum);

/* All messages of a round are there, the last one at `time`: from when on a rank that waits takes
 * them, so as to be through when it has taken each as it comes. */
double ovk__sum_taken_from(const ovk__sim *sim, int rank, int sum, double time);

/* All messages of a round are there: moves the sum on from `time`, as far as it goes; returns the
 * processor time that it takes. */
double ovk__sum_advance(ovk__sim *sim, int rank, int sum, double time);

/* When it is complete, if it is as far as arrivals go. */
double ovk__sum_complete_at(const ovk__part *part);

/* Goes on with a rank until it waits or computes. */
void ovk__rank_run(ovk__sim *sim, int rank);

/* Something happens to it. */
void ovk__rank_meet(ovk__sim *sim, const ovk__event *event);

/* Moves a rank on to a time, if it is not there yet, and books what it waited. */
void ovk__rank_idle(ovk__sim *sim, int rank, double until);

/* Computes for `work` seconds and noise, polling a sum (-1: none), or polling first and only as
 * long as that is not complete. False if it takes until an event. */
bool ovk__compute(ovk__sim *sim, int rank, double work, int sum, bool while_incomplete);

/* What was computed is over. */
void ovk__compute_end(ovk__sim *sim, int rank);
double ovk__compute_until(const ovk__computing *computing);
void ovk__compute_plan_end(ovk__sim *sim, int rank);

/* A computing rank looks after a sum whose round is there: in a poll, or as soon as it polls. */
void ovk__compute_poll(ovk__sim *sim, int rank, int number, double time);
void ovk__compute_ready(ovk__sim *sim, int rank, int sum, double time);

/* Sends what others need for a product; and receives what this rank does: false if it waits. */
void ovk__product_send(ovk__sim *sim, int rank, int vectors);
bool ovk__product_receive(ovk__sim *sim, int rank, int vectors);

/* It has received everything at that time. */
void ovk__product_received(ovk__sim *sim, int rank, double time);

/* A rank that waits goes on with a sum whose round is there. */
void ovk__rank_serve(ovk__sim *sim, int rank, int sum, double time);

/* Looks after all sums whose rounds are there, as whoever waits does. */
void ovk__rank_look_around(ovk__sim *sim, int rank);

/* Plans the end of a wait. */
void ovk__rank_wake(ovk__sim *sim, int rank, double time);

/* Books time. */
static inline void ovk__rank_spend(ovk__rank *rank, ovk__purpose purpose, double seconds)
{
  rank->spent[purpose] += seconds;
}

/* A rank goes from one mode to another: events planned for the last one are late. */
static inline void ovk__rank_turn(ovk__rank *rank, ovk__mode mode)
{
  rank->mode = mode;
  rank->serial++;
}

#endif
