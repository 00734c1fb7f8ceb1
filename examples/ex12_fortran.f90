! SPDX-License-Identifier: BSD-2-Clause
! The 7-point Laplace operator on a box, from Fortran: assembled row by row, planes of constant z
! distributed over the ranks, solved for a known solution.
!
!     F=$(pkg-config --variable=includedir ovkrylov)/ovkrylov/ovkrylov.f90
!     mpifort $F ex12_fortran.f90 $(pkg-config --libs ovkrylov) -o ex12_fortran
!     mpiexec -n 2 ex12_fortran overlap ssor nbc
!
! Its arguments, all optional: the method, the preconditioner and the backend of the sums.
program ex12_fortran
  use mpi
  use ovkrylov
  implicit none
  integer, parameter :: nx = 24, ny = 24, nz = 24, plane = nx*ny
  type(ovk_ctx) :: ctx
  type(ovk_mat) :: A
  type(ovk_precond) :: M
  type(ovk_vec) :: b, x, u
  type(ovk_result) :: res
  real(c_double) :: error = 0
  character(64) :: method, precond, backend
  integer(ovk_err) :: err
  integer :: rank, nranks, ierr
  logical :: failed

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  call argument(1, 'auto', method)
  call argument(2, 'jacobi', precond)
  call argument(3, 'auto', backend)
  err = solve()
  failed = err /= OVK_OK .or. res%reason < 0
  if (rank == 0 .and. failed) then
    print '(3a)', ovk_string(ovk_err_text(err)), ': ', ovk_string(ovk_ctx_error(ctx))
  else if (rank == 0) then
    print '(2a,i0,a,es8.2)', ovk_string(ovk_reason_text(res%reason)), ' after ', res%iterations, &
      ' iterations, ||x - u|| = ', error
  end if
  call ovk_vec_destroy(u)
  call ovk_vec_destroy(x)
  call ovk_vec_destroy(b)
  call ovk_precond_destroy(M)
  call ovk_mat_destroy(A)
  call ovk_ctx_destroy(ctx)
  call MPI_Finalize(ierr)
  if (failed .or. error > 1e-5) stop 1

contains

  ! All ranks get the same error, so all of them return.
  integer(ovk_err) function solve() result(err)
    real(c_double), pointer :: x_rows(:), u_rows(:)
    integer(ovk_gidx) :: first
    integer(ovk_lidx) :: rows, k
    rows = plane*(nz/nranks + merge(1, 0, rank < mod(nz, nranks)))
    err = ovk_ctx_create(MPI_COMM_WORLD, ctx)
    if (err == OVK_OK) err = ovk_mat_create(ctx, rows, A)
    if (err /= OVK_OK) return
    first = ovk_mat_row_begin(A) ! rows and columns are counted from 0
    do k = 0, rows - 1
      call add_row(first + k)
    end do
    err = ovk_mat_assemble(A)
    if (err == OVK_OK) err = ovk_precond_create(A, precond, M)
    if (err == OVK_OK) err = ovk_mat_create_vec(A, u)
    if (err == OVK_OK) err = ovk_mat_create_vec(A, b)
    if (err == OVK_OK) err = ovk_mat_create_vec(A, x) ! zeros: the initial guess
    if (err /= OVK_OK) return
    u_rows => ovk_vec_array(u)
    u_rows = [(sin(real(first + k, c_double)), k = 0, rows - 1)]
    err = ovk_mat_mult(A, u, b)
    if (err == OVK_OK) err = ovk_solve(A, M, b, x, ovk_solver_opts(rtol=1e-10_c_double), res, &
                                       method, backend)
    if (err /= OVK_OK) return
    x_rows => ovk_vec_array(x)
    u_rows = x_rows - u_rows
    err = ovk_vec_norm(u, error)
  end function solve

  subroutine argument(number, otherwise, text)
    integer, intent(in) :: number
    character(*), intent(in) :: otherwise
    character(*), intent(out) :: text
    text = otherwise
    if (command_argument_count() >= number) call get_command_argument(number, text)
  end subroutine argument

  ! Point i in the order of x, y, z. What fails is kept, and told by ovk_mat_assemble().
  subroutine add_row(i)
    integer(ovk_gidx), intent(in) :: i
    integer(ovk_err) :: kept
    kept = ovk_mat_add(A, i, i, 6d0)
    if (mod(i, int(nx, ovk_gidx)) > 0) kept = ovk_mat_add(A, i, i - 1, -1d0)
    if (mod(i, int(nx, ovk_gidx)) < nx - 1) kept = ovk_mat_add(A, i, i + 1, -1d0)
    if (mod(i/nx, int(ny, ovk_gidx)) > 0) kept = ovk_mat_add(A, i, i - nx, -1d0)
    if (mod(i/nx, int(ny, ovk_gidx)) < ny - 1) kept = ovk_mat_add(A, i, i + nx, -1d0)
    if (i >= plane) kept = ovk_mat_add(A, i, i - plane, -1d0)
    if (i < plane*(nz - 1)) kept = ovk_mat_add(A, i, i + plane, -1d0)
  end subroutine add_row
end program ex12_fortran
