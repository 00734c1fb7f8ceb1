# SPDX-License-Identifier: BSD-2-Clause
"""Matrices of petsc4py."""
import numpy as np
import pytest
from conftest import SEVERAL
from ovkrylov import Matrix, Solver
from ovkrylov._library import lib, text

if not text(lib.ovk_mpi_library()).startswith('Open MPI'):
    pytest.skip("Debian's petsc4py uses Open MPI", allow_module_level=True)
PETSc = pytest.importorskip('petsc4py.PETSc')


def petsc_matrix(block, array):
    """The rows of this rank as a matrix of PETSc, of PETSc's world or of this process alone."""
    local = block.rows(array)
    comm = PETSc.COMM_WORLD if block.comm else PETSc.COMM_SELF
    sizes = ((local.shape[0], array.shape[0]),) * 2
    mat = PETSc.Mat().createAIJ(size=sizes, csr=(local.indptr, local.indices, local.data), comm=comm)
    mat.assemble()
    return mat


def test_a_matrix_of_petsc_is_copied_and_solved(block, context, laplace):
    A = Matrix.from_petsc(petsc_matrix(block, laplace), context)
    b, x = A.vector(), A.vector()
    b.array[:] = 1
    with Solver(A, method='cg', rtol=1e-10) as solver:
        assert solver.solve(b, x).converged
    np.testing.assert_allclose(laplace @ block.whole(x.array), np.ones(laplace.shape[0]), atol=1e-7)


@pytest.mark.skipif(not SEVERAL, reason='needs several ranks')
def test_a_matrix_of_several_ranks_needs_their_context(block, laplace):
    mat = petsc_matrix(block, laplace)
    with pytest.raises(ValueError, match='the context has 1'):
        Matrix.from_petsc(mat)
