/* SPDX-License-Identifier: BSD-2-Clause */
/* The phases of a method describe its operations: reductions, products and preconditioners are
 * recorded during a solve on one rank. */
#include "solvers/state/state.h"
#include "support/methods.h"
#include "support/problem.h"

#include <ovkrylov/plugin/backend.h>

enum { ROWS = 400, ITERATIONS = 60, MOST_RECORDS = 4000, MOST_PHASES = 16, MOST_DEPTH = 5 };

/* An operation. */
typedef struct record {
  ovk__phase_kind kind;
  int sum; /* begun, waited for, or progressed by polls; -1: none */
} record;

static record records[MOST_RECORDS];
static int nrecords;
static int nsums; /* made for this solver */
static int polled;

static void add(ovk__phase_kind kind, int sum)
{
  if (nrecords < MOST_RECORDS) records[nrecords++] = (record){kind, sum};
}

static int number_of(const ovk_sum *sum)
{
  return *(const int *)sum->request;
}

static ovk_err prepare(ovk_sum *sum)
{
  int *number = malloc(sizeof *number);
  if (!number) return ovk_ctx_fail(sum->backend->ctx, OVK_ERR_MEMORY, "no memory for a number");
  *number = nsums++;
  sum->request = number;
  return OVK_OK;
}

static void backend_release(ovk_sum *sum)
{
  free(sum->request);
}

static ovk_err backend_begin(ovk_sum *sum)
{
  add(OVK__BEGIN, number_of(sum));
  return OVK_OK;
}

/* Completes only in wait, so that all polls are recorded. */
static ovk_err backend_test(ovk_sum *sum, bool *complete)
{
  polled = number_of(sum);
  *complete = false;
  return OVK_OK;
}

static ovk_err backend_wait(ovk_sum *sum)
{
  add(OVK__WAIT, number_of(sum));
  return OVK_OK;
}

static const ovk_backend_ops recorder = {.name = "recorder",
                                         .begin = backend_begin,
                                         .test = backend_test,
                                         .prepare = prepare,
                                         .release = backend_release,
                                         .wait = backend_wait};

/* Records an operation, and which sum its polls progress. */
static void add_polling(ovk__phase_kind kind, ovk_poll poll)
{
  polled = -1;
  ovk_poll_call(poll);
  add(kind, polled);
}

static double entry(int i)
{
  return 2 + 1e-3 * random_number(7, (uint64_t)i);
}

static ovk_err multiply(void *user, const double *x, double *y, ovk_poll poll)
{
  add_polling(OVK__PRODUCT, poll);
  for (int i = 0; i < ROWS; i++) {
    y[i] = entry(i) * x[i] - (i ? x[i - 1] : 0) - (i < ROWS - 1 ? x[i + 1] : 0);
  }
  return OVK_OK;
}

/* The preconditioner 1 / c_i^2, as c_i times c_i. */
static void scale(const double *r, double *z, int times)
{
  for (int i = 0; i < ROWS; i++) {
    const double c = 1 + 0.1 * random_number(8, (uint64_t)i);
    z[i] = r[i] * c * (times > 1 ? c : 1);
  }
}

static ovk_err precond_apply(void *state, const double *r, double *z, ovk_poll poll)
{
  add_polling(OVK__PRECOND, poll);
  scale(r, z, 2);
  return OVK_OK;
}

static ovk_err apply_left(void *state, const double *r, double *t, ovk_poll poll)
{
  add_polling(OVK__PRECOND_LEFT, poll);
  scale(r, t, 1);
  return OVK_OK;
}

static ovk_err apply_right(void *state, const double *t, double *w, ovk_poll poll)
{
  add_polling(OVK__PRECOND_RIGHT, poll);
  scale(t, w, 1);
  return OVK_OK;
}

static const ovk_precond_ops scaling = {.size = sizeof(ovk_precond_ops),
                                        .name = "scaling",
                                        .apply = precond_apply,
                                        .any_partition = true,
                                        .factor = has_factors,
                                        .apply_left = apply_left,
                                        .apply_right = apply_right};

static int register_both(void **state)
{
  if (ovk_backend_register(test_ctx(), &recorder, NULL)) return 1;
  return (int)ovk_precond_register(test_ctx(), &scaling, NULL);
}

