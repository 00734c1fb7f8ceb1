# SPDX-License-Identifier: BSD-2-Clause
"""Collective operations by mpi4py, which asks for MPI_THREAD_MULTIPLE, for test_cli_run_mpi4py.sh."""

from array import array
from threading import Thread

from mpi4py import MPI

ROUNDS = 20


def move(comm, k):
    """Objects of different sizes from each rank to each."""
    text, every = 'a' * (k * comm.rank), ['a' * (k * rank) for rank in range(comm.size)]
    assert comm.gather(text, root=0) == (every if comm.rank == 0 else None)
    assert comm.allgather(text) == every
    assert comm.scatter(every if comm.rank == 0 else None) == text
    assert comm.alltoall([text] * comm.size) == every


def call(comm):
    """Calls that block, of buffers and of objects, beside one that does not; checks their results."""
    ranks = comm.size * (comm.size - 1) // 2
    for k in range(ROUNDS):
        part, total, most = array('d', [comm.rank + k] * 10), array('d', [0] * 10), array('i', [0])
        comm.Allreduce(part, total)
        assert total[9] == comm.size * k + ranks
        comm.Barrier()
        request = comm.Iallreduce(array('i', [comm.rank]), most, op=MPI.MAX)
        assert comm.bcast({'round': k} if comm.rank == 0 else None) == {'round': k}
        comm.Reduce(part, total, root=comm.size - 1)
        comm.Bcast(part, root=0)
        assert part[0] == k
        request.Wait()
        assert most[0] == comm.size - 1
        move(comm, k)


def call_alone(comm):
    """Of objects, too; of these mpi4py makes reductions over communicators that it duplicates while
    no other thread can run, so in several threads they hang by themselves."""
    call(comm)
    for k in range(ROUNDS):
        assert comm.allreduce(k) == comm.size * k


assert MPI.Query_thread() == MPI.THREAD_MULTIPLE
world = MPI.COMM_WORLD
call_alone(world)
call_alone(world.Split(0, -world.rank))
threads = [Thread(target=call, args=(world.Dup(),)) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
if world.rank == 0:
    print('all results are right')
