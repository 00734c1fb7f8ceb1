# SPDX-License-Identifier: BSD-2-Clause
"""NumPy arrays and sparse matrices as the library wants them, and its memory as arrays."""
from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._library import ffi


def address(array: np.ndarray, kind: str) -> Any:
    """The C pointer to the first entry; NULL for an empty array."""
    return ffi.cast(kind, array.ctypes.data) if array.size else ffi.NULL


def array_at(pointer: Any, size: int, dtype: Any = np.float64) -> np.ndarray:
    """The numbers at `pointer`, without a copy."""
    if size == 0:
        return np.empty(0, dtype)
    return np.frombuffer(ffi.buffer(pointer, np.dtype(dtype).itemsize * size), dtype=dtype)


def row_count(size: int) -> int:
    """A number of rows that the library can count."""
    if not 0 <= size < 2**31:
        raise ValueError(f'{size} rows on this rank: must be 0 to 2^31 - 1')
    return int(size)


def _plain(values: ArrayLike, name: str) -> np.ndarray:
    """An array without a mask. A sparse array is a TypeError, masked entries are a ValueError."""
    if hasattr(values, 'toarray'):
        raise TypeError(f'{name} is sparse: must be a dense array, such as {name}.toarray()')
    if np.ma.is_masked(values):
        raise ValueError(f'{name} has masked entries: fill them with numbers')
    return np.asarray(values)


def real(values: ArrayLike, name: str) -> np.ndarray:
    """An array of float64; complex numbers are a TypeError."""
    array = _plain(values, name)
    if array.dtype.kind not in 'fiub':
        raise TypeError(f'{name} has the type {array.dtype}: only real numbers are supported')
    return np.ascontiguousarray(array, dtype=np.float64)


def integers(values: ArrayLike, name: str, dtype: Any = np.int64) -> np.ndarray:
    """An array of integers; others are a TypeError, also where they are whole."""
    array = np.asarray(values)
    if array.size and array.dtype.kind not in 'iu':
        raise TypeError(f'{name} has the type {array.dtype}: must be integers')
    return np.ascontiguousarray(array, dtype)


def number(value: Any, name: str) -> float:
    """A real number."""
    try:
        return float(value + 0.0)
    except (TypeError, ValueError):
        raise TypeError(f'{name}={value!r} must be a real number') from None


def integer(value: Any, name: str) -> int:
    """An integer."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f'{name}={value!r} must be an integer') from None


def count(value: Any, name: str) -> int:
    """An integer that is not negative."""
    value = integer(value, name)
    if value < 0:
        raise ValueError(f'{name}={value} must be >= 0')
    return value


def local_array(values: ArrayLike, size: int, name: str) -> np.ndarray:
    """The rows of this rank of a right-hand side or an initial guess: one column or several."""
    array = real(values, name)
    shape = np.shape(values)  # a number has none, but becomes an array
    if len(shape) not in (1, 2) or shape[0] != size:
        raise ValueError(f'{name} has the shape {shape}: must be ({size},) or ({size}, k)')
    return array


def csr_arrays(A: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, int | None]:
    """The arrays (data, indices, indptr) of the rows of a matrix, and its number of columns.

    The number is None for a tuple, which does not have it. The integers are both of 32 or both of 64 bits.
    """
    if isinstance(A, tuple):
        data, indices, indptr, columns = *A, None
    elif hasattr(A, 'tocsr'):
        A = A.tocsr()
        data, indices, indptr, columns = A.data, A.indices, A.indptr, A.shape[1]
    else:
        data, indices, indptr, columns = _dense_rows(A)
    data = real(data, 'A').ravel()
    short = all(np.asarray(array).dtype == np.int32 for array in (indices, indptr))
    kind = np.int32 if short else np.int64
    indices, indptr = integers(indices, 'indices', kind), integers(indptr, 'indptr', kind)
    if indptr.ndim != 1 or indptr.size == 0 or indptr[0] < 0 or indptr[-1] > min(data.size, indices.size):
        raise ValueError(f'indptr does not fit {indices.size} indices and {data.size} values')
    if np.any(indptr[1:] < indptr[:-1]):
        raise ValueError('indptr decreases')
    row_count(indptr.size - 1)
    return data, indices, indptr, columns


def block_size(A: Any) -> int:
    """The rows of a square block of a matrix in block rows (BSR); 1 of any other matrix."""
    rows, columns = getattr(A, 'blocksize', (1, 1))
    return rows if rows == columns else 1


def _dense_rows(A: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """The nonzero entries of a dense array."""
    dense = _plain(A, 'A')
    if dense.ndim != 2:
        raise TypeError(f'{type(A).__name__} is no matrix: must be a sparse array, a tuple '
                        '(data, indices, indptr) or a dense array of two dimensions')
    rows, indices = np.nonzero(dense)
    counts = np.bincount(rows, minlength=dense.shape[0])
    return dense[rows, indices], indices, np.concatenate(([0], np.cumsum(counts))), dense.shape[1]


def petsc_modes(near: Any, rows: int) -> np.ndarray:
    """The vectors of a NullSpace of petsc4py, which may be null, as columns."""
    modes = [np.ones(rows)] if near.handle and near.hasConstant() else []
    modes += [v.array_r for v in near.getVecs()] if near.handle else []
    return np.stack(modes, axis=1) if modes else np.empty((rows, 0))


def dolfinx_rows(mat: Any, V: Any, ranks: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The arrays (data, indices, indptr) of the rows that this rank owns of a MatrixCSR, with global columns."""
    dofmap = getattr(V, 'dofmap', None)
    index_map = V if dofmap is None else dofmap.index_map
    if not hasattr(index_map, 'local_to_global'):
        raise TypeError('V must be the function space of the matrix, or its index map')
    if dofmap is not None and dofmap.index_map_bs != 1:
        raise ValueError(f'{dofmap.index_map_bs} unknowns a point: assemble a matrix of PETSc')
    size, ghosts = index_map.size_local, index_map.num_ghosts
    if ranks == 1 and index_map.size_global != size:
        raise ValueError(f'the matrix has {index_map.size_global} rows on all ranks, {size} here: give the context')
    if len(mat.indptr) != size + ghosts + 1:
        raise ValueError(f'the matrix has {len(mat.indptr) - 1} rows here, V has {size} and {ghosts} of other ranks')
    indptr = np.asarray(mat.indptr, np.int64)[:size + 1]
    columns = np.asarray(mat.indices[:indptr[-1]], np.int32)
    return np.asarray(mat.data)[:indptr[-1]], index_map.local_to_global(columns), indptr
