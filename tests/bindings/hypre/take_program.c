/* SPDX-License-Identifier: BSD-2-Clause */
/* A hypre program without calls of ovkrylov, in the manner of ex5 of hypre: a convection and
 * diffusion operator on a grid, with each solver and preconditioner, by functions of both families.
 * Writes a line a solve: its name, the iterations, the flag of convergence, the flags of errors,
 * the norms of the residual and of x. Without arguments it solves all; otherwise the named groups.
 */
#include "take_case.h"

#include <HYPRE_struct_ls.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The Fortran interface of hypre, as C sees it. */
void hypre_parcsrpcgcreate_(MPI_Fint *comm, void *solver, HYPRE_Int *err);
void hypre_parcsrpcgdestroy_(void *solver, HYPRE_Int *err);

static void open_boomeramg(HYPRE_Solver *amg)
{
  HYPRE_BoomerAMGCreate(amg);
  HYPRE_BoomerAMGSetOldDefault(*amg);
  HYPRE_BoomerAMGSetRelaxType(*amg, 6);
  HYPRE_BoomerAMGSetNumSweeps(*amg, 1);
  HYPRE_BoomerAMGSetTol(*amg, 0);
  HYPRE_BoomerAMGSetMaxIter(*amg, 1);
}

/* A preconditioner of the program's. */
static HYPRE_Int halve(HYPRE_Solver solver, HYPRE_ParCSRMatrix A, HYPRE_ParVector b,
                       HYPRE_ParVector x)
{
  (void)solver;
  (void)A;
  HYPRE_ParVectorCopy(b, x);
  return HYPRE_ParVectorScale(0.5, x);
}

static int setups; /* calls of count_setup() */

static HYPRE_Int count_setup(HYPRE_Solver solver, HYPRE_ParCSRMatrix A, HYPRE_ParVector b,
                             HYPRE_ParVector x)
{
  (void)solver;
  (void)A;
  (void)b;
  (void)x;
  setups++;
  return 0;
}

/* SCHWARZ first: it is applied before any product with A. */
enum { SCHWARZ, NONE, SCALE, AMG, PARASAILS, EUCLID, USER, PRECONDS };

static void open_preconds(precond M[PRECONDS])
{
  M[SCHWARZ] = (precond){"schwarz", HYPRE_SchwarzSolve, HYPRE_SchwarzSetup, NULL};
  M[NONE] = (precond){"none", NULL, NULL, NULL};
  M[SCALE] = (precond){"scale", HYPRE_ParCSRDiagScale, HYPRE_ParCSRDiagScaleSetup, NULL};
  M[AMG] = (precond){"amg", HYPRE_BoomerAMGSolve, HYPRE_BoomerAMGSetup, NULL};
  M[PARASAILS] = (precond){"parasails", HYPRE_ParaSailsSolve, HYPRE_ParaSailsSetup, NULL};
  M[EUCLID] = (precond){"euclid", HYPRE_EuclidSolve, HYPRE_EuclidSetup, NULL};
  M[USER] = (precond){"user", halve, count_setup, NULL};
  HYPRE_SchwarzCreate(&M[SCHWARZ].solver);
  open_boomeramg(&M[AMG].solver);
  HYPRE_ParaSailsCreate(MPI_COMM_WORLD, &M[PARASAILS].solver);
  HYPRE_ParaSailsSetParams(M[PARASAILS].solver, 0.1, 1);
  HYPRE_ParaSailsSetFilter(M[PARASAILS].solver, 0.05);
  HYPRE_EuclidCreate(MPI_COMM_WORLD, &M[EUCLID].solver);
  HYPRE_EuclidSetBJ(M[EUCLID].solver, 1);
}

static void close_preconds(precond M[PRECONDS])
{
  HYPRE_SchwarzDestroy(M[SCHWARZ].solver);
  HYPRE_BoomerAMGDestroy(M[AMG].solver);
  HYPRE_ParaSailsDestroy(M[PARASAILS].solver);
  HYPRE_EuclidDestroy(M[EUCLID].solver);
}

