/* SPDX-License-Identifier: BSD-2-Clause */
/* User functions on ranks that differ. */
#include "random_users.h"
#include "support/test_main.h"

#include <time.h>

/* Sleeps for up to a millisecond. */
static void be_late(users *U)
{
  if (!U->late || !dice_once_in(&U->own, 6)) return;
  nanosleep(&(struct timespec){.tv_nsec = dice_below(&U->own, 1000000)}, NULL);
}

/* Calls that would change objects that the solve uses: refused on all ranks. */
static void try_to_change(users *U)
{
  linear_system *o = U->used;
  ovk_err err = OVK_OK;
  switch (dice_below(&U->common, 7)) {
  case 0:
    err = ovk_mat_reset_values(o->A);
    break;
  case 1:
    err = ovk_precond_update(o->M);
    break;
  case 2:
    err = ovk_solver_update(o->solver);
    break;
  case 3:
    err = ovk_solver_solve(o->solver, o->b, o->x, NULL);
    break;
  case 4:
    err = ovk_solver_set_tolerances(o->solver, 1, 0, 2, 1);
    break;
  case 5:
    err = ovk_vec_fill(o->x, NAN);
    break;
  default:
    err = ovk_vec_copy(o->x, o->b);
  }
  assert_int_equal(err, OVK_ERR_STATE);
}

/* Gives one of the objects up, each rank another one: that takes effect at the end of the solve. */
static void give_up(users *U)
{
  linear_system *o = U->used;
  switch (dice_below(&U->own, 6)) {
  case 0:
    ovk_mat_destroy(&o->A);
    break;
  case 1:
    ovk_precond_destroy(&o->M);
    break;
  case 2:
    ovk_solver_destroy(&o->solver);
    break;
  }
}

/* At the beginning of a user's function. */
static void call_back(users *U)
{
  if (!U->used || !U->calls_back) return;
  if (U->gives_up) {
    give_up(U);
  } else if (dice_once_in(&U->common, 4)) {
    try_to_change(U);
  }
}

/* Counts a call, and fails if it is the chosen one. */
static ovk_err enter(users *U, site where)
{
  be_late(U);
  call_back(U);
  if (++U->calls[where] != U->fails_at || U->fails_in != where || U->spoils) return OVK_OK;
  U->failed = true;
  return U->speechless ? OVK_ERR_USER
                       : ovk_ctx_fail(U->ctx, OVK_ERR_USER, "on purpose, rank %d", test_rank);
}

/* After the computation of y. */
static void spoil(users *U, site where, double *y)
{
  if (!U->spoils || U->calls[where] != U->fails_at || U->fails_in != where || !U->S->local) return;
  y[U->S->local / 2] = NAN;
  U->spoiled = true;
}

static ovk_err mult(void *user, const double *x, double *y, ovk_poll poll)
{
  users *U = user;
  double size;
  const ovk_err err = enter(U, MULT);
  random_gather(U->S, x, U->x); /* collective, so also called after a failure */
  random_multiply(U->S, U->x, y, &size);
  spoil(U, MULT, y);
  ovk_poll_call(poll);
  return err;
}

static ovk_err diagonal(void *user, double *d)
{
  users *U = user;
  const random_problem *S = U->S;
  for (int r = 0; r < S->local; r++) d[r] = S->A[(S->start + r) * (S->n + 1)];
  return enter(U, DIAGONAL);
}

static ovk_err set_up(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  *state = user;
  return enter(user, SETUP);
}

static ovk_err factor(void *state)
{
  return enter(state, FACTOR);
}

static ovk_err scale(users *U, site where, bool root, const double *r, double *z, ovk_poll poll)
{
  const ovk_err err = enter(U, where);
  for (int k = 0; k < U->S->local; k++) z[k] = r[k] * (root ? sqrt(U->d[k]) : U->d[k]);
  spoil(U, where, z);
  ovk_poll_call(poll);
  return err;
}

static ovk_err user_apply(void *state, const double *r, double *z, ovk_poll poll)
{
  return scale(state, APPLY, false, r, z, poll);
}

