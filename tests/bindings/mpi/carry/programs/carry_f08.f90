! SPDX-License-Identifier: BSD-2-Clause
! Calls of use mpi_f08 with MPICH, which completes requests by PMPI_Wait and its like: nonblocking and persistent
! calls are left to the MPI, and others are carried; see carry_fortran.sh.
program carry_f08
  use mpi_f08
  implicit none
  integer, parameter :: n = 4
  integer :: rank, size, k, index, count, indices(n)
  integer, asynchronous :: mine(n), got(n), root(2)
  logical :: flag
  type(MPI_Request) :: requests(n), kept(3)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  mine = [(10*k + rank, k = 1, n)]
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Allreduce(mine, got, n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
  call check(all(got == mine - rank + size - 1), 'allreduce')

  call MPI_Iallreduce(mine, got, n, MPI_INTEGER, MPI_MIN, MPI_COMM_WORLD, requests(1))
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
  call check(all(got == mine - rank), 'wait')
  got = mine
  call MPI_Ibcast(got(1:n:2), n/2, MPI_INTEGER, size - 1, MPI_COMM_WORLD, requests(1))
  flag = .false.
  do while (.not. flag)
    call MPI_Test(requests(1), flag, MPI_STATUS_IGNORE)
  end do
  call check(all(got == mine + [size - 1 - rank, 0, size - 1 - rank, 0]), 'test')

  call begin_all()
  call MPI_Waitall(n, requests, MPI_STATUSES_IGNORE)
  call check_all('waitall')
  call begin_all()
  flag = .false.
  do while (.not. flag)
    call MPI_Testall(n, requests, flag, MPI_STATUSES_IGNORE)
  end do
  call check_all('testall')
  call begin_all()
  do k = 1, n
    call MPI_Waitany(n, requests, index, MPI_STATUS_IGNORE)
  end do
  call check_all('waitany')
  call begin_all()
  k = 0
  do while (k < n)
    call MPI_Waitsome(n, requests, count, indices, MPI_STATUSES_IGNORE)
    k = k + count
  end do
  call check_all('waitsome')

  call MPI_Allreduce_init(mine, got, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, kept(1))
  call MPI_Bcast_init(root, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, kept(2))
  call MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, kept(3))
  do k = 1, 3
    root = merge(k, -1, rank == 0)
    call MPI_Startall(2, kept)
    call MPI_Start(kept(3))
    call MPI_Waitall(3, kept, MPI_STATUSES_IGNORE)
    call check(all(got == size*(mine - rank) + size*(size - 1)/2) .and. all(root == k), 'persistent')
  end do
  do k = 1, 3
    call MPI_Request_free(kept(k))
  end do
  call MPI_Finalize()
contains
  subroutine begin_all()
    got = -1
    call MPI_Iallreduce(mine(1), got(1), 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, requests(1))
    got(2) = mine(2)
    call MPI_Ibcast(got(2), 1, MPI_INTEGER, size - 1, MPI_COMM_WORLD, requests(2))
    call MPI_Ireduce(mine(3), got(3), 1, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, requests(3))
    call MPI_Ibarrier(MPI_COMM_WORLD, requests(4))
  end subroutine begin_all

  subroutine check_all(what)
    character(*), intent(in) :: what
    if (rank /= 0) got(3) = 30 + size - 1
    call check(all(got(1:3) == [(10*k + size - 1, k = 1, 3)]), what)
    call check(all([(requests(k) == MPI_REQUEST_NULL, k = 1, n)]), what)
  end subroutine check_all

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    print *, 'rank', rank, ': wrong: ', what
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine check
end program carry_f08
