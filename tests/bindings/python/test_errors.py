# SPDX-License-Identifier: BSD-2-Clause
"""Exceptions: of the library, of callbacks, of signals."""
import os
import signal
import threading
import warnings

import numpy as np
import ovkrylov
import pytest
from conftest import laplace2d, library
from ovkrylov import Matrix, Precond, Solver, Vector
from ovkrylov._library import check_mpi, text


def test_exceptions_have_the_code_and_the_message_of_the_library(context):
    with pytest.raises(ovkrylov.ArgumentError, match="unknown preconditioner 'jacoby', did you mean 'jacobi'") as e:
        Precond(Matrix.from_csr(np.eye(3) if context.size == 1 else _identity(context), context), 'jacoby')
    assert e.value.name == 'OVK_ERR_UNKNOWN' and isinstance(e.value, ValueError)


def _identity(context):
    rows = np.zeros((2, 2 * context.size))
    rows[[0, 1], [2 * context.rank, 2 * context.rank + 1]] = 1
    return rows


@pytest.mark.parametrize('kind, call', (
    (ovkrylov.StateError, lambda A: A.mult(A.vector(), A.vector())),
    (ovkrylov.ArgumentError, lambda A: A.set_block_size(-1)),
    (OSError, lambda A: Matrix.read('/no/such/file.mtx', A.context)),
    (ovkrylov.UnsupportedError, lambda A: Matrix.from_operator(np.negative, A.context, 2).write('/tmp/x'))))
def test_classes_of_exceptions(context, kind, call):
    with pytest.raises(kind) as caught:
        call(Matrix(2, context))
    assert str(caught.value) and caught.value.name.startswith('OVK_ERR_')


@pytest.mark.parametrize('call', (
    lambda A, s: Precond(A, 'jacobi' + s), lambda A, s: Matrix(2, A.context, 'csr' + s),
    lambda A, s: Matrix.from_csr(_identity(A.context), A.context, 'csr' + s),
    lambda A, s: Solver(A, method='cg' + s), lambda A, s: Solver(A, backend='blocking' + s),
    lambda A, s: ovkrylov.gallery.laplace7((2, 2, 2), context=A.context, format='csr' + s),
    lambda A, s: Matrix.read('/no/such' + s, A.context), lambda A, s: A.write('/no/such' + s),
    lambda A, s: A.vector().read('/no/such' + s), lambda A, s: A.vector().write('/no/such' + s),
    lambda A, s: A.context.write_log('/no/such' + s)))
@pytest.mark.parametrize('ranks', ('all', 'last'))
def test_a_nul_is_refused_on_all_ranks_rather_than_the_end_of_a_string(context, call, ranks):
    A = Matrix.from_csr(_identity(context), context)
    mine = ranks == 'all' or context.rank == context.size - 1
    with pytest.raises(ValueError if mine else ovkrylov.UserError, match='NUL'):
        call(A, '\0x' if mine else '')


def test_another_mpi_than_the_librarys_is_refused():
    ours = text(library.ovk_mpi_library())

    class OtherMPI:
        @staticmethod
        def Get_library_version():
            return 'MPICH Version: 4.0.2' if ours.startswith('Open MPI') else 'Open MPI v4.1.4'

    with pytest.raises(ImportError, match=f'built with {ours}, but mpi4py uses'):
        check_mpi(OtherMPI)


def test_a_closed_object_is_an_error(context):
    v = Vector(3, context)
    v.close()
    with pytest.raises(ovkrylov.StateError, match='closed'):
        v.fill(1)
    with ovkrylov.Context(context.comm) as other:
        w = Vector(3, other)
    with pytest.raises(ovkrylov.StateError, match='closed'):
        w.norm()
    with pytest.raises(ovkrylov.StateError, match='closed'):
        Vector(3, other)


@pytest.mark.parametrize('where', ('matrix', 'precond', 'monitor'))
def test_an_exception_of_a_callback_on_one_rank_ends_the_call_on_all(block, context, laplace, where):
    calls = []

    def function(argument):
        result = {'matrix': lambda: local @ block.whole(argument), 'precond': lambda: argument.copy(),
                  'monitor': bool}[where]()
        calls.append(where)
        if block.last and len(calls) == 3:  # after its communication, which other ranks wait for
            raise KeyError('the third call')
        return result

    local = block.rows(laplace)
    n = local.shape[0]
    A = Matrix.from_operator(function, context, n) if where == 'matrix' else Matrix.from_csr(local, context)
    M = Precond(A, function) if where == 'precond' else None
    with Solver(A, M, method='cg', monitor=function if where == 'monitor' else None) as solver:
        b, x = A.vector(), A.vector()
        b.array[:] = np.arange(n)
        with pytest.raises(KeyError if block.last else ovkrylov.UserError, match='the third call') as caught:
            solver.solve(b, x)
        if not block.last:
            assert f'(rank {block.size - 1})' in str(caught.value)


