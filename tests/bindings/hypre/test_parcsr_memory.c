/* SPDX-License-Identifier: BSD-2-Clause */
/* Solvers of ovkrylov in a program of hypre; each allocation fails in turn on the first or the last
 * rank: collective calls have the same result on all ranks, no rank hangs, nothing leaks. hypre has
 * its own memory, whose allocations do not fail. */
#include "hypre_case.h"
#include "support/malloc_fail.h"
#include "support/problem.h"

TEST_GROUP(open_hypre, close_hypre)

/* Settings of a solver, and components of its vectors. */
typedef struct settings {
  const char *format, *precond; /* precond NULL: a solver of hypre */
  int components;
} settings;

typedef enum step { CREATE, SET_UP, SOLVE, ALL } step;

static void set_options(HYPRE_Solver solver, const settings *s, HYPRE_Solver amg)
{
  assert_hypre(HYPRE_ParCSROvkSetMethod(solver, "cg"));
  assert_hypre(HYPRE_ParCSROvkSetFormat(solver, s->format));
  assert_hypre(s->precond ? HYPRE_ParCSROvkSetPrecondSpec(solver, s->precond)
                          : HYPRE_ParCSROvkSetPrecond(solver, HYPRE_BoomerAMGSolve,
                                                      HYPRE_BoomerAMGSetup, amg));
}

/* Returns the step at which a call failed, or ALL. Setters are not collective: they do not fail. */
static step run_steps(hypre_case *c, const settings *s, HYPRE_Solver amg)
{
  HYPRE_Solver solver = NULL;
  malloc_pause();
  scoped_components *b = hypre_case_components(c, s->components);
  scoped_components *x = hypre_case_components(c, s->components);
  hypre_ParVectorSetConstantValues(b, 1);
  malloc_resume();
  if (HYPRE_ParCSROvkCreate(MPI_COMM_WORLD, &solver)) {
    HYPRE_ClearAllErrors();
    return CREATE;
  }
  malloc_pause();
  set_options(solver, s, amg);
  malloc_resume();
  step at = ALL;
  if (HYPRE_ParCSROvkSetup(solver, c->par, (HYPRE_ParVector)b, (HYPRE_ParVector)x)) {
    at = SET_UP;
  } else if (HYPRE_ParCSROvkSolve(solver, c->par, (HYPRE_ParVector)b, (HYPRE_ParVector)x)) {
    at = SOLVE;
  }
  HYPRE_ClearAllErrors();
  assert_hypre(HYPRE_ParCSROvkDestroy(solver));
  return at;
}

/* From allocation `first` of `rank` on, every other one. */
static void fail_allocations_of(int rank, long first, hypre_case *c, const settings *s)
{
  HYPRE_Solver amg = hypre_case_boomeramg();
  assert_int_equal(run_steps(c, s, amg), ALL);
  const long live = malloc_live();
  assert_true(malloc_count() > 0);
  int failed = 1;
  for (long n = first; failed; n += 2) {
    malloc_fail_at(test_rank == rank ? n : 0);
    const int at = (int)run_steps(c, s, amg);
    failed = malloc_failed();
    malloc_fail_at(0);
    int least = at;
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Bcast(&failed, 1, MPI_INT, rank, MPI_COMM_WORLD);
    assert_int_equal(at, least);
    if (malloc_live() != live)
      fail_msg("allocation %ld leaves %ld blocks", n, malloc_live() - live);
    if (!failed) assert_int_equal(at, ALL);
  }
  HYPRE_BoomerAMGDestroy(amg);
}

static void fail_each_allocation(const settings *s)
{
  scoped_hypre_case c = hypre_case_open();
  fail_allocations_of(0, 1, &c, s);
  fail_allocations_of(test_size - 1, 2, &c, s);
}

TEST(a_rank_without_memory_fails_the_calls_of_all_ranks)
{
  fail_each_allocation(&(settings){"auto", "jacobi", 1});
}

TEST(a_rank_without_memory_for_solvers_of_hypre_and_columns_fails_the_calls_of_all_ranks)
{
  fail_each_allocation(&(settings){"shell", NULL, 3});
}
