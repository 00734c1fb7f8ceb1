# SPDX-License-Identifier: BSD-2-Clause
"""Solvers: a method, set up for one matrix and many right-hand sides."""
from __future__ import annotations

import dataclasses
import enum
from typing import Any, Callable, Sequence

import numpy as np

from ._arrays import address, count, integer, number, real
from ._callbacks import monitor_closure
from ._functions import Function
from ._library import encoded, ffi, lib, text
from ._objects import Object
from .context import Context
from .matrix import Matrix
from .precond import Precond
from .vector import Vector, pointers

NORMS = {'unpreconditioned': lib.OVK_NORM_UNPRECONDITIONED, 'preconditioned': lib.OVK_NORM_PRECONDITIONED,
         'natural': lib.OVK_NORM_NATURAL}


class Reason(enum.IntEnum):
    """Why a solve ended. Positive values: converged."""

    CONVERGED_RTOL = lib.OVK_REASON_CONVERGED_RTOL
    CONVERGED_ATOL = lib.OVK_REASON_CONVERGED_ATOL
    CONVERGED_ZERO_RHS = lib.OVK_REASON_CONVERGED_ZERO_RHS
    NOT_RUN = lib.OVK_REASON_NOT_RUN
    MAXIT = lib.OVK_REASON_MAXIT
    BREAKDOWN_INDEFINITE_A = lib.OVK_REASON_BREAKDOWN_INDEFINITE_A
    BREAKDOWN_INDEFINITE_M = lib.OVK_REASON_BREAKDOWN_INDEFINITE_M
    NAN = lib.OVK_REASON_NAN
    DIVERGED = lib.OVK_REASON_DIVERGED
    STAGNATED = lib.OVK_REASON_STAGNATED
    MONITOR = lib.OVK_REASON_MONITOR
    BREAKDOWN_LANCZOS = lib.OVK_REASON_BREAKDOWN_LANCZOS
    BREAKDOWN_BICG = lib.OVK_REASON_BREAKDOWN_BICG
    STAGNATED_RESTART = lib.OVK_REASON_STAGNATED_RESTART
    SINGULAR = lib.OVK_REASON_SINGULAR

    def __str__(self) -> str:
        return self.name

    @property
    def petsc(self) -> str:
        """The name of the reason in PETSc."""
        return text(lib.ovk_reason_petsc_text(self))


@dataclasses.dataclass(frozen=True)
class Progress:
    """The state of a solve that a monitor gets, the same on all ranks."""

    iteration: int
    residual_norm: float
    true_residual_norm: float
    rhs_norm: float
    tolerance: float
    column: int
    fingerprint: int  #: of the sums so far, if they are exact; else 0


@dataclasses.dataclass(frozen=True)
class Result:
    """The result of a solve, the same on all ranks but for the seconds."""

    reason: Reason
    iterations: int
    restarts: int
    replacements: int
    method_changes: int
    reductions_per_iteration: int
    vectors: int
    rhs_norm: float
    tolerance: float
    relative_residual: float
    true_relative_residual: float
    rhs_null_part: float
    fingerprint: int  #: of all sums of the solve, if they are exact; else 0
    seconds: dict[str, float]
    method: str
    message: str  #: the likely cause and a remedy where the solve did not converge

    @property
    def converged(self) -> bool:
        return self.reason > 0


class _Monitor(Function):
    """Calls the monitor of the user, and stops the solve where it raises an exception.

    It is there without a monitor of the user, too: Python handles signals, such as Ctrl-C, only where
    it runs code of its own. A solve that one rank leaves ends on all ranks.
    """

    def __init__(self, context: Context, function: Callable[[Progress], Any] | None) -> None:
        super().__init__(context)
        self.function = function
        self.error: BaseException | None = None
        self.tracked: tuple[Any, Any] | None = None  # a C solver and a C vector for its x

    def observe(self, progress: Any) -> int:
        if self.function is None:
            return lib.OVK_MONITOR_CONTINUE
        if self.tracked is not None:  # also after an error of this rank, as it is collective
            self.context.call(lib.ovk_solver_current_x, *self.tracked)
        if self.error is not None:
            return lib.OVK_MONITOR_STOP
        stop = self.function(Progress(progress.iteration, progress.residual_norm, progress.true_residual_norm,
                                      progress.rhs_norm, progress.tolerance, progress.column, progress.fingerprint))
        return lib.OVK_MONITOR_STOP if stop else lib.OVK_MONITOR_CONTINUE

    def failed(self, error: BaseException) -> int:
        self.error = self.error or error
        self.context.keep(error)
        return lib.OVK_MONITOR_STOP


def _check_columns(b: np.ndarray, x: Any, rows: int) -> None:
    """Raise an exception unless b and x are right-hand sides and guesses, which solutions can replace."""
    if b.ndim != 2 or b.shape[0] != rows:
        raise ValueError(f'b has the shape {b.shape}: must be ({rows}, k)')
    if not isinstance(x, np.ndarray) or x.dtype != np.float64 or not x.flags.writeable:
        raise ValueError('x must be a writable array of float64')
    if x.shape != b.shape:
        raise ValueError(f'x has the shape {x.shape}: must be that of b, {b.shape}')


