# SPDX-License-Identifier: BSD-2-Clause
"""Solvers with the signatures of scipy.sparse.linalg."""
from __future__ import annotations

import difflib
import inspect
from typing import Any, Callable

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import count, integer, local_array, number
from ._reorder import Order, order_for
from .context import Context, context_for_solve
from .matrix import Matrix
from .precond import Precond
from .solver import Progress, Reason, Result, Solver
from .vector import Vector

_PARAMETERS = """

    Parameters
    ----------
    A : sparse array, ndarray, LinearOperator or Matrix
        The matrix. With `comm` the rows of this rank, with the columns of all ranks.
    b : array_like
        The right-hand side, shape (n,); or several ones, (n, k), of which up to 8 are iterated at once
        where the method can do so and there is no callback.
    x0 : array_like, optional
        The initial guess, of the shape of b; the default is 0.
    rtol, atol : float, optional
        The solve has converged when norm(b - A x) <= max(rtol norm(b), atol).
    maxiter : int, optional
        The largest number of iterations{cycles}; the default is 10 times the number of rows.
    M : str, LinearOperator, array or Precond, optional
        The preconditioner: a spec such as 'jacobi', 'ic:level=1' or 'amg', or an approximation of the
        inverse of A.
    callback : callable, optional
        {callback}
        With `comm` all ranks have one, or none.
    method : str, optional
        The spec of the method; the default is {method}.
    B : array_like, optional
        The near-null space of A, (n, k), for M='amg'.
    comm : mpi4py.MPI.Intracomm, optional
        The ranks that solve together. The default is this process alone.
    progress : callable, optional
        Gets a `Progress` at iteration 0 and after each one. A true result stops the solve.
    **options
        Further keywords of `Solver`, such as ``backend='shm'`` or ``exact='all'``.

    Returns
    -------
    x : ndarray
        The solution, of the shape of b: the rows of this rank.
    info : int, or ndarray of k int
        0: converged; > 0: the number of iterations, which were not enough; < 0: the value of `Reason`.
"""
_OPTIONS = inspect.signature(Solver).parameters.keys() - {'A', 'M', 'monitor'}
_CALLS_X = 'Gets the current x, a copy of the rows of this rank, after each iteration.'


class _Callback:
    """The callback of SciPy as a monitor. With `x`, the vector that the solver tracks, it gets a copy."""

    def __init__(self, callback: Callable[[Any], Any] | None, progress: Callable[[Progress], Any] | None,
                 x: Vector | None, order: Order) -> None:
        self.callback, self.progress, self.x, self.order = callback, progress, x, order

    def __call__(self, state: Progress) -> bool:
        stop = bool(self.progress(state)) if self.progress else False
        if self.callback is not None and state.iteration > 0:
            relative = state.residual_norm / state.rhs_norm if state.rhs_norm else 0.0
            self.callback(relative if self.x is None else self.order.give(self.x.array.copy()))
        return stop


def _kind(A: Any) -> str:
    """What A is, as far as it decides which objects are created."""
    if isinstance(A, Matrix):
        return 'a Matrix'
    return 'an operator' if hasattr(A, 'matvec') and not hasattr(A, 'tocsr') else 'entries'


def _kind_of_precond(M: Any) -> str:
    """The same of M."""
    if M is None or isinstance(M, str):
        return repr(M)
    return 'a Precond' if isinstance(M, Precond) else 'an operator'


def _matrix(A: Any, context: Context) -> Matrix:
    """A as a Matrix: copied, or matrix-free."""
    if isinstance(A, Matrix):
        return A
    return (Matrix.from_operator if _kind(A) == 'an operator' else Matrix.from_csr)(A, context)


def _precond(M: Any, matrix: Matrix, B: ArrayLike | None) -> Precond | None:
    return M if M is None or isinstance(M, Precond) else Precond(matrix, M, B)


def _info(result: Result) -> int:
    if result.converged:
        return 0
    return max(1, result.iterations) if result.reason == Reason.MAXIT else result.reason


def _context(A: Any, M: Any, comm: Any) -> Context:
    given = A if isinstance(A, Matrix) else M
    return given.context if isinstance(given, (Matrix, Precond)) else context_for_solve(comm)


