! SPDX-License-Identifier: BSD-2-Clause
! Collective calls of Fortran, compared with what they must give; see carry_fortran.sh.
program carry_fortran
  use mpi
  implicit none
  integer, parameter :: n = 5
  integer :: rank, size, err, k, index, count, status(MPI_STATUS_SIZE)
  integer :: statuses(MPI_STATUS_SIZE, n), requests(n), indices(n), whole(n), got(n), left
  logical :: flag, said(3), all_said(3)
  double precision :: part(3), total(3), x

  call MPI_Init(err)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, err)
  call MPI_Comm_size(MPI_COMM_WORLD, size, err)
  x = size*(size + 1)/2d0
  part = [1d0, 2d0, 3d0]*(rank + 1)

  call MPI_Barrier(MPI_COMM_WORLD, err)
  call MPI_Allreduce(part, total, 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, err)
  call check(all(total == [1d0, 2d0, 3d0]*x), 'allreduce')
  total = part
  call MPI_Allreduce(MPI_IN_PLACE, total, 3, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, err)
  call check(all(total == [1d0, 2d0, 3d0]*size), 'allreduce in place')
  said = [rank == 0, .true., rank < 0]
  call MPI_Allreduce(said, all_said, 3, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, err)
  call check(all(all_said .eqv. [.true., .true., .false.]), 'allreduce with lor')
  call MPI_Allreduce(said, all_said, 3, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, err)
  call check(all(all_said .eqv. [size == 1, .true., .false.]), 'allreduce with land')
  call MPI_Allreduce(MPI_IN_PLACE, said, 3, MPI_LOGICAL, MPI_LXOR, MPI_COMM_WORLD, err)
  call check(all(said .eqv. [.true., mod(size, 2) == 1, .false.]), 'allreduce with lxor')
  call MPI_Reduce(rank, left, 1, MPI_INTEGER, MPI_SUM, size - 1, MPI_COMM_WORLD, err)
  if (rank == size - 1) call check(left == size*(size - 1)/2, 'reduce')
  whole = rank
  call MPI_Bcast(whole, n, MPI_INTEGER, size - 1, MPI_COMM_WORLD, err)
  call check(all(whole == size - 1), 'bcast')

  call MPI_Iallreduce(part, total, 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, requests(1), err)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE, err)
  call check(all(total == [1d0, 2d0, 3d0]*x) .and. requests(1) == MPI_REQUEST_NULL, 'wait')
  call MPI_Ibarrier(MPI_COMM_WORLD, requests(1), err)
  flag = .false.
  do while (.not. flag)
    call MPI_Request_get_status(requests(1), flag, status, err)
  end do
  flag = .false.
  do while (.not. flag)
    call MPI_Test(requests(1), flag, status, err)
  end do
  call check(requests(1) == MPI_REQUEST_NULL, 'test')

  call begin_all()
  call MPI_Waitall(n, requests, MPI_STATUSES_IGNORE, err)
  call check_all('waitall')
  call begin_all()
  flag = .false.
  do while (.not. flag)
    call MPI_Testall(n, requests, flag, statuses, err)
  end do
  call check_all('testall')
  call begin_all()
  do k = 1, n
    call MPI_Waitany(n, requests, index, status, err)
    call check(index >= 1 .and. index <= n .and. requests(index) == MPI_REQUEST_NULL, 'waitany')
  end do
  call MPI_Waitany(n, requests, index, MPI_STATUS_IGNORE, err)
  call check(index < 1, 'waitany of none') ! MPICH 4.0 adds one to MPI_UNDEFINED
  call check_all('waitany')
  call begin_all()
  left = n
  do while (left > 0)
    call MPI_Testany(n, requests, index, flag, status, err)
    if (flag) left = left - 1
  end do
  call check_all('testany')
  call begin_all()
  left = n
  do while (left > 0)
    call MPI_Waitsome(n, requests, count, indices, statuses, err)
    call check(all(requests(indices(1:count)) == MPI_REQUEST_NULL), 'waitsome')
    left = left - count
  end do
  call check_all('waitsome')
  call begin_all()
  left = n
  do while (left > 0)
    call MPI_Testsome(n, requests, count, indices, MPI_STATUSES_IGNORE, err)
    left = left - count
  end do
  call check_all('testsome')
  call MPI_Finalize(err)
contains
  subroutine begin_all()
    whole = [(10*k + rank, k = 1, n)]
    got = -1
    call MPI_Iallreduce(whole(1), got(1), 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, requests(1), err)
    call MPI_Iallreduce(whole(2), got(2), 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, requests(2), err)
    got(3) = whole(3)
    call MPI_Ibcast(got(3), 1, MPI_INTEGER, size - 1, MPI_COMM_WORLD, requests(3), err)
    call MPI_Ireduce(whole(4), got(4), 1, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, requests(4), err)
    call MPI_Irecv(got(5), 1, MPI_INTEGER, 0, 7, MPI_COMM_SELF, requests(5), err)
    call MPI_Send(whole(5), 1, MPI_INTEGER, 0, 7, MPI_COMM_SELF, err)
  end subroutine begin_all

  subroutine check_all(what)
    character(*), intent(in) :: what
    if (rank /= 0) got(4) = 40 + size - 1
    call check(all(requests == MPI_REQUEST_NULL), what)
    call check(all(got(1:4) == [(10*k + size - 1, k = 1, 4)]) .and. got(5) == 50 + rank, what)
  end subroutine check_all

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    print *, 'rank', rank, ': wrong: ', what
    call MPI_Abort(MPI_COMM_WORLD, 1, err)
  end subroutine check
end program carry_fortran
