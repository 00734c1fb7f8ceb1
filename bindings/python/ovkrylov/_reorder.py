# SPDX-License-Identifier: BSD-2-Clause
"""The order of rows for a solve of one process: that of A, or one with a small bandwidth.

A product of a matrix whose rows come in random order, as from a mesh generator, waits for the caches. Sorting by
reverse Cuthill-McKee costs as much as some 80 products of such a matrix, and halves the time of each.
"""
from __future__ import annotations

import os
from typing import Any

import numpy as np

LEAST_ROWS = 2**15  # the vectors of smaller systems stay in the cache of a core
FAR = 2**14  # rows: half of the entries are farther from the diagonal than this
SAMPLE = 4096  # entries that are looked at


class Order:
    """Rows in the order of A."""

    def matrix(self, A: Any) -> Any:
        """A for the solve."""
        return A

    def take(self, v: np.ndarray) -> np.ndarray:
        """A vector, or several, for the solve."""
        return v

    def give(self, v: np.ndarray) -> np.ndarray:
        """A vector of the solve, or several, in the order of A."""
        return v


class Sorted(Order):
    """Row k of the solve is row `rows[k]` of A."""

    def __init__(self, rows: np.ndarray) -> None:
        self.rows = rows
        self._places = np.empty_like(rows)
        self._places[rows] = np.arange(rows.size, dtype=rows.dtype)

    def matrix(self, A: Any) -> Any:
        moved = A[self.rows]
        return moved.data, self._places[moved.indices], moved.indptr

    def take(self, v: np.ndarray) -> np.ndarray:
        return v[self.rows]

    def give(self, v: np.ndarray) -> np.ndarray:
        return v[self._places]


def _is_scattered(A: Any) -> bool:
    """Whether most columns are far from their rows."""
    n = A.shape[0]
    if n < LEAST_ROWS or A.shape[1] != n or A.nnz < n:
        return False
    entries = np.linspace(0, A.nnz - 1, SAMPLE, dtype=np.int64)
    rows = np.searchsorted(A.indptr, entries, side='right') - 1
    return bool(np.median(np.abs(A.indices[entries] - rows)) > FAR)


def _may_move(M: Any, method: str | None, options: dict[str, Any]) -> bool:
    """Whether the result depends on the order of rows by rounding only, and no exact sums were asked for."""
    exact = 'exact' in (method or '') or 'OVK_EXACT' in os.environ
    return (M is None or M in ('none', 'jacobi')) and not exact and options.keys() <= {'spd', 'symmetric'}


def order_for(A: Any, M: Any, method: str | None, options: dict[str, Any]) -> tuple[Any, Order]:
    """A, in compressed rows where it is a sparse array of SciPy, and the order to solve in. For one process."""
    if not hasattr(A, 'tocsr') or not isinstance(M, (str, type(None))) or not _may_move(M, method, options):
        return A, Order()
    A = A.tocsr()
    if A.dtype.kind != 'f' or A.indices.dtype != np.int32 or not _is_scattered(A):
        return A, Order()
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    return A, Sorted(reverse_cuthill_mckee(A, symmetric_mode=bool(options.get('spd') or options.get('symmetric'))))
