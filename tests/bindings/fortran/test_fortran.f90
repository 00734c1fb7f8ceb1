! SPDX-License-Identifier: BSD-2-Clause
! Each part of ovkrylov.f90 by its effects: defaults, assembly, operators and preconditioners in
! Fortran, monitors, sums, texts, errors. See CMakeLists.txt for what compares it with the headers.
module operators
  use ovkrylov
  implicit none
  integer(ovk_lidx), parameter :: rows = 30

  type :: counts
    integer :: products = 0, applications = 0, iterations = -1
    logical :: fail = .false.
  end type

contains

  ! A = 4 I, on each rank alone.
  integer(ovk_err) function multiply(user, x, y, poll) bind(c)
    type(c_ptr), value :: user
    real(c_double), intent(in) :: x(*)
    real(c_double), intent(out) :: y(*)
    type(ovk_poll), value :: poll
    type(counts), pointer :: seen
    call c_f_pointer(user, seen)
    seen%products = seen%products + 1
    y(1:rows/2) = 4*x(1:rows/2)
    call ovk_poll_call(poll)
    y(rows/2 + 1:rows) = 4*x(rows/2 + 1:rows)
    multiply = merge(OVK_ERR_USER, OVK_OK, seen%fail)
  end function

  integer(ovk_err) function diagonal(user, d) bind(c)
    type(c_ptr), value :: user
    real(c_double), intent(out) :: d(*)
    if (.not. c_associated(user)) error stop
    d(1:rows) = 4
    diagonal = OVK_OK
  end function

  ! C = 2 I
  integer(ovk_err) function precondition(user, r, z, poll) bind(c)
    type(c_ptr), value :: user
    real(c_double), intent(in) :: r(*)
    real(c_double), intent(out) :: z(*)
    type(ovk_poll), value :: poll
    type(counts), pointer :: seen
    call c_f_pointer(user, seen)
    seen%applications = seen%applications + 1
    z(1:rows) = r(1:rows)/2
    call ovk_poll_call(poll)
    precondition = OVK_OK
  end function

  integer(c_int) function watch(arg, progress) bind(c)
    type(c_ptr), value :: arg
    type(ovk_progress), intent(in) :: progress
    type(counts), pointer :: seen
    call c_f_pointer(arg, seen)
    seen%iterations = progress%iteration
    watch = merge(1, 0, seen%fail .or. progress%rhs_norm <= 0 .or. progress%tolerance <= 0)
  end function
end module operators

program test_fortran
  use mpi
  use operators
  implicit none
  type(ovk_ctx) :: ctx
  integer :: rank, nranks, ierr

  interface
    type(ovk_solver_opts) function ovk_solver_opts_default() bind(c)
      import
    end function
    integer(c_int) function ovk_monitor_record(history, progress) bind(c) ! as docs/guide.md adds it
      import
      type(c_ptr), value :: history
      type(ovk_progress), intent(in) :: progress
    end function
  end interface

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  call check(ovk_ctx_create(MPI_COMM_NULL, ctx) == OVK_ERR_ARG, 'a context over MPI_COMM_NULL')
  call check(.not. c_associated(ctx%address), 'no context after an error')
  call succeed(ovk_ctx_create(MPI_COMM_WORLD, ctx))
  call defaults_are_those_of_c()
  call a_matrix_is_the_same_by_entries_rows_and_blocks()
  call new_values_are_solved_with()
  call operators_and_preconditioners_may_be_fortran()
  call a_null_space_is_an_array_of_vectors()
  call a_problem_is_described_by_blocks_vectors_and_points()
  call a_sum_is_begun_and_waited_for()
  call a_rank_may_have_no_rows()
  call matrices_come_from_boxes_and_files()
  call errors_have_texts()
  call ovk_ctx_destroy(ctx)
  call check(.not. c_associated(ctx%address), 'a handle is NULL after it was destroyed')
  call MPI_Finalize(ierr)