def test_an_exception_of_a_monitor_in_the_last_iteration_is_raised_on_all_ranks(block, context, laplace):
    A = Matrix.from_csr(block.rows(laplace), context)
    b, x = A.vector(), A.vector()
    b.array[:] = np.arange(len(b))
    with Solver(A, method='cg') as solver:
        last = solver.solve(b, x).iterations

    def monitor(progress):
        if block.last and progress.iteration == last:
            raise KeyError('the last call')

    with Solver(A, method='cg', monitor=monitor) as solver:
        x.array[:] = 0
        with pytest.raises(KeyError if block.last else ovkrylov.UserError, match='the last call'):
            solver.solve(b, x)


@pytest.mark.parametrize('method', ('pipelcg', 'chebyshev'))
def test_an_exception_in_the_setup_of_a_solver_is_raised_on_all_ranks(block, context, laplace, method):
    """The library leaves errors of the set-up of a solver to its solves, and only their rank knows them."""
    calls = []

    def precondition(r):
        calls.append(r.size)
        if block.last and len(calls) == 1:
            raise KeyError('the first call')
        return r / 4

    A = Matrix.from_csr(block.rows(laplace), context)
    M = Precond(A, precondition)
    with pytest.raises(KeyError if block.last else ovkrylov.UserError, match='the first call'):
        Solver(A, M, method=method)
    with Solver(A, M, method=method):
        assert len(calls) > 1


@pytest.mark.parametrize('b, x, text', (
    (np.ones((1, 2)), None, r'b has the shape \(1, 2\)'),
    (np.ones(7), None, r'b has the shape \(7,\)'),
    (np.ones((7, 2)) * 1j, None, 'only real numbers'),
    (None, np.zeros((7, 1)), r'x has the shape \(7, 1\)'),
    (None, np.zeros((7, 2), int), 'a writable array of float64'),
    (None, [[0.0] * 2] * 7, 'a writable array of float64'),
    (np.ones((7, 0)), np.zeros((7, 0)), 'alike|0 columns')))
def test_wrong_columns_on_one_rank_are_errors_on_all(block, context, b, x, text):
    A = Matrix.from_csr(block.rows(np.eye(7 * block.size)), context)
    own = [values if block.last and values is not None else right
           for values, right in zip((b, x), (np.ones((7, 2)), np.zeros((7, 2))))]
    with Solver(A, method='cg') as solver:
        if own[0].shape[1:] == (0,) and block.size == 1:
            assert solver.solve_many(*own) == []
        else:
            with pytest.raises((ValueError, TypeError, ovkrylov.UserError), match=text):
                solver.solve_many(*own)
        x = np.zeros((7, 2))
        results = solver.solve_many([[1, 2]] * 7, x)  # of integers
        assert all(result.converged for result in results)
        np.testing.assert_allclose(x, [[1, 2]] * 7)


def test_a_tolerance_of_a_wrong_type_on_one_rank_is_an_error_on_all(block, context):
    A = Matrix.from_csr(block.rows(np.eye(3 * block.size)), context)
    with Solver(A, method='cg') as solver:
        with pytest.raises(TypeError if block.last else ovkrylov.UserError, match="rtol='small' must be a real"):
            solver.set_tolerances('small' if block.last else 1e-8)
        with pytest.raises(TypeError if block.last else ovkrylov.UserError, match='must be an integer'):
            solver.set_monitor(None, 1.5 if block.last else 1)


def test_a_wrong_restart_on_one_rank_is_an_error_on_all(block, context):
    A = Matrix.from_csr(block.rows(np.eye(3 * block.size)), context)
    with pytest.raises(TypeError if block.last else ovkrylov.UserError, match="restart='5' must be an integer"):
        ovkrylov.gmres(A, np.ones(3), restart='5' if block.last else 5)