def _check_options(options: dict[str, Any]) -> None:
    for name in options.keys() - _OPTIONS:
        close = ['rtol'] if name == 'tol' else difflib.get_close_matches(name, _OPTIONS, 1, 0.7)
        raise TypeError(f'{name} is no argument: must be ' + (close[0] if close else 'a keyword of Solver'))


def _solve(A: Any, b: ArrayLike, x0: ArrayLike | None, rtol: float, atol: float, maxiter: int | None, M: Any,
           callback: Callable[[Any], Any] | None, method: str, comm: Any, *, B: ArrayLike | None = None,
           progress: Callable[[Progress], Any] | None = None, wants_x: bool = True, cycle: int = 1,
           **options: Any) -> tuple[np.ndarray, Any]:
    """Solve with a new solver. `cycle`: iterations that count as one."""
    context = _context(A, M, comm)
    with context.ranks.agreed():
        _check_options(options)
        rtol, atol = number(rtol, 'rtol'), number(atol, 'atol')
        maxiter = None if maxiter is None else count(maxiter, 'maxiter')
        columns = np.shape(b)[1:]
        modes = np.shape(B)[1:]
    context.ranks.check_same(A=_kind(A), M=_kind_of_precond(M), callback='none' if callback is None else 'one',
                             b=f'{columns[0]} columns' if columns else 'one dimension',
                             B='none' if B is None else f'{modes[0]} columns' if modes else 'one dimension')
    A, order = order_for(A, M, method, options) if comm is None else (A, Order())
    matrix = _matrix(order.matrix(A), context)
    with context.ranks.agreed():
        rhs = order.take(local_array(b, matrix.local_size, 'b'))
        x = np.zeros_like(rhs) if x0 is None else order.take(local_array(x0, matrix.local_size, 'x0')).copy()
        if x.size != rhs.size:
            raise ValueError(f'x0 has the shape {x.shape}: must be that of b, {rhs.shape}')
        x = x.reshape(rhs.shape)  # one column has two shapes
    current = matrix.vector() if callback and wants_x else None
    monitor = _Callback(callback, progress, current, order) if callback or progress else None
    maxit = min((10 * matrix.size if maxiter is None else maxiter) * cycle, 2**31 - 1)
    with Solver(matrix, _precond(M, matrix, B), method=method, rtol=rtol, atol=atol, maxiter=maxit,
                monitor=monitor, **options) as solver:
        solver.track(current)
        if rhs.ndim == 2:
            info: Any = np.array([_info(result) for result in solver.solve_many(rhs, x)], dtype=int)
        else:
            info = _info(solver.solve(Vector.wrap(np.require(rhs, requirements='CW'), context),
                                      Vector.wrap(x, context)))
    return order.give(x), info


def _documented(method: str, callback: str = _CALLS_X, cycles: str = '') -> Callable[[Any], Any]:
    """Append the parameters that all functions share."""
    def decorate(function: Any) -> Any:
        function.__doc__ += _PARAMETERS.format(method=method, callback=callback, cycles=cycles)
        return function
    return decorate


@_documented("'cg'")
def cg(A: Any, b: ArrayLike, x0: ArrayLike | None = None, *, rtol: float = 1e-5, atol: float = 0.0,
       maxiter: int | None = None, M: Any = None, callback: Callable[[np.ndarray], Any] | None = None,
       method: str = 'cg', B: ArrayLike | None = None, comm: Any = None,
       progress: Callable[[Progress], Any] | None = None, **options: Any) -> tuple[np.ndarray, Any]:
    """Solve A x = b by conjugate gradients; A and M must be symmetric positive definite."""
    return _solve(A, b, x0, rtol, atol, maxiter, M, callback, method, comm, B=B, progress=progress, spd=True,
                  **options)


@_documented("'minres'")
def minres(A: Any, b: ArrayLike, x0: ArrayLike | None = None, *, rtol: float = 1e-5, atol: float = 0.0,
           maxiter: int | None = None, M: Any = None, callback: Callable[[np.ndarray], Any] | None = None,
           method: str = 'minres', B: ArrayLike | None = None, comm: Any = None,
           progress: Callable[[Progress], Any] | None = None, **options: Any) -> tuple[np.ndarray, Any]:
    """Solve A x = b by MINRES; A must be symmetric, M symmetric positive definite."""
    return _solve(A, b, x0, rtol, atol, maxiter, M, callback, method, comm, B=B, progress=progress,
                  symmetric=True, **options)