/* Whether the residual that the solver has is that of x. */
static void report_residual(const kind *k, HYPRE_Solver solver, const grid *g)
{
  HYPRE_ParVector r = NULL;
  HYPRE_IJVector ij;
  HYPRE_ParVector own = open_vector(g, &ij);
  HYPRE_ParVectorCopy(g->b, own);
  HYPRE_ParCSRMatrixMatvec(-1, g->A, g->x, 1, own);
  k->residual(solver, &r);
  const double size_of_r = r ? norm_of(r) : -1, size_of_own = norm_of(own), b = norm_of(g->b);
  const bool same = fabs(size_of_r - size_of_own) <= 1e-6 * b;
  if (rank == 0) printf("%s residual %d\n", k->name, same);
  HYPRE_IJVectorDestroy(ij);
}

/* Each solver with each preconditioner, by both families of functions in turn, and twice with one
 * solver. */
static void run_all(void)
{
  for (int k = 0; k < KINDS; k++) {
    grid g = open_grid(k == PCG ? 0 : 0.3);
    precond M[PRECONDS];
    open_preconds(M);
    HYPRE_ParaSailsSetSym(M[PARASAILS].solver, k == PCG);
    HYPRE_SchwarzSetNonSymm(M[SCHWARZ].solver, k != PCG);
    for (int p = 0; p < PRECONDS; p++) {
      if ((p == EUCLID || p == SCHWARZ) && size > 2) continue;
      for (int norm = k == PCG; norm >= 0; norm--) {
        const bool any = (p + norm) % 2;
        HYPRE_Solver solver = open_solver(&kinds[k], &M[p]);
        if (k == PCG) HYPRE_PCGSetTwoNorm(solver, norm);
        solve(&kinds[k], solver, M[p].name, &g, any);
        report_residual(&kinds[k], solver, &g);
        solve(&kinds[k], solver, M[p].name, &g, !any);
        kinds[k].destroy(solver);
      }
    }
    if (rank == 0) printf("%s setups %d\n", kinds[k].name, setups);
    close_preconds(M);
    close_grid(&g);
  }
}

/* Ends that are no convergence, and settings after setup. */
static void run_ends(void)
{
  for (int k = 0; k < KINDS; k++) {
    const precond scale = {"scale", HYPRE_ParCSRDiagScale, HYPRE_ParCSRDiagScaleSetup, NULL};
    grid g = open_grid(k == PCG ? 0 : 0.3);
    HYPRE_Solver solver = open_solver(&kinds[k], &scale);
    solve(&kinds[k], solver, "before", &g, false);
    kinds[k].max_iter(solver, 3);
    solve(&kinds[k], solver, "maxit", &g, true);
    kinds[k].tol(solver, 0);
    kinds[k].max_iter(solver, 5);
    solve(&kinds[k], solver, "counted", &g, false);
    kinds[k].a_tol(solver, 1e-3);
    kinds[k].max_iter(solver, 500);
    solve(&kinds[k], solver, "absolute", &g, false);
    kinds[k].tol(solver, 1e-5);
    kinds[k].a_tol(solver, 0);
    HYPRE_ParVectorSetConstantValues(g.x, 0);
    kinds[k].solve(solver, g.A, g.b, g.x); /* of another tolerance than setup */
    report(&kinds[k], solver, "again", &g);
    kinds[k].solve(solver, g.A, g.b, g.x); /* from the solution */
    report(&kinds[k], solver, "started", &g);
    for (HYPRE_BigInt i = g.first; i < g.end; i++) fill_row(&g, i, 0); /* twice the values */
    HYPRE_IJMatrixAssemble(g.ij);
    HYPRE_ParVectorSetConstantValues(g.x, 0);
    kinds[k].solve(solver, g.A, g.b, g.x);
    report(&kinds[k], solver, "values", &g);
    HYPRE_ParVectorSetConstantValues(g.b, 0);
    HYPRE_ParVectorSetConstantValues(g.x, 1);
    kinds[k].solve(solver, g.A, g.b, g.x);
    if (rank == 0) printf("%s zero %d\n", kinds[k].name, (int)HYPRE_GetError());
    HYPRE_ClearAllErrors();
    HYPRE_ParVectorSetConstantValues(g.b, NAN);
    kinds[k].logging(solver, 0); /* hypre prints lines else */
    kinds[k].solve(solver, g.A, g.b, g.x);
    if (rank == 0) printf("%s nan %d\n", kinds[k].name, (int)HYPRE_GetError());
    HYPRE_ClearAllErrors();
    kinds[k].destroy(solver);
    close_grid(&g);
  }
}

