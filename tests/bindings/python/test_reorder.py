# SPDX-License-Identifier: BSD-2-Clause
"""Matrices whose rows are in random order are solved in another one, which the caller does not see."""
import numpy as np
import ovkrylov
import pytest
import scipy.sparse as sparse
from conftest import SEVERAL, laplace2d
from ovkrylov import _reorder

pytestmark = pytest.mark.skipif(SEVERAL, reason='for one process')


@pytest.fixture
def scattered(monkeypatch):
    """A matrix in random order, which counts as large."""
    monkeypatch.setattr(_reorder, 'LEAST_ROWS', 100)
    monkeypatch.setattr(_reorder, 'FAR', 30)
    A = laplace2d(16)
    rows = np.random.default_rng(6).permutation(A.shape[0])
    return A[rows][:, rows]


def order_of(A, M=None, method='cg', **options):
    return _reorder.order_for(A, M, method, options)[1]


def test_rows_in_random_order_are_sorted(scattered):
    order = order_of(scattered, 'jacobi', spd=True)
    data, indices, indptr = order.matrix(scattered.tocsr())
    A = sparse.csr_matrix((data, indices, indptr), scattered.shape)
    rows = np.arange(A.shape[0])
    np.testing.assert_array_equal(A.toarray(), scattered.toarray()[order.take(rows)][:, order.take(rows)])
    np.testing.assert_array_equal(order.give(order.take(rows)), rows)
    assert np.abs(A.tocoo().row - A.tocoo().col).max() < 30


def test_other_rows_keep_their_order(scattered, monkeypatch):
    assert isinstance(order_of(scattered), _reorder.Sorted)
    others = [(laplace2d(16), None), (scattered, 'ic'), (scattered, sparse.identity(256)), (scattered.toarray(), None),
              (scattered[:, :200], None), (scattered * 1j, None), (scattered.astype(int), None)]
    others = [order_of(A, M) for A, M in others]
    others += [order_of(scattered, null_vectors=[]), order_of(scattered, method='cg:exact=sums')]
    monkeypatch.setenv('OVK_EXACT', 'all')
    assert {type(order) for order in others + [order_of(scattered)]} == {_reorder.Order}


@pytest.mark.parametrize('solver', ('cg', 'minres', 'gmres', 'solve'))
def test_solutions_and_callbacks_have_the_order_of_the_caller(scattered, solver):
    solve = getattr(ovkrylov, solver)
    b = np.random.default_rng(7).standard_normal((scattered.shape[0], 2))
    steps = []
    kind = {'callback_type': 'x'} if solver == 'gmres' else {}
    x, info = solve(scattered, b[:, 0], rtol=1e-10, M='jacobi', callback=steps.append, **kind)
    assert info == 0 and np.linalg.norm(scattered @ x - b[:, 0]) < 1e-8
    np.testing.assert_allclose(steps[-1], x, atol=1e-6)
    again, info = solve(scattered, b[:, 0], x, rtol=1e-8, maxiter=1)
    assert info == 0
    X, infos = solve(scattered, b, rtol=1e-10)
    assert not infos.any() and np.linalg.norm(scattered @ X - b) < 1e-8
