! SPDX-License-Identifier: BSD-2-Clause
! The Fortran interface: compile this file with the program, and link -lovkrylov. It needs Fortran
! 2018's optional arguments of bind(c) procedures, as mpi_f08 does.
!
! Names, arguments and their order are C's: the C headers beside this file say what each function
! does and returns, and whether it is collective. What is Fortran's own:
! - Functions return the error code. An argument that may be NULL in C is optional; for handles,
!   hooks and addresses there are ovk_precond(), ovk_poll() and c_null_ptr.
! - Texts are Fortran's, blanks at their end left out. Those of ovk_solver_opts are the arguments
!   `method` and `backend`. ovk_string() converts a type(c_ptr) that is returned, and the `method` of a
!   result.
! - Rows and columns are counted from 0.
module ovkrylov
  use, intrinsic :: iso_c_binding
  implicit none
  public

  integer, parameter :: ovk_gidx = c_int64_t, ovk_lidx = c_int32_t, ovk_err = c_int ! kinds

  enum, bind(c)
    enumerator :: OVK_OK = 0, OVK_ERR_ARG = 1, OVK_ERR_STATE = 2, OVK_ERR_MEMORY = 3
    enumerator :: OVK_ERR_RANGE = 4, OVK_ERR_UNKNOWN = 5, OVK_ERR_UNSUPPORTED = 6
    enumerator :: OVK_ERR_INDEFINITE = 7, OVK_ERR_IO = 8, OVK_ERR_FORMAT = 9, OVK_ERR_USER = 10
    enumerator :: OVK_ERR_MPI = 11, OVK_ERR_NETWORK = 12, OVK_ERR_INTERNAL = 13
    enumerator :: OVK_ERR_DIFFER = 14

    enumerator :: OVK_REASON_CONVERGED_RTOL = 1, OVK_REASON_CONVERGED_ATOL = 2
    enumerator :: OVK_REASON_CONVERGED_ZERO_RHS = 3, OVK_REASON_NOT_RUN = 0
    enumerator :: OVK_REASON_MAXIT = -1, OVK_REASON_BREAKDOWN_INDEFINITE_A = -2
    enumerator :: OVK_REASON_BREAKDOWN_INDEFINITE_M = -3, OVK_REASON_NAN = -4
    enumerator :: OVK_REASON_DIVERGED = -5, OVK_REASON_STAGNATED = -6, OVK_REASON_MONITOR = -7
    enumerator :: OVK_REASON_BREAKDOWN_LANCZOS = -8, OVK_REASON_BREAKDOWN_BICG = -9
    enumerator :: OVK_REASON_STAGNATED_RESTART = -10, OVK_REASON_SINGULAR = -11

    enumerator :: OVK_NORM_UNPRECONDITIONED = 0, OVK_NORM_PRECONDITIONED = 1, OVK_NORM_NATURAL = 2

    enumerator :: OVK_MONITOR_CONTINUE = 0, OVK_MONITOR_STOP = 1
    enumerator :: OVK_MONITOR_STOP_NOW = 1398034256
  end enum

  ! Handles: `type(ovk_mat) :: A` is NULL until a function has made the matrix.
  type, bind(c) :: ovk_ctx; type(c_ptr) :: address = c_null_ptr; end type
  type, bind(c) :: ovk_mat; type(c_ptr) :: address = c_null_ptr; end type
  type, bind(c) :: ovk_vec; type(c_ptr) :: address = c_null_ptr; end type
  type, bind(c) :: ovk_multivec; type(c_ptr) :: address = c_null_ptr; end type
  type, bind(c) :: ovk_precond; type(c_ptr) :: address = c_null_ptr; end type
  type, bind(c) :: ovk_solver; type(c_ptr) :: address = c_null_ptr; end type
  type, bind(c) :: ovk_reduction; type(c_ptr) :: address = c_null_ptr; end type

  ! `size` is that of the struct; the others are C's defaults.
  type, bind(c) :: ovk_solver_opts
    integer(c_size_t) :: size = 144
    type(c_ptr) :: method = c_null_ptr, backend = c_null_ptr
    real(c_double) :: rtol = 1e-8_c_double, atol = 0, dtol = 1e10_c_double
    integer(c_int) :: maxit = 10000
    integer(ovk_lidx) :: poll_rows = 0
    integer(c_int) :: true_residual_every = 0
    type(c_funptr) :: monitor = c_null_funptr ! c_funloc() of an ovk_monitor_fn
    type(c_ptr) :: monitor_arg = c_null_ptr
    integer(c_int) :: norm = OVK_NORM_UNPRECONDITIONED
    logical(c_bool) :: null_constant = .false.
    integer(c_int) :: null_count = 0
    type(c_ptr) :: null_vectors = c_null_ptr ! c_loc() of an array of type(ovk_vec)
    logical(c_bool) :: spd = .false.
    type(c_ptr) :: left_null_vectors = c_null_ptr ! as null_vectors, of the transpose
    integer(c_int) :: left_null_count = 0
    logical(c_bool) :: left_null_constant = .false.
    logical(c_bool) :: symmetric = .false.
    type(c_ptr) :: exact = c_null_ptr
    integer(c_int) :: guesses = 0
  end type
  type, bind(c) :: ovk_shell_ops ! c_funloc() of an ovk_mult_fn, an ovk_diagonal_fn
    integer(c_size_t) :: size = 40
    type(c_funptr) :: mult = c_null_funptr, diagonal = c_null_funptr, destroy = c_null_funptr
    type(c_funptr) :: rounding = c_null_funptr
  end type
  type, bind(c) :: ovk_precond_ops ! `apply` is an ovk_mult_fn, too; others: see precond.h
    integer(c_size_t) :: size = 184
    type(c_ptr) :: name = c_null_ptr, summary = c_null_ptr, keys = c_null_ptr
    type(c_funptr) :: apply = c_null_funptr
    type(c_funptr) :: setup = c_null_funptr, destroy = c_null_funptr
    type(c_funptr) :: factor = c_null_funptr
    type(c_funptr) :: apply_left = c_null_funptr, apply_right = c_null_funptr
    type(c_funptr) :: inverse_diagonal = c_null_funptr
    type(c_funptr) :: bytes = c_null_funptr, update = c_null_funptr, info = c_null_funptr
    logical(c_bool) :: local = .false., never_polls = .false.
    type(c_funptr) :: apply_split = c_null_funptr
    type(c_ptr) :: aliases = c_null_ptr
    type(c_funptr) :: warning = c_null_funptr, view = c_null_funptr, stale = c_null_funptr
    logical(c_bool) :: any_partition = .false.
    type(c_funptr) :: apply_many = c_null_funptr, prepare_many = c_null_funptr
    type(c_funptr) :: has_own_factors = c_null_funptr
  end type

  type, bind(c) :: ovk_poll
    type(c_funptr) :: progress = c_null_funptr
    type(c_ptr) :: arg = c_null_ptr
    integer(ovk_lidx) :: every = 0
  end type
  type, bind(c) :: ovk_progress
    integer(c_size_t) :: size
    integer(c_int) :: iteration
    real(c_double) :: residual_norm, true_residual_norm, rhs_norm, tolerance
    integer(c_int64_t) :: fingerprint
    integer(c_int) :: column
  end type
  type, bind(c) :: ovk_seconds
    real(c_double) :: solve, mult, halo_wait, precond, vector, reduction_begin, reduction_wait
  end type
  type, bind(c) :: ovk_result
    integer(c_size_t) :: size = 208
    integer(c_int) :: reason = OVK_REASON_NOT_RUN
    integer(c_int) :: iterations, restarts, replacements, method_changes
    integer(c_int) :: reductions_per_iteration, vectors
    real(c_double) :: rhs_norm, tolerance, relative_residual, true_relative_residual, rhs_null_part
    type(ovk_seconds) :: seconds
    integer(c_int64_t) :: fingerprint
    character(c_char) :: method(64) = c_null_char
  end type

  ! Functions of the program's own; `user` and `arg` are what was given with them.
  abstract interface
    integer(ovk_err) function ovk_mult_fn(user, x, y, poll) bind(c)
      import
      type(c_ptr), value :: user
      real(c_double), intent(in) :: x(*)
      real(c_double), intent(out) :: y(*)
      type(ovk_poll), value :: poll
    end function
    integer(ovk_err) function ovk_diagonal_fn(user, d) bind(c)
      import
      type(c_ptr), value :: user
      real(c_double), intent(out) :: d(*)
    end function
    integer(c_int) function ovk_monitor_fn(arg, progress) bind(c)
      import
      type(c_ptr), value :: arg
      type(ovk_progress), intent(in) :: progress
    end function
    integer(ovk_err) function ovk_row_fn(arg, i, n, col, val) bind(c)
      import
      type(c_ptr), value :: arg
      integer(ovk_gidx), value :: i
      integer(ovk_lidx), value :: n
      integer(ovk_gidx), intent(in) :: col(*)
      real(c_double), intent(in) :: val(*)
    end function
    subroutine ovk_notice_fn(arg, message) bind(c) ! ovk_string(message) is the text
      import
      type(c_ptr), value :: arg, message
    end subroutine
    subroutine ovk_progress_fn(arg) bind(c)
      import
      type(c_ptr), value :: arg
    end subroutine
  end interface

  interface
    ! `comm` is the integer of mpif.h and `use mpi`, or comm%MPI_VAL of mpi_f08.
    integer(ovk_err) function ovk_ctx_create(comm, out) bind(c, name='ovk_ctx_create_f')
      import
      integer(c_int), value :: comm
      type(ovk_ctx), intent(out) :: out
    end function
    subroutine ovk_ctx_destroy(ctx) bind(c)
      import
      type(ovk_ctx), intent(inout) :: ctx
    end subroutine
    type(c_ptr) function ovk_ctx_error(ctx) bind(c)
      import
      type(ovk_ctx), value :: ctx
    end function
    integer(c_int) function ovk_ctx_rank(ctx) bind(c)
      import
      type(ovk_ctx), value :: ctx
    end function
    integer(c_int) function ovk_ctx_size(ctx) bind(c)
      import
      type(ovk_ctx), value :: ctx
    end function
    ! `notice` is c_funloc() of an ovk_notice_fn, or c_null_funptr.
    subroutine ovk_ctx_on_notice(ctx, notice, arg) bind(c)
      import
      type(ovk_ctx), value :: ctx
      type(c_funptr), value :: notice
      type(c_ptr), value :: arg
    end subroutine
    type(c_ptr) function ovk_err_name(err) bind(c)
      import
      integer(ovk_err), value :: err
    end function
    type(c_ptr) function ovk_err_text(err) bind(c)
      import
      integer(ovk_err), value :: err
    end function
    type(c_ptr) function ovk_reason_text(reason) bind(c)
      import
      integer(c_int), value :: reason
    end function
    type(c_ptr) function ovk_reason_petsc_text(reason) bind(c)
      import
      integer(c_int), value :: reason
    end function

    integer(ovk_err) function ovk_vec_create(ctx, nlocal, out) bind(c)
      import
      type(ovk_ctx), value :: ctx
      integer(ovk_lidx), value :: nlocal
      type(ovk_vec), intent(out) :: out
    end function
    integer(ovk_err) function ovk_vec_duplicate(like, out) bind(c)
      import
      type(ovk_vec), value :: like
      type(ovk_vec), intent(out) :: out
    end function
    ! `array` needs the attribute target, and no stride.
    integer(ovk_err) function ovk_vec_wrap(ctx, nlocal, array, out) bind(c)
      import
      type(ovk_ctx), value :: ctx
      integer(ovk_lidx), value :: nlocal
      real(c_double), intent(inout), target :: array(*)
      type(ovk_vec), intent(out) :: out
    end function
    subroutine ovk_vec_destroy(v) bind(c)
      import
      type(ovk_vec), intent(inout) :: v
    end subroutine
    integer(ovk_lidx) function ovk_vec_local_size(v) bind(c)
      import
      type(ovk_vec), value :: v
    end function
    type(ovk_ctx) function ovk_vec_ctx(v) bind(c)
      import
      type(ovk_vec), value :: v
    end function
    integer(ovk_gidx) function ovk_vec_size(v) bind(c)
      import
      type(ovk_vec), value :: v
    end function
    integer(ovk_gidx) function ovk_vec_first(v) bind(c)
      import
      type(ovk_vec), value :: v
    end function
    integer(ovk_err) function ovk_vec_copy(x, y) bind(c)
      import
      type(ovk_vec), value :: x, y
    end function
    integer(ovk_err) function ovk_vec_scale(a, v) bind(c)
      import
      real(c_double), value :: a
      type(ovk_vec), value :: v
    end function
    integer(ovk_err) function ovk_vec_axpy(a, x, y) bind(c)
      import
      real(c_double), value :: a
      type(ovk_vec), value :: x, y
    end function
    integer(ovk_err) function ovk_vec_aypx(a, x, y) bind(c)
      import
      real(c_double), value :: a
      type(ovk_vec), value :: x, y
    end function
    integer(ovk_err) function ovk_vec_waxpy(a, x, y, w) bind(c)
      import
      real(c_double), value :: a
      type(ovk_vec), value :: x, y, w
    end function
    integer(ovk_err) function ovk_vec_pointwise_mult(x, y, w) bind(c)
      import
      type(ovk_vec), value :: x, y, w
    end function
    integer(ovk_err) function ovk_vec_pointwise_divide(x, y, w) bind(c)
      import
      type(ovk_vec), value :: x, y, w
    end function
    integer(ovk_err) function ovk_vec_local_dot(x, y, value) bind(c)
      import
      type(ovk_vec), value :: x, y
      real(c_double), intent(out) :: value
    end function
    integer(ovk_err) function ovk_vec_fill(v, value) bind(c)
      import
      type(ovk_vec), value :: v
      real(c_double), value :: value
    end function
    integer(ovk_err) function ovk_vec_dot(x, y, dot) bind(c)
      import
      type(ovk_vec), value :: x, y
      real(c_double), intent(out) :: dot
    end function
    integer(ovk_err) function ovk_vec_norm(x, value) bind(c)
      import
      type(ovk_vec), value :: x
      real(c_double), intent(out) :: value
    end function
    integer(ovk_err) function ovk_vec_mdot(x, n, y, dots) bind(c)
      import
      type(ovk_vec), value :: x
      integer(c_int), value :: n
      type(ovk_vec), intent(in) :: y(*)
      real(c_double), intent(out) :: dots(*)
    end function
    integer(ovk_err) function ovk_vec_norm1(x, value) bind(c)
      import
      type(ovk_vec), value :: x
      real(c_double), intent(out) :: value
    end function
    integer(ovk_err) function ovk_vec_norm_inf(x, value) bind(c)
      import
      type(ovk_vec), value :: x
      real(c_double), intent(out) :: value
    end function
    integer(ovk_err) function ovk_vec_max(x, value) bind(c)
      import
      type(ovk_vec), value :: x
      real(c_double), intent(out) :: value
    end function
    integer(ovk_err) function ovk_vec_min(x, value) bind(c)
      import
      type(ovk_vec), value :: x
      real(c_double), intent(out) :: value
    end function

    integer(ovk_err) function ovk_mat_create(ctx, nlocal, out) bind(c)
      import
      type(ovk_ctx), value :: ctx
      integer(ovk_lidx), value :: nlocal
      type(ovk_mat), intent(out) :: out
    end function
    integer(ovk_err) function ovk_mat_reserve(A, entries) bind(c)
      import
      type(ovk_mat), value :: A
      integer(c_int64_t), value :: entries
    end function
    integer(ovk_err) function ovk_mat_add(A, i, j, value) bind(c)
      import
      type(ovk_mat), value :: A
      integer(ovk_gidx), value :: i, j
      real(c_double), value :: value
    end function
    ! `values` has row after row: the transpose of a Fortran array values(nrows, ncols).
    integer(ovk_err) function ovk_mat_add_block(A, nrows, rows, ncols, cols, values) bind(c)
      import
      type(ovk_mat), value :: A
      integer(ovk_lidx), value :: nrows, ncols
      integer(ovk_gidx), intent(in) :: rows(*), cols(*)
      real(c_double), intent(in) :: values(*)
    end function
    integer(ovk_err) function ovk_mat_add_csr(A, ptr, col, val) bind(c)
      import
      type(ovk_mat), value :: A
      integer(c_int64_t), intent(in) :: ptr(*)
      integer(ovk_gidx), intent(in) :: col(*)
      real(c_double), intent(in) :: val(*)
    end function
    integer(ovk_err) function ovk_mat_add_csr32(A, ptr, col, val) bind(c)
      import
      type(ovk_mat), value :: A
      integer(c_int32_t), intent(in) :: ptr(*), col(*)
      real(c_double), intent(in) :: val(*)
    end function
    integer(ovk_err) function ovk_mat_update_csr(A, ptr, col, val) bind(c)
      import
      type(ovk_mat), value :: A
      integer(c_int64_t), intent(in) :: ptr(*)
      integer(ovk_gidx), intent(in) :: col(*)
      real(c_double), intent(in) :: val(*)
    end function
    integer(ovk_err) function ovk_mat_update_csr32(A, ptr, col, val) bind(c)
      import
      type(ovk_mat), value :: A
      integer(c_int32_t), intent(in) :: ptr(*), col(*)
      real(c_double), intent(in) :: val(*)
    end function
    integer(ovk_err) function ovk_mat_assemble(A) bind(c)
      import
      type(ovk_mat), value :: A
    end function
    integer(ovk_err) function ovk_mat_reset_values(A) bind(c)
      import
      type(ovk_mat), value :: A
    end function
    integer(ovk_err) function ovk_mat_create_shell(ctx, nlocal, ops, user, out) bind(c)
      import
      type(ovk_ctx), value :: ctx
      integer(ovk_lidx), value :: nlocal
      type(ovk_shell_ops), intent(in) :: ops
      type(c_ptr), value :: user
      type(ovk_mat), intent(out) :: out
    end function
    integer(ovk_err) function ovk_mat_set_block_size(A, block) bind(c)
      import
      type(ovk_mat), value :: A
      integer(c_int), value :: block
    end function
    integer(ovk_err) function ovk_mat_set_near_nullspace(A, n, v) bind(c)
      import
      type(ovk_mat), value :: A
      integer(c_int), value :: n
      type(ovk_vec), intent(in) :: v(*)
    end function
    ! `xyz` has point after point: a Fortran array xyz(dim, points).
    integer(ovk_err) function ovk_mat_set_coordinates(A, dim, xyz) bind(c)
      import
      type(ovk_mat), value :: A
      integer(c_int), value :: dim
      real(c_double), intent(in) :: xyz(*)
    end function
    ! Without the argument `key`: the global row numbers.
    integer(ovk_err) function ovk_mat_set_keys(A, key) bind(c)
      import
      type(ovk_mat), value :: A
      integer(c_int64_t), intent(in), optional :: key(*)
    end function
    integer(c_int) function ovk_mat_block_size(A) bind(c)
      import
      type(ovk_mat), value :: A
    end function
    integer(c_int) function ovk_mat_near_nullspace_size(A) bind(c)
      import
      type(ovk_mat), value :: A
    end function
    type(ovk_vec) function ovk_mat_near_nullspace_vec(A, k) bind(c)
      import
      type(ovk_mat), value :: A
      integer(c_int), value :: k
    end function
    type(c_ptr) function ovk_mat_coordinates(A, dim) bind(c)
      import
      type(ovk_mat), value :: A
      integer(c_int), intent(out) :: dim
    end function
    subroutine ovk_mat_destroy(A) bind(c)
      import
      type(ovk_mat), intent(inout) :: A
    end subroutine
    integer(ovk_err) function ovk_mat_mult(A, x, y) bind(c)
      import
      type(ovk_mat), value :: A
      type(ovk_vec), value :: x, y
    end function
    integer(ovk_err) function ovk_mat_mult_polled(A, x, y, poll) bind(c)
      import
      type(ovk_mat), value :: A
      type(ovk_vec), value :: x, y
      type(ovk_poll), value :: poll
    end function
    integer(ovk_err) function ovk_mat_create_vec(A, out) bind(c)
      import
      type(ovk_mat), value :: A
      type(ovk_vec), intent(out) :: out
    end function
    integer(ovk_err) function ovk_multivec_create(ctx, nlocal, columns, out) bind(c)
      import
      type(ovk_ctx), value :: ctx
      integer(ovk_lidx), value :: nlocal
      integer(c_int), value :: columns
      type(ovk_multivec), intent(out) :: out
    end function
    integer(ovk_err) function ovk_mat_create_multivec(A, columns, out) bind(c)
      import
      type(ovk_mat), value :: A
      integer(c_int), value :: columns
      type(ovk_multivec), intent(out) :: out
    end function
    subroutine ovk_multivec_destroy(X) bind(c)
      import
      type(ovk_multivec), intent(inout) :: X
    end subroutine
    integer(ovk_err) function ovk_multivec_set(X, first, n, columns, ld) bind(c)
      import
      type(ovk_multivec), value :: X
      integer(c_int), value :: first, n
      real(c_double), intent(in) :: columns(*)
      integer(c_int64_t), value :: ld
    end function
    integer(ovk_err) function ovk_multivec_get(X, first, n, columns, ld) bind(c)
      import
      type(ovk_multivec), value :: X
      integer(c_int), value :: first, n
      real(c_double), intent(inout) :: columns(*)
      integer(c_int64_t), value :: ld
    end function
    type(ovk_ctx) function ovk_multivec_ctx(X) bind(c)
      import
      type(ovk_multivec), value :: X
    end function
    integer(c_int) function ovk_multivec_columns(X) bind(c)
      import
      type(ovk_multivec), value :: X
    end function
    integer(ovk_lidx) function ovk_multivec_local_size(X) bind(c)
      import
      type(ovk_multivec), value :: X
    end function
    integer(ovk_gidx) function ovk_multivec_size(X) bind(c)
      import
      type(ovk_multivec), value :: X
    end function
    integer(ovk_err) function ovk_mat_mult_many(A, X, Y) bind(c)
      import
      type(ovk_mat), value :: A
      type(ovk_multivec), value :: X, Y
    end function
    integer(ovk_err) function ovk_precond_apply_many(M, R, Z, poll) bind(c)
      import
      type(ovk_precond), value :: M
      type(ovk_multivec), value :: R, Z
      type(ovk_poll), value :: poll
    end function
    integer(ovk_gidx) function ovk_mat_size(A) bind(c)
      import
      type(ovk_mat), value :: A
    end function
    integer(ovk_gidx) function ovk_mat_row_begin(A) bind(c)
      import
      type(ovk_mat), value :: A
    end function
    integer(ovk_gidx) function ovk_mat_row_end(A) bind(c)
      import
      type(ovk_mat), value :: A
    end function
    type(ovk_ctx) function ovk_mat_ctx(A) bind(c)
      import
      type(ovk_mat), value :: A
    end function
    integer(ovk_lidx) function ovk_mat_local_size(A) bind(c)
      import
      type(ovk_mat), value :: A
    end function
    integer(c_int64_t) function ovk_mat_nnz(A) bind(c)
      import
      type(ovk_mat), value :: A
    end function
    integer(c_int64_t) function ovk_mat_bytes(A) bind(c)
      import
      type(ovk_mat), value :: A
    end function
    integer(ovk_err) function ovk_mat_diagonal(A, d) bind(c)
      import
      type(ovk_mat), value :: A
      type(ovk_vec), value :: d
    end function
    integer(ovk_err) function ovk_mat_asymmetry(A, asymmetry) bind(c)
      import
      type(ovk_mat), value :: A
      real(c_double), intent(out) :: asymmetry
    end function
    integer(ovk_err) function ovk_mat_is_scattered(A, scattered) bind(c)
      import
      type(ovk_mat), value :: A
      logical(c_bool), intent(out) :: scattered
    end function
    integer(ovk_err) function ovk_mat_reorder(A, out) bind(c)
      import
      type(ovk_mat), value :: A
      type(ovk_mat), intent(out) :: out
    end function
    integer(ovk_err) function ovk_mat_reorder_values(A, B) bind(c)
      import
      type(ovk_mat), value :: A, B
    end function
    integer(ovk_err) function ovk_mat_to_order(B, v, w) bind(c)
      import
      type(ovk_mat), value :: B
      type(ovk_vec), value :: v, w
    end function
    integer(ovk_err) function ovk_mat_from_order(B, w, v) bind(c)
      import
      type(ovk_mat), value :: B
      type(ovk_vec), value :: w, v
    end function
    type(c_ptr) function ovk_mat_order(B) bind(c)
      import
      type(ovk_mat), value :: B
    end function
    ! `row` is c_funloc() of an ovk_row_fn.
    integer(ovk_err) function ovk_mat_for_each_row(A, row, arg) bind(c)
      import
      type(ovk_mat), value :: A
      type(c_funptr), value :: row
      type(c_ptr), value :: arg
    end function
    type(c_ptr) function ovk_mat_format(A) bind(c)
      import
      type(ovk_mat), value :: A
    end function

    subroutine ovk_precond_destroy(M) bind(c)
      import
      type(ovk_precond), intent(inout) :: M
    end subroutine
    integer(ovk_err) function ovk_precond_create_from_ops(A, ops, user, out) bind(c)
      import
      type(ovk_mat), value :: A
      type(ovk_precond_ops), intent(in) :: ops
      type(c_ptr), value :: user
      type(ovk_precond), intent(out) :: out
    end function

    integer(ovk_err) function ovk_precond_update(M) bind(c)
      import
      type(ovk_precond), value :: M
    end function
    integer(ovk_err) function ovk_precond_apply(M, r, z, poll) bind(c)
      import
      type(ovk_precond), value :: M
      type(ovk_vec), value :: r, z
      type(ovk_poll), value :: poll
    end function
    integer(ovk_err) function ovk_precond_factor(M) bind(c)
      import
      type(ovk_precond), value :: M
    end function
    integer(ovk_err) function ovk_precond_apply_left(M, r, t, poll) bind(c)
      import
      type(ovk_precond), value :: M
      type(ovk_vec), value :: r, t
      type(ovk_poll), value :: poll
    end function
    integer(ovk_err) function ovk_precond_apply_right(M, t, w, poll) bind(c)
      import
      type(ovk_precond), value :: M
      type(ovk_vec), value :: t, w
      type(ovk_poll), value :: poll
    end function
    integer(ovk_err) function ovk_precond_register(ctx, ops, user) bind(c)
      import
      type(ovk_ctx), value :: ctx
      type(ovk_precond_ops), intent(in) :: ops
      type(c_ptr), value :: user
    end function
    type(c_ptr) function ovk_precond_name(M) bind(c)
      import
      type(ovk_precond), value :: M
    end function
    type(c_ptr) function ovk_precond_info(M) bind(c)
      import
      type(ovk_precond), value :: M
    end function
    integer(c_int64_t) function ovk_precond_bytes(M) bind(c)
      import
      type(ovk_precond), value :: M
    end function

    subroutine ovk_reduction_destroy(red) bind(c)
      import
      type(ovk_reduction), intent(inout) :: red
    end subroutine
    integer(ovk_err) function ovk_reduction_begin(red) bind(c)
      import
      type(ovk_reduction), value :: red
    end function
    integer(ovk_err) function ovk_reduction_test(red, complete) bind(c)
      import
      type(ovk_reduction), value :: red
      logical(c_bool), intent(out) :: complete
    end function
    integer(ovk_err) function ovk_reduction_wait(red) bind(c)
      import
      type(ovk_reduction), value :: red
    end function
    logical(c_bool) function ovk_reduction_running(red) bind(c)
      import
      type(ovk_reduction), value :: red
    end function
    type(ovk_poll) function ovk_reduction_poll(red, every) bind(c)
      import
      type(ovk_reduction), value :: red
      integer(ovk_lidx), value :: every
    end function
    type(c_ptr) function ovk_reduction_spec(red) bind(c)
      import
      type(ovk_reduction), value :: red
    end function

    subroutine ovk_solver_destroy(solver) bind(c)
      import
      type(ovk_solver), intent(inout) :: solver
    end subroutine
    integer(ovk_err) function ovk_solver_solve(solver, b, x, res) bind(c)
      import
      type(ovk_solver), value :: solver
      type(ovk_vec), value :: b, x
      type(ovk_result), intent(out), optional :: res
    end function
    integer(ovk_err) function ovk_solver_solve_many(solver, B, X, results) bind(c)
      import
      type(ovk_solver), value :: solver
      type(ovk_multivec), value :: B, X
      type(ovk_result), intent(inout), optional :: results(*)
    end function
    integer(c_int) function ovk_results_worst(results, n) bind(c)
      import
      type(ovk_result), intent(in) :: results(*)
      integer(c_int), value :: n
    end function
    type(c_ptr) function ovk_solver_column_message(solver, column) bind(c)
      import
      type(ovk_solver), value :: solver
      integer(c_int), value :: column
    end function
    integer(ovk_err) function ovk_solver_update(solver) bind(c)
      import
      type(ovk_solver), value :: solver
    end function
    integer(ovk_err) function ovk_solver_update_matrix(solver) bind(c)
      import
      type(ovk_solver), value :: solver
    end function
    integer(ovk_err) function ovk_solver_set_tolerances(solver, rtol, atol, dtol, maxit) bind(c)
      import
      type(ovk_solver), value :: solver
      real(c_double), value :: rtol, atol, dtol
      integer(c_int), value :: maxit
    end function
    ! `monitor` is c_funloc() of an ovk_monitor_fn, or c_null_funptr.
    integer(ovk_err) function ovk_solver_set_monitor(solver, monitor, arg, true_residual_every) &
      bind(c)
      import
      type(ovk_solver), value :: solver
      type(c_funptr), value :: monitor
      type(c_ptr), value :: arg
      integer(c_int), value :: true_residual_every
    end function
    type(c_ptr) function ovk_solver_method(solver) bind(c)
      import
      type(ovk_solver), value :: solver
    end function
    integer(ovk_err) function ovk_solver_current_x(solver, x) bind(c)
      import
      type(ovk_solver), value :: solver
      type(ovk_vec), value :: x
    end function
    type(c_ptr) function ovk_solver_method_why(solver) bind(c)
      import
      type(ovk_solver), value :: solver
    end function
    type(c_ptr) function ovk_solver_backend(solver) bind(c)
      import
      type(ovk_solver), value :: solver
    end function
  end interface

  ! A text of C as a character(:), allocatable: of a type(c_ptr), or of a member such as res%method.
  interface ovk_string
    procedure text_at, text_in
  end interface

  private :: set_text, text_at, text_in

