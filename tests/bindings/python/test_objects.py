# SPDX-License-Identifier: BSD-2-Clause
"""Vectors, matrices, preconditioners, solvers."""
import dataclasses
import inspect

import numpy as np
import ovkrylov
import pytest
import scipy.sparse as sparse
from conftest import SEVERAL
from ovkrylov import Matrix, Precond, Progress, Reason, Result, Solver, Vector, gallery
from ovkrylov._library import ffi


def filled(context, values):
    v = Vector(len(values), context)
    v.array[:] = values
    return v


def test_the_array_of_a_vector_is_its_memory(context):
    v = Vector(4, context)
    array = v.array
    array[:] = 2
    v.scale(3)
    np.testing.assert_array_equal(array, 6)
    np.testing.assert_array_equal(np.asarray(v), 6)
    assert len(v) == v.local_size == 4 and v.size == 4 * context.size and v.first == 4 * context.rank
    v.close()
    np.testing.assert_array_equal(array, 6)  # the array keeps the memory


def test_a_wrapped_array_is_not_copied(context):
    array = np.arange(5.0)
    v = Vector.wrap(array, context)
    v.scale(2)
    np.testing.assert_array_equal(array, 2 * np.arange(5))
    assert v.array is array
    for bad in (np.arange(5), np.ones((2, 2)), np.ones(6)[::2], [1.0], np.broadcast_to(1.0, 3)):
        with pytest.raises(ValueError):
            Vector.wrap(bad, context)


def test_row_by_row_operations(context):
    x, y = filled(context, [1.0, 2, 3]), filled(context, [4.0, 5, 6])
    w = x.duplicate()
    for operation, wanted in ((lambda: w.copy_from(x), [1, 2, 3]), (lambda: w.axpy(2, y), [9, 12, 15]),
                              (lambda: w.aypx(-1, x), [-8, -10, -12]), (lambda: w.waxpy(2, x, y), [6, 9, 12]),
                              (lambda: w.multiply(x, y), [4, 10, 18]), (lambda: w.divide(y, x), [4, 2.5, 2]),
                              (lambda: w.fill(7), [7, 7, 7])):
        operation()
        np.testing.assert_array_equal(w.array, wanted)


def test_reductions(block, context):
    x, y = filled(context, [1.0, -2, 3]), filled(context, [4.0, 5, 6])
    assert x.local_dot(y) == 12 and x.dot(y) == 12 * block.size
    np.testing.assert_array_equal(x.dots([x, y]), [14 * block.size, 12 * block.size])
    assert x.dots([]).size == 0
    assert x.norm() == x.norm(2) == pytest.approx(np.sqrt(14 * block.size))
    assert x.norm(1) == 6 * block.size and x.norm(np.inf) == 3 and x.max() == 3 and x.min() == -2
    with pytest.raises(ValueError, match='kind=3'):
        x.norm(3)


def test_vectors_and_matrices_in_files(block, context, laplace, tmp_path_factory):
    folder = tmp_path_factory.mktemp('files') if context.rank == 0 else None
    folder = block.comm.bcast(folder) if block.comm else folder
    A = Matrix.from_csr(block.rows(laplace), context)
    v = A.vector()
    v.array[:] = np.arange(len(v))
    A.write(folder / 'A.mtx')
    v.write(folder / 'v.mtx')
    w = v.duplicate()
    w.read(folder / 'v.mtx')
    np.testing.assert_array_equal(v.array, w.array)
    B = Matrix.read(folder / 'A.mtx', context, format='csr')
    assert B.size == A.size and B.format == 'csr'
    context.write_log(folder / 'log.json')
    if context.rank == 0:
        assert (folder / 'log.json').read_text().startswith('{')
    assert context.log()['file read']['calls'] >= 1


def test_a_matrix_from_entries_and_blocks(block, context):
    A = Matrix(3, context, format='csr')
    A.reserve(5)
    first = A.row_range[0]
    for k in A.row_range:
        A.add(k, k, 2.0)
    A.add_block([first, first + 1], [first, first + 1], [[1, 2], [3, 4]])
    with pytest.raises(ValueError):
        A.add_block([first], [first], [[1, 2]])
    A.assemble()
    data, indices, indptr = A.to_csr()
    np.testing.assert_array_equal(data, [3, 2, 3, 6, 2])
    np.testing.assert_array_equal(indices - first, [0, 1, 0, 1, 2])
    np.testing.assert_array_equal(indptr, [0, 2, 4, 5])
    np.testing.assert_array_equal(A.diagonal().array, [3, 6, 2])
    assert A.nnz == 5 * block.size and A.nbytes > 0 and A.format == 'csr' and A.local_size == 3
    assert A.asymmetry() > 1e-3


