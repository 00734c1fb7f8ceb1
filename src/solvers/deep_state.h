/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of the deep method share. */
#ifndef OVK_SOLVERS_DEEP_STATE_H
#define OVK_SOLVERS_DEEP_STATE_H

#include "solvers/lanczos.h"
#include "solvers/solver_impl.h"
#include "solvers/updates_deep.h"

/* Sums: one for each iteration under way, and those of the walk. */
enum { OVK__WALK_GAMMA = OVK__MAX_DEPTH, OVK__WALK_NORM };

/* How many of the last vectors v a vector is made orthogonal to: all that an l-fold product with B
 * couples it with. */
enum { OVK__MAX_OLDER = 2 * OVK__MAX_DEPTH + 1 };
enum {
  OVK__WALK_WZ,
  OVK__WALK_WW,
  OVK__WALK_DUE,
  OVK__WALK_ZAZ,
  OVK__WALK_OLDER,                                   /* (C^-1 A z, v) of older v, */
  OVK__WALK_GRAM = OVK__WALK_OLDER + OVK__MAX_OLDER, /* and (z, v) */
  OVK__WALK_SUMS = OVK__WALK_GRAM + OVK__MAX_OLDER
};

/* x stands at x_j, with r = zeta_j v_j; in a walk that is zeta_j w until v_j has been made. */
typedef struct ovk__deep_state {
  ovk__lanczos T;
  int j;
  int tested; /* the last j whose norm was looked at */
  int oldest; /* v_oldest, ... v_j are kept */
  int ring_size;
  ovk_vec *w, *z, *z_old, *m, *p, *P, *y; /* P = C p; while sums overlap, x = x + C^-1 y is due, */
  ovk_vec *due;                           /* and after that it is here, if not NULL */
  ovk_vec **ring;                         /* of the v */
  ovk_vec *now[OVK__MAX_DEPTH + 1], *old[OVK__MAX_DEPTH + 1]; /* levels P_k(B) v; 0 is not used */
  double gram[OVK__MAX_OLDER]; /* (v_j-1, v) of older v, once they are made orthogonal */
  bool clean;                  /* v are made orthogonal to the last ones */
  bool stuck;                  /* cannot go on */
  double safe;                 /* (r, r) of x as long as y is not in it */
  double least;                /* the least (r, r) until now, at x_least_at */
  int least_at;
  double lost; /* how far that may have taken r from b - A x, in the norm */
} ovk__deep_state;

/* v_j */
static inline ovk_vec *ovk__deep_v(const ovk__deep_state *d, int j)
{
  return d->ring[(j + d->ring_size) % d->ring_size];
}

/* Takes S->work apart, and r = b - A x from it. */
void ovk__deep_set_up(ovk_solver *S, ovk__deep_state *d);

/* Looks where the spectrum of A C^-1 ends, for all solves: S->least and S->most. Collective. */
ovk_err ovk__deep_prepare(ovk_solver *S);

/* v <- 0 */
void ovk__deep_clear(ovk_solver *S, ovk_vec *v);

/* Levels of v_j-1, which the recurrences need beside those of v_j. */
void ovk__deep_start_levels(ovk_solver *S, ovk__deep_state *d, ovk_poll poll);

/* Level k + 1 of v_j from level k, and its inner products. */
void ovk__deep_fill_level(ovk_solver *S, ovk__deep_state *d, int k, ovk_poll poll, double *sums);

/* Everything moves on by one index: v_e+1 and the levels above it; x to x_m+1 if m >= 0. */
void ovk__deep_move_on(ovk_solver *S, ovk__deep_state *d, int e, int m, double *sums);

/* Has (r, r), now `rr`, not become smaller for very long? */
bool ovk__deep_stalls(ovk__deep_state *d, double rr);

/* Goes on from v_j, z = C^-1 v_j and p until S->reason is set. Collective. */
ovk_err ovk__deep_settle(ovk_solver *S, ovk__deep_state *d);

/* Makes iterations with blocking sums from w, which is a multiple of v_j, until x stands at `goal`,
 * or S->reason is set, or it is stuck. Then w is a multiple of v_j again, and z = C^-1 w.
 * Collective. */
ovk_err ovk__deep_walk(ovk_solver *S, ovk__deep_state *d, int goal);

/* Looks at w and z, and makes v_j and z = C^-1 v_j of them, unless S->reason is set or it is stuck:
 * by a sum that is begun and waited for. Collective. */
ovk_err ovk__deep_begin_arrival(ovk_solver *S, ovk__deep_state *d);
ovk_err ovk__deep_end_arrival(ovk_solver *S, ovk__deep_state *d);

/* The parts of that sum, all others 0; and what is done with the totals. */
void ovk__deep_sum_arrival(ovk_solver *S, const ovk__deep_state *d, double *sums);
ovk_err ovk__deep_arrive(ovk_solver *S, ovk__deep_state *d, const double *sums);

/* Moves x by what is due, unless C failed there. Collective. */
ovk_err ovk__deep_take_due(ovk_solver *S, ovk__deep_state *d);

#endif
