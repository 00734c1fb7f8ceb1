# SPDX-License-Identifier: BSD-2-Clause
"""Preconditioners: by spec, or from a function."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._callbacks import apply_closure
from ._functions import ArrayFunction
from ._library import ffi, lib, text
from ._objects import Object
from .matrix import Matrix
from .vector import Vector

_NAME = ffi.new('char[]', b'python')  # C keeps no copy


class Precond(Object):
    """A preconditioner M of a matrix A: M is close to A, and z = M^-1 r is cheap to compute.

    Parameters
    ----------
    A : Matrix
    M : str, LinearOperator, array or callable
        A spec such as ``'jacobi'``, ``'ic:level=1'`` or ``'amg'``, see `ovkrylov.preconditioners`. Or an
        approximation of the inverse of A, as the M of SciPy: a LinearOperator, a matrix, or a function that
        gets the rows of this rank of r and returns those of M^-1 r. On one rank
        ``pyamg.smoothed_aggregation_solver(A).aspreconditioner()`` is one.
    B : array_like, optional
        The near-null space of A for ``'amg'``, see `Matrix.set_near_nullspace`.
    """

    _function: Any = None
    _creation = "Precond(matrix, 'jacobi')"

    def __init__(self, A: Matrix, M: Any, B: ArrayLike | None = None) -> None:
        Matrix.check(A, 'A')
        if B is not None:
            A.set_near_nullspace(B)
        context = A.context
        if isinstance(M, str):
            spec = context.encoded(M)
            handle = context.create('precond', lib.ovk_precond_create, A.pointer, spec)
        else:
            with context.ranks.agreed():
                function = ArrayFunction(context, M, A.local_size)
                ops = ffi.new('ovk_precond_ops *', {
                    'size': ffi.sizeof('ovk_precond_ops'), 'name': _NAME, 'apply': apply_closure(),
                    'never_polls': True})
            self._function = ffi.new_handle(function)
            handle = context.create('precond', lib.ovk_precond_create_from_ops, A.pointer, ops, self._function)
        self.matrix = A
        self._adopt(context, handle)

    def update(self) -> None:
        """Recompute it for the new values of its matrix. Collective."""
        self.context.call_all(lib.ovk_precond_update, self.pointer)

    def apply(self, r: Vector, z: Vector) -> None:
        """z <- M^-1 r. Collective."""
        self._apply(lib.ovk_precond_apply, r, z)

    def factor(self) -> None:
        """Compute the factors of M = L L^T. Collective."""
        self.context.call(lib.ovk_precond_factor, self.pointer)

    def apply_left(self, r: Vector, t: Vector) -> None:
        """t <- L^-1 r, after `factor`. Collective."""
        self._apply(lib.ovk_precond_apply_left, r, t)

    def apply_right(self, t: Vector, w: Vector) -> None:
        """w <- L^-T t, after `factor`. Collective."""
        self._apply(lib.ovk_precond_apply_right, t, w)

    def _apply(self, function: Any, r: Vector, z: Vector) -> None:
        Vector.check(r, 'the argument')
        Vector.check(z, 'the result')
        self.context.call(function, self.pointer, r.pointer, z.pointer, ffi.new('ovk_poll *')[0])

    def __call__(self, r: np.ndarray) -> np.ndarray:
        """The rows of this rank of M^-1 r. Collective."""
        with Vector(len(r), self.context) as source, Vector(len(r), self.context) as target:
            source.array[:] = r
            self.apply(source, target)
            return target.array.copy()

    @property
    def name(self) -> str:
        """Its name, such as ``'jacobi'``."""
        return text(lib.ovk_precond_name(self.pointer))

    @property
    def nbytes(self) -> int:
        """Bytes of storage on all ranks."""
        return lib.ovk_precond_bytes(self.pointer)

    @property
    def info(self) -> str:
        """What the setup did, such as the levels of ``'amg'``."""
        return text(lib.ovk_precond_info(self.pointer))

    def __repr__(self) -> str:
        return f'<ovkrylov.Precond: {self.name!r}>'
