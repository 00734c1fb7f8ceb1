# SPDX-License-Identifier: BSD-2-Clause
"""SciPy's own tests of its iterative solvers, as SciPy 1.10 installs them, with our functions in their place.

Not run, as ours differ on purpose: complex matrices; tolerances of 1 and more (test_atol, and the last ones of
test_zero_rhs); x0='Mb'; the legacy meaning of maxiter and of the tolerance in gmres; its callback with x once a
cycle; `shift` and `check` of minres; solvers that must not call themselves, which ours may.
"""
import functools
import importlib

import ovkrylov
import pytest
import scipy
from conftest import SEVERAL

FOLDER = 'scipy.sparse.linalg._isolve'
NAMES = ('cg', 'bicgstab', 'gmres', 'minres')

pytestmark = [pytest.mark.filterwarnings('ignore::ovkrylov.OvkWarning'),
              pytest.mark.skipif(SEVERAL, reason='tests of one process'),
              pytest.mark.skipif(not scipy.__version__.startswith('1.10.'), reason='tests of SciPy 1.10')]


def in_place_of_scipys(function):
    """SciPy 1.10 calls rtol `tol`."""
    @functools.wraps(function)
    def solver(A, b, x0=None, tol=1e-5, atol=None, **keywords):
        return function(A, b, x0, rtol=tol, atol=atol or 0.0, **keywords)
    return solver


OURS = {name: in_place_of_scipys(getattr(ovkrylov, name)) for name in NAMES}


@pytest.fixture(scope='module')
def suite():
    """The module of SciPy's tests, whose solvers are ours."""
    package = importlib.import_module(FOLDER)
    theirs = {name: getattr(package, name) for name in NAMES}
    vars(package).update(OURS)
    try:
        module = importlib.reload(importlib.import_module(f'{FOLDER}.tests.test_iterative'))
    finally:
        vars(package).update(theirs)
    module.params.cases = [case for case in module.params.cases if case.A.dtype.kind != 'c']
    assert len(module.params.cases) > 12
    return module


@pytest.mark.parametrize('name', ('test_maxiter', 'test_convergence', 'test_precond_dummy'))
def test_all_cases(suite, monkeypatch, name):
    solvers = [solver for key, solver in OURS.items() if (key, name) != ('gmres', 'test_maxiter')]
    monkeypatch.setattr(suite.params, 'solvers', solvers)
    getattr(suite, name)()


def test_exact_preconditioners(suite):
    suite.test_precond_inverse(suite.params.Poisson1D)


@pytest.mark.parametrize('solver', OURS.values(), ids=NAMES)
def test_initial_guess(suite, solver):
    suite.test_x0_working(solver)


@pytest.mark.parametrize('name', ('test_basic', 'test_defective_precond_breakdown',
                                  'test_defective_matrix_breakdown'))
def test_gmres(suite, name):
    getattr(suite.TestGMRES(), name)()


@pytest.mark.parametrize('name', ('test_singular', 'test_x0_is_used_by', 'test_minres_non_default_x0',
                                  'test_minres_precond_non_default_x0', 'test_minres_precond_exact_x0'))
def test_minres(monkeypatch, name):
    module = importlib.import_module(f'{FOLDER}.tests.test_minres')
    monkeypatch.setattr(module, 'minres', OURS['minres'])
    getattr(module, name)()
