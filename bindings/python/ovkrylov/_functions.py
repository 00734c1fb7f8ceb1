# SPDX-License-Identifier: BSD-2-Clause
"""Objects that the library calls back, by _callbacks.py."""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ._arrays import array_at, row_count
from .context import Context


class Function:
    """Its exceptions are kept for the caller of the library."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def failed(self, error: BaseException) -> int:
        """Keep an exception that a callback raised."""
        return self.context.caught(error)


class ArrayFunction(Function):
    """y <- f(x) on the rows of this rank, for matrix-free operators and preconditioners.

    f gets a copy of x, as it may keep its argument.
    """

    def __init__(self, context: Context, operator: Any, size: int | None) -> None:
        super().__init__(context)
        self.function: Callable[[np.ndarray], Any] = getattr(operator, 'matvec', operator)
        if not callable(self.function):  # a matrix
            self.function = getattr(operator, '__matmul__', None)
        if not callable(self.function):
            raise TypeError(f'{type(operator).__name__} is no operator: must have a method matvec, or be callable')
        if np.dtype(getattr(operator, 'dtype', None) or float).kind == 'c':
            raise TypeError('the operator is complex: only real numbers are supported')
        shape = getattr(operator, 'shape', None)
        if shape is not None and (len(shape) != 2 or shape[0] != shape[1]):
            raise ValueError(f'the operator has the shape {shape}: must be (n, n), the rows of this rank')
        if size is None and shape is None:
            raise ValueError('the number of rows of this rank is unknown: give size')
        self.size = row_count(shape[0] if size is None else size)
        if shape is not None and shape[0] != self.size:
            raise ValueError(f'the operator has the shape {shape}, but this rank has {self.size} rows')
        self._diagonal: Callable[[], Any] | None = getattr(operator, 'diagonal', None)

    @property
    def has_diagonal(self) -> bool:
        return callable(self._diagonal)

    def apply(self, x: Any, y: Any) -> None:
        self._store(self.function(array_at(x, self.size).copy()), y)

    def diagonal(self, d: Any) -> None:
        assert self._diagonal is not None
        self._store(self._diagonal(), d)

    def _store(self, values: Any, target: Any) -> None:
        result = np.asarray(values)
        if result.size != self.size:
            raise ValueError(f'a function returned the shape {result.shape}: must be ({self.size},)')
        np.copyto(array_at(target, self.size), result.reshape(self.size), casting='same_kind')


class Rows(Function):
    """Collects the rows of a matrix."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.columns: list[np.ndarray] = []
        self.values: list[np.ndarray] = []

    def take(self, i: int, n: int, col: Any, val: Any) -> None:
        self.columns.append(array_at(col, n, np.int64).copy())
        self.values.append(array_at(val, n).copy())

    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(data, indices, indptr)."""
        indptr = np.concatenate(([0], np.cumsum([c.size for c in self.columns], dtype=np.int64)))
        if not self.columns:
            return np.empty(0), np.empty(0, np.int64), indptr
        return np.concatenate(self.values), np.concatenate(self.columns), indptr
