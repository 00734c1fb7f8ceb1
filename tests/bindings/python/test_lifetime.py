# SPDX-License-Identifier: BSD-2-Clause
"""Objects and the garbage collector, which runs at different times on different ranks."""
import gc
import os
import subprocess
import sys
import weakref

import numpy as np
import ovkrylov
import pytest
from conftest import SEVERAL
from ovkrylov import Context, Matrix, Precond, Solver, Vector, gallery


def resident_bytes():
    with open('/proc/self/statm') as file:
        return int(file.read().split()[1]) * os.sysconf('SC_PAGE_SIZE')


def solve_once(context, A):
    M = Precond(A, 'jacobi')
    b, x = A.vector(), A.vector()
    b.fill(1)
    solver = Solver(A, M, method='cg')
    assert solver.solve(b, x).converged
    return solver


def test_no_growth_over_10000_objects(context):
    """Objects that only their references keep."""
    A = gallery.laplace7((3, 3, 3), context=context)
    rounds = 2000 if context.size == 1 else 20  # of five objects
    for _ in range(max(10, rounds // 10)):
        solve_once(context, A)
    before, living = resident_bytes(), len(context.handles)
    for _ in range(rounds):
        solve_once(context, A)
        Vector(3, context)
    context.agree()
    assert len(context.handles) <= living + 1
    assert resident_bytes() - before < 4e6


def test_objects_in_cycles_at_random_times(context):
    """Each rank collects at times of its own."""
    random = np.random.default_rng(context.rank)
    A = gallery.laplace7((3, 3, 3), context=context)
    gc.disable()
    try:
        for _ in range(60 if context.size == 1 else 15):
            cycle = [solve_once(context, A), Vector(2, context)]
            cycle.append(cycle)
            del cycle
            if random.random() < 0.3:
                gc.collect()
    finally:
        gc.enable()
    gc.collect()
    solve_once(context, A).close()
    kinds = [kind for kind, _, _ in context.handles._living.values()]
    assert kinds.count('solver') <= 1


def test_collection_at_each_allocation(context):
    threshold = gc.get_threshold()
    gc.set_threshold(1)
    try:
        A = gallery.laplace7((3, 3, 3), context=context)
        for _ in range(3):
            solve_once(context, A)
    finally:
        gc.set_threshold(*threshold)


def test_a_solver_keeps_its_matrix_and_preconditioner(context):
    solver = solve_once(context, gallery.laplace7((3, 3, 3), context=context))
    gc.collect()
    b, x = solver.matrix.vector(), solver.matrix.vector()
    b.fill(1)
    assert solver.solve(b, x).converged
    solver.close()
    solver.close()


def test_objects_outlive_what_they_were_created_from(context):
    n = 4
    function = lambda x: 2 * x
    A = Matrix.from_operator(function, context, n)
    M = Precond(A, lambda r: r / 2)
    alive = weakref.ref(A)
    solver = Solver(A, M, method='cg')
    A.close()
    del A, M
    assert alive() is not None
    b, x = Vector(n, context), Vector(n, context)
    b.fill(1)
    assert solver.solve(b, x).converged
    np.testing.assert_allclose(x.array, 0.5)
    solver.close()
    del solver
    gc.collect()
    assert alive() is None


def test_an_exception_in_a_with_statement_waits_for_no_rank(context):
    """Its solver is destroyed where the next one is created."""
    A = gallery.laplace7((3, 3, 3), context=context)
    try:
        with Solver(A, method='cg'):
            raise KeyError
    except KeyError:
        pass
    assert len(context.handles) >= 1 + (context.size > 1)
    solve_once(context, A).close()


def test_contexts(comm):
    with Context(comm) as context:
        A = gallery.laplace7((3, 3, 3), context=context)
        solve_once(context, A)
        assert 'rank' in repr(context) and context.comm is comm
    context.close()
    with pytest.raises(ovkrylov.StateError):
        A.vector()
    assert ovkrylov.context_of(comm) is ovkrylov.context_of(comm)


@pytest.mark.skipif(not SEVERAL, reason='needs mpi4py')
def test_a_context_ends_with_its_communicator(comm):
    other = comm.Dup()
    context = ovkrylov.context_of(other)
    assert ovkrylov.context_of(other) is context
    other.Free()
    with pytest.raises(ovkrylov.StateError):
        context.pointer


def test_the_context_of_this_process_is_created_again_after_its_close():
    for _ in range(2):
        x, info = ovkrylov.cg(np.eye(3), np.ones(3), method=None)
        assert info == 0 and x.tolist() == [1, 1, 1]
        ovkrylov.context_of().close()


@pytest.mark.skipif(not SEVERAL, reason='a context of one process ends when it is collected')
def test_an_unclosed_context_is_a_warning(comm):
    context = Context(comm)
    handles = context.handles
    with pytest.warns(ResourceWarning, match='unclosed'):
        del context
        gc.collect()
    handles.close()


def test_an_abandoned_context_of_one_process_ends(comm):
    context = Context()
    handles = context.handles
    A = gallery.laplace7((3, 3, 3), context=context)
    del context, A
    gc.collect()
    assert handles.ctx is None


@pytest.mark.skipif(SEVERAL, reason='starts programs of one process')
@pytest.mark.parametrize('first', ('', 'from mpi4py import MPI; ', 'import atexit; '))
def test_the_end_of_a_program(first, tmp_path):
    """Objects are alive at its end; MPI is finalized once, and the log is written before."""
    program = first + ('import ovkrylov, numpy; '
                       'x, info = ovkrylov.cg(numpy.diag([1.0, 2, 3]), [1, 2, 3]); '
                       'A = ovkrylov.gallery.laplace7((3, 3, 3)); print(info)')
    log = tmp_path / 'log.json'
    done = subprocess.run([sys.executable, '-W', 'error', '-c', program], capture_output=True, text=True,
                          env=os.environ | {'OVK_LOG': str(log)})
    if 'mpi4py' in first and 'No module named' in done.stderr:
        pytest.skip('no mpi4py')
    assert (done.stdout, done.stderr, done.returncode) == ('0\n', '', 0)
    assert 'solve' in log.read_text()


def test_a_tracked_vector_outlives_its_close(context):
    A = gallery.laplace7((4, 4, 4), context=context)
    b, x, tracked = A.vector(), A.vector(), A.vector()
    b.fill(1)
    solver = Solver(A, method='cg', monitor=lambda progress: None)
    solver.track(tracked)
    tracked.close()
    assert solver.solve(b, x).converged
