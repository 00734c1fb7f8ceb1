/* SPDX-License-Identifier: BSD-2-Clause */
/* Ranks that differ: random systems, user functions, methods, backends, formats and
 * preconditioners. All ranks must end in the same way, in time; a converged result must be a
 * solution. OVK_TEST_SEED=n repeats a draw, OVK_TEST_SECONDS=n draws for that long and
 * OVK_TEST_DRAWS=n that often, from OVK_TEST_FIRST on. */
#include "random_choice.h"
#include "random_users.h"
#include "support/test_main.h"

#include <signal.h>

/* Seconds after which a draw counts as a hang. */
enum { HANG = 250 };
static const char CHECK_TIMEOUT[] = "100";

/* Identifies the draw in messages, also in the signal handler's. */
static char label[2000];

static void hang(int signal)
{
  static const char text[] = ": no end in sight\n";
  (void)!write(2, label, strlen(label));
  (void)!write(2, text, sizeof text - 1);
  abort();
}

#define CHECK(condition, ...)                                                                      \
  do {                                                                                             \
    if (!(condition)) wrong(__LINE__, __VA_ARGS__);                                                \
  } while (0)

static void wrong(int line, const char *format, ...) OVK_PRINTF(2, 3);

static void wrong(int line, const char *format, ...)
{
  char text[4000];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fprintf(stderr, "[rank %d] %s: %s\n", test_rank, label, text);
  _fail(__FILE__, line);
}

/* The outcome of a call. */
typedef struct outcome {
  int err;
  ovk_result result;
  char message[1024];
} outcome;

/* All of it except for the seconds, and for bytes between its members, which may differ. */
static void describe(const outcome *o, char *text, size_t size)
{
  const ovk_result *r = &o->result;
  snprintf(text, size,
           "error %d, %s after %d iterations, %d restarts, %d replacements, %d changes, %d "
           "reductions, %d vectors, %a %a %a %a %a, %llx, %s \"%s\"",
           o->err, ovk_reason_text(r->reason), r->iterations, r->restarts, r->replacements,
           r->method_changes, r->reductions_per_iteration, r->vectors, r->rhs_norm, r->tolerance,
           r->relative_residual, r->true_relative_residual, r->rhs_null_part,
           (unsigned long long)r->fingerprint, r->method, o->message);
}