contains

  subroutine defaults_are_those_of_c()
    type(ovk_solver_opts) :: fortran, c
    type(ovk_result) :: res
    c = ovk_solver_opts_default()
    call check(fortran%size == c%size .and. fortran%size == c_sizeof(c), 'size')
    call check(.not. any([c_associated(c%method), c_associated(c%backend), c_associated(fortran%method), &
      c_associated(fortran%backend)]), 'method and backend')
    call check(all([fortran%rtol, fortran%atol, fortran%dtol] == [c%rtol, c%atol, c%dtol]), 'tolerances')
    call check(all([fortran%maxit, fortran%poll_rows, fortran%true_residual_every, fortran%norm, &
      fortran%null_count] == [c%maxit, c%poll_rows, c%true_residual_every, c%norm, c%null_count]), 'numbers')
    call check(.not. any([c_associated(c%monitor), c_associated(fortran%monitor)]), 'monitor')
    call check(.not. any([c_associated(c%monitor_arg), c_associated(c%null_vectors), &
      c_associated(fortran%monitor_arg), c_associated(fortran%null_vectors)]), 'addresses')
    call check(.not. any(logical([fortran%spd, c%spd, fortran%null_constant, c%null_constant])), 'flags')
    call check(res%reason == OVK_REASON_NOT_RUN, 'a result before the solve')
  end subroutine

  ! The tridiagonal matrix (-1, 2, -1), four times.
  subroutine a_matrix_is_the_same_by_entries_rows_and_blocks()
    type(ovk_mat) :: mats(4), whole
    type(ovk_vec) :: x, y
    real(c_double), target :: given(rows)
    real(c_double), pointer :: array(:)
    integer(ovk_lidx) :: k, n
    integer(ovk_gidx) :: i, size
    integer(c_int64_t) :: ptr(rows + 1)
    integer(ovk_gidx) :: col(3*rows)
    real(c_double) :: val(3*rows), dot, norm, expected(rows)
    do n = 1, 4
      call succeed(ovk_mat_create(ctx, rows, mats(n)))
    end do
    size = ovk_mat_size(mats(1))
    call check(size == rows*nranks, 'rows')
    call check(ovk_mat_row_begin(mats(1)) == rows*rank, 'the first row')
    call check(ovk_mat_row_end(mats(1)) == rows*(rank + 1), 'the row after the last')
    ptr = 0
    do k = 1, rows
      i = ovk_mat_row_begin(mats(1)) + k - 1
      ptr(k + 1) = ptr(k)
      do n = -1, 1
        if (i + n < 0 .or. i + n >= size) cycle
        ptr(k + 1) = ptr(k + 1) + 1
        col(ptr(k + 1)) = i + n
        val(ptr(k + 1)) = merge(2, -1, n == 0)
        call succeed(ovk_mat_add(mats(1), i, i + n, val(ptr(k + 1))))
      end do
      if (i < size - 1) call succeed(ovk_mat_add_block(mats(4), 2, [i, i + 1], 2, [i, i + 1], &
        [1d0, -1d0, -1d0, 1d0]))
      if (i == 0 .or. i == size - 1) call succeed(ovk_mat_add(mats(4), i, i, 1d0))
    end do
    call succeed(ovk_mat_add_csr(mats(2), ptr, col, val))
    call succeed(ovk_mat_add_csr32(mats(3), int(ptr, c_int32_t), int(col, c_int32_t), val))
    call succeed(ovk_mat_create_csr(ctx, rows, ptr, col, val, out=whole))
    call succeed(ovk_mat_update_csr32(whole, int(ptr, c_int32_t), int(col, c_int32_t), val))
    call check(ovk_mat_nnz(whole) == 3*size - 2, 'entries of a matrix from arrays')
    call ovk_mat_destroy(whole)
    call succeed(ovk_mat_create_csr32(ctx, rows, int(ptr, c_int32_t), int(col, c_int32_t), val, 'csr', whole))
    call succeed(ovk_mat_update_csr(whole, ptr, col, val))
    call check(ovk_string(ovk_mat_format(whole)) == 'csr', 'the format of a matrix from arrays')
    call ovk_mat_destroy(whole)
    given = [(real((ovk_mat_row_begin(mats(1)) + k)**2, c_double), k = 1, rows)]
    call succeed(ovk_vec_wrap(ctx, rows, given, x))
    expected = -2
    if (rank == 0) expected(1) = 2*given(1) - given(1) - 3
    if (rank == nranks - 1) expected(rows) = -2 + (size + 1d0)**2
    do n = 1, 4
      if (n == 2) call succeed(ovk_mat_set_format(mats(n), 'csr'))
      call succeed(ovk_mat_assemble(mats(n)))
      if (n == 2) call check(ovk_string(ovk_mat_format(mats(n))) == 'csr', 'the format')
      call succeed(ovk_mat_create_vec(mats(n), y))
      if (mod(n, 2) == 0) then
        call succeed(ovk_mat_mult(mats(n), x, y))
      else
        call succeed(ovk_mat_mult_polled(mats(n), x, y, ovk_poll()))
      end if
      array => ovk_vec_array(y)
      call check(lbound(array, 1) == 1 .and. ubound(array, 1) == rows, 'bounds of an array')
      call check(all(array == expected), 'a product')
      call ovk_vec_destroy(y)
      call ovk_mat_destroy(mats(n))
    end do
    call succeed(ovk_vec_fill(x, 3d0))
    call check(all(given == 3), 'a wrapped array')
    call succeed(ovk_vec_dot(x, x, dot))
    call succeed(ovk_vec_norm(x, norm))
    call check(dot == 9*size .and. abs(norm**2 - dot) < 1e-12*dot, 'an inner product')
    call ovk_vec_destroy(x)
  end subroutine

  ! A = diag(d), without an option, with some, and with a solver that is updated.
  subroutine new_values_are_solved_with()
    type(ovk_mat) :: A
    type(ovk_precond) :: M
    type(ovk_solver) :: solver
    type(ovk_vec) :: b, x
    type(ovk_result), target :: res
    type(counts), target :: seen
    integer :: round
    integer(ovk_gidx) :: i
    call succeed(ovk_mat_create(ctx, rows, A))
    do round = 1, 2
      do i = ovk_mat_row_begin(A), ovk_mat_row_begin(A) + rows - 1
        call succeed(ovk_mat_add(A, i, i, 5d0*round))
      end do
      call succeed(ovk_mat_assemble(A))
      if (round == 1) then
        call succeed(ovk_precond_create(A, 'jacobi  ', M))
        call succeed(ovk_mat_create_vec(A, b))
        call succeed(ovk_mat_create_vec(A, x))
        call succeed(ovk_vec_fill(b, 10d0))
        call succeed(ovk_solve(A, ovk_precond(), b, x))
        call check_entries(x, 2d0)
        call succeed(ovk_solver_create(A, M, ovk_solver_opts(rtol=1d-3, spd=.true.), solver, &
          backend='blocking', method='overlap '))
        call check(ovk_string(ovk_solver_method(solver)) == 'overlap', 'the method')
        call check(ovk_string(ovk_solver_backend(solver)) == 'blocking', 'the backend')
        call succeed(ovk_solver_set_tolerances(solver, 1d-6, 0d0, 1d10, 7))
        call succeed(ovk_solver_set_monitor(solver, c_funloc(watch), c_loc(seen), 0))
      else
        call succeed(ovk_solver_update(solver))
      end if
      call succeed(ovk_vec_fill(x, 0d0))
      seen%iterations = -1
      call succeed(ovk_solver_solve(solver, b, x, res))
      call check(res%reason == OVK_REASON_CONVERGED_RTOL .and. res%iterations == seen%iterations, 'a result')
      call check(res%seconds%solve > 0 .and. abs(res%tolerance - 1d-6*res%rhs_norm) < 1d-12, 'its numbers')
      call check(ovk_string(res%method) == 'overlap', 'its method')
      call check_entries(x, 2d0/round)
      if (round == 1) call succeed(ovk_mat_reset_values(A))
    end do
    seen%fail = .true.
    call succeed(ovk_vec_fill(x, 0d0))
    call succeed(ovk_solver_solve(solver, b, x, res))
    call check(res%reason /= OVK_REASON_NOT_RUN, 'a solve that its monitor stops')
    call ovk_solver_destroy(solver)
    call ovk_precond_destroy(M)
    call ovk_vec_destroy(x)
    call ovk_vec_destroy(b)
    call ovk_mat_destroy(A)
  end subroutine

  subroutine operators_and_preconditioners_may_be_fortran()
    type(ovk_shell_ops) :: ops
    type(ovk_precond_ops) :: precond_ops
    type(ovk_mat) :: A
    type(ovk_precond) :: M
    type(ovk_vec) :: b, x
    type(ovk_result) :: res
    type(counts), target :: seen
    character(8), target :: name = 'halving'//c_null_char
    procedure(ovk_mult_fn), pointer :: mult
    procedure(ovk_diagonal_fn), pointer :: diag
    mult => multiply
    diag => diagonal
    ops%mult = c_funloc(mult)
    ops%diagonal = c_funloc(diag)
    call succeed(ovk_mat_create_shell(ctx, rows, ops, c_loc(seen), A))
    call check(ovk_string(ovk_mat_format(A)) == 'shell', 'a shell')
    call succeed(ovk_precond_create(A, 'jacobi', M))
    call ovk_precond_destroy(M)
    mult => precondition
    precond_ops%name = c_loc(name)
    precond_ops%apply = c_funloc(mult)
    call succeed(ovk_precond_create_from_ops(A, precond_ops, c_loc(seen), M))
    call succeed(ovk_mat_create_vec(A, b))
    call succeed(ovk_mat_create_vec(A, x))
    call succeed(ovk_mat_diagonal(A, b))
    call check_entries(b, 4d0)
    call succeed(ovk_vec_fill(b, 12d0))
    call succeed(ovk_solve(A, M, b, x, res=res, method='pipecg', backend='nbc'))
    call check_entries(x, 3d0)
    call check(seen%products > 0 .and. seen%applications > 0, 'calls of own functions')
    seen%fail = rank == nranks - 1
    call check(ovk_solve(A, M, b, x) == OVK_ERR_USER, 'an error of one rank on all')
    call ovk_vec_destroy(x)
    call ovk_vec_destroy(b)
    call ovk_precond_destroy(M)
    call ovk_mat_destroy(A)
  end subroutine

  ! A = diag(0, 5, 0, 5, 5, ...)
  subroutine a_null_space_is_an_array_of_vectors()
    type(ovk_mat) :: A
    type(ovk_vec) :: b, x
    type(ovk_vec), target :: null(2)
    type(ovk_result) :: res
    real(c_double), pointer :: array(:)
    integer(ovk_gidx) :: i
    integer :: k
    call succeed(ovk_mat_create(ctx, rows, A))
    do i = ovk_mat_row_begin(A), ovk_mat_row_begin(A) + rows - 1
      call succeed(ovk_mat_add(A, i, i, merge(0d0, 5d0, i == 0 .or. i == 2)))
    end do
    call succeed(ovk_mat_assemble(A))
    do k = 1, 2
      call succeed(ovk_mat_create_vec(A, null(k)))
      array => ovk_vec_array(null(k))
      if (rank == 0) array(2*k - 1) = k
    end do
    call succeed(ovk_mat_create_vec(A, b))
    call succeed(ovk_mat_create_vec(A, x))
    call succeed(ovk_vec_fill(b, 10d0))
    call succeed(ovk_solve(A, ovk_precond(), b, x, ovk_solver_opts(null_count=2, null_vectors=c_loc(null)), res))
    call check(abs(res%rhs_null_part - sqrt(2d0/(rows*nranks))) < 1d-12, 'the part of b in the null space')
    array => ovk_vec_array(x)
    if (rank == 0) call check(all(abs(array(1:4) - [0, 2, 0, 2]) < 1d-6), 'a solution of least norm')
    call ovk_vec_destroy(null(2))
    call ovk_vec_destroy(null(1))
    call ovk_vec_destroy(b)
    call ovk_vec_destroy(x)
    call ovk_mat_destroy(A)
  end subroutine

  subroutine a_problem_is_described_by_blocks_vectors_and_points()
    type(ovk_mat) :: A
    type(ovk_vec) :: near(1), kept
    real(c_double) :: xy(2, rows/2)
    real(c_double), pointer :: array(:)
    integer :: k
    integer(c_int) :: dim
    call succeed(ovk_mat_create(ctx, rows, A))
    call succeed(ovk_mat_set_keys(A, [(int(k, c_int64_t), k=1, rows)]))
    call succeed(ovk_mat_set_keys(A))
    call succeed(ovk_mat_set_block_size(A, 2))
    call check(ovk_mat_block_size(A) == 2, 'the block size')
    xy = reshape([(real(rank + k**2, c_double), k=1, size(xy))], shape(xy))
    call succeed(ovk_mat_set_coordinates(A, 2, xy))
    call check(ovk_mat_near_nullspace_size(A) == 3, 'rigid body modes')
    call c_f_pointer(ovk_mat_coordinates(A, dim), array, [size(xy)])
    call check(dim == 2 .and. array(3) == xy(1, 2), 'coordinates')
    call succeed(ovk_mat_create_vec(A, near(1)))
    call succeed(ovk_vec_fill(near(1), 3d0))
    call succeed(ovk_mat_set_near_nullspace(A, 1, near))
    call ovk_vec_destroy(near(1))
    kept = ovk_mat_near_nullspace_vec(A, 0)
    array => ovk_vec_array(kept)
    call check(ovk_mat_near_nullspace_size(A) == 1 .and. all(array == 3d0), 'a near-null space')
    call ovk_mat_destroy(A)
  end subroutine

  subroutine a_sum_is_begun_and_waited_for()
    character(9), parameter :: specs(2) = ['blocking ', 'nbc      ']
    type(ovk_reduction) :: red
    real(c_double), pointer :: values(:)
    logical(c_bool) :: complete
    integer :: k
    call succeed(ovk_reduction_create(ctx, count=1, out=red))
    call ovk_reduction_destroy(red)
    do k = 1, 2
      call succeed(ovk_reduction_create(ctx, specs(k), 3, red))
      call check(ovk_string(ovk_reduction_spec(red)) == specs(k), 'the spec')
      values => ovk_reduction_values(red, 3)
      values = [1, 2, 3]*(rank + 1)
      call succeed(ovk_reduction_begin(red))
      complete = .false.
      do while (.not. complete)
        call ovk_poll_call(ovk_reduction_poll(red, 1000))
        call succeed(ovk_reduction_test(red, complete))
      end do
      call succeed(ovk_reduction_wait(red))
      call check(all(values == [1, 2, 3]*(nranks*(nranks + 1)/2)), 'a sum')
      call check(ovk_reduction_wait(red) == OVK_ERR_STATE, 'a wait without a begin')
      call ovk_reduction_destroy(red)
    end do
  end subroutine

  subroutine a_rank_may_have_no_rows()
    type(ovk_mat) :: A
    type(ovk_vec) :: b, x
    type(ovk_result) :: res
    real(c_double), pointer :: array(:)
    integer(ovk_gidx) :: i
    call succeed(ovk_mat_create(ctx, merge(rows, 0_ovk_lidx, rank == nranks - 1), A))
    do i = ovk_mat_row_begin(A), merge(ovk_mat_size(A), 0_ovk_gidx, rank == nranks - 1) - 1
      call succeed(ovk_mat_add(A, i, i, 2d0))
    end do
    call succeed(ovk_mat_assemble(A))
    call succeed(ovk_mat_create_vec(A, b))
    call succeed(ovk_mat_create_vec(A, x))
    array => ovk_vec_array(b)
    call check(size(array) == ovk_vec_local_size(b), 'an array of no rows')
    array = 6
    call succeed(ovk_solve(A, ovk_precond(), b, x, res=res))
    call check_entries(x, 3d0)
    call ovk_vec_destroy(x)
    call ovk_vec_destroy(b)
    call ovk_mat_destroy(A)
  end subroutine

  subroutine matrices_come_from_boxes_and_files()
    character(*), parameter :: path = 'test_fortran.mtx'
    type(ovk_mat) :: A, B
    type(ovk_precond) :: M
    type(ovk_vec) :: x, y, d
    type(ovk_result) :: res
    type(ovk_ctx) :: of_a
    real(c_double) :: asymmetry, part
    call succeed(ovk_gallery_laplace7(ctx, [3, 4, 5], [1, 1, nranks], out=A))
    of_a = ovk_mat_ctx(A)
    call check(c_associated(of_a%address, ctx%address), 'the context of a matrix')
    call check(ovk_mat_local_size(A) == 60 .and. ovk_ctx_size(ctx) == nranks .and. ovk_ctx_rank(ctx) == rank, 'sizes')
    call succeed(ovk_mat_asymmetry(A, asymmetry))
    call check(asymmetry < 1d-12 .and. ovk_mat_nnz(A) > 60 .and. ovk_mat_bytes(A) > 0, 'a matrix of a box')
    call succeed(ovk_mat_write_mm(A, path))
    call succeed(ovk_mat_read_mm(ctx, path, 'csr', B))
    call check(ovk_mat_nnz(B) == ovk_mat_nnz(A) .and. ovk_string(ovk_mat_format(B)) == 'csr', 'a matrix of a file')
    call succeed(ovk_precond_create(B, 'ic', M))
    call check(ovk_string(ovk_precond_name(M)) == 'ic' .and. ovk_precond_bytes(M) > 0, 'a preconditioner')
    call succeed(ovk_vec_create(ctx, ovk_mat_local_size(B), x))
    call succeed(ovk_vec_duplicate(x, y))
    call succeed(ovk_vec_duplicate(x, d))
    call succeed(ovk_vec_fill(x, 2d0))
    call succeed(ovk_vec_copy(x, y))
    call succeed(ovk_vec_axpy(0.5d0, x, y))
    call check_entries(y, 3d0)
    call succeed(ovk_vec_local_dot(x, y, part))
    call check(part == 6*ovk_vec_local_size(x) .and. ovk_vec_size(x) == ovk_mat_size(B), 'a part of an inner product')
    call succeed(ovk_mat_diagonal(B, d))
    call check(ovk_vec_first(d) == ovk_mat_row_begin(B), 'the first row')
    call succeed(ovk_precond_update(M))
    call succeed(ovk_precond_apply(M, x, y, ovk_poll()))
    call succeed(ovk_pcg_solve(B, M, x, y, res=res, method='overlap'))
    call check(res%reason == OVK_REASON_CONVERGED_RTOL, 'a solve of what was read')
    call check(ovk_poll_until(ovk_poll(), 3, 9) == 9, 'no hook, no stop')
    call ovk_vec_destroy(d)
    call ovk_vec_destroy(y)
    call ovk_vec_destroy(x)
    call ovk_precond_destroy(M)
    call ovk_mat_destroy(B)
    call ovk_mat_destroy(A)
  end subroutine

  subroutine errors_have_texts()
    type(ovk_mat) :: A
    type(ovk_vec) :: b, x
    type(ovk_precond) :: M
    type(ovk_reduction) :: red
    type(ovk_solver) :: solver
    real(c_double), pointer :: array(:)
    character(:), allocatable :: said
    call succeed(ovk_mat_create(ctx, rows, A))
    call check(ovk_mat_set_format(A, 'csrr') == OVK_ERR_UNKNOWN, 'an unknown format')
    said = ovk_string(ovk_ctx_error(ctx))
    call check(index(said, "'csrr'") > 0 .and. index(said, 'csr') > 0, 'its message: '//said)
    call check(ovk_mat_set_format(A, '') /= OVK_OK, 'an empty format')
    call check(ovk_reduction_create(ctx, 'nbc:alg=tri', 1, red) /= OVK_OK, 'an unknown algorithm')
    call check(.not. c_associated(red%address), 'no reduction after an error')
    call succeed(ovk_mat_assemble(A))
    call check(ovk_precond_create(A, 'jacobi', M) == OVK_ERR_ARG, 'jacobi of an empty matrix')
    call succeed(ovk_mat_create_vec(A, b))
    call succeed(ovk_mat_create_vec(A, x))
    call check(ovk_solver_create(A, M, out=solver, method='overlapp') == OVK_ERR_UNKNOWN, 'an unknown method')
    said = ovk_string(ovk_ctx_error(ctx))
    call check(index(said, 'overlapp') > 0, 'its message: '//said)
    call check(ovk_solve(A, M, b, b) == OVK_ERR_ARG, 'a solve into its right-hand side')
    call check(ovk_solve(ovk_mat(), M, b, x) == OVK_ERR_ARG, 'a solve without a matrix')
    call check(ovk_mat_assemble(ovk_mat()) == OVK_ERR_ARG, 'the assembly of no matrix')
    call check(ovk_vec_fill(ovk_vec(), 1d0) == OVK_ERR_ARG, 'no vector')
    call check(ovk_string(ovk_ctx_error(ovk_ctx())) == '', 'the error of no context')
    call check(ovk_string(ovk_mat_format(ovk_mat())) == '', 'the format of no matrix')
    call check(ovk_string(ovk_solver_method(ovk_solver())) == '', 'the method of no solver')
    array => ovk_vec_array(ovk_vec())
    call check(.not. associated(array), 'the rows of no vector')
    call check(ovk_mat_size(ovk_mat()) == 0, 'the size of no matrix')
    call check(ovk_string(ovk_err_text(OVK_ERR_MEMORY)) == 'out of memory', 'the text of a code')
    call check(ovk_string(ovk_reason_text(OVK_REASON_MAXIT)) == 'MAXIT', 'the text of a reason')
    call ovk_vec_destroy(x)
    call ovk_vec_destroy(x)
    call ovk_vec_destroy(b)
    call ovk_mat_destroy(A)
  end subroutine

  subroutine check_entries(x, value)
    type(ovk_vec), intent(in) :: x
    real(c_double), intent(in) :: value
    real(c_double), pointer :: array(:)
    array => ovk_vec_array(x)
    call check(all(abs(array - value) < 1d-5), 'a solution')
  end subroutine

  subroutine succeed(err)
    integer(ovk_err), intent(in) :: err
    call check(err == OVK_OK, ovk_string(ovk_err_text(err))//': '//ovk_string(ovk_ctx_error(ctx)))
  end subroutine

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    print '(a,i0,2a)', 'rank ', rank, ': wrong: ', what
    call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  end subroutine
end program test_fortran