static ovk_err apply_left(void *state, const double *r, double *t, ovk_poll poll)
{
  return scale(state, LEFT, true, r, t, poll);
}

static ovk_err apply_right(void *state, const double *t, double *w, ovk_poll poll)
{
  return scale(state, RIGHT, true, t, w, poll);
}

static const double *inverse_diagonal(void *state)
{
  const users *U = state;
  return U->no_d ? NULL : U->d;
}

static const ovk_precond_ops diagonal_ops = {.name = "random-d",
                                             .apply = user_apply,
                                             .setup = set_up,
                                             .factor = factor,
                                             .apply_left = apply_left,
                                             .apply_right = apply_right,
                                             .inverse_diagonal = inverse_diagonal};
static const ovk_precond_ops other_ops = {.name = "random-c", .apply = user_apply, .setup = set_up};

/* A power of two for each row, near the inverse of A's diagonal; constant on some ranks. */
static void draw_diagonal(users *U, dice *d)
{
  const random_problem *S = U->S;
  for (int rank = 0; rank < test_size; rank++) {
    const bool constant = dice_once_in(d, 2);
    int power = 0;
    for (int i = S->first[rank]; i < S->first[rank + 1]; i++) {
      const int row = constant ? S->first[rank] : i;
      power = -ilogb(S->A[row * (S->n + 1)]) + (constant ? 0 : dice_below(d, 2));
      if (rank == test_rank) U->d[i - S->start] = ldexp(1, power);
    }
  }
}

void users_open(users *U, ovk_ctx *ctx, const random_problem *S, uint64_t seed)
{
  dice d = {.seed = seed};
  *U = (users){.ctx = ctx, .S = S, .own = {.seed = seed + 1 + (uint64_t)test_rank}, .stop_at = -1};
  U->x = new_memory(((size_t)S->n + 1) * sizeof *U->x);
  U->d = new_memory(((size_t)S->local + 1) * sizeof *U->d);
  draw_diagonal(U, &d);
  const int late = dice_below(&d, 8);
  U->late = late == test_rank || late == 7;
  U->no_d = (S->local == 0 && dice_once_in(&U->own, 2)) || dice_below(&d, 12) == test_rank;
  U->monitors = dice_once_in(&U->own, 2);
  const int stopper = dice_below(&d, 5 * test_size), at = dice_below(&d, 12);
  if (stopper == test_rank) {
    U->monitors = true;
    U->stop_at = at;
  }
  const int failing = dice_below(&d, 4 * test_size), where = 1 + dice_below(&d, SITES - 1);
  const int call = 1 + dice_below(&d, dice_once_in(&d, 2) ? 3 : 25);
  U->speechless = dice_once_in(&d, 2);
  U->spoils = dice_once_in(&d, 3);
  if (failing == test_rank) {
    U->fails_in = (site)where;
    U->fails_at = call;
  }
  U->common = (dice){.seed = seed + 1000};
  U->calls_back = dice_once_in(&U->common, 3);
  if (U->calls_back) U->monitors = true;
  assert_int_equal(ovk_precond_register(ctx, &diagonal_ops, U), OVK_OK);
  assert_int_equal(ovk_precond_register(ctx, &other_ops, U), OVK_OK);
}

void users_close(users *U)
{
  free(U->x);
  free(U->d);
}

ovk_err users_make_shell(users *U, ovk_mat **A)
{
  const ovk_shell_ops ops = {.mult = mult, .diagonal = diagonal};
  return ovk_mat_create_shell(U->ctx, (ovk_lidx)U->S->local, &ops, U, A);
}

int users_monitor(void *arg, const ovk_progress *progress)
{
  users *U = arg;
  const double told[] = {progress->residual_norm,
                         isnan(progress->true_residual_norm) ? -1 : progress->true_residual_norm,
                         progress->rhs_norm, progress->tolerance, progress->iteration};
  be_late(U);
  call_back(U);
  for (int k = 0; k < 5; k++) {
    uint64_t bits;
    memcpy(&bits, &told[k], sizeof bits);
    U->heard = (U->heard ^ bits) * UINT64_C(0x9e3779b97f4a7c15) + 1;
  }
  return progress->iteration == U->stop_at;
}