def test_products(block, context, unsymmetric):
    A = Matrix.from_csr(block.rows(unsymmetric), context)
    x = np.random.default_rng(3).standard_normal(unsymmetric.shape[0])
    y = A @ filled(context, block.rows(x))
    np.testing.assert_allclose(block.whole(y.array), unsymmetric @ x, atol=1e-13)


def test_tuples_of_arrays(block, context, laplace):
    local = block.rows(laplace)
    A = Matrix.from_csr((local.data, local.indices, local.indptr), context)
    data, indices, indptr = A.to_csr()
    np.testing.assert_array_equal(sparse.csr_matrix((data, indices, indptr), local.shape).toarray(), local.toarray())
    for bad in ((local.data[:-1], local.indices, local.indptr), (local.data, local.indices, local.indptr[::-1])):
        with pytest.raises(ValueError, match='indptr'):
            Matrix.from_csr(bad, context)


def test_new_values(block, context, laplace):
    b = np.ones(laplace.shape[0])
    A = Matrix.from_csr(block.rows(laplace), context)
    with Solver(A, Precond(A, 'ic'), method='cg', rtol=1e-10) as solver:
        rhs, x = filled(context, block.rows(b)), A.vector()
        assert solver.solve(rhs, x).converged
        before = x.array.copy()
        A.set_values(block.rows(4 * laplace))
        solver.update()
        assert solver.solve(rhs, x).converged
        np.testing.assert_allclose(x.array, before / 4, atol=1e-7)
        A.reset_values()
        A.add_csr(block.rows(laplace))
        A.assemble()
        solver.update(precond=False)
        assert solver.solve(rhs, x).converged
        np.testing.assert_allclose(x.array, before, atol=1e-7)


def test_near_null_space_and_coordinates(block, context):
    A = gallery.laplace7((4, 4, 4), context=context)
    assert A.near_nullspace.shape == (64, 0) and A.coordinates is None
    modes = np.stack([np.ones(64), np.arange(64.0)], axis=1)
    A.set_near_nullspace(modes)
    np.testing.assert_array_equal(A.near_nullspace, modes)
    A.set_near_nullspace(modes[:, 0])
    assert A.near_nullspace.shape == (64, 1)
    A.set_block_size(2)
    points = np.random.default_rng(4).random((32, 2))
    A.set_coordinates(points)
    np.testing.assert_array_equal(A.coordinates, points)
    assert A.block_size == 2
    with pytest.raises(ValueError, match='coordinates'):
        A.set_coordinates(points[:-1])
    with pytest.raises(ValueError, match='B has the shape'):
        A.set_near_nullspace(np.ones(3))


def test_square_blocks_of_all_ranks_are_the_block_size(block, context):
    rows = block.rows(sparse.kron(sparse.identity(2 * block.size), np.ones((2, 2)), format='csr'))
    square, flat = rows.tobsr((2, 2)), rows.tobsr((1, 2))
    assert Matrix.from_csr(square, context).block_size == 2
    assert Matrix.from_csr(flat, context).block_size == 1
    assert Matrix.from_csr(square if block.last else flat, context).block_size == (1 if SEVERAL else 2)


def test_a_near_nullspace_of_a_rank_without_rows(context):
    A = Matrix(0 if context.rank else 2, context)
    for i in A.row_range:
        A.add(i, i, 1)
    A.assemble()
    A.set_near_nullspace(np.ones(A.local_size))
    assert A.near_nullspace.shape == (A.local_size, 1)


def test_keys_are_row_numbers_that_do_not_depend_on_the_partition(context):
    A = ovkrylov.Matrix(3, context)
    A.set_keys([2, 5, 7])
    A.set_keys(None)
    with pytest.raises(ValueError, match='the keys have the shape'):
        A.set_keys([1])
    with pytest.raises(ValueError, match='must increase'):
        A.set_keys([2, 2, 7])


def test_preconditioners(context):
    A = gallery.laplace7((5, 5, 5), context=context)
    r, z, t, w = (A.vector() for _ in range(4))
    r.fill(1)
    M = Precond(A, 'jacobi')
    M.apply(r, z)
    np.testing.assert_allclose(z.array, 1 / 6)
    np.testing.assert_allclose(M(np.ones(125)), 1 / 6)
    M.factor()
    M.apply_left(r, t)
    M.apply_right(t, w)
    np.testing.assert_allclose(w.array, z.array)
    M.update()
    assert M.name == 'jacobi' and M.nbytes >= 0 and repr(M) == "<ovkrylov.Precond: 'jacobi'>"
    assert 'level' in Precond(A, 'amg').info


