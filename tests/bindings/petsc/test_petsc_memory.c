/* SPDX-License-Identifier: BSD-2-Clause */
/* The binding is a part of this program; each of its allocations and of those of the library fails
 * in turn on the first or the last rank: KSPSolve() and KSPMatSolve() return the same code on all
 * ranks, and no rank hangs. PETSc has its own memory, whose allocations do not fail. */
#include "support/malloc_fail.h"
#include "support/petsc/petsc_problem.h"

PETSC_EXTERN PetscErrorCode PetscDLLibraryRegister_ovkpetsc(void);

static int open_with_binding(void **state)
{
  return open_petsc(state) || PetscDLLibraryRegister_ovkpetsc();
}

TEST_GROUP(open_with_binding, close_petsc)

/* A solve on a communicator that has no context yet; returns the code of PETSc. */
static int solve_in_new_context(const char *options, bool columns)
{
  MPI_Comm comm;
  PetscErrorCode code;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  malloc_pause();
  {
    scoped_Mat A = make_laplace(comm, 6, false, MATAIJ), B = NULL, X = NULL;
    scoped_Vec b = NULL, x = NULL;
    scoped_KSP ksp = make_ksp(A, options);
    assert_petsc(MatCreateVecs(A, &x, &b));
    assert_petsc(VecSet(b, 1));
    const PetscInt rows = row_end(A) - row_begin(A);
    assert_petsc(MatCreateDense(comm, rows, PETSC_DECIDE, PETSC_DECIDE, 3, NULL, &B));
    assert_petsc(MatSetRandom(B, NULL));
    assert_petsc(MatDuplicate(B, MAT_DO_NOT_COPY_VALUES, &X));
    assert_petsc(PetscPushErrorHandler(PetscIgnoreErrorHandler, NULL));
    malloc_resume();
    code = columns ? KSPMatSolve(ksp, B, X) : KSPSolve(ksp, b, x);
    malloc_pause();
    assert_petsc(PetscPopErrorHandler());
  }
  malloc_resume();
  MPI_Comm_free(&comm);
  return (int)code;
}

/* From allocation `first` of `rank` on, every other one. */
static void fail_allocations_of(int rank, long first, const char *options, bool columns)
{
  assert_petsc(solve_in_new_context(options, columns));
  int failed = 1;
  for (long n = first; failed; n += 2) {
    malloc_fail_at(test_rank == rank ? n : 0);
    const int code = solve_in_new_context(options, columns);
    failed = malloc_failed();
    malloc_fail_at(0);
    MPI_Bcast(&failed, 1, MPI_INT, rank, MPI_COMM_WORLD);
    int greatest = code;
    MPI_Allreduce(MPI_IN_PLACE, &greatest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (code != greatest) fail_msg("allocation %ld: %d, not %d", n, code, greatest);
    if (!failed) assert_petsc(code);
  }
}

static void fail_each_allocation(const char *options, bool columns)
{
  fail_allocations_of(0, 1, options, columns);
  fail_allocations_of(test_size - 1, 2, options, columns);
}

TEST(a_rank_without_memory_fails_a_solve_in_place_on_all_ranks)
{
  fail_each_allocation("-ksp_ovk_spd -pc_type jacobi", false);
}

TEST(a_rank_without_memory_fails_a_solve_with_a_copy_on_all_ranks)
{
  fail_each_allocation("-ksp_ovk_spd -ksp_ovk_format auto -ksp_ovk_pc chebyshev", false);
}

TEST(a_rank_without_memory_fails_a_solve_of_columns_on_all_ranks)
{
  fail_each_allocation("-ksp_ovk_spd -pc_type bjacobi", true);
}
