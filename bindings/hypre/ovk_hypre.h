/* SPDX-License-Identifier: BSD-2-Clause */
/* ovkrylov and hypre: hypre's preconditioners for solvers of ovkrylov, and solvers of ovkrylov for
 * programs of hypre. Link ovkhypre, ovkrylov and HYPRE. */
#ifndef OVK_HYPRE_H
#define OVK_HYPRE_H

#include <HYPRE.h>
#include <HYPRE_parcsr_ls.h>
#include <ovkrylov/ovkrylov.h>

OVK_BEGIN_DECLS

/**
 * Makes hypre's algebraic multigrid known to a context as "boomeramg", for ovk_precond_create():
 * "boomeramg:strong=0.5,relax=6". Keys and defaults: docs/hypre.md. Not collective. All ranks must
 * do it, though.
 *
 * The matrix is handed over to hypre once, as a copy; ovk_precond_update() hands new values over in
 * place and sets the levels up anew. Setup calls HYPRE_Init(), which leaves a hypre in use as it
 * is; nothing here calls HYPRE_Finalize(), which belongs to the program, after such preconditioners
 * are destroyed. Destroying one is collective; after MPI_Finalize() its memory is left.
 *
 * @return OVK_ERR_ARG if the name is taken, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_hypre_register(ovk_ctx *ctx);

/**
 * Makes a preconditioner of any solver of hypre, which the caller has created and given its
 * options: no tolerance (0), as many iterations as an application shall have (1), and a method that
 * is symmetric, as conjugate gradients need it. Collective.
 *
 * @param A      handed over to hypre once, as a copy; kept until the preconditioner is gone
 * @param hypre  the solver; stays the caller's, who destroys it after the preconditioner; NULL
 * where its functions take none, as HYPRE_ParCSRDiagScale
 * @param setup  such as HYPRE_BoomerAMGSetup; called here and by ovk_precond_update()
 * @param solve  such as HYPRE_BoomerAMGSolve
 * @param out    to be freed with ovk_precond_destroy(), which is collective here
 * @return OVK_ERR_ARG for NULL functions and for rows that hypre cannot use; OVK_ERR_RANGE if the
 *         matrix has more rows than hypre's integers can count; OVK_ERR_UNSUPPORTED for a shell;
 *         what hypre reports, with its text: OVK_ERR_MEMORY, OVK_ERR_ARG, OVK_ERR_USER
 */
OVK_API ovk_err ovk_hypre_precond_create(ovk_mat *A, HYPRE_Solver hypre,
                                         HYPRE_PtrToParSolverFcn setup,
                                         HYPRE_PtrToParSolverFcn solve, ovk_precond **out);

/**
 * Makes a matrix of ovkrylov from one of hypre. Collective.
 *
 * @param format  a storage format, see `ovk list formats`, for a copy; "shell": products by hypre's
 *                own HYPRE_ParCSRMatrixMatvec on A, which must stay as long as the matrix
 * @param out     to be freed with ovk_mat_destroy()
 * @return OVK_ERR_ARG for a matrix whose columns are not laid out as its rows; OVK_ERR_UNKNOWN with
 *         the closest match; OVK_ERR_RANGE; OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_hypre_mat_create(ovk_ctx *ctx, HYPRE_ParCSRMatrix A, const char *format,
                                     ovk_mat **out);

/*
 * In place of HYPRE_ParCSRPCG..., line by line. As hypre's functions these return HYPRE_GetError(),
 * the flags of hypre, with HYPRE_ERROR_ARG, HYPRE_ERROR_MEMORY or HYPRE_ERROR_GENERIC added where
 * they fail and HYPRE_ERROR_CONV where a solve does not converge;
 * HYPRE_ParCSROvkGetMessage() says what was wrong.
 */

/**
 * Makes a solver. Collective over comm.
 *
 * @param solver  to be freed with HYPRE_ParCSROvkDestroy(); NULL after an error
 * @return HYPRE_GetError()
 */
OVK_API HYPRE_Int HYPRE_ParCSROvkCreate(MPI_Comm comm, HYPRE_Solver *solver);