def test_an_object_of_another_type_is_named_with_a_call_that_creates_one(block, context):
    rows = block.rows(np.eye(3 * block.size))
    A = Matrix.from_csr(rows, context)
    b, x = A.vector(), A.vector()
    with pytest.raises(TypeError, match=r'A is of the type ndarray: must be a Matrix, such as Matrix.from_csr'):
        Solver(rows)
    for call in (lambda: A @ b.array, lambda: A.mult(b.array, x)):
        with pytest.raises(TypeError, match=r'x is of the type ndarray: must be a Vector, such as Vector.wrap'):
            call()
    with pytest.raises(TypeError, match="M is of the type str: must be a Precond, such as Precond"):
        Solver(A, 'jacobi')
    with Solver(A, method='cg') as solver, pytest.raises(TypeError, match='b is of the type ndarray: must be a Vector'):
        solver.solve(b.array, x)


def test_a_closed_vector_on_one_rank_is_an_error_on_all(block, context):
    A = Matrix.from_csr(block.rows(np.eye(3 * block.size)), context)
    b, x = A.vector(), A.vector()
    with Solver(A, method='cg') as solver:
        if block.last:
            b.close()
        with pytest.raises(ovkrylov.StateError if block.last else ovkrylov.UserError, match='closed'):
            solver.solve(b, x)
        assert solver.solve(A.vector(), x).converged


@pytest.mark.parametrize('call', (
    lambda A: A.add_csr((np.ones(2), np.array([0.0, 1.7]), np.arange(3))),
    lambda A: A.add_block([0.5, 1], [0, 1], np.eye(2)),
    lambda A: A.add_block([0, 1], [0, 1], np.eye(2) * 1j),
    lambda A: A.set_keys([0.5, 1]),
    lambda A: A.set_near_nullspace(np.ones(2) * 1j),
    lambda A: A.set_coordinates(np.ones((2, 1)) * 1j)))
def test_no_part_of_a_number_is_lost(context, call):
    with pytest.raises(TypeError, match='must be integers|only real numbers'):
        call(Matrix(2, context))


@pytest.mark.parametrize('result', (np.ones(2), np.ones(144) * 1j, 'text', None))
def test_a_bad_result_of_a_function_is_an_error(context, result):
    A = Matrix.from_operator(lambda x: result, context, 144)
    with pytest.raises((ValueError, TypeError)):
        A @ A.vector()


def test_ctrl_c_ends_a_solve_on_all_ranks(block, context):
    """The solve would take 5000 iterations or more; the signal comes in one of the first of the last rank."""
    A = Matrix.from_csr(block.rows(laplace2d(400)), context)
    b, x = A.vector(), A.vector()
    b.array[:] = np.random.default_rng(2).standard_normal(len(b))
    with Solver(A, method='cg', rtol=0, atol=1e-300, maxiter=10**6) as solver:
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        if block.last:
            timer.start()
        with pytest.raises(KeyboardInterrupt if block.last else ovkrylov.UserError) as caught:
            solver.solve(b, x)
        if not block.last:
            assert 'KeyboardInterrupt' in str(caught.value)


def test_a_second_thread_is_refused(context):
    """While a product runs, another thread uses the same context."""
    errors = []

    def product(x):
        def use():
            try:
                Vector.fill(v, 1)
            except ovkrylov.StateError as error:
                errors.append(str(error))
        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
        return x

    v = Vector(2, context)
    A = Matrix.from_operator(product, context, 2)
    A @ A.vector()
    assert errors == ['another thread is using the context']


def test_warnings_of_the_library(context):
    A = Matrix(2, context)
    A.add(A.row_range[0], A.row_range[0], 1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        A.assemble()
    assert [w.category for w in caught] == ([ovkrylov.OvkWarning] if context.rank == 0 else [])
    assert [w.filename for w in caught] == [__file__] * len(caught)


def test_a_warning_names_the_line_that_called_a_solver(context):
    empty_row = np.zeros((2, 2 * context.size))
    empty_row[0, 2 * context.rank] = 1
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        ovkrylov.cg(empty_row, [1, 0], comm=context.comm)
    assert {w.filename for w in caught} == ({__file__} if context.rank == 0 else set())


def test_a_callback_may_use_other_objects(block, context, laplace):
    """A solve as preconditioner of a solve."""
    A = Matrix.from_csr(block.rows(laplace), context)
    inner = Solver(A, method='cg', rtol=1e-3)

    def precondition(r):
        b, x = A.vector(), A.vector()
        b.array[:] = r
        inner.solve(b, x)
        return x.array

    with Solver(A, Precond(A, precondition), method='fgmres', rtol=1e-9) as outer:
        b, x = A.vector(), A.vector()
        b.fill(1)
        result = outer.solve(b, x)
    assert result.converged and result.iterations < 8
    inner.close()