/* A solver as the preconditioner of another. */
static void run_nested(void)
{
  grid g = open_grid(0.3);
  const precond none = {"none", NULL, NULL, NULL};
  HYPRE_Solver inner = open_solver(&kinds[GMRES], &none);
  HYPRE_GMRESSetTol(inner, 0);
  HYPRE_GMRESSetMaxIter(inner, 4);
  const precond M = {"gmres", HYPRE_ParCSRGMRESSolve, HYPRE_ParCSRGMRESSetup, inner};
  HYPRE_Solver solver = open_solver(&kinds[FLEXGMRES], &M);
  solve(&kinds[FLEXGMRES], solver, "nested", &g, false);
  HYPRE_ParCSRFlexGMRESDestroy(solver);
  HYPRE_ParCSRGMRESDestroy(inner);
  close_grid(&g);
}

/* From the Fortran interface of hypre. */
static void run_fortran(void)
{
  grid g = open_grid(0);
  MPI_Fint comm = MPI_Comm_c2f(MPI_COMM_WORLD);
  HYPRE_Solver solver = NULL;
  HYPRE_Int err = 0;
  hypre_parcsrpcgcreate_(&comm, &solver, &err);
  HYPRE_PCGSetMaxIter(solver, 500);
  solve(&kinds[PCG], solver, "fortran", &g, false);
  hypre_parcsrpcgdestroy_(&solver, &err);
  close_grid(&g);
}

static HYPRE_Int keep_pc(HYPRE_Solver solver, HYPRE_Int iterations, HYPRE_Real norm)
{
  (void)solver;
  (void)iterations;
  (void)norm;
  return 0;
}

/* Settings that ovkrylov has not. */
static void run_own(void)
{
  const precond scale = {"scale", HYPRE_ParCSRDiagScale, HYPRE_ParCSRDiagScaleSetup, NULL};
  grid g = open_grid(0);
  HYPRE_Solver solver = open_solver(&kinds[PCG], &scale);
  HYPRE_PCGSetRelChange(solver, 1);
  solve(&kinds[PCG], solver, "change", &g, false);
  HYPRE_ParCSRPCGDestroy(solver);
  solver = open_solver(&kinds[FLEXGMRES], &scale);
  HYPRE_FlexGMRESSetModifyPC(solver, keep_pc);
  solve(&kinds[FLEXGMRES], solver, "modified", &g, true);
  HYPRE_ParCSRFlexGMRESDestroy(solver);
  solver = open_solver(&kinds[BICGSTAB], &scale);
  HYPRE_BiCGSTABSetMinIter(solver, 40);
  solve(&kinds[BICGSTAB], solver, "least", &g, false);
  HYPRE_BiCGSTABDestroy(solver);
  close_grid(&g);
}

/* The hybrid solver of hypre, which contains a PCG. */
static void run_hybrid(void)
{
  grid g = open_grid(0);
  HYPRE_Solver solver = NULL;
  HYPRE_Int iterations = -1;
  HYPRE_ParCSRHybridCreate(&solver);
  HYPRE_ParCSRHybridSetTol(solver, 1e-7);
  HYPRE_ParCSRHybridSetDSCGMaxIter(solver, 5);
  HYPRE_ParCSRHybridSetup(solver, g.A, g.b, g.x);
  HYPRE_ParCSRHybridSolve(solver, g.A, g.b, g.x);
  HYPRE_ParCSRHybridGetNumIterations(solver, &iterations);
  if (rank == 0) printf("hybrid %d %d\n", (int)iterations, (int)HYPRE_GetError());
  HYPRE_ParCSRHybridDestroy(solver);
  close_grid(&g);
}