/* Asserts that it is the same on all ranks. */
static void compare(const outcome *o)
{
  char mine[1800], first[sizeof mine];
  describe(o, mine, sizeof mine);
  memcpy(first, mine, sizeof first);
  MPI_Bcast(first, (int)sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
  CHECK(strcmp(first, mine) == 0, "rank 0 has %s; this rank %s", first, mine);
}

static bool any(bool mine)
{
  int all = mine;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
  return all;
}

/* One draw. */
typedef struct scene {
  uint64_t seed;
  ovk_ctx *ctx;
  random_problem S;
  random_choice C;
  users U;
  linear_system o;
} scene;

/* Counts over all draws, to check that not all are refused. */
static int solves, converged, stopped, errors;

/* Compares an error over the ranks; returns whether there was one. Only an intended failure, an
 * incompatible combination, or an indefinite A or a NaN of it, which some preconditioners refuse,
 * may be an error. */
static bool ended(const scene *s, ovk_err err)
{
  outcome o;
  memset(&o, 0, sizeof o);
  o.err = (int)err;
  if (err) snprintf(o.message, sizeof o.message, "%s", ovk_ctx_error(s->ctx));
  compare(&o);
  if (!err) return false;
  errors++;
  const bool failed = any(s->U.failed), definite = s->S.definite && !any(s->U.spoiled);
  CHECK(o.message[0], "error %s without a message", ovk_err_name(err));
  CHECK(failed ? err == OVK_ERR_USER
               : err == OVK_ERR_UNSUPPORTED || (err == OVK_ERR_INDEFINITE && !definite),
        "%s: %s", ovk_err_name(err), o.message);
  return true;
}

static void make_ctx(scene *s)
{
  static const char *const halos[] = {"shm", "p2p", "nbc", "nbc:window=2"};
  setenv("OVK_CHECK", random_checks(s->seed) ? "1" : "0", 1);
  setenv("OVK_CHECK_TIMEOUT", CHECK_TIMEOUT, 1);
  setenv("OVK_HALO", halos[s->seed / 4 % 4], 1);
  CHECK(ovk_ctx_create(MPI_COMM_WORLD, &s->ctx) == OVK_OK, "no context");
}

/* Checks products with the matrix, and the diagonal, against the arrays. */
static void check_product(const scene *s, const random_problem *S, const ovk_mat *A)
{
  scoped_vec *x = NULL, *y = NULL;
  double *whole = new_memory(((size_t)S->n + 1) * sizeof *whole), size;
  scoped_array double *right = new_memory(((size_t)S->local + 1) * sizeof *right);
  dice d = {.seed = s->seed + 5};
  CHECK(!ovk_mat_create_vec(A, &x) && !ovk_mat_create_vec(A, &y), "%s", ovk_ctx_error(s->ctx));
  for (int i = 0; i < S->n; i++) whole[i] = dice_unit(&d) - 0.5;
  for (int r = 0; r < S->local; r++) ovk_vec_array(x)[r] = whole[S->start + r];
  CHECK(!ovk_mat_mult(A, x, y), "%s", ovk_ctx_error(s->ctx));
  random_multiply(S, whole, right, &size);
  for (int r = 0; r < S->local; r++) {
    CHECK(fabs(ovk_vec_array(y)[r] - right[r]) <= 64 * DBL_EPSILON * size,
          "%s: row %d of A x is %.17g, not %.17g", ovk_mat_format(A), S->start + r,
          ovk_vec_array(y)[r], right[r]);
  }
  CHECK(!ovk_mat_diagonal(A, y), "%s", ovk_ctx_error(s->ctx));
  for (int r = 0; r < S->local; r++) {
    CHECK(ovk_vec_array(y)[r] == S->A[(S->start + r) * (S->n + 1)], "a wrong diagonal, row %d", r);
  }
  free(whole);
}

/* A nonsymmetric matrix in the same format, where neighbors exchange data in one direction
 * only. */
static void check_skew(const scene *s)
{
  random_problem S = random_make(s->seed);
  scoped_mat *A = NULL;
  random_skew(&S, s->seed);
  if (!ended(s, random_assemble(s->ctx, &S, s->seed + 3, s->C.format, &A))) {
    check_product(s, &S, A);
  }
  random_clear(&S);
}

/* Creates the matrix in the drawn format, or in the default one if that refuses it. */
static bool make_matrix(scene *s)
{
  if (s->C.shell) return !ended(s, users_make_shell(&s->U, &s->o.A));
  check_skew(s);
  if (ended(s, random_assemble(s->ctx, &s->S, s->seed + 2, s->C.format, &s->o.A))) {
    ovk_mat_destroy(&s->o.A);
    if (ended(s, random_assemble(s->ctx, &s->S, s->seed + 2, NULL, &s->o.A))) return false;
  }
  check_product(s, &s->S, s->o.A);
  return true;
}

/* The squares of some b overflow. */
static double norm_b(const random_problem *S)
{
  double norm = 0;
  for (int i = 0; i < S->n; i++) norm = hypot(norm, S->b[i]);
  return norm;
}

/* Checks the solution if the result claims one, and requires one if nothing prevents it. */
static void check_solution(const scene *s, const ovk_result *res, bool undisturbed)
{
  double rounding;
  const double norm = random_residual(&s->S, ovk_vec_array(s->o.x), &rounding);
  if (res->reason > 0) {
    const double told = res->true_relative_residual * norm_b(&s->S);
    CHECK(s->C.opts.norm != OVK_NORM_UNPRECONDITIONED || norm <= 1.02 * res->tolerance + rounding,
          "||b - A x|| = %g > %g (%g of rounding)", norm, res->tolerance, rounding);
    CHECK(fabs(told - norm) <= 0.02 * norm + rounding, "||b - A x|| = %g, but the result says %g",
          norm, told);
  } else if (undisturbed) {
    wrong(__LINE__, "%s: %s", ovk_reason_text(res->reason), ovk_ctx_error(s->ctx));
  }
}

static void compare_monitors(const scene *s)
{
  struct {
    int silent, rank;
  } mine = {!s->U.monitors, test_rank}, first;
  MPI_Allreduce(&mine, &first, 1, MPI_2INT, MPI_MINLOC, MPI_COMM_WORLD);
  uint64_t heard = s->U.heard;
  MPI_Bcast(&heard, 1, MPI_UINT64_T, first.rank, MPI_COMM_WORLD);
  CHECK(!s->U.monitors || heard == s->U.heard, "monitors of rank %d and this one heard otherwise",
        first.rank);
}

/* Solves once; false after an error. */
static bool solve(scene *s, int times)
{
  outcome o;
  memset(&o, 0, sizeof o);
  dice d = {.seed = s->seed + 9 + (uint64_t)times};
  const bool zero = dice_once_in(&d, 2);
  for (int i = 0; i < s->S.n; i++) {
    const double value = zero ? 0 : dice_unit(&d);
    if (i >= s->S.start && i < s->S.start + s->S.local)
      ovk_vec_array(s->o.x)[i - s->S.start] = value;
  }
  s->U.heard = 0;
  s->U.used = &s->o;
  s->U.gives_up = times > 0;
  const ovk_err err = ovk_solver_solve(s->o.solver, s->o.b, s->o.x, &o.result);
  s->U.used = NULL;
  if (ended(s, err)) return false;
  const ovk_result res = o.result;
  if (res.reason < 0) snprintf(o.message, sizeof o.message, "%s", ovk_ctx_error(s->ctx));
  compare(&o);
  compare_monitors(s);
  solves++;
  converged += res.reason > 0;
  const bool stop_request = any(s->U.stop_at >= 0), spoiled = any(s->U.spoiled),
             rough = s->C.opts.rtol == 0 || s->C.opts.maxit < 2000;
  stopped += res.reason == OVK_REASON_MONITOR;
  CHECK(res.reason != OVK_REASON_MONITOR || stop_request, "stopped by no monitor");
  check_solution(s, &res, s->S.definite && s->S.finite && !stop_request && !spoiled && !rough);
  return true;
}

/* A failure in set-up may go unreported: then it recurs in the solve and is no error there. */
static void run_scene(scene *s)
{
  if (!make_matrix(s)) return;
  if (ended(s, ovk_precond_create(s->o.A, s->C.precond, &s->o.M))) return;
  CHECK(!ovk_mat_create_vec(s->o.A, &s->o.b) && !ovk_mat_create_vec(s->o.A, &s->o.x), "no vectors");
  for (int r = 0; r < s->S.local; r++) ovk_vec_array(s->o.b)[r] = s->S.b[s->S.start + r];
  s->C.opts.monitor = s->U.monitors ? users_monitor : NULL;
  s->C.opts.monitor_arg = &s->U;
  s->C.opts.null_constant = s->S.singular;
  if (ended(s, ovk_solver_create(s->o.A, s->o.M, &s->C.opts, &s->o.solver))) return;
  for (int times = 0; times < 2 && solve(s, times);) times++;
}

static void draw(uint64_t seed)
{
  scene s = {.seed = seed};
  snprintf(label, sizeof label, "OVK_TEST_SEED=%llu on %d ranks", (unsigned long long)seed,
           test_size);
  alarm(HANG);
  make_ctx(&s);
  s.S = random_make(seed);
  users_open(&s.U, s.ctx, &s.S, seed + 1);
  random_choose(s.ctx, seed + 4, &s.C);
  snprintf(label, sizeof label,
           "OVK_TEST_SEED=%llu on %d ranks (%d rows, %s, %s, %s, %s, OVK_CHECK %d)",
           (unsigned long long)seed, test_size, s.S.n, s.C.method, s.C.backend,
           s.C.shell ? "shell" : s.C.format, s.C.precond, random_checks(seed));
  run_scene(&s);
  clear_system(&s.o);
  ovk_ctx_destroy(&s.ctx);
  users_close(&s.U);
  random_clear(&s.S);
  alarm(0);
}

/* A number from the environment; rank 0's is used by all. */
static uint64_t number(const char *name, uint64_t otherwise)
{
  const char *text = getenv(name);
  uint64_t value = text && *text ? strtoull(text, NULL, 10) : otherwise;
  MPI_Bcast(&value, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  return value;
}

static bool is_time_left(double start, double seconds)
{
  int left = MPI_Wtime() - start < seconds;
  MPI_Bcast(&left, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return left;
}

/* With so many draws in each, the runs together come to every pair of a method and a
 * preconditioner.
 */
static uint64_t draws_of_a_run(void)
{
  scene s = {.seed = 1};
  make_ctx(&s);
  s.S = random_make(s.seed);
  users_open(&s.U, s.ctx, &s.S, s.seed);
  const int pairs = random_pairs(s.ctx);
  ovk_ctx_destroy(&s.ctx);
  users_close(&s.U);
  random_clear(&s.S);
  return (uint64_t)((pairs + RANDOM_RUNS - 1) / RANDOM_RUNS);
}

TEST(ranks_that_differ_come_to_the_same_end)
{
  const int run = (test_size - 1) / 2; /* of 2, 3 and 5 ranks */
  const uint64_t all = draws_of_a_run();
  const uint64_t only = number("OVK_TEST_SEED", 0);
  const uint64_t first = number("OVK_TEST_FIRST", 1 + all * (uint64_t)run);
  const uint64_t seconds = number("OVK_TEST_SECONDS", 0), draws = number("OVK_TEST_DRAWS", all);
  const double start = MPI_Wtime();
  signal(SIGALRM, hang);
  if (only) {
    draw(only);
    return;
  }
  uint64_t seed = first;
  while (seconds ? is_time_left(start, (double)seconds) : seed < first + draws) draw(seed++);
  if (test_rank == 0) {
    print_message("%llu draws from %llu on: %d solves, %d converged, %d stopped by a monitor; %d "
                  "errors as they should be\n",
                  (unsigned long long)(seed - first), (unsigned long long)first, solves, converged,
                  stopped, errors);
  }
  assert_true(converged > 0 && errors > 0);
}
