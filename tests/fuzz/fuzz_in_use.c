/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls from within calls: monitors, preconditioners and operators call the library with the
 * objects that call them, also to change and to destroy these. No object is used after it was
 * freed, all are freed once, and the result of a solve is a solution of the system that it began
 * with. Input: calls, a byte each, followed by its arguments. */
#include "support/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

enum { ROWS = 6, MATRICES = 2, PRECONDS = 3, SOLVERS = 3, VECTORS = 4, DEPTH = 4, CALLS = 120 };

/* All objects of an input; functions of the user's come to it as well. */
typedef struct world {
  fuzz_bytes in;
  ovk_ctx *ctx;
  ovk_mat *A[MATRICES]; /* with entries, and a shell */
  ovk_precond *M[PRECONDS];
  ovk_solver *S[SOLVERS];
  ovk_vec *v[VECTORS];
  int depth, calls, names;
  int states; /* of user-defined preconditioners and shells, not yet freed */
} world;

static void call_any(world *w);

/* The calls of a user's function. */
static void call_back(world *w)
{
  if (w->depth >= DEPTH) return;
  w->depth++;
  while (w->in.at < w->in.end && fuzz_byte(&w->in) % 2) call_any(w);
  w->depth--;
}

static int monitor(void *arg, const ovk_progress *progress)
{
  (void)progress;
  call_back(arg);
  return 0;
}

static ovk_err mult(void *user, const double *x, double *y, ovk_poll poll)
{
  call_back(user);
  for (int i = 0; i < ROWS; i++) y[i] = (3 + i) * x[i];
  ovk_poll_call(poll);
  return OVK_OK;
}

static void shell_destroy(void *user)
{
  ((world *)user)->states--;
}

static ovk_err set_up(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  (void)spec;
  call_back(user);
  FUZZ_CHECK(ovk_mat_local_size(A) == ROWS, "A is gone");
  ((world *)user)->states++;
  *state = user;
  return OVK_OK;
}

static ovk_err precond_apply(void *state, const double *r, double *z, ovk_poll poll)
{
  call_back(state);
  memcpy(z, r, ROWS * sizeof *z);
  ovk_poll_call(poll);
  return OVK_OK;
}

static const ovk_shell_ops shell = {.size = sizeof shell, .mult = mult, .destroy = shell_destroy};
static const ovk_precond_ops own = {.size = sizeof own,
                                    .name = "own",
                                    .apply = precond_apply,
                                    .setup = set_up,
                                    .destroy = shell_destroy};

/* Codes that a user may see; not those of a failure inside. */
static ovk_err check(ovk_err err)
{
  FUZZ_CHECK(err != OVK_ERR_INTERNAL && err != OVK_ERR_MPI && err != OVK_ERR_NETWORK &&
                 err != OVK_ERR_USER,
             "%s", ovk_err_name(err));
  return err;
}

static void fill_world(world *w, double diagonal)
{
  const ovk_gidx first = ovk_mat_row_begin(w->A[0]), end = ovk_mat_size(w->A[0]);
  for (ovk_gidx i = first; i < first + ROWS; i++) {
    (void)ovk_mat_add(w->A[0], i, i, diagonal);
    if (i > 0) (void)ovk_mat_add(w->A[0], i, i - 1, -1);
    if (i + 1 < end) (void)ovk_mat_add(w->A[0], i, i + 1, -1);
  }
  (void)check(ovk_mat_assemble(w->A[0]));
}

/* Creates the objects that are missing, or have been destroyed. */
static void create_object(world *w, unsigned which)
{
  static const char *const preconds[] = {"jacobi", "chebyshev", "ic", "ssor"};
  static const char *const methods[] = {"cg",   "pipecg", "split-cg", "gmres",
                                        "bcgs", "minres", "auto",     "pipelcg"};
  const unsigned a = which % MATRICES, m = which % PRECONDS, s = which % SOLVERS;
  if (!w->ctx) return;
  if (!w->v[which % VECTORS]) (void)check(ovk_vec_create(w->ctx, ROWS, &w->v[which % VECTORS]));
  if (a == 0 && !w->A[0] && !check(ovk_mat_create(w->ctx, ROWS, &w->A[0]))) fill_world(w, 2.5);
  if (a == 1 && !w->A[1] && !check(ovk_mat_create_shell(w->ctx, ROWS, &shell, w, &w->A[1])))
    w->states++;
  if (m == 0 && !w->M[0]) (void)check(ovk_precond_create_from_ops(w->A[a], &own, w, &w->M[0]));
  if (m != 0 && !w->M[m])
    (void)check(ovk_precond_create(w->A[0], preconds[which / 8 % 4], &w->M[m]));
  if (w->S[s]) return;
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.method = methods[which / 16 % 8];
  opts.backend = "blocking";
  opts.maxit = 20;
  opts.monitor = monitor;
  opts.monitor_arg = w;
  (void)check(ovk_solver_create(w->A[a], w->M[which / 4 % PRECONDS], &opts, &w->S[s]));
}

static void give_up(world *w, unsigned which)
{
  switch (which % 5) {
  case 0:
    ovk_mat_destroy(&w->A[which / 5 % MATRICES]);
    break;
  case 1:
    ovk_precond_destroy(&w->M[which / 5 % PRECONDS]);
    break;
  case 2:
    ovk_solver_destroy(&w->S[which / 5 % SOLVERS]);
    break;
  case 3:
    ovk_vec_destroy(&w->v[which / 5 % VECTORS]);
    break;
  default:
    if (which > 240) ovk_ctx_destroy(&w->ctx);
  }
}

