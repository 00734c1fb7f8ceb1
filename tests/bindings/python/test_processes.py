# SPDX-License-Identifier: BSD-2-Clause
"""Threads that solve at the same time, forked processes, and what is sent to other processes."""
import copy
import pickle
import subprocess
import sys

import pytest
from conftest import SEVERAL
from ovkrylov import Precond, Solver, errors, gallery

alone = pytest.mark.skipif(SEVERAL, reason='starts programs of one process')

THREADS = '''
import threading, numpy, ovkrylov
both = threading.Barrier(2)
def solve(k):
    def callback(x):
        if len(steps[k]) == 1:
            both.wait(60)  # until the other thread is in its solve, too
        steps[k].append(x)
    results[k] = ovkrylov.cg(numpy.diag([1.0, 2, 3, 4]), [1, 2, 3, 4], rtol=1e-10, callback=callback)
steps, results = [[], []], [None, None]
threads = [threading.Thread(target=solve, args=(k,)) for k in range(2)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print([info for x, info in results], [bool(abs(x - 1).max() < 1e-8) for x, info in results])
'''
FORK = '''
import os, sys, numpy, ovkrylov
def solve():
    print(ovkrylov.cg(numpy.diag([1.0, 2, 3]), [1, 2, 3])[1], flush=True)
solve()
child = os.fork()
if child == 0:
    solve()
    sys.exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
solve()
'''


@alone
@pytest.mark.parametrize('program, printed', ((THREADS, '[0, 0] [True, True]\n'), (FORK, '0\n0\n7\n0\n')),
                         ids=('threads', 'fork'))
def test_threads_and_forks_that_solve(program, printed):
    quiet = 'ignore:This process:DeprecationWarning'  # which Python 3.12 has for a fork beside threads of MPI
    done = subprocess.run([sys.executable, '-W', quiet, '-c', program], capture_output=True, text=True, timeout=300)
    assert (done.stdout, done.stderr, done.returncode) == (printed, '', 0)


@pytest.mark.parametrize('code', errors._CLASSES)
def test_errors_reach_other_processes(code):
    error = errors.error_of(code, 'the message')
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.code, again.name, str(again)) == (type(error), code, error.name, 'the message')


def test_objects_of_the_library_stay_in_their_process(context):
    A = gallery.laplace7((3, 3, 3), context=context)
    with Solver(A, method='cg') as solver:
        for thing in (A, A.vector(), Precond(A, 'jacobi'), solver):
            for call in (copy.copy, pickle.dumps):
                with pytest.raises(TypeError, match=f'a {type(thing).__name__} can be neither pickled nor copied'):
                    call(thing)