@_documented("'bcgs'")
def bicgstab(A: Any, b: ArrayLike, x0: ArrayLike | None = None, *, rtol: float = 1e-5, atol: float = 0.0,
             maxiter: int | None = None, M: Any = None, callback: Callable[[np.ndarray], Any] | None = None,
             method: str = 'bcgs', B: ArrayLike | None = None, comm: Any = None,
             progress: Callable[[Progress], Any] | None = None, **options: Any) -> tuple[np.ndarray, Any]:
    """Solve A x = b by BiCGStab."""
    return _solve(A, b, x0, rtol, atol, maxiter, M, callback, method, comm, B=B, progress=progress, **options)


_GMRES = dict(cycles=' between restarts, as in SciPy',
              callback="Gets the relative residual norm (callback_type='pr_norm') or the current x ('x') "
                       'after each\n        iteration.')


@_documented("'gmres:restart=RESTART'", **_GMRES)
def gmres(A: Any, b: ArrayLike, x0: ArrayLike | None = None, *, rtol: float = 1e-5, atol: float = 0.0,
          restart: int | None = 30, maxiter: int | None = None, M: Any = None,
          callback: Callable[[Any], Any] | None = None, callback_type: str = 'pr_norm',
          method: str | None = None, B: ArrayLike | None = None, comm: Any = None,
          progress: Callable[[Progress], Any] | None = None, **options: Any) -> tuple[np.ndarray, Any]:
    """Solve A x = b by GMRES, restarted after `restart` iterations."""
    return _gmres('gmres', A, b, x0, rtol, atol, restart, maxiter, M, callback, callback_type, method, B, comm,
                  progress, **options)


@_documented("'fgmres:restart=RESTART'", **_GMRES)
def fgmres(A: Any, b: ArrayLike, x0: ArrayLike | None = None, *, rtol: float = 1e-5, atol: float = 0.0,
           restart: int | None = 30, maxiter: int | None = None, M: Any = None,
           callback: Callable[[Any], Any] | None = None, callback_type: str = 'pr_norm',
           method: str | None = None, B: ArrayLike | None = None, comm: Any = None,
           progress: Callable[[Progress], Any] | None = None, **options: Any) -> tuple[np.ndarray, Any]:
    """Solve A x = b by flexible GMRES; M may change from iteration to iteration."""
    return _gmres('fgmres', A, b, x0, rtol, atol, restart, maxiter, M, callback, callback_type, method, B, comm,
                  progress, **options)


def _gmres(name: str, A: Any, b: Any, x0: Any, rtol: float, atol: float, restart: int | None,
           maxiter: int | None, M: Any, callback: Any, callback_type: str, method: str | None, B: Any, comm: Any,
           progress: Any, **options: Any) -> tuple[np.ndarray, Any]:
    with _context(A, M, comm).ranks.agreed():
        restart = 30 if restart is None else integer(restart, 'restart')  # SciPy has another default
        if callback_type not in ('pr_norm', 'x'):
            raise ValueError(f"callback_type={callback_type!r} must be 'pr_norm' or 'x'")
    return _solve(A, b, x0, rtol, atol, maxiter, M, callback, method or f'{name}:restart={restart}', comm, B=B,
                  progress=progress, wants_x=callback_type == 'x', cycle=restart, **options)


@_documented("'auto', which chooses one for A")
def solve(A: Any, b: ArrayLike, x0: ArrayLike | None = None, *, rtol: float = 1e-5, atol: float = 0.0,
          maxiter: int | None = None, M: Any = None, callback: Callable[[np.ndarray], Any] | None = None,
          method: str = 'auto', B: ArrayLike | None = None, comm: Any = None,
          progress: Callable[[Progress], Any] | None = None, **options: Any) -> tuple[np.ndarray, Any]:
    """Solve A x = b by any method."""
    return _solve(A, b, x0, rtol, atol, maxiter, M, callback, method, comm, B=B, progress=progress, **options)
