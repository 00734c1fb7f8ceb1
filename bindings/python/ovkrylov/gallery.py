# SPDX-License-Identifier: BSD-2-Clause
"""Model problems that are generated in parallel.

`n` are the points of each process in x, y and z, `grid` the processes in these directions; their product
must be the number of ranks. All functions are collective.
"""
from __future__ import annotations

from typing import Any, Sequence

from ._library import encoded, ffi, lib
from .context import Context, context_of
from .matrix import Matrix


def _matrix(function: Any, n: Sequence[int], grid: Sequence[int] | None, context: Context | None,
            format: str | None, *numbers: Any) -> Matrix:
    context = context or context_of()
    with context.ranks.agreed():
        shape = ffi.new('int[3]', list(n))
        processes = ffi.new('int[3]', list(grid or (1, 1, context.size)))
        spec = encoded(format or None)
    return Matrix._of(context, context.create('mat', function, context.pointer, shape, processes, *numbers,
                                              spec))


def laplace7(n: Sequence[int], grid: Sequence[int] | None = None, *, context: Context | None = None,
             format: str | None = None) -> Matrix:
    """The 7-point Laplace operator: 6 on the diagonal, -1 for each neighbor."""
    return _matrix(lib.ovk_gallery_laplace7, n, grid, context, format)


def laplace27(n: Sequence[int], grid: Sequence[int] | None = None, *, context: Context | None = None,
              format: str | None = None) -> Matrix:
    """The 27-point Laplace-like operator: 26 on the diagonal, -1 for each neighbor."""
    return _matrix(lib.ovk_gallery_laplace27, n, grid, context, format)


def convdiff7(n: Sequence[int], peclet: float, grid: Sequence[int] | None = None, *, central: bool = False,
              context: Context | None = None, format: str | None = None) -> Matrix:
    """An unsymmetric convection-diffusion operator on 7 points, with the Peclet number of a cell."""
    return _matrix(lib.ovk_gallery_convdiff7, n, grid, context, format, peclet, central)


def helmholtz7(n: Sequence[int], shift: float, grid: Sequence[int] | None = None, *,
               context: Context | None = None, format: str | None = None) -> Matrix:
    """The 7-point Laplace operator minus `shift` times the identity."""
    return _matrix(lib.ovk_gallery_helmholtz7, n, grid, context, format, shift)