/* Solves, and leaves the operations in `records`. Returns false if exact=all refuses the method. */
static bool record_solve(const char *method, const char *exact)
{
  ovk_result res = OVK_RESULT;
  ovk_solver_opts opts =
      solver_opts(.method = method, .backend = "recorder", .exact = exact, .maxit = ITERATIONS);
  opts.rtol = 1e-3; /* a loose tolerance would shorten deep pipelines */
  ovk_mat *A = new_shell(ROWS, NULL, .mult = multiply);
  scoped_system s = new_system(A, "scaling");
  for (int i = 0; i < ROWS; i++) ovk_vec_array(s.b)[i] = random_number(9, (uint64_t)i);
  /* a solver makes the sum of the start, and the long one of exact sums, before those of its method
   */
  nsums = strcmp(exact, "off") == 0 ? -1 : -2;
  scoped_solver *S = NULL;
  const ovk_err err = ovk_solver_create(A, s.M, &opts, &S);
  if (err == OVK_ERR_UNSUPPORTED) {
    assert_string_equal(exact, "all");
    clear_system(&s);
    return false;
  }
  assert_ok(err);
  nrecords = 0;
  assert_ok(ovk_solver_solve(S, s.b, s.x, &res));
  assert_true(nrecords < MOST_RECORDS);
  return true;
}

/* The phases of as many iterations as a pipeline is deep; returns that number. */
static int expect(const ovk__method *method, int depth, record *out)
{
  int n = 0;
  for (int i = 0; i < (depth ? depth : 1); i++) {
    for (const ovk__phase *p = method->phases; p->kind; p++) {
      const int sum = depth ? i : p->sum;
      const bool pair = p->kind == OVK__PRODUCT_PAIR;
      if (p->kind >= OVK__UPDATE) continue;
      if (p->kind == OVK__BEGIN || p->kind == OVK__WAIT) {
        out[n++] = (record){p->kind, sum};
      } else {
        for (int k = 0; k < 1 + pair; k++) {
          out[n++] = (record){pair ? OVK__PRODUCT : p->kind, p->polls ? sum : -1};
        }
      }
    }
  }
  return n;
}

/* Whether the records at that place are the expected ones, twice in succession. */
static bool stands_at(int place, const record *expected, int n)
{
  if (place + 2 * n > nrecords) return false;
  for (int k = 0; k < 2 * n; k++) {
    const record *a = &records[place + k], *b = &expected[k % n];
    if (a->kind != b->kind || a->sum != b->sum) return false;
  }
  return true;
}

static void check_records(const char *spec, const ovk__method *method, int depth)
{
  record expected[MOST_DEPTH * MOST_PHASES];
  const int n = expect(method, depth, expected);
  int place = 0;
  while (place < nrecords && !stands_at(place, expected, n)) place++;
  if (place < nrecords) return;
  for (int k = nrecords / 2; k < nrecords / 2 + 2 * n && k < nrecords; k++) {
    print_error("%s: did %d, sum %d\n", spec, (int)records[k].kind, records[k].sum);
  }
  fail_msg("%s does not do what its phases say", spec);
}

/* The number of sums is the method's, each has a wait, and every split update is
 * completed. */
static void check_list(const ovk__method *method)
{
  int begins = 0, split = 0;
  for (const ovk__phase *p = method->phases; p->kind; p++) {
    int waits = 0;
    assert_true(p->kind < OVK__PHASE_KINDS);
    split += (p->kind == OVK__UPDATE_WHILE) - (p->kind == OVK__UPDATE_REST);
    if (p->kind != OVK__BEGIN) continue;
    begins++;
    for (const ovk__phase *q = method->phases; q->kind; q++) {
      waits += q->kind == OVK__WAIT && q->sum == p->sum;
    }
    assert_int_equal(waits, 1);
  }
  assert_int_equal(begins, method->reductions_per_iteration);
  assert_int_equal(split, 0);
}

/* Whether the method was accepted. */
static bool check_method(const char *spec, const char *exact)
{
  const ovk__method *method = NULL;
  ovk__settings settings;
  assert_ok(ovk__method_read(test_ctx(), spec, &method, &settings));
  if (!method->phases) fail_msg("%s has no phases", spec);
  check_list(method);
  if (!record_solve(spec, exact)) return false;
  check_records(spec, method, settings.depth);
  return true;
}

TEST(every_method_does_what_its_phases_say)
{
  ovk_choice choice = OVK_CHOICE;
  int n = 0;
  for (; list_named_methods(test_ctx(), n, &choice); n++) {
    assert_true(check_method(choice.name, "off"));
  }
  assert_true(n >= 8);
}

/* So reductions are overlapped with the same operations as without. */
TEST(exact_sums_change_no_phase)
{
  ovk_choice choice = OVK_CHOICE;
  int all = 0;
  for (int n = 0; list_named_methods(test_ctx(), n, &choice); n++) {
    assert_true(check_method(choice.name, "sums"));
    all += check_method(choice.name, "all");
  }
  assert_true(all >= 8);
}

TEST(pipelines_of_all_depths_do_what_their_phases_say)
{
  for (int l = 1; l <= MOST_DEPTH; l++) {
    char spec[OVK__METHOD_SPEC];
    snprintf(spec, sizeof spec, "pipelcg:l=%d", l);
    assert_true(check_method(spec, "off"));
    assert_true(check_method(spec, "sums"));
  }
}

TEST_GROUP(register_both, NULL)
