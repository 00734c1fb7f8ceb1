# SPDX-License-Identifier: BSD-2-Clause
"""Distributed vectors, whose rows of this rank are a NumPy array."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from ._arrays import address, array_at, row_count
from ._handles import Handle
from ._library import ffi, lib
from ._objects import Object
from .context import Context, context_of


class _Memory:
    """The base of an array over the memory of the library, which it keeps."""

    def __init__(self, handle: Handle, array: np.ndarray) -> None:
        self.handle = handle
        self.__array_interface__ = array.__array_interface__


class Vector(Object):
    """A distributed vector: rank 0 holds the first rows, rank 1 the next ones, and so on.

    Parameters
    ----------
    size : int
        Rows of this rank.
    context : Context, optional
        The default is the context of this process alone.

    Attributes
    ----------
    array : numpy.ndarray
        The rows of this rank, for reading and writing, until the context is closed. Do not write to them during a
        solve.
    """

    def __init__(self, size: int, context: Context | None = None) -> None:
        context = context or context_of()
        with context.ranks.agreed():
            size = row_count(size)
        self._adopt(context, context.create('vec', lib.ovk_vec_create, context.pointer, size))

    @classmethod
    def _of(cls, context: Context, handle: Handle, base: np.ndarray | None = None) -> Vector:
        self = cls.__new__(cls)
        self._adopt(context, handle)
        self._base = base
        return self

    _base: np.ndarray | None = None
    _creation = 'Vector.wrap(array)'

    @classmethod
    def wrap(cls, array: np.ndarray, context: Context | None = None) -> Vector:
        """A vector over an existing array, without a copy. Collective.

        Parameters
        ----------
        array : numpy.ndarray
            One-dimensional, contiguous, writable, of float64. The vector keeps a reference.
        context : Context, optional
        """
        context = context or context_of()
        with context.ranks.agreed():
            if not (isinstance(array, np.ndarray) and array.ndim == 1 and array.dtype == np.float64
                    and array.flags.carray):
                raise ValueError('the array must be one-dimensional, contiguous, writable and of float64')
            row_count(array.size)
        handle = context.create('vec', lib.ovk_vec_wrap, context.pointer, array.size,
                                address(array, 'double *'))
        return cls._of(context, handle, array)

    def duplicate(self) -> Vector:
        """A new vector of zeros with the same rows. Collective."""
        return self._of(self.context, self.context.create('vec', lib.ovk_vec_duplicate, self.pointer))

    @property
    def array(self) -> np.ndarray:
        if self._base is not None and self.pointer:
            return self._base
        memory = array_at(lib.ovk_vec_array(self.pointer), self.local_size)
        return np.asarray(_Memory(self._handle, memory)) if memory.size else memory

    @property
    def local_size(self) -> int:
        """Rows of this rank."""
        return lib.ovk_vec_local_size(self.pointer)

    @property
    def size(self) -> int:
        """Rows of all ranks."""
        return lib.ovk_vec_size(self.pointer)

    @property
    def first(self) -> int:
        """The global index of the first row of this rank."""
        return lib.ovk_vec_first(self.pointer)

    def __array__(self, dtype: Any = None) -> np.ndarray:
        return np.asarray(self.array, dtype=dtype)

    def __len__(self) -> int:
        return self.local_size

    def fill(self, value: float) -> None:
        """Set all rows. Not collective."""
        self.context.call(lib.ovk_vec_fill, self.pointer, value)

    def copy_from(self, x: Vector) -> None:
        """Copy a vector. Not collective."""
        self.context.call(lib.ovk_vec_copy, x.pointer, self.pointer)

    def scale(self, a: float) -> None:
        """self <- a self. Not collective."""
        self.context.call(lib.ovk_vec_scale, a, self.pointer)

    def axpy(self, a: float, x: Vector) -> None:
        """self <- self + a x. Not collective."""
        self.context.call(lib.ovk_vec_axpy, a, x.pointer, self.pointer)

    def aypx(self, a: float, x: Vector) -> None:
        """self <- x + a self. Not collective."""
        self.context.call(lib.ovk_vec_aypx, a, x.pointer, self.pointer)

    def waxpy(self, a: float, x: Vector, y: Vector) -> None:
        """self <- a x + y. Not collective."""
        self.context.call(lib.ovk_vec_waxpy, a, x.pointer, y.pointer, self.pointer)

    def multiply(self, x: Vector, y: Vector) -> None:
        """self(i) <- x(i) y(i). Not collective."""
        self.context.call(lib.ovk_vec_pointwise_mult, x.pointer, y.pointer, self.pointer)

    def divide(self, x: Vector, y: Vector) -> None:
        """self(i) <- x(i) / y(i). Not collective."""
        self.context.call(lib.ovk_vec_pointwise_divide, x.pointer, y.pointer, self.pointer)

    def local_dot(self, y: Vector) -> float:
        """The part of this rank of an inner product. Not collective."""
        return self.context.value(lib.ovk_vec_local_dot, self.pointer, y.pointer)

    def dot(self, y: Vector) -> float:
        """The inner product with `y`. Collective."""
        return self.context.value(lib.ovk_vec_dot, self.pointer, y.pointer)

    def dots(self, others: Sequence[Vector]) -> np.ndarray:
        """The inner products with several vectors, in one reduction. Collective."""
        result = np.zeros(len(others))
        self.context.call(lib.ovk_vec_mdot, self.pointer, len(others), pointers(others),
                          address(result, 'double *'))
        return result

    def norm(self, kind: float | None = None) -> float:
        """A norm. Collective.

        Parameters
        ----------
        kind : {None, 2, 1, numpy.inf}, optional
            The Euclidean norm is the default.
        """
        functions = {None: lib.ovk_vec_norm, 2: lib.ovk_vec_norm, 1: lib.ovk_vec_norm1,
                     np.inf: lib.ovk_vec_norm_inf}
        if kind not in functions:
            raise ValueError(f'kind={kind!r} must be None, 2, 1 or numpy.inf')
        return self.context.value(functions[kind], self.pointer)

    def max(self) -> float:
        """The maximum over all rows; -inf without rows. Collective."""
        return self.context.value(lib.ovk_vec_max, self.pointer)

    def min(self) -> float:
        """The minimum over all rows; inf without rows. Collective."""
        return self.context.value(lib.ovk_vec_min, self.pointer)

    def read(self, path: str) -> None:
        """Read a Matrix Market file. Collective."""
        self.context.call(lib.ovk_vec_read_mm, self.pointer, self.context.encoded(path))

    def write(self, path: str) -> None:
        """Write a Matrix Market file. Collective."""
        self.context.call(lib.ovk_vec_write_mm, self.pointer, self.context.encoded(path))

    def __repr__(self) -> str:
        return f'<ovkrylov.Vector: {self.local_size} of {self.size} rows>'


def pointers(vectors: Sequence[Vector]) -> Any:
    """A C array of vectors; NULL for none."""
    for v in vectors:
        Vector.check(v, 'a vector of the list')
    return ffi.new('ovk_vec *[]', [v.pointer for v in vectors]) if vectors else ffi.NULL
