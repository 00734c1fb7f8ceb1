/* SPDX-License-Identifier: BSD-2-Clause */
/* ovkrylov and hypre: preconditioners of hypre for solvers of ovkrylov, and solvers of ovkrylov for
 * programs of hypre. Link ovkhypre, ovkrylov and HYPRE. */
#ifndef OVK_HYPRE_H
#define OVK_HYPRE_H

#include <HYPRE.h>
#include <HYPRE_parcsr_ls.h>
#include <ovkrylov/ovkrylov.h>

OVK_BEGIN_DECLS

/**
 * Register the algebraic multigrid of hypre as "boomeramg" in a context, for ovk_precond_create():
 * "boomeramg:strong=0.5,relax=6". Keys and defaults: docs/hypre.md. Not collective. All ranks
 * must call it.
 *
 * The matrix is copied to hypre once. ovk_precond_update() copies new values in place and sets the
 * levels up again. Setup calls HYPRE_Init(), which does not change a hypre in use. The program
 * calls HYPRE_Finalize(), after it has destroyed such preconditioners. Destroying one is
 * collective; after MPI_Finalize() its memory is not freed.
 *
 * @return OVK_ERR_ARG if the name is taken, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_hypre_register(ovk_ctx *ctx);

/**
 * Create a preconditioner from any solver of hypre. The caller has created the solver and set its
 * options: no tolerance (0), the number of iterations of an application (1), and a symmetric method
 * for conjugate gradients. Collective.
 *
 * @param A      copied to hypre once; kept until the preconditioner is destroyed
 * @param hypre  the solver. The caller destroys it, after the preconditioner. NULL if its functions
 *               take none, such as HYPRE_ParCSRDiagScale
 * @param setup  such as HYPRE_BoomerAMGSetup; called here and by ovk_precond_update()
 * @param solve  such as HYPRE_BoomerAMGSolve
 * @param out    to be freed with ovk_precond_destroy(), which is collective here
 * @return OVK_ERR_ARG for NULL functions and for rows that hypre cannot use; OVK_ERR_RANGE if the
 *         matrix has more rows than the integers of hypre can count; OVK_ERR_UNSUPPORTED for a
 * shell; an error of hypre, with its message: OVK_ERR_MEMORY, OVK_ERR_ARG, OVK_ERR_USER
 */
OVK_API ovk_err ovk_hypre_precond_create(ovk_mat *A, HYPRE_Solver hypre,
                                         HYPRE_PtrToParSolverFcn setup,
                                         HYPRE_PtrToParSolverFcn solve, ovk_precond **out);

/**
 * Create a matrix of ovkrylov from one of hypre. Collective.
 *
 * @param format  a storage format, see `ovk list formats`, for a copy; "shell": each SpMV calls
 *                HYPRE_ParCSRMatrixMatvec on A, which must remain as long as the matrix
 * @param out     to be freed with ovk_mat_destroy()
 * @return OVK_ERR_ARG for a matrix whose columns are distributed unlike its rows; OVK_ERR_UNKNOWN
 *         with the closest match; OVK_ERR_RANGE; OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_hypre_mat_create(ovk_ctx *ctx, HYPRE_ParCSRMatrix A, const char *format,
                                     ovk_mat **out);

/*
 * Replacements for HYPRE_ParCSRPCG..., line by line. As the functions of hypre, these return
 * HYPRE_GetError(), the flags of hypre. A failure adds HYPRE_ERROR_ARG, HYPRE_ERROR_MEMORY or
 * HYPRE_ERROR_GENERIC. A solve that does not converge adds HYPRE_ERROR_CONV.
 * HYPRE_ParCSROvkGetMessage() returns the reason.
 */

/**
 * Create a solver. Collective over comm.
 *
 * @param solver  to be freed with HYPRE_ParCSROvkDestroy(); NULL after an error
 * @return HYPRE_GetError()
 */
OVK_API HYPRE_Int HYPRE_ParCSROvkCreate(MPI_Comm comm, HYPRE_Solver *solver);

/** Free a solver, but not the solver of its preconditioner. Collective. During a solve of it, this
 * call, setup and solve add HYPRE_ERROR_GENERIC. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkDestroy(HYPRE_Solver solver);

/** Set the relative tolerance, 1e-6 by default. Not collective. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetTol(HYPRE_Solver solver, HYPRE_Real tol);

/** Set the absolute tolerance, 0 by default: a solve ends if either is met. Not collective.
 * @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetAbsoluteTol(HYPRE_Solver solver, HYPRE_Real tol);

/** Set the maximum number of iterations, 1000 by default. Not collective. @return HYPRE_GetError()
 */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetMaxIter(HYPRE_Solver solver, HYPRE_Int max_iter);

/** Test ||r|| <= tol ||b|| if two_norm is not 0. The default is the norm of the preconditioner,
 * (M^-1 r, r), as in hypre. Before setup. Not collective.
 * @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetTwoNorm(HYPRE_Solver solver, HYPRE_Int two_norm);

/** Choose the method, see `ovk list methods`; "auto" by default. Copied. Before setup. Not
 * collective. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetMethod(HYPRE_Solver solver, const char *spec);

/** Declare A and the preconditioner symmetric positive definite if spd is not 0: "auto" selects
 * conjugate gradients without inspecting the values of A. Before setup. Not collective. Ranks that
 * differ are an error of setup. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetSPD(HYPRE_Solver solver, HYPRE_Int spd);

/** Declare A symmetric if symmetric is not 0: "auto" inspects its diagonal only. Before setup.
 * Not collective. Ranks that differ are an error of setup. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetSymmetric(HYPRE_Solver solver, HYPRE_Int symmetric);

/**
 * Improve initial guesses from the last `guesses` solutions, as ovk_solver_opts.guesses; 0, the
 * default: none. For solvers that are kept for systems with similar right-hand sides, such as those
 * of time steps. Each component of a vector counts as a solution. Where values of A have changed, a
 * solve makes the solutions fit them, with an SpMV and a reduction each. Before setup, which fails
 * with HYPRE_ERROR_ARG for less than 0, more than 100 or a method for indefinite matrices. Not
 * collective. @return HYPRE_GetError()
 */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetGuesses(HYPRE_Solver solver, HYPRE_Int guesses);

