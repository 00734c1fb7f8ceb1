# SPDX-License-Identifier: BSD-2-Clause
"""Distributed square matrices, from CSR arrays, entries, files or functions."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import (address, array_at, block_size, csr_arrays, dolfinx_rows, integer, integers, petsc_modes, real,
                      row_count)
from ._callbacks import apply_closure, diagonal_closure, row_closure
from ._functions import ArrayFunction, Rows
from ._handles import Handle
from ._library import encoded, ffi, lib, text
from ._objects import Object
from .context import Context, context_of
from .vector import Vector, pointers


def _of_integers(wide: Any, short: Any, data: np.ndarray, indices: np.ndarray, indptr: np.ndarray) -> tuple[Any, Any]:
    """The function of C for the size of the integers, and pointers to the arrays, which the caller keeps."""
    function, kind = (short, 'int32_t *') if indices.dtype == np.int32 else (wide, 'int64_t *')
    return function, (address(indptr, kind), address(indices, kind), address(data, 'double *'))


class Matrix(Object):
    """A square matrix. Its rows are distributed over the ranks like those of a vector.

    Create an empty one, `add` entries and `assemble` it; or use one of the functions `from_...`, or `read`.

    Parameters
    ----------
    size : int
        Rows of this rank.
    context : Context, optional
        The default is the context of this process alone.
    format : str, optional
        The storage format, see `ovkrylov.formats`.
    """

    _operator: Any = None  # the handle of the function of a matrix-free one
    _creation = 'Matrix.from_csr(A)'

    def __init__(self, size: int, context: Context | None = None, format: str | None = None) -> None:
        context = context or context_of()
        with context.ranks.agreed():
            size = row_count(size)
            spec = encoded(format)
        self._adopt(context, context.create('mat', lib.ovk_mat_create, context.pointer, size))
        if format is not None:
            context.call(lib.ovk_mat_set_format, self.pointer, spec)

    @classmethod
    def _of(cls, context: Context, handle: Handle) -> Matrix:
        self = cls.__new__(cls)
        self._adopt(context, handle)
        return self

    @classmethod
    def from_csr(cls, A: Any, context: Context | None = None, format: str | None = None) -> Matrix:
        """Copy a sparse matrix. Collective.

        Parameters
        ----------
        A : sparse array, or tuple of (data, indices, indptr)
            The rows of this rank, with global columns: its shape is (rows of this rank, rows of all
            ranks). Anything that has the method ``tocsr``, or a dense two-dimensional array. The
            size of square blocks (BSR), if all ranks have the same, becomes `block_size`.
        context : Context, optional
        format : str, optional
            The storage format.
        """
        context = context or context_of()
        with context.ranks.agreed():
            data, indices, indptr, columns = csr_arrays(A)
            block = block_size(A)
        rows = len(indptr) - 1
        size = context.ranks.total(rows)
        with context.ranks.agreed():
            if columns is not None and columns != size:
                part = '; rows of several ranks need comm' if context.ranks.size == 1 and rows < columns else ''
                raise ValueError(f'A has {rows} rows here, {size} on all ranks, and {columns} columns: '
                                 f'it must have as many columns as rows on all ranks{part}')
            spec = encoded(format or None)
        create, arrays = _of_integers(lib.ovk_mat_create_csr, lib.ovk_mat_create_csr32, data, indices, indptr)
        self = cls._of(context, context.create('mat', create, context.pointer, rows, *arrays, spec))
        if context.ranks.is_same(block) and block > 1:
            self.set_block_size(block)
        return self

    @classmethod
    def from_petsc(cls, mat: Any, context: Context | None = None, format: str | None = None) -> Matrix:
        """Copy an assembled matrix of petsc4py, such as one of DOLFINx. Collective.

        Parameters
        ----------
        mat : petsc4py.PETSc.Mat
            Of real numbers, and of a type with rows, such as 'aij'. Its block size and its near-null
            space are copied, too.
        context : Context, optional
            Its communicator has the ranks of `mat`, in their order. A matrix of several ranks needs one.
        format : str, optional
            The storage format.
        """
        context = context or context_of()
        with context.ranks.agreed():
            if mat.comm.size != context.size:
                raise ValueError(f'mat has {mat.comm.size} ranks, the context has {context.size}')
            indptr, indices, data = mat.getValuesCSR()
        self = cls.from_csr((data, indices, indptr), context, format)
        self.set_block_size(mat.getBlockSize())
        self.set_near_nullspace(petsc_modes(mat.getNearNullSpace(), self.local_size))
        return self

    @classmethod
    def from_dolfinx(cls, mat: Any, V: Any = None, context: Context | None = None,
                     format: str | None = None) -> Matrix:
        """Copy a matrix of DOLFINx. Collective.

        Parameters
        ----------
        mat : petsc4py.PETSc.Mat or dolfinx.la.MatrixCSR
            Of `dolfinx.fem.petsc.assemble_matrix`, assembled; or of `dolfinx.fem.assemble_matrix`, finalized.
        V : dolfinx.fem.FunctionSpace or dolfinx.common.IndexMap, optional
            The space of the test and trial functions, one unknown a point, which a MatrixCSR needs.
        context : Context, optional
            Its communicator has the ranks of `mat`, in their order. A matrix of several ranks needs one.
        format : str, optional
            The storage format.
        """
        context = context or context_of()
        if hasattr(mat, 'getValuesCSR'):
            return cls.from_petsc(mat, context, format)
        with context.ranks.agreed():
            rows = dolfinx_rows(mat, V, context.size)
        return cls.from_csr(rows, context, format)

    @classmethod
    def from_operator(cls, A: Any, context: Context | None = None, size: int | None = None) -> Matrix:
        """A matrix-free operator. Collective.

        Parameters
        ----------
        A : LinearOperator or callable
            `A.matvec(x)`, or `A(x)`, gets the rows of this rank of x, and returns those of A x. It may
            communicate. With a method `diagonal` preconditioners such as ``'jacobi'`` can be used.
        context : Context, optional
        size : int, optional
            Rows of this rank; the default is ``A.shape[0]``.
        """
        context = context or context_of()
        with context.ranks.agreed():
            function = ArrayFunction(context, A, size)
            ops = ffi.new('ovk_shell_ops *', {'size': ffi.sizeof('ovk_shell_ops'), 'mult': apply_closure()})
            if function.has_diagonal:
                ops.diagonal = diagonal_closure()
        user = ffi.new_handle(function)
        self = cls._of(context, context.create('mat', lib.ovk_mat_create_shell, context.pointer, function.size,
                                               ops, user))
        self._operator = user
        return self

    @classmethod
    def read(cls, path: str, context: Context | None = None, format: str | None = None) -> Matrix:
        """Read a Matrix Market file; rows are distributed evenly. Collective."""
        context = context or context_of()
        with context.ranks.agreed():
            words = encoded(path), encoded(format or None)
        return cls._of(context, context.create('mat', lib.ovk_mat_read_mm, context.pointer, *words))

    def write(self, path: str) -> None:
        """Write a Matrix Market file. Collective."""
        self.context.call(lib.ovk_mat_write_mm, self.pointer, self.context.encoded(path))

    def reserve(self, entries: int) -> None:
        """Reserve memory for entries, before any is added. Not collective."""
        self.context.call(lib.ovk_mat_reserve, self.pointer, entries)

    def add(self, i: int, j: int, value: float) -> None:
        """A(i, j) <- A(i, j) + value, for any row of any rank. Not collective."""
        self.context.call(lib.ovk_mat_add, self.pointer, i, j, value)

    def add_block(self, rows: ArrayLike, columns: ArrayLike, values: ArrayLike) -> None:
        """Add a dense block, such as the matrix of a finite element. Not collective."""
        rows, columns = integers(rows, 'rows'), integers(columns, 'columns')
        block = real(values, 'values')
        if rows.ndim != 1 or columns.ndim != 1 or block.shape != (rows.size, columns.size):
            raise ValueError(f'{rows.shape} rows, {columns.shape} columns and {block.shape} values differ')
        self.context.call(lib.ovk_mat_add_block, self.pointer, rows.size, address(rows, 'ovk_gidx *'),
                          columns.size, address(columns, 'ovk_gidx *'), address(block, 'double *'))

    def add_csr(self, A: Any) -> None:
        """Add the entries of a sparse matrix, given as to `from_csr`. Not collective."""
        rows = self._own_rows(A)
        add, arrays = _of_integers(lib.ovk_mat_add_csr, lib.ovk_mat_add_csr32, *rows)
        self.context.call(add, self.pointer, *arrays)

    def _own_rows(self, A: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The arrays (data, indices, indptr) of A, which must have the rows of this rank."""
        data, indices, indptr, _ = csr_arrays(A)
        if len(indptr) - 1 != self.local_size:
            raise ValueError(f'{len(indptr) - 1} rows: this rank has {self.local_size}')
        return data, indices, indptr

    def assemble(self) -> None:
        """Finish the matrix: build its storage. Collective."""
        self.context.call(lib.ovk_mat_assemble, self.pointer)

    def reset_values(self) -> None:
        """Set all values to 0, to add new ones on the same pattern. Collective."""
        self.context.call(lib.ovk_mat_reset_values, self.pointer)

    def set_values(self, A: Any) -> None:
        """Replace all values by those of a sparse matrix with the same pattern. Collective.

        Call `Solver.update` afterwards.
        """
        with self.context.ranks.agreed():
            rows = self._own_rows(A)
        update, arrays = _of_integers(lib.ovk_mat_update_csr, lib.ovk_mat_update_csr32, *rows)
        self.context.call(update, self.pointer, *arrays)

    def vector(self) -> Vector:
        """A vector of zeros with the rows of the matrix. Collective."""
        return Vector._of(self.context, self.context.create('vec', lib.ovk_mat_create_vec, self.pointer))

    def mult(self, x: Vector, y: Vector) -> None:
        """y <- A x. Collective."""
        Vector.check(x, 'x')
        Vector.check(y, 'y')
        self.context.call(lib.ovk_mat_mult, self.pointer, x.pointer, y.pointer)

    def __matmul__(self, x: Vector) -> Vector:
        Vector.check(x, 'x')
        y = self.vector()
        self.mult(x, y)
        return y

    def diagonal(self) -> Vector:
        """The diagonal. Collective."""
        d = self.vector()
        self.context.call(lib.ovk_mat_diagonal, self.pointer, d.pointer)
        return d

    def asymmetry(self) -> float:
        """An estimate of the asymmetry; less than 1e-12 for a symmetric matrix. Collective."""
        return self.context.value(lib.ovk_mat_asymmetry, self.pointer)

    def to_csr(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The rows of this rank as (data, indices, indptr) with global columns. Not collective."""
        rows = Rows(self.context)
        self.context.call(lib.ovk_mat_for_each_row, self.pointer, row_closure(), ffi.new_handle(rows))
        return rows.arrays()

    def set_keys(self, keys: ArrayLike | None) -> None:
        """Set row numbers that do not depend on the partition, for ``exact='all'``. Collective, before `assemble`.

        Parameters
        ----------
        keys : array_like of int, or None
            One for each row of this rank, increasing; None: the global row numbers.
        """
        with self.context.ranks.agreed():
            numbers = None if keys is None else integers(keys, 'keys')
            if numbers is not None and numbers.shape != (self.local_size,):
                raise ValueError(f'the keys have the shape {numbers.shape}: must be ({self.local_size},)')
        self.context.call(lib.ovk_mat_set_keys, self.pointer,
                          ffi.NULL if numbers is None else address(numbers, 'int64_t *'))

    def set_block_size(self, block: int) -> None:
        """Set the number of unknowns per point, which are consecutive rows. Collective."""
        with self.context.ranks.agreed():
            block = integer(block, 'block')
        self.context.call(lib.ovk_mat_set_block_size, self.pointer, block)

    def set_near_nullspace(self, B: ArrayLike) -> None:
        """Set vectors v with small A v, for multigrid. Collective.

        Parameters
        ----------
        B : array_like
            The rows of this rank: shape (n,) or (n, k) for k vectors; k = 0 removes them.
        """
        with self.context.ranks.agreed():
            modes = real(B, 'B')
            modes = modes[:, np.newaxis] if modes.ndim == 1 else modes
            if modes.ndim != 2 or modes.shape[0] != self.local_size:
                raise ValueError(f'B has the shape {np.shape(B)}: must be ({self.local_size}, k)')
        vectors = [self.vector() for _ in range(modes.shape[1])]
        for vector, mode in zip(vectors, modes.T):
            vector.array[:] = mode
        self.context.call(lib.ovk_mat_set_near_nullspace, self.pointer, len(vectors), pointers(vectors))

    def set_coordinates(self, xyz: ArrayLike) -> None:
        """Set the coordinates of the points of this rank, shape (points, 1 to 3). Collective."""
        with self.context.ranks.agreed():
            points = real(xyz, 'xyz')
            blocks = self.local_size // self.block_size
            if points.ndim != 2 or points.shape[0] != blocks:
                raise ValueError(f'the coordinates have the shape {points.shape}: must be ({blocks}, 1 to 3)')
        self.context.call(lib.ovk_mat_set_coordinates, self.pointer, points.shape[1],
                          address(points, 'double *'))

    @property
    def near_nullspace(self) -> np.ndarray:
        """The near-null space of `set_near_nullspace` or `set_coordinates`: (n, k)."""
        count = lib.ovk_mat_near_nullspace_size(self.pointer)
        columns = [lib.ovk_mat_near_nullspace_vec(self.pointer, k) for k in range(count)]
        arrays = [array_at(lib.ovk_vec_array_const(v), self.local_size) for v in columns]
        return np.stack(arrays, axis=1) if arrays else np.empty((self.local_size, 0))

    @property
    def coordinates(self) -> np.ndarray | None:
        """A copy of the coordinates, or None."""
        dim = ffi.new('int *')
        xyz = lib.ovk_mat_coordinates(self.pointer, dim)
        if not dim[0]:
            return None
        points = self.local_size // self.block_size
        return array_at(xyz, points * dim[0]).reshape(points, dim[0]).copy()

    @property
    def block_size(self) -> int:
        """Unknowns per point."""
        return lib.ovk_mat_block_size(self.pointer)

    @property
    def local_size(self) -> int:
        """Rows of this rank."""
        return lib.ovk_mat_local_size(self.pointer)

    @property
    def size(self) -> int:
        """Rows of all ranks."""
        return lib.ovk_mat_size(self.pointer)

    @property
    def row_range(self) -> range:
        """The global indices of the rows of this rank."""
        return range(lib.ovk_mat_row_begin(self.pointer), lib.ovk_mat_row_end(self.pointer))

    @property
    def nnz(self) -> int:
        """Stored entries of all ranks."""
        return lib.ovk_mat_nnz(self.pointer)

    @property
    def nbytes(self) -> int:
        """Bytes of storage on all ranks."""
        return lib.ovk_mat_bytes(self.pointer)

    @property
    def format(self) -> str:
        """The storage format in use."""
        return text(lib.ovk_mat_format(self.pointer))

    def __repr__(self) -> str:
        return f'<ovkrylov.Matrix: {self.local_size} of {self.size} rows, {self.nnz} entries, {self.format!r}>'
