# SPDX-License-Identifier: BSD-2-Clause
"""The functions with SciPy's signatures, compared with SciPy's."""
import inspect

import numpy as np
import ovkrylov
import pytest
import scipy.sparse as sparse
import scipy.sparse.linalg as scipy_linalg
from ovkrylov import Reason

SYMMETRIC = ('cg', 'minres', 'solve')
GENERAL = ('bicgstab', 'gmres', 'fgmres', 'solve')
THEIR_RTOL = 'rtol' if 'rtol' in inspect.signature(scipy_linalg.cg).parameters else 'tol'  # from SciPy 1.12 on


def exact(A, b):
    return scipy_linalg.spsolve(A.tocsc(), b)


def right_hand_side(A, columns=None):
    return np.random.default_rng(1).standard_normal(A.shape[0] if columns is None else (A.shape[0], columns))


@pytest.mark.parametrize('name', SYMMETRIC + GENERAL)
@pytest.mark.parametrize('M', (None, 'jacobi'))
def test_solution_is_that_of_a_direct_solver(block, comm, laplace, unsymmetric, name, M):
    A = laplace if name in SYMMETRIC else unsymmetric
    b = right_hand_side(A)
    x, info = getattr(ovkrylov, name)(block.rows(A), block.rows(b), rtol=1e-10, M=M, comm=comm)
    assert info == 0
    np.testing.assert_allclose(block.whole(x), exact(A, b), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize('name', ('cg', 'minres', 'bicgstab', 'gmres'))
def test_accuracy_is_that_of_scipy(block, comm, laplace, name):
    b = right_hand_side(laplace)
    theirs, _ = getattr(scipy_linalg, name)(laplace, b, **{THEIR_RTOL: 1e-9})
    ours, info = getattr(ovkrylov, name)(block.rows(laplace), block.rows(b), rtol=1e-9, comm=comm)
    assert info == 0
    np.testing.assert_allclose(block.whole(ours), theirs, atol=1e-6)


def test_iterations_of_cg_are_those_of_scipy(block, comm, laplace):
    b = right_hand_side(laplace)
    theirs, ours = [], []
    scipy_linalg.cg(laplace, b, atol=0, callback=lambda x: theirs.append(x.copy()), **{THEIR_RTOL: 1e-8})
    ovkrylov.cg(block.rows(laplace), block.rows(b), rtol=1e-8, callback=ours.append, comm=comm)
    assert abs(len(ours) - len(theirs)) <= 1
    np.testing.assert_allclose(block.whole(ours[5]), theirs[5], rtol=1e-10)


@pytest.mark.parametrize('kind', (sparse.csr_matrix, sparse.csr_array, sparse.coo_array, sparse.csc_matrix,
                                  lambda A: A.toarray(), lambda A: A.astype(np.float32),
                                  lambda A: A.astype(int)))
def test_any_kind_of_matrix_is_accepted(block, comm, laplace, kind):
    b = right_hand_side(laplace)
    x, info = ovkrylov.cg(kind(block.rows(laplace)), block.rows(b), rtol=1e-10, comm=comm)
    assert info == 0
    np.testing.assert_allclose(block.whole(x), exact(laplace, b), atol=1e-7)


def test_indices_of_64_bits(block, comm, laplace):
    local = block.rows(laplace)
    local.indices, local.indptr = local.indices.astype(np.int64), local.indptr.astype(np.int64)
    b = right_hand_side(laplace)
    x, info = ovkrylov.cg(local, block.rows(b), rtol=1e-10, comm=comm)
    assert info == 0
    np.testing.assert_allclose(block.whole(x), exact(laplace, b), atol=1e-7)


def test_linear_operator_as_matrix_and_preconditioner(block, comm, laplace):
    b, diagonal = right_hand_side(laplace), block.rows(laplace.diagonal())
    local = block.rows(laplace)
    n = local.shape[0]
    A = scipy_linalg.LinearOperator((n, n), matvec=lambda x: local @ block.whole(x), dtype=float)
    M = scipy_linalg.LinearOperator((n, n), matvec=lambda r: r / diagonal, dtype=float)
    x, info = ovkrylov.cg(A, block.rows(b), rtol=1e-10, M=M, comm=comm)
    assert info == 0
    np.testing.assert_allclose(block.whole(x), exact(laplace, b), atol=1e-7)


def test_several_right_hand_sides(block, comm, laplace):
    b = right_hand_side(laplace, 3)
    x, info = ovkrylov.cg(block.rows(laplace), block.rows(b), rtol=1e-10, M='jacobi', comm=comm)
    assert info.shape == (3,) and not info.any()
    assert x.shape == block.rows(b).shape
    np.testing.assert_allclose(block.whole(x), exact(laplace, b), atol=1e-7)


def test_initial_guess_is_used_and_not_changed(block, comm, laplace):
    b = right_hand_side(laplace)
    x0 = block.rows(exact(laplace, b))
    before, iterations = x0.copy(), []
    x, info = ovkrylov.cg(block.rows(laplace), block.rows(b), x0, rtol=1e-6, comm=comm,
                          progress=lambda state: iterations.append(state.iteration))
    assert info == 0 and iterations == [0]
    np.testing.assert_array_equal(x0, before)
    np.testing.assert_array_equal(x, before)


@pytest.mark.parametrize('shapes', (((), (1,)), ((1,), ())))
def test_one_column_has_two_shapes(block, comm, laplace, shapes):
    b = block.rows(right_hand_side(laplace))
    for_b, for_x0 = (b.shape + shape for shape in shapes)
    x, info = ovkrylov.cg(block.rows(laplace), b.reshape(for_b), np.ones(for_x0), rtol=1e-10, comm=comm)
    assert not info and x.shape == for_b
    np.testing.assert_allclose(block.whole(x.ravel()), exact(laplace, right_hand_side(laplace)), atol=1e-7)


def test_info_is_the_number_of_iterations_that_were_not_enough(block, comm, laplace):
    b = block.rows(right_hand_side(laplace))
    assert ovkrylov.cg(block.rows(laplace), b, rtol=1e-12, maxiter=4, comm=comm)[1] == 4
    assert ovkrylov.gmres(block.rows(laplace), b, rtol=1e-12, maxiter=2, restart=5, comm=comm)[1] == 10


@pytest.mark.parametrize('name', ('gmres', 'fgmres'))
def test_a_restart_of_none_is_the_default(block, comm, laplace, name):
    b = block.rows(right_hand_side(laplace))
    function = getattr(ovkrylov, name)
    x = [function(block.rows(laplace), b, rtol=1e-12, maxiter=1, comm=comm, **restart)[0]
         for restart in ({}, {'restart': None})]
    np.testing.assert_array_equal(*x)


@pytest.mark.parametrize('name, right', (('tol', 'rtol'), ('rtoll', 'rtol'), ('shift', 'a keyword of Solver'),
                                         ('monitor', 'a keyword of Solver')))
def test_an_unknown_keyword_of_one_rank_is_named_on_all(block, comm, laplace, name, right):
    keywords = {name: 1e-8} if block.last else {}
    with pytest.raises(TypeError if block.last else ovkrylov.UserError, match=f'{name} is no argument: must be {right}'):
        ovkrylov.cg(block.rows(laplace), block.rows(right_hand_side(laplace)), comm=comm, **keywords)


def test_info_is_the_reason_of_a_breakdown(block, comm, laplace):
    indefinite = laplace - 3 * sparse.identity(laplace.shape[0], format='csr')
    info = ovkrylov.cg(block.rows(indefinite), block.rows(right_hand_side(laplace)), comm=comm)[1]
    assert info == Reason.BREAKDOWN_INDEFINITE_A == -2 and str(info) == 'BREAKDOWN_INDEFINITE_A'


def test_progress_can_stop_the_solve(block, comm, laplace):
    b = block.rows(right_hand_side(laplace))
    info = ovkrylov.cg(block.rows(laplace), b, rtol=1e-12, comm=comm,
                       progress=lambda state: state.iteration >= 3 and block.last)[1]
    assert info == Reason.MONITOR


@pytest.mark.parametrize('name', ('gmres', 'fgmres'))
def test_callbacks_of_gmres(block, comm, unsymmetric, name):
    b, norms, vectors = right_hand_side(unsymmetric), [], []
    function = getattr(ovkrylov, name)
    for kind, callback in (('pr_norm', norms.append), ('x', vectors.append)):
        x, info = function(block.rows(unsymmetric), block.rows(b), rtol=1e-8, comm=comm, callback=callback,
                           callback_type=kind)
        assert info == 0
    assert len(norms) == len(vectors) > 5
    assert norms[-1] <= 1e-8 < norms[-2]
    np.testing.assert_allclose(vectors[-1], x, rtol=1e-6, atol=1e-9)


def test_method_by_spec(block, comm, laplace):
    b = right_hand_side(laplace)
    x, info = ovkrylov.cg(block.rows(laplace), block.rows(b), rtol=1e-10, method='pipecg', M='ic:level=1', comm=comm)
    assert info == 0
    np.testing.assert_allclose(block.whole(x), exact(laplace, b), atol=1e-7)


def test_near_null_space_for_amg(block, comm, laplace):
    b = right_hand_side(laplace)
    ones = np.ones((block.rows(b).size, 1))
    x, info = ovkrylov.cg(block.rows(laplace), block.rows(b), rtol=1e-10, M='amg', B=ones, comm=comm)
    assert info == 0
    np.testing.assert_allclose(block.whole(x), exact(laplace, b), atol=1e-7)


def test_a_singular_system_with_options_of_the_solver(block, comm):
    n = 40
    A = sparse.diags([-1, 2, -1], [-1, 0, 1], (n, n)).tolil()
    A[0, 0] = A[n - 1, n - 1] = 1
    A, b = A.tocsr(), np.linspace(-1, 1, n)
    x, info = ovkrylov.solve(block.rows(A), block.rows(b), rtol=1e-10, null_constant=True, comm=comm)
    assert info == 0
    np.testing.assert_allclose(A @ block.whole(x), b, atol=1e-8)


@pytest.mark.parametrize('change, error', (
    (dict(A=None), TypeError), (dict(b=np.ones(3)), ValueError), (dict(x0=np.ones((2, 2))), ValueError),
    (dict(b=sparse.eye(12)), TypeError), (dict(M='amgg'), ovkrylov.ArgumentError), (dict(method='cgg'), ovkrylov.ArgumentError),
    (dict(rtol=-1), ovkrylov.ArgumentError), (dict(M=3), TypeError)))
def test_bad_arguments_are_errors_on_all_ranks(block, comm, laplace, change, error):
    b = block.rows(right_hand_side(laplace))
    arguments = dict(A=block.rows(laplace), b=b, comm=comm) | change
    with pytest.raises(error):
        ovkrylov.cg(**arguments)


@pytest.mark.parametrize('change', (dict(b=np.ones(3)), dict(A=np.ones(3)), dict(M=3)))
def test_a_bad_argument_on_one_rank_is_an_error_on_all(block, comm, laplace, change):
    arguments = dict(A=block.rows(laplace), b=block.rows(right_hand_side(laplace)), comm=comm, M=lambda r: r)
    if block.last:
        arguments |= change
    with pytest.raises(Exception) as caught:
        ovkrylov.cg(**arguments)
    if not block.last:
        assert isinstance(caught.value, ovkrylov.UserError)
        assert f'(rank {block.size - 1})' in str(caught.value)


@pytest.mark.parametrize('name, value', (('A', None), ('M', 'jacobi'), ('callback', print), ('b', None),
                                          ('B', np.ones(4))))
def test_ranks_that_differ_in_what_is_collective_are_refused(block, comm, laplace, name, value):
    if block.size == 1:
        return
    arguments = dict(A=block.rows(laplace), b=block.rows(right_hand_side(laplace)), comm=comm)
    if block.last:
        n = arguments['A'].shape[0]
        arguments[name] = {'A': scipy_linalg.LinearOperator((n, n), matvec=np.negative),
                           'b': np.ones((n, 2))}.get(name, value)
    with pytest.raises(ValueError, match=f'{name} must be alike on all ranks: .* on rank {block.size - 1}'):
        ovkrylov.cg(**arguments)


@pytest.mark.parametrize('change', (dict(maxiter=2.5), dict(rtol=None), dict(atol='legacy'), dict(comm=3)))
def test_arguments_of_a_wrong_type_are_named(laplace, change):
    with pytest.raises(TypeError, match=f'{next(iter(change))}=.* must be a'):
        ovkrylov.cg(laplace, right_hand_side(laplace), **change)


# gmres counts cycles, and multiplies the number by their length.
def test_a_negative_number_of_iterations_is_named_as_given(laplace):
    b = right_hand_side(laplace)
    with ovkrylov.Matrix.from_csr(laplace) as A, ovkrylov.Solver(A) as solver:
        for call in (lambda: ovkrylov.gmres(laplace, b, maxiter=-1), lambda: ovkrylov.cg(laplace, b, maxiter=-1),
                     lambda: ovkrylov.Solver(A, maxiter=-1), lambda: solver.set_tolerances(1e-8, maxiter=-1)):
            with pytest.raises(ValueError, match='maxiter=-1 must be >= 0'):
                call()


def test_rows_of_several_ranks_without_comm_are_told_to_need_it(block, comm, laplace):
    rows = block.rows(laplace)[:-1]
    with pytest.raises(ValueError, match='as many columns as rows on all ranks; rows of several ranks need comm'):
        ovkrylov.cg(rows, np.ones(rows.shape[0]))


def test_complex_numbers_are_refused(block, comm, laplace):
    b = block.rows(right_hand_side(laplace))
    for arguments in ((block.rows(laplace) * 1j, b), (block.rows(laplace), b * 1j)):
        with pytest.raises(TypeError, match='only real numbers'):
            ovkrylov.cg(*arguments, comm=comm)


def test_sparse_right_hand_sides_and_masked_entries_are_refused(block, comm, laplace):
    from scipy import sparse

    b = block.rows(right_hand_side(laplace))
    with pytest.raises(TypeError, match='b is sparse: must be a dense array'):
        ovkrylov.cg(block.rows(laplace), sparse.csr_matrix(b).T, comm=comm)
    masked = np.ma.masked_greater(b, np.median(b))
    with pytest.raises(ValueError, match='b has masked entries'):
        ovkrylov.cg(block.rows(laplace), masked, comm=comm)
    with pytest.raises(ValueError, match='A has masked entries'):
        ovkrylov.cg(np.ma.masked_equal(block.rows(laplace.toarray()), 0), b, comm=comm)
    x, info = ovkrylov.cg(block.rows(laplace), np.ma.masked_array(b), comm=comm)
    assert info == 0 and not isinstance(x, np.ma.MaskedArray)


def test_communicators_that_cannot_solve_are_named(comm, laplace):
    if comm is None or comm.size == 1:
        return
    part, freed = comm.Split(comm.rank == 0), comm.Dup()
    between = part.Create_intercomm(0, comm, int(comm.rank == 0))
    freed.Free()
    for other, text in ((between, 'an intercommunicator'), (freed, 'MPI.COMM_NULL')):
        for use in (lambda: ovkrylov.cg(laplace, right_hand_side(laplace), comm=other),
                    lambda: ovkrylov.Context(other)):
            with pytest.raises(ValueError, match=f'comm is no intracommunicator, but {text}'):
                use()
    between.Free()
    part.Free()


def test_local_columns_are_refused(block, comm, laplace):
    if block.size == 1:
        return
    local = block.rows(laplace)
    with pytest.raises(ValueError, match='as many columns as rows on all ranks'):
        ovkrylov.cg(local[:, :local.shape[0]], block.rows(right_hand_side(laplace)), comm=comm)
