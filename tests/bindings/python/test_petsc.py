# SPDX-License-Identifier: BSD-2-Clause
"""Matrices of petsc4py and of DOLFINx."""
import numpy as np
import pytest
import scipy.sparse as sparse
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


def test_block_size_and_near_nullspace_are_those_of_petsc(block, context, laplace):
    mat = petsc_matrix(block, sparse.kron(laplace, np.array([[2, 1], [1, 2]]), format='csr'))
    assert Matrix.from_petsc(mat, context).near_nullspace.shape[1] == 0
    mat.setBlockSize(2)
    right = mat.createVecRight()
    right.array[::2] = 1
    right.normalize()
    for constant in (False, True):
        mat.setNearNullSpace(PETSc.NullSpace().create(constant=constant, vectors=[right], comm=mat.comm))
        A = Matrix.from_petsc(mat, context)
        wanted = [np.ones(A.local_size)] * constant + [right.array_r]
        assert A.block_size == 2
        np.testing.assert_array_equal(A.near_nullspace, np.stack(wanted, axis=1))


@pytest.mark.skipif(not SEVERAL, reason='needs several ranks')
def test_a_matrix_of_several_ranks_needs_their_context(block, laplace):
    mat = petsc_matrix(block, laplace)
    with pytest.raises(ValueError, match='the context has 1'):
        Matrix.from_petsc(mat)


@pytest.fixture
def dolfinx_matrix(block):
    """A MatrixCSR over the triangles of a mesh, which have ghosts on several ranks, and the index map."""
    pytest.importorskip('dolfinx')
    from dolfinx import cpp, la, mesh
    comm = PETSc.COMM_WORLD.tompi4py() if block.comm else PETSc.COMM_SELF.tompi4py()
    triangles = mesh.create_unit_square(comm, 5, 4, ghost_mode=mesh.GhostMode.shared_facet)
    index_map = triangles.topology.index_map(2)
    here = index_map.size_local + index_map.num_ghosts
    pattern = cpp.la.SparsityPattern(comm, [index_map, index_map], [1, 1])
    for i in range(index_map.size_local):
        columns = np.array([i, (i + 1) % here, here - 1 - i], np.int32)
        pattern.insert(np.array([i], np.int32), columns)
    pattern.assemble()
    mat = la.matrix_csr(pattern)
    mat.data[:] = np.arange(1, mat.data.size + 1)
    return mat, index_map


def test_a_matrix_of_dolfinx_is_copied(block, context, dolfinx_matrix):
    mat, index_map = dolfinx_matrix
    A = Matrix.from_dolfinx(mat, index_map, context)
    assert A.local_size == index_map.size_local and A.size == index_map.size_global
    here = index_map.size_local + index_map.num_ghosts
    wanted = np.zeros((A.local_size, A.size))
    wanted[:, index_map.local_to_global(np.arange(here, dtype=np.int32))] = np.asarray(mat.to_dense())[:A.local_size]
    data, indices, indptr = A.to_csr()
    rows = np.repeat(np.arange(A.local_size), np.diff(indptr))
    dense = np.zeros_like(wanted)
    dense[rows, indices] = data
    np.testing.assert_array_equal(dense, wanted)


def test_a_matrix_of_dolfinx_needs_its_space(context, dolfinx_matrix, block, laplace):
    mat, index_map = dolfinx_matrix
    with pytest.raises(TypeError, match='function space'):
        Matrix.from_dolfinx(mat, None, context)
    assert Matrix.from_dolfinx(petsc_matrix(block, laplace), context=context).nnz == laplace.nnz
    if SEVERAL:
        with pytest.raises(ValueError, match='give the context'):
            Matrix.from_dolfinx(mat, index_map)