/** Choose the backend of reductions, see `ovk list backends`; "auto" by default. Copied. Before
 * setup. Not collective. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetBackend(HYPRE_Solver solver, const char *spec);

/** Choose exact sums over the ranks, "off", "sums" or "all", as ovk_solver_opts.exact. Copied.
 * Before setup. Not collective. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetExact(HYPRE_Solver solver, const char *exact);

/** Choose the storage format of the matrix, as in ovk_hypre_mat_create(); "auto" by default.
 * Copied. Before setup. Not collective. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetFormat(HYPRE_Solver solver, const char *spec);

/**
 * Set a preconditioner of hypre, with the order of arguments of HYPRE_ParCSRPCGSetPrecond(): solve,
 * setup, solver. HYPRE_ParCSRDiagScale becomes "jacobi", which methods fuse into their sweeps.
 * Before setup. Not collective.
 *
 * @param precond_solver  the caller destroys it, after the solver
 * @return HYPRE_GetError()
 */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetPrecond(HYPRE_Solver solver, HYPRE_PtrToParSolverFcn precond,
                                            HYPRE_PtrToParSolverFcn precond_setup,
                                            HYPRE_Solver precond_solver);

/** Set a preconditioner of ovkrylov instead, see `ovk list preconds`, or "boomeramg:...". Copied.
 * Before setup. Not collective. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetPrecondSpec(HYPRE_Solver solver, const char *spec);

/** Declare consecutive rows the num_functions unknowns of a point, as in
 * HYPRE_BoomerAMGSetNumFunctions(): the block size of the matrix of ovkrylov. 1 by default.
 * Before setup. Not collective. Ranks that differ are an error of setup. @return HYPRE_GetError()
 */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetNumFunctions(HYPRE_Solver solver, HYPRE_Int num_functions);

/**
 * Set the near-null space for a preconditioner of ovkrylov, see ovk_mat_set_near_nullspace(): all
 * rigid body modes, for instance. HYPRE_BoomerAMGSetInterpVectors() needs the rotations alone; here
 * the translations are among the vectors, too. Before setup. Not collective. Ranks that differ
 * are an error of setup.
 *
 * @param vectors  the array is copied; the caller destroys the vectors, after setup
 * @return HYPRE_GetError()
 */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetInterpVectors(HYPRE_Solver solver, HYPRE_Int num_vectors,
                                                  HYPRE_ParVector *vectors);

/** Set the level of output; 0 by default. From level 2 on, rank 0 writes a line an iteration to
 * standard output.
 * Not collective. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetPrintLevel(HYPRE_Solver solver, HYPRE_Int print_level);

/** Set a monitor that replaces these lines, as in ovk_solver_opts; NULL: none. Not collective.
 * @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetMonitor(HYPRE_Solver solver, ovk_monitor_fn monitor, void *arg);

/**
 * Set up the matrix, which is copied unless the format is "shell", the preconditioner, the method
 * and the reductions. Collective. Call it again for another matrix, or if new values need a new
 * preconditioner.
 *
 * @param b  passed to the setup function of HYPRE_ParCSROvkSetPrecond(); a vector of zeros in its
 *           place if it has several components
 * @param x  likewise
 * @return HYPRE_GetError()
 */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetup(HYPRE_Solver solver, HYPRE_ParCSRMatrix A, HYPRE_ParVector b,
                                       HYPRE_ParVector x);

/**
 * Solve A x = b from the given x, in the arrays of the vectors. Collective. If both tolerances are
 * 0, the solve makes all iterations of HYPRE_ParCSROvkSetMaxIter() and does not flag
 * HYPRE_ERROR_CONV.
 *
 * @param A  the matrix of the setup. If its values have changed, on the same pattern, a copy gets
 * the new ones. The preconditioner of the setup is kept, as in solvers of hypre;
 *           HYPRE_ParCSRDiagScale gets the new diagonal
 * @return HYPRE_GetError()
 */
OVK_API HYPRE_Int HYPRE_ParCSROvkSolve(HYPRE_Solver solver, HYPRE_ParCSRMatrix A, HYPRE_ParVector b,
                                       HYPRE_ParVector x);

/** Get the number of iterations of the last solve. Not collective. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkGetNumIterations(HYPRE_Solver solver, HYPRE_Int *num_iterations);

/** Get the relative residual norm of the last solve, in the norm of its test. Not collective.
 * @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkGetFinalRelativeResidualNorm(HYPRE_Solver solver,
                                                              HYPRE_Real *norm);

/**
 * Get all results of the last solve. Not collective.
 *
 * @param result  initialized with OVK_RESULT. The size in it limits how many members are set
 * @return HYPRE_GetError()
 */
OVK_API HYPRE_Int HYPRE_ParCSROvkGetResult(HYPRE_Solver solver, ovk_result *result);

/** Get the message of the last call that failed, or the reason why a solve did not converge. Valid
 * until the next call. Not collective. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkGetMessage(HYPRE_Solver solver, const char **message);

OVK_END_DECLS

#endif
