# SPDX-License-Identifier: BSD-2-Clause
"""Poisson's equation on a square: `python3 ex01_poisson.py`, or `mpiexec -n 2 python3 ex01_poisson.py`.

Each rank has a block of rows, with the columns of all ranks. Without mpi4py the script runs on one process.
"""
import numpy as np
import ovkrylov
import scipy.sparse as sparse

try:
    from mpi4py.MPI import COMM_WORLD as comm
    rank, size = comm.rank, comm.size
except ImportError:
    comm, rank, size = None, 0, 1

n = 200
line = sparse.diags([-1, 2, -1], [-1, 0, 1], (n, n))
identity = sparse.identity(n)
A = (sparse.kron(line, identity) + sparse.kron(identity, line)).tocsr()
begin, end = n * n * rank // size, n * n * (rank + 1) // size
A_local, b = A[begin:end], np.ones(end - begin)

# The signature of scipy.sparse.linalg.cg.
x, info = ovkrylov.cg(A_local, b, rtol=1e-8, M='amg', comm=comm)
assert info == 0, ovkrylov.Reason(info)

# The same with objects: set up once, solve twice.
context = ovkrylov.context_of(comm)
matrix = ovkrylov.Matrix.from_csr(A_local, context)
rhs, solution = ovkrylov.Vector.wrap(b, context), matrix.vector()
with ovkrylov.Solver(matrix, ovkrylov.Precond(matrix, 'amg'), method='cg', rtol=1e-8) as solver:
    for factor in (1.0, 2.0):
        b[:] = factor
        result = solver.solve(rhs, solution)
        assert result.converged, result.message
        if rank == 0:
            print(f'{result.iterations} iterations, true residual {result.true_relative_residual:.1e}')
assert np.allclose(solution.array, 2 * x, rtol=1e-5)