/* The structured PCG of hypre: the same functions, other objects. */
static void run_struct(void)
{
  enum { S = 5, X = 16 };
  HYPRE_Int offsets[S][2] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}}, entries[S];
  HYPRE_Int lower[2] = {0, rank * X}, upper[2] = {X - 1, rank * X + X - 1}, iterations = -1;
  static double values[S * X * X], ones[X * X];
  HYPRE_StructGrid box;
  HYPRE_StructStencil stencil;
  HYPRE_StructMatrix A;
  HYPRE_StructVector b, x;
  HYPRE_StructSolver solver;
  HYPRE_Real norm = -1;
  for (int k = 0; k < S * X * X; k++) values[k] = k % S ? -1 : 4.1;
  for (int k = 0; k < X * X; k++) ones[k] = 1;
  HYPRE_StructGridCreate(MPI_COMM_WORLD, 2, &box);
  HYPRE_StructGridSetExtents(box, lower, upper);
  HYPRE_StructGridAssemble(box);
  HYPRE_StructStencilCreate(2, S, &stencil);
  for (int k = 0; k < S; k++) {
    entries[k] = k;
    HYPRE_StructStencilSetElement(stencil, k, offsets[k]);
  }
  HYPRE_StructMatrixCreate(MPI_COMM_WORLD, box, stencil, &A);
  HYPRE_StructMatrixInitialize(A);
  HYPRE_StructMatrixSetBoxValues(A, lower, upper, S, entries, values);
  HYPRE_StructMatrixAssemble(A);
  HYPRE_StructVectorCreate(MPI_COMM_WORLD, box, &b);
  HYPRE_StructVectorInitialize(b);
  HYPRE_StructVectorSetBoxValues(b, lower, upper, ones);
  HYPRE_StructVectorAssemble(b);
  HYPRE_StructVectorCreate(MPI_COMM_WORLD, box, &x);
  HYPRE_StructVectorInitialize(x);
  HYPRE_StructVectorAssemble(x);
  HYPRE_StructPCGCreate(MPI_COMM_WORLD, &solver);
  HYPRE_StructPCGSetTol(solver, 1e-7);
  HYPRE_PCGSetup((HYPRE_Solver)solver, (HYPRE_Matrix)A, (HYPRE_Vector)b, (HYPRE_Vector)x);
  HYPRE_PCGSolve((HYPRE_Solver)solver, (HYPRE_Matrix)A, (HYPRE_Vector)b, (HYPRE_Vector)x);
  HYPRE_PCGGetNumIterations((HYPRE_Solver)solver, &iterations);
  HYPRE_StructPCGGetFinalRelativeResidualNorm(solver, &norm);
  if (rank == 0) printf("struct %d %.15e %d\n", (int)iterations, norm, (int)HYPRE_GetError());
  HYPRE_StructPCGDestroy(solver);
  HYPRE_StructVectorDestroy(b);
  HYPRE_StructVectorDestroy(x);
  HYPRE_StructMatrixDestroy(A);
  HYPRE_StructStencilDestroy(stencil);
  HYPRE_StructGridDestroy(box);
}

int main(int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*run)(void);
  } groups[] = {{"all", run_all},         {"ends", run_ends}, {"nested", run_nested},
                {"fortran", run_fortran}, {"own", run_own},   {"hybrid", run_hybrid},
                {"struct", run_struct}};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  HYPRE_Init();
  for (size_t k = 0; k < sizeof groups / sizeof *groups; k++) {
    if (argc < 2 || strcmp(argv[1], groups[k].name) == 0) groups[k].run();
  }
  HYPRE_Finalize();
  MPI_Finalize();
  return 0;
}