class Solver(Object):
    """A Krylov method for one matrix and many right-hand sides. Collective.

    Parameters
    ----------
    A : Matrix
    M : Precond, optional
    method : str, optional
        The spec of the method, see `ovkrylov.methods`. The default is the variable OVK_METHOD, or else
        ``'auto'``, which measures and may choose differently the next time.
    backend : str, optional
        The spec of the reductions, see `ovkrylov.backends`.
    rtol, atol, dtol : float, optional
        The solve has converged when ||b - A x|| <= max(rtol ||b||, atol), and diverged when
        ||b - A x|| > dtol max(||b||, ||b - A x0||).
    maxiter : int, optional
        The largest number of iterations.
    norm : {'unpreconditioned', 'preconditioned', 'natural'}, optional
        The norm of residuals.
    monitor : callable, optional
        Gets a `Progress` at iteration 0 and after each one. A true result stops the solve.
    true_residual_every : int, optional
        Recompute b - A x for the monitor every so many iterations; 0: never.
    null_constant, left_null_constant : bool, optional
        A is singular: constant vectors are in the null space of A, of A^T.
    null_vectors, left_null_vectors : sequence of Vector, optional
        Further vectors of these null spaces.
    spd, symmetric : bool, optional
        A (and M) is known to be symmetric positive definite; to be symmetric.
    poll_rows : int, optional
        Rows between two polls of a reduction; 0: adapted.
    guesses : int, optional
        Improve initial guesses from so many of the last solutions; for positive definite A.
    exact : {'off', 'sums', 'all'}, optional
        The same bits with every backend, or on any number of ranks. The default is the variable OVK_EXACT, or
        else ``'off'``.

    Attributes
    ----------
    matrix : Matrix
    precond : Precond or None

    Notes
    -----
    `close` is collective. A solver that is not closed is destroyed where the next one of its context
    is created, when no rank uses it any more.
    """

    def __init__(self, A: Matrix, M: Precond | None = None, *, method: str | None = None,
                 backend: str | None = None, rtol: float = 1e-8, atol: float = 0.0, dtol: float = 1e10,
                 maxiter: int = 10000, norm: str = 'unpreconditioned',
                 monitor: Callable[[Progress], Any] | None = None, true_residual_every: int = 0,
                 null_constant: bool = False, null_vectors: Sequence[Vector] = (),
                 left_null_constant: bool = False, left_null_vectors: Sequence[Vector] = (),
                 spd: bool = False, symmetric: bool = False, poll_rows: int = 0, guesses: int = 0,
                 exact: str | None = None) -> None:
        Matrix.check(A, 'A')
        context = A.context
        self._monitor = _Monitor(context, monitor)
        self._monitor_handle = ffi.new_handle(self._monitor)
        with context.ranks.agreed():
            if M is not None:
                Precond.check(M, 'M')
            if norm not in NORMS:
                raise ValueError(f'norm={norm!r} must be one of {", ".join(map(repr, NORMS))}')
            specs = [s and ffi.new('char[]', encoded(s)) for s in (method, backend, exact)]
            null, left = pointers(null_vectors), pointers(left_null_vectors)
            opts = ffi.new('ovk_solver_opts *', lib.ovk_solver_opts_default())
            opts.method, opts.backend, opts.exact = (s or ffi.NULL for s in specs)
            opts.rtol, opts.atol, opts.dtol, opts.maxit = rtol, atol, dtol, count(maxiter, 'maxiter')
            opts.norm, opts.poll_rows, opts.true_residual_every = NORMS[norm], poll_rows, true_residual_every
            opts.monitor, opts.monitor_arg = monitor_closure(), self._monitor_handle
            opts.null_constant, opts.null_count, opts.null_vectors = null_constant, len(null_vectors), null
            opts.left_null_constant, opts.left_null_count = left_null_constant, len(left_null_vectors)
            opts.left_null_vectors, opts.spd, opts.symmetric, opts.guesses = left, spd, symmetric, guesses
            matrix, precond = A.pointer, M.pointer if M else ffi.NULL
        context.agree()
        self._adopt(context, context.create('solver', lib.ovk_solver_create, matrix, precond, opts))
        self.matrix, self.precond = A, M

    def solve(self, b: Vector, x: Vector) -> Result:
        """Solve A x = b from the initial guess in x, which the solution replaces. Collective.

        A solve that does not converge is no error: see `Result.reason` and `Result.message`. If the monitor
        raises an exception on a rank, as Ctrl-C does, the solve ends on all ranks: that rank raises it, the
        others a `UserError`.
        """
        with self.context.ranks.agreed():
            Vector.check(b, 'b')
            Vector.check(x, 'x')
            pointers = self.pointer, b.pointer, x.pointer
        result = ffi.new('ovk_result *', {'size': ffi.sizeof('ovk_result')})
        self._monitor.error = None
        self.context.call_all(lib.ovk_solver_solve, *pointers, result)
        return self._result(result, text(lib.ovk_ctx_error(self.context.pointer)))

    def solve_many(self, b: np.ndarray, x: np.ndarray) -> list[Result]:
        """Solve for each column of b from the same column of x, which the solution replaces. Collective.

        Both have the shape (rows of this rank, k), and x is an array of float64. Without a monitor up to 8 columns
        are iterated together, where the method can do so, and Ctrl-C takes effect after the solve.
        """
        context, rows = self.context, self.matrix.local_size
        with context.ranks.agreed():
            columns = real(b, 'b'), x
            _check_columns(columns[0], x, rows)
            columns = tuple(np.ascontiguousarray(values.T) for values in columns)
        k = len(columns[0])
        context.ranks.check_same(b=f'{k} columns')
        if k == 0:
            return []
        results = ffi.new('ovk_result[]', [{'size': ffi.sizeof('ovk_result')}] * k)
        B, X = (context.create('multivec', lib.ovk_multivec_create, context.pointer, rows, k) for _ in columns)
        for handle, values in zip((B, X), columns):
            context.call(lib.ovk_multivec_set, handle.pointer, 0, k, address(values, 'double *'), rows)
        self._monitor.error = None
        if self._monitor.function is None:
            context.call(lib.ovk_solver_set_monitor, self.pointer, ffi.NULL, ffi.NULL, 0)
        try:
            context.call_all(lib.ovk_solver_solve_many, self.pointer, B.pointer, X.pointer, results)
        finally:
            if self._monitor.function is None:
                self.set_monitor(None)
        context.call(lib.ovk_multivec_get, X.pointer, 0, k, address(columns[1], 'double *'), rows)
        x[...] = columns[1].T
        for handle in (B, X):
            context.release(handle)
        return [self._result(results[j], text(lib.ovk_solver_column_message(self.pointer, j))) for j in range(k)]

    def _result(self, result: Any, message: str) -> Result:
        names = [f.name for f in dataclasses.fields(Result)[1:-3]]
        seconds = {name: getattr(result.seconds, name) for name, _ in ffi.typeof('ovk_seconds').fields}
        failed = result.reason < 0
        return Result(Reason(result.reason), *(getattr(result, name) for name in names), seconds=seconds,
                      method=self.method, message=message if failed else '')

    def update(self, precond: bool = True) -> None:
        """Set the solver up for new values of A, with or without a new preconditioner. Collective."""
        with self.context.ranks.agreed():
            pointer = self.pointer
        self.context.call_all(lib.ovk_solver_update if precond else lib.ovk_solver_update_matrix, pointer)

    def set_tolerances(self, rtol: float, atol: float = 0.0, dtol: float = 1e10, maxiter: int = 10000) -> None:
        """Set the tolerances of the following solves. Collective."""
        with self.context.ranks.agreed():
            numbers = number(rtol, 'rtol'), number(atol, 'atol'), number(dtol, 'dtol'), count(maxiter, 'maxiter')
        self.context.call(lib.ovk_solver_set_tolerances, self.pointer, *numbers)

    def set_monitor(self, monitor: Callable[[Progress], Any] | None, true_residual_every: int = 0) -> None:
        """Set the monitor of the following solves. Collective."""
        with self.context.ranks.agreed():
            every = integer(true_residual_every, 'true_residual_every')
        self.context.call(lib.ovk_solver_set_monitor, self.pointer, monitor_closure(), self._monitor_handle, every)
        self._monitor.function = monitor

    def track(self, x: Vector | None) -> None:
        """Copy the solution of each iteration to `x` before the monitor is called; None: do not.

        All ranks must do so, and have a monitor: each copy is collective. In a solve, `x` may be read only.
        """
        self._monitor.tracked = None if x is None else (self.pointer, x.pointer)
        self._tracked = None if x is None else x._handle  # keeps the C vector, also where x is closed

    @property
    def method(self) -> str:
        """The method in use."""
        return text(lib.ovk_solver_method(self.pointer))

    @property
    def method_why(self) -> str:
        """Why ``'auto'`` chose it."""
        return text(lib.ovk_solver_method_why(self.pointer))

    @property
    def backend(self) -> str:
        """The spec of the reductions in use."""
        return text(lib.ovk_solver_backend(self.pointer))

    def close(self) -> None:
        """Destroy the solver. Collective. Closing again has no effect."""
        handle, self._handle = self._handle, None
        if handle is not None:
            self.context.release(handle)

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if error is None or self.context.size == 1:
            self.close()
        else:  # other ranks may not have this exception
            self._handle = None

    def __repr__(self) -> str:
        return f'<ovkrylov.Solver: {self.method!r}>'