/** Frees a solver; its preconditioner's solver stays the caller's. Collective. During its solve it
 * is HYPRE_ERROR_GENERIC, as are setup and solve. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkDestroy(HYPRE_Solver solver);

/** Sets the relative tolerance, 1e-6 by default. Not collective. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetTol(HYPRE_Solver solver, HYPRE_Real tol);

/** Sets the absolute tolerance, 0 by default: a solve ends where either is met. Not collective.
 * @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetAbsoluteTol(HYPRE_Solver solver, HYPRE_Real tol);

/** Sets the most iterations, 1000 by default. Not collective. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetMaxIter(HYPRE_Solver solver, HYPRE_Int max_iter);

/** Tests ||r|| <= tol ||b|| if two_norm is not 0, and otherwise, the default, the same in the norm
 * of the preconditioner, (C^-1 r, r), as hypre does. Before setup. Not collective.
 * @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetTwoNorm(HYPRE_Solver solver, HYPRE_Int two_norm);

/** Chooses the method, see `ovk list methods`; "auto" by default. Copied. Before setup. Not
 * collective. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetMethod(HYPRE_Solver solver, const char *spec);

/** Says that A and the preconditioner are symmetric positive definite if spd is not 0: "auto" takes
 * conjugate gradients without looking at the values of A. Before setup. Not collective. Ranks that
 * differ are an error of setup. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetSPD(HYPRE_Solver solver, HYPRE_Int spd);

/** Says that A is symmetric if symmetric is not 0: "auto" looks at its diagonal only. Before setup.
 * Not collective. Ranks that differ are an error of setup. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetSymmetric(HYPRE_Solver solver, HYPRE_Int symmetric);

/** Chooses what carries sums, see `ovk list backends`; "auto" by default. Copied. Before setup. Not
 * collective. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetBackend(HYPRE_Solver solver, const char *spec);

/** Chooses how the matrix is stored, as in ovk_hypre_mat_create(); "auto" by default. Copied.
 * Before setup. Not collective. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetFormat(HYPRE_Solver solver, const char *spec);

/**
 * Sets hypre's preconditioner, in the order of arguments of HYPRE_ParCSRPCGSetPrecond(): solve,
 * setup, solver. HYPRE_ParCSRDiagScale becomes "jacobi", which methods work into their sweeps.
 * Before setup. Not collective.
 *
 * @param precond_solver  stays the caller's, and must stay until the solver is destroyed
 * @return HYPRE_GetError()
 */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetPrecond(HYPRE_Solver solver, HYPRE_PtrToParSolverFcn precond,
                                            HYPRE_PtrToParSolverFcn precond_setup,
                                            HYPRE_Solver precond_solver);

/** Sets a preconditioner of ovkrylov instead, see `ovk list preconds`, or "boomeramg:...". Copied.
 * Before setup. Not collective. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetPrecondSpec(HYPRE_Solver solver, const char *spec);

/** Says that consecutive rows are the num_functions unknowns of a point, as
 * HYPRE_BoomerAMGSetNumFunctions() does: the block size of the matrix of ovkrylov. 1 by default.
 * Before setup. Not collective. Ranks that differ are an error of setup. @return HYPRE_GetError()
 */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetNumFunctions(HYPRE_Solver solver, HYPRE_Int num_functions);

/**
 * Gives the near-null space to a preconditioner of ovkrylov, see ovk_mat_set_near_nullspace(): all
 * rigid body modes, for instance. HYPRE_BoomerAMGSetInterpVectors() is given the rotations alone;
 * here the translations are among the vectors, too. Before setup. Not collective. Ranks that differ
 * are an error of setup.
 *
 * @param vectors  the array is copied; the vectors stay the caller's, and must stay until setup has
 *                 copied them
 * @return HYPRE_GetError()
 */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetInterpVectors(HYPRE_Solver solver, HYPRE_Int num_vectors,
                                                  HYPRE_ParVector *vectors);

/** With a level of 2 and more rank 0 writes a line an iteration to standard output; 0 by default.
 * Not collective. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetPrintLevel(HYPRE_Solver solver, HYPRE_Int print_level);

/** Sets a monitor in place of these lines, as in ovk_solver_opts; NULL: none. Not collective.
 * @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetMonitor(HYPRE_Solver solver, ovk_monitor_fn monitor, void *arg);

/**
 * Takes the matrix over, copied unless the format is "shell", and sets preconditioner, method and
 * sums up. Collective. Once more for another matrix, and where new values need a new
 * preconditioner.
 *
 * @param b  handed to the setup function of HYPRE_ParCSROvkSetPrecond()
 * @param x  likewise
 * @return HYPRE_GetError()
 */
OVK_API HYPRE_Int HYPRE_ParCSROvkSetup(HYPRE_Solver solver, HYPRE_ParCSRMatrix A, HYPRE_ParVector b,
                                       HYPRE_ParVector x);

/**
 * Solves A x = b from the x given, in the vectors' own arrays. Collective. Without a tolerance,
 * both 0, the iterations of HYPRE_ParCSROvkSetMaxIter() are made, and none of them is missing:
 * HYPRE_ERROR_CONV is not flagged then.
 *
 * @param A  the matrix of the setup. If it has other values since, on the same pattern, a copy
 * takes them over, and the preconditioner of the setup goes on, as with hypre's solvers;
 *           HYPRE_ParCSRDiagScale has the new diagonal
 * @return HYPRE_GetError()
 */
OVK_API HYPRE_Int HYPRE_ParCSROvkSolve(HYPRE_Solver solver, HYPRE_ParCSRMatrix A, HYPRE_ParVector b,
                                       HYPRE_ParVector x);

/** *num_iterations <- of the last solve. Not collective. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkGetNumIterations(HYPRE_Solver solver, HYPRE_Int *num_iterations);

/** *norm <- of the last solve, in the norm of its test, over that of b. Not collective.
 * @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkGetFinalRelativeResidualNorm(HYPRE_Solver solver,
                                                              HYPRE_Real *norm);

/** *result <- all that is known of the last solve. Not collective. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkGetResult(HYPRE_Solver solver, ovk_result *result);

/** *message <- what was wrong with the last call that failed, or why a solve did not converge.
 * Valid until the next call. Not collective. @return HYPRE_GetError() */
OVK_API HYPRE_Int HYPRE_ParCSROvkGetMessage(HYPRE_Solver solver, const char **message);

OVK_END_DECLS

#endif