def test_solvers(context):
    A = gallery.laplace27((5, 5, 5), context=context)
    states = []
    with Solver(A, Precond(A, 'jacobi'), method='cg', backend='blocking', norm='natural', dtol=1e5,
                spd=True) as solver:
        b, x = A.vector(), A.vector()
        b.fill(1)
        solver.set_monitor(states.append, true_residual_every=1)
        solver.set_tolerances(1e-9, maxiter=500)
        result = solver.solve(b, x)
        assert result.converged and result.reason == Reason.CONVERGED_RTOL and result.message == ''
        assert result.reason.petsc == 'KSP_CONVERGED_RTOL' and result.method == 'cg'
        assert result.iterations == states[-1].iteration and np.isfinite(states[-1].true_residual_norm)
        assert result.true_relative_residual < 1e-8 and result.seconds['solve'] > 0
        assert (A @ x).array == pytest.approx(b.array)
        assert solver.backend == 'blocking' and solver.method_why == '' and 'cg' in repr(solver)
        solver.set_tolerances(1e-9, maxiter=2)
        x.fill(0)
        result = solver.solve(b, x)
        assert result.reason == Reason.MAXIT and str(result.reason) == 'MAXIT' and '2' in result.message
    with Solver(A) as solver:
        assert solver.method_why


def test_each_option_is_a_keyword_and_each_result_an_attribute():
    def members(struct):
        return {name for name, _ in ffi.typeof(struct).fields} - {'size'}

    counts = {'null_count', 'left_null_count'}
    options = members('ovk_solver_opts') - counts - {'maxit', 'monitor_arg'} | {'maxiter'}
    assert options <= inspect.signature(Solver).parameters.keys()
    for struct, ours in ('ovk_result', Result), ('ovk_progress', Progress):
        assert members(struct) <= {field.name for field in dataclasses.fields(ours)}


def test_exact_sums_give_the_bits_of_one_process(block, context, comm, laplace):
    b = np.sin(np.arange(laplace.shape[0]))
    alone, _ = ovkrylov.cg(laplace, b, rtol=1e-10, M='jacobi', exact='all')
    x, info = ovkrylov.cg(block.rows(laplace), block.rows(b), rtol=1e-10, M='jacobi', exact='all', comm=comm)
    assert info == 0
    np.testing.assert_array_equal(x, block.rows(alone))
    with Matrix.from_csr(block.rows(laplace), context) as matrix, matrix.vector() as x:
        for exact in ('off', 'sums', 'all'):
            with Solver(matrix, method='cg', exact=exact) as solver:
                result = solver.solve(Vector.wrap(block.rows(b), context), x)
            assert (result.fingerprint != 0) == (exact != 'off')
        with pytest.raises(ovkrylov.OvkError, match='exact'):
            Solver(matrix, exact='some')


def test_null_spaces_by_vectors(block, context):
    n = 30 * block.size
    A = sparse.diags([-1, 2, -1], [-1, 0, 1], (n, n)).tolil()
    A[0, 0] = A[n - 1, n - 1] = 1
    A = Matrix.from_csr(block.rows(A.tocsr()), context)
    ones, b, x = A.vector(), A.vector(), A.vector()
    ones.fill(1)
    b.array[:] = np.linspace(0, 1, n)[A.row_range[0]:A.row_range[-1] + 1]
    with Solver(A, method='gmres', null_vectors=[ones], left_null_vectors=[ones], rtol=1e-10) as solver, \
            pytest.warns(ovkrylov.OvkWarning) if context.rank == 0 else pytest.MonkeyPatch.context():
        result = solver.solve(b, x)
    assert result.converged and result.rhs_null_part > 0.1
    with pytest.raises(ValueError, match='norm='):
        Solver(A, norm='euclid')


@pytest.mark.parametrize('make', (
    lambda **k: gallery.laplace7((3, 3, 3), **k), lambda **k: gallery.laplace27((3, 3, 3), **k),
    lambda **k: gallery.convdiff7((3, 3, 3), 1.5, central=True, **k),
    lambda **k: gallery.helmholtz7((3, 3, 3), 0.5, **k)))
def test_gallery(context, make):
    A = make(context=context, format='csr')
    assert A.size == 27 * context.size and A.format == 'csr'
    assert repr(A).startswith(f'<ovkrylov.Matrix: 27 of {A.size} rows')


def test_lists(context):
    assert {'cg', 'minres', 'gmres'} <= {m.name for m in ovkrylov.methods(context)}
    assert {'blocking', 'nbc'} <= {b.name for b in ovkrylov.backends(context)}
    assert {'csr', 'sell'} <= {f.name for f in ovkrylov.formats(context)}
    ic = next(p for p in ovkrylov.preconditioners() if p.name == 'ic')
    level = next(o for o in ic.options if o.name == 'level')
    assert level.values.startswith('integer') and level.default == '0' and level.summary


def test_version():
    assert ovkrylov.__version__.count('.') == 2