/* If A, b and x are still those of the solve, x agrees with the result. */
static void check_solution(world *w, const ovk_mat *A, const ovk_vec *b, const ovk_vec *x,
                           const ovk_result *res)
{
  scoped_vec *r = NULL;
  double norm_r, norm_b;
  const int depth = w->depth;
  w->depth = DEPTH; /* the shell calls nothing */
  FUZZ_CHECK(!ovk_vec_duplicate(b, &r) && !ovk_mat_mult(A, x, r) && !ovk_vec_axpy(-1, b, r) &&
                 !ovk_vec_norm(r, &norm_r) && !ovk_vec_norm(b, &norm_b),
             "no residual");
  w->depth = depth;
  FUZZ_CHECK(norm_r <= 1.02 * res->tolerance + 1e-12 * norm_b || !isfinite(norm_b),
             "%s: ||b - A x|| is %g, the tolerance %g", ovk_reason_text(res->reason), norm_r,
             res->tolerance);
}

static void solve_once(world *w, unsigned which)
{
  ovk_mat **A = &w->A[which % MATRICES];
  ovk_vec **b = &w->v[which / 2 % VECTORS], **x = &w->v[which / 8 % VECTORS];
  const ovk_mat *of = *A;
  const ovk_vec *with = *b, *in = *x;
  ovk_precond *M = w->M[which / 32 % PRECONDS];
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  ovk_result res = OVK_RESULT;
  opts.method = which > 127 ? "cg" : "gmres";
  opts.maxit = 20;
  opts.monitor = monitor;
  opts.monitor_arg = w;
  if (check(ovk_solve(*A, M, *b, *x, &opts, &res)) || res.reason <= 0) return;
  if (*A == of && *b == with && *x == in) check_solution(w, of, with, in, &res);
}

static ovk_err look_at_row(void *arg, ovk_gidx i, ovk_lidx n, const ovk_gidx *col,
                           const double *val)
{
  call_back(arg);
  FUZZ_CHECK(n >= 2 && col[n - 1] <= i + 1 && val[0] != 0, "row %d", (int)i);
  return OVK_OK;
}

static void change_vector(ovk_vec *x, ovk_vec *y, unsigned how)
{
  if (how % 3 == 0) (void)check(ovk_vec_fill(y, how / 3.0));
  if (how % 3 == 1) (void)check(ovk_vec_copy(x, y));
  if (how % 3 == 2) (void)check(ovk_vec_axpy(1e-3, x, y));
}

static void change_solver(ovk_solver *S, world *w, unsigned how)
{
  if (how % 3 == 0) (void)check(ovk_solver_update(S));
  if (how % 3 == 1) (void)check(ovk_solver_set_tolerances(S, 1e-6, 0, 1e10, (int)(how % 32)));
  if (how % 3 == 2) (void)check(ovk_solver_set_monitor(S, how % 2 ? monitor : NULL, w, 0));
}

static void change_precond(ovk_precond *M, unsigned how)
{
  if (how % 2) (void)check(ovk_precond_update(M));
  if (how % 4 == 0) (void)check(ovk_precond_factor(M));
}

static void register_name(world *w)
{
  static const char *const names[] = {"first", "second", "third", "jacobi"};
  ovk_precond_ops ops = own;
  ops.name = names[w->names++ % 4];
  (void)check(ovk_precond_register(w->ctx, &ops, w));
}

static void call_any(world *w)
{
  if (++w->calls > CALLS) return;
  const unsigned what = fuzz_byte(&w->in) % 14, a = fuzz_byte(&w->in), b = fuzz_byte(&w->in);
  ovk_vec *x = w->v[b % VECTORS], *y = w->v[b / VECTORS % VECTORS];
  ovk_mat *A = w->A[a % MATRICES];
  ovk_precond *M = w->M[a % PRECONDS];
  ovk_solver *S = w->S[a % SOLVERS];
  double asymmetry;
  switch (what) {
  case 0:
    if (!check(ovk_mat_reset_values(w->A[0]))) fill_world(w, 2.1 + b / 64.0);
    break;
  case 1:
    change_precond(M, b);
    break;
  case 2:
    (void)check(ovk_precond_apply(M, x, y, ovk_poll_none()));
    break;
  case 3:
    (void)check(ovk_mat_mult(A, x, y));
    break;
  case 4:
    (void)check(ovk_solver_solve(S, x, y, NULL));
    break;
  case 5:
    change_solver(S, w, b);
    break;
  case 6:
    (void)check(ovk_solver_current_x(S, y));
    break;
  case 7:
    change_vector(x, y, a);
    break;
  case 8:
    give_up(w, a);
    break;
  case 9:
    solve_once(w, a);
    break;
  case 10:
    (void)check(ovk_mat_diagonal(A, y));
    break;
  case 11:
    (void)check(a % 2 ? ovk_mat_for_each_row(w->A[0], look_at_row, w)
                      : ovk_mat_asymmetry(A, &asymmetry));
    break;
  case 12:
    register_name(w);
    break;
  default:
    create_object(w, a);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  world w = {.in = {data, data + size}};
  FUZZ_CHECK(ovk_ctx_create(MPI_COMM_WORLD, &w.ctx) == OVK_OK, "no context");
  w.depth = DEPTH;
  for (unsigned k = 0; k < 24; k++) create_object(&w, k);
  for (int k = 0; k < VECTORS; k++) (void)ovk_vec_fill(w.v[k], k + 1);
  w.depth = 0;
  while (w.in.at < w.in.end && w.calls < CALLS) call_any(&w);
  w.depth = DEPTH;
  for (unsigned k = 0; k < 5 * 6; k++) give_up(&w, k);
  ovk_ctx_destroy(&w.ctx);
  FUZZ_CHECK(w.states == 0, "%d states of the user's are left", w.states);
  return 0;
}