contains

  ! The rows of this rank, to read and write.
  function ovk_vec_array(v) result(array)
    type(ovk_vec), intent(in) :: v
    real(c_double), pointer, contiguous :: array(:)
    interface
      type(c_ptr) function c_function(v) bind(c, name='ovk_vec_array')
        import
        type(ovk_vec), value :: v
      end function
    end interface
    call c_f_pointer(c_function(v), array, [ovk_vec_local_size(v)])
  end function

  ! `count` is what the reduction was made with.
  function ovk_reduction_values(red, count) result(values)
    type(ovk_reduction), intent(in) :: red
    integer(c_int), intent(in) :: count
    real(c_double), pointer, contiguous :: values(:)
    interface
      type(c_ptr) function c_function(red) bind(c, name='ovk_reduction_values')
        import
        type(ovk_reduction), value :: red
      end function
    end interface
    call c_f_pointer(c_function(red), values, [count])
  end function

  ! Calls the hook if there is one: a function that runs long does so now and then.
  subroutine ovk_poll_call(poll)
    type(ovk_poll), intent(in) :: poll
    procedure(ovk_progress_fn), pointer :: progress
    if (.not. c_associated(poll%progress)) return
    call c_f_procpointer(poll%progress, progress)
    call progress(poll%arg)
  end subroutine

  integer(ovk_err) function ovk_mat_set_format(A, spec) result(err)
    type(ovk_mat), intent(in) :: A
    character(*), intent(in) :: spec
    interface
      integer(ovk_err) function c_function(A, spec) bind(c, name='ovk_mat_set_format')
        import
        type(ovk_mat), value :: A
        character(c_char), intent(in) :: spec(*)
      end function
    end interface
    err = c_function(A, trim(spec)//c_null_char)
  end function

  integer(ovk_err) function ovk_precond_create(A, spec, out) result(err)
    type(ovk_mat), intent(in) :: A
    character(*), intent(in) :: spec
    type(ovk_precond), intent(out) :: out
    interface
      integer(ovk_err) function c_function(A, spec, out) bind(c, name='ovk_precond_create')
        import
        type(ovk_mat), value :: A
        character(c_char), intent(in) :: spec(*)
        type(ovk_precond), intent(out) :: out
      end function
    end interface
    err = c_function(A, trim(spec)//c_null_char, out)
  end function

  integer(ovk_err) function ovk_reduction_create(ctx, spec, count, out) result(err)
    type(ovk_ctx), intent(in) :: ctx
    character(*), intent(in), optional :: spec
    integer(c_int), intent(in) :: count
    type(ovk_reduction), intent(out) :: out
    character(:), allocatable :: text
    interface
      integer(ovk_err) function c_function(ctx, spec, count, out) &
          bind(c, name='ovk_reduction_create')
        import
        type(ovk_ctx), value :: ctx
        character(c_char), intent(in), optional :: spec(*)
        integer(c_int), value :: count
        type(ovk_reduction), intent(out) :: out
      end function
    end interface
    if (present(spec)) text = trim(spec)//c_null_char
    err = c_function(ctx, text, count, out)
  end function

  integer(ovk_err) function ovk_solver_create(A, M, opts, out, method, backend) result(err)
    type(ovk_mat), intent(in) :: A
    type(ovk_precond), intent(in) :: M
    type(ovk_solver_opts), intent(in), optional :: opts
    type(ovk_solver), intent(out) :: out
    character(*), intent(in), optional :: method, backend
    type(ovk_solver_opts) :: own
    character(:), allocatable, target :: m_text, b_text
    interface
      integer(ovk_err) function c_function(A, M, opts, out) bind(c, name='ovk_solver_create')
        import
        type(ovk_mat), value :: A
        type(ovk_precond), value :: M
        type(ovk_solver_opts), intent(in) :: opts
        type(ovk_solver), intent(out) :: out
      end function
    end interface
    if (present(opts)) own = opts
    call set_text(own%method, method, m_text)
    call set_text(own%backend, backend, b_text)
    err = c_function(A, M, own, out)
  end function

  integer(ovk_err) function ovk_solve(A, M, b, x, opts, res, method, backend) result(err)
    type(ovk_mat), intent(in) :: A
    type(ovk_precond), intent(in) :: M
    type(ovk_vec), intent(in) :: b, x
    type(ovk_solver_opts), intent(in), optional :: opts
    type(ovk_result), intent(out), optional :: res
    character(*), intent(in), optional :: method, backend
    type(ovk_solver_opts) :: own
    character(:), allocatable, target :: m_text, b_text
    interface
      integer(ovk_err) function c_function(A, M, b, x, opts, res) bind(c, name='ovk_solve')
        import
        type(ovk_mat), value :: A
        type(ovk_precond), value :: M
        type(ovk_vec), value :: b, x
        type(ovk_solver_opts), intent(in) :: opts
        type(ovk_result), intent(out), optional :: res
      end function
    end interface
    if (present(opts)) own = opts
    call set_text(own%method, method, m_text)
    call set_text(own%backend, backend, b_text)
    err = c_function(A, M, b, x, own, res)
  end function

  integer(ovk_err) function ovk_mat_write_mm(A, path) result(err)
    type(ovk_mat), intent(in) :: A
    character(*), intent(in) :: path
    interface
      integer(ovk_err) function c_function(A, path) bind(c, name='ovk_mat_write_mm')
        import
        type(ovk_mat), value :: A
        character(c_char), intent(in) :: path(*)
      end function
    end interface
    err = c_function(A, trim(path)//c_null_char)
  end function

  integer(ovk_err) function ovk_vec_write_mm(v, path) result(err)
    type(ovk_vec), intent(in) :: v
    character(*), intent(in) :: path
    interface
      integer(ovk_err) function c_function(v, path) bind(c, name='ovk_vec_write_mm')
        import
        type(ovk_vec), value :: v
        character(c_char), intent(in) :: path(*)
      end function
    end interface
    err = c_function(v, trim(path)//c_null_char)
  end function

  integer(ovk_err) function ovk_vec_read_mm(v, path) result(err)
    type(ovk_vec), intent(in) :: v
    character(*), intent(in) :: path
    interface
      integer(ovk_err) function c_function(v, path) bind(c, name='ovk_vec_read_mm')
        import
        type(ovk_vec), value :: v
        character(c_char), intent(in) :: path(*)
      end function
    end interface
    err = c_function(v, trim(path)//c_null_char)
  end function

  integer(ovk_err) function ovk_multivec_read_mm(A, path, out) result(err)
    type(ovk_mat), intent(in) :: A
    character(*), intent(in) :: path
    type(ovk_multivec), intent(out) :: out
    interface
      integer(ovk_err) function c_function(A, path, out) bind(c, name='ovk_multivec_read_mm')
        import
        type(ovk_mat), value :: A
        character(c_char), intent(in) :: path(*)
        type(ovk_multivec), intent(out) :: out
      end function
    end interface
    err = c_function(A, trim(path)//c_null_char, out)
  end function

  integer(ovk_err) function ovk_multivec_write_mm(X, path) result(err)
    type(ovk_multivec), intent(in) :: X
    character(*), intent(in) :: path
    interface
      integer(ovk_err) function c_function(X, path) bind(c, name='ovk_multivec_write_mm')
        import
        type(ovk_multivec), value :: X
        character(c_char), intent(in) :: path(*)
      end function
    end interface
    err = c_function(X, trim(path)//c_null_char)
  end function

  integer(ovk_err) function ovk_log_write(ctx, path) result(err)
    type(ovk_ctx), intent(in) :: ctx
    character(*), intent(in) :: path
    interface
      integer(ovk_err) function c_function(ctx, path) bind(c, name='ovk_log_write')
        import
        type(ovk_ctx), value :: ctx
        character(c_char), intent(in) :: path(*)
      end function
    end interface
    err = c_function(ctx, trim(path)//c_null_char)
  end function

  integer(ovk_err) function ovk_mat_create_csr(ctx, nlocal, ptr, col, val, format, out) result(err)
    type(ovk_ctx), intent(in) :: ctx
    integer(ovk_lidx), intent(in) :: nlocal
    integer(c_int64_t), intent(in) :: ptr(*)
    integer(ovk_gidx), intent(in) :: col(*)
    real(c_double), intent(in) :: val(*)
    character(*), intent(in), optional :: format
    type(ovk_mat), intent(out) :: out
    character(:), allocatable :: text
    interface
      integer(ovk_err) function c_function(ctx, nlocal, ptr, col, val, format, out) &
          bind(c, name='ovk_mat_create_csr')
        import
        type(ovk_ctx), value :: ctx
        integer(ovk_lidx), value :: nlocal
        integer(c_int64_t), intent(in) :: ptr(*)
        integer(ovk_gidx), intent(in) :: col(*)
        real(c_double), intent(in) :: val(*)
        character(c_char), intent(in), optional :: format(*)
        type(ovk_mat), intent(out) :: out
      end function
    end interface
    if (present(format)) text = trim(format)//c_null_char
    err = c_function(ctx, nlocal, ptr, col, val, text, out)
  end function
  integer(ovk_err) function ovk_mat_create_csr32(ctx, nlocal, ptr, col, val, format, out) result(err)
    type(ovk_ctx), intent(in) :: ctx
    integer(ovk_lidx), intent(in) :: nlocal
    integer(c_int32_t), intent(in) :: ptr(*)
    integer(c_int32_t), intent(in) :: col(*)
    real(c_double), intent(in) :: val(*)
    character(*), intent(in), optional :: format
    type(ovk_mat), intent(out) :: out
    character(:), allocatable :: text
    interface
      integer(ovk_err) function c_function(ctx, nlocal, ptr, col, val, format, out) &
          bind(c, name='ovk_mat_create_csr32')
        import
        type(ovk_ctx), value :: ctx
        integer(ovk_lidx), value :: nlocal
        integer(c_int32_t), intent(in) :: ptr(*)
        integer(c_int32_t), intent(in) :: col(*)
        real(c_double), intent(in) :: val(*)
        character(c_char), intent(in), optional :: format(*)
        type(ovk_mat), intent(out) :: out
      end function
    end interface
    if (present(format)) text = trim(format)//c_null_char
    err = c_function(ctx, nlocal, ptr, col, val, text, out)
  end function
  integer(ovk_err) function ovk_mat_read_mm(ctx, path, format, out) result(err)
    type(ovk_ctx), intent(in) :: ctx
    character(*), intent(in) :: path
    character(*), intent(in), optional :: format
    type(ovk_mat), intent(out) :: out
    character(:), allocatable :: text
    interface
      integer(ovk_err) function c_function(ctx, path, format, out) bind(c, name='ovk_mat_read_mm')
        import
        type(ovk_ctx), value :: ctx
        character(c_char), intent(in) :: path(*)
        character(c_char), intent(in), optional :: format(*)
        type(ovk_mat), intent(out) :: out
      end function
    end interface
    if (present(format)) text = trim(format)//c_null_char
    err = c_function(ctx, trim(path)//c_null_char, text, out)
  end function

  integer(ovk_err) function ovk_gallery_laplace27(ctx, n, grid, format, out) result(err)
    type(ovk_ctx), intent(in) :: ctx
    integer(c_int), intent(in) :: n(3), grid(3)
    character(*), intent(in), optional :: format
    type(ovk_mat), intent(out) :: out
    character(:), allocatable :: text
    interface
      integer(ovk_err) function c_function(ctx, n, grid, format, out) &
          bind(c, name='ovk_gallery_laplace27')
        import
        type(ovk_ctx), value :: ctx
        integer(c_int), intent(in) :: n(3), grid(3)
        character(c_char), intent(in), optional :: format(*)
        type(ovk_mat), intent(out) :: out
      end function
    end interface
    if (present(format)) text = trim(format)//c_null_char
    err = c_function(ctx, n, grid, text, out)
  end function

  integer(ovk_err) function ovk_gallery_laplace7(ctx, n, grid, format, out) result(err)
    type(ovk_ctx), intent(in) :: ctx
    integer(c_int), intent(in) :: n(3), grid(3)
    character(*), intent(in), optional :: format
    type(ovk_mat), intent(out) :: out
    character(:), allocatable :: text
    interface
      integer(ovk_err) function c_function(ctx, n, grid, format, out) &
          bind(c, name='ovk_gallery_laplace7')
        import
        type(ovk_ctx), value :: ctx
        integer(c_int), intent(in) :: n(3), grid(3)
        character(c_char), intent(in), optional :: format(*)
        type(ovk_mat), intent(out) :: out
      end function
    end interface
    if (present(format)) text = trim(format)//c_null_char
    err = c_function(ctx, n, grid, text, out)
  end function

  integer(ovk_err) function ovk_gallery_convdiff7(ctx, n, grid, peclet, central, format, out) &
    result(err)
    type(ovk_ctx), intent(in) :: ctx
    integer(c_int), intent(in) :: n(3), grid(3)
    real(c_double), intent(in) :: peclet
    logical(c_bool), intent(in) :: central
    character(*), intent(in), optional :: format
    type(ovk_mat), intent(out) :: out
    character(:), allocatable :: text
    interface
      integer(ovk_err) function c_function(ctx, n, grid, peclet, central, format, out) &
          bind(c, name='ovk_gallery_convdiff7')
        import
        type(ovk_ctx), value :: ctx
        integer(c_int), intent(in) :: n(3), grid(3)
        real(c_double), value :: peclet
        logical(c_bool), value :: central
        character(c_char), intent(in), optional :: format(*)
        type(ovk_mat), intent(out) :: out
      end function
    end interface
    if (present(format)) text = trim(format)//c_null_char
    err = c_function(ctx, n, grid, peclet, central, text, out)
  end function

  integer(ovk_err) function ovk_gallery_helmholtz7(ctx, n, grid, shift, format, out) result(err)
    type(ovk_ctx), intent(in) :: ctx
    integer(c_int), intent(in) :: n(3), grid(3)
    real(c_double), intent(in) :: shift
    character(*), intent(in), optional :: format
    type(ovk_mat), intent(out) :: out
    character(:), allocatable :: text
    interface
      integer(ovk_err) function c_function(ctx, n, grid, shift, format, out) &
          bind(c, name='ovk_gallery_helmholtz7')
        import
        type(ovk_ctx), value :: ctx
        integer(c_int), intent(in) :: n(3), grid(3)
        real(c_double), value :: shift
        character(c_char), intent(in), optional :: format(*)
        type(ovk_mat), intent(out) :: out
      end function
    end interface
    if (present(format)) text = trim(format)//c_null_char
    err = c_function(ctx, n, grid, shift, text, out)
  end function

  integer(ovk_err) function ovk_pcg_solve(A, M, b, x, opts, res, method, backend) result(err)
    type(ovk_mat), intent(in) :: A
    type(ovk_precond), intent(in) :: M
    type(ovk_vec), intent(in) :: b, x
    type(ovk_solver_opts), intent(in), optional :: opts
    type(ovk_result), intent(out), optional :: res
    character(*), intent(in), optional :: method, backend
    type(ovk_solver_opts) :: own
    character(:), allocatable, target :: m_text, b_text
    interface
      integer(ovk_err) function c_function(A, M, b, x, opts, res) bind(c, name='ovk_pcg_solve')
        import
        type(ovk_mat), value :: A
        type(ovk_precond), value :: M
        type(ovk_vec), value :: b, x
        type(ovk_solver_opts), intent(in) :: opts
        type(ovk_result), intent(out), optional :: res
      end function
    end interface
    if (present(opts)) own = opts
    call set_text(own%method, method, m_text)
    call set_text(own%backend, backend, b_text)
    err = c_function(A, M, b, x, own, res)
  end function

  ! Rows from `from` on until the next call of the hook, at most up to n.
  integer(ovk_lidx) function ovk_poll_until(poll, from, n) result(until)
    type(ovk_poll), intent(in) :: poll
    integer(ovk_lidx), intent(in) :: from, n
    until = n
    if (c_associated(poll%progress) .and. poll%every < n - from) until = from + poll%every
  end function

  ! address <- that of `text` as C has it, which `kept` holds; without a text it stays.
  subroutine set_text(address, text, kept)
    type(c_ptr), intent(inout) :: address
    character(*), intent(in), optional :: text
    character(:), allocatable, target, intent(out) :: kept
    if (.not. present(text)) return
    kept = trim(text)//c_null_char
    address = c_loc(kept)
  end subroutine

  ! The text at an address that a function has returned.
  function text_at(address) result(text)
    type(c_ptr), intent(in) :: address
    character(:), allocatable :: text
    character(c_char), pointer :: chars(:)
    integer :: k
    interface
      integer(c_size_t) function strlen(text) bind(c)
        import
        type(c_ptr), value :: text
      end function
    end interface
    call c_f_pointer(address, chars, [strlen(address)])
    allocate(character(size(chars)) :: text)
    do k = 1, size(chars)
      text(k:k) = chars(k)
    end do
  end function

  ! The text in an array of a struct.
  function text_in(chars) result(text)
    character(c_char), intent(in) :: chars(:)
    character(:), allocatable :: text
    integer :: k
    text = ''
    do k = 1, size(chars)
      if (chars(k) == c_null_char) return
      text = text//chars(k)
    end do
  end function
end module ovkrylov
