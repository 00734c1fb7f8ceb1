/* SPDX-License-Identifier: BSD-2-Clause */
/* NULL for every handle of a call: functions that can fail do, others return nothing. */
#include "support/problem.h"

#include <ovkrylov/comm/board.h>
#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/comm/reduction.h>

TEST(every_function_that_can_fail_does)
{
  ovk_mat *A = NULL;
  ovk_vec *v = NULL;
  ovk_multivec *X = NULL;
  ovk_solver *solver = NULL;
  ovk_precond *M = NULL;
  ovk_reduction *red = NULL;
  ovk_collective *barrier = NULL;
  ovk_board *board = NULL;
  double number;
  bool complete;
  const int one[3] = {1, 1, 1};
  const ovk_shell_ops ops = {.mult = no_product};
  ovk_event_stats stats[OVK_EVENT_COUNT];
  const ovk_err errs[] = {ovk_vec_create(NULL, 1, &v),
                          ovk_vec_wrap(NULL, 1, &number, &v),
                          ovk_vec_duplicate(NULL, &v),
                          ovk_vec_fill(NULL, 0),
                          ovk_vec_copy(NULL, NULL),
                          ovk_vec_scale(1, NULL),
                          ovk_vec_axpy(1, NULL, NULL),
                          ovk_vec_aypx(1, NULL, NULL),
                          ovk_vec_waxpy(1, NULL, NULL, NULL),
                          ovk_vec_pointwise_mult(NULL, NULL, NULL),
                          ovk_vec_pointwise_divide(NULL, NULL, NULL),
                          ovk_vec_norm1(NULL, &number),
                          ovk_vec_norm_inf(NULL, &number),
                          ovk_vec_max(NULL, &number),
                          ovk_vec_min(NULL, &number),
                          ovk_vec_mdot(NULL, 0, NULL, &number),
                          ovk_vec_local_dot(NULL, NULL, &number),
                          ovk_vec_norm(NULL, &number),
                          ovk_vec_dot(NULL, NULL, &number),
                          ovk_multivec_create(NULL, 1, 1, &X),
                          ovk_mat_create_multivec(NULL, 1, &X),
                          ovk_multivec_set(NULL, 0, 0, &number, 1),
                          ovk_multivec_get(NULL, 0, 0, &number, 1),
                          ovk_mat_mult_many(NULL, NULL, NULL),
                          ovk_mat_create(NULL, 1, &A),
                          ovk_mat_create_shell(NULL, 1, &ops, NULL, &A),
                          ovk_mat_add(NULL, 0, 0, 1),
                          ovk_mat_add_csr(NULL, NULL, NULL, NULL),
                          ovk_mat_add_block(NULL, 0, NULL, 0, NULL, NULL),
                          ovk_mat_set_format(NULL, "csr"),
                          ovk_mat_assemble(NULL),
                          ovk_mat_reserve(NULL, 1),
                          ovk_mat_reset_values(NULL),
                          ovk_mat_for_each_row(NULL, NULL, NULL),
                          ovk_mat_set_block_size(NULL, 1),
                          ovk_mat_set_near_nullspace(NULL, 0, NULL),
                          ovk_mat_set_coordinates(NULL, 0, NULL),
                          ovk_mat_is_scattered(NULL, &complete),
                          ovk_mat_reorder(NULL, &A),
                          ovk_mat_reorder_values(NULL, NULL),
                          ovk_mat_to_order(NULL, NULL, NULL),
                          ovk_mat_from_order(NULL, NULL, NULL),
                          ovk_mat_mult(NULL, NULL, NULL),
                          ovk_mat_mult_polled(NULL, NULL, NULL, ovk_poll_none()),
                          ovk_mat_diagonal(NULL, NULL),
                          ovk_mat_create_vec(NULL, &v),
                          ovk_precond_create(NULL, "jacobi", &M),
                          ovk_precond_apply(NULL, NULL, NULL, ovk_poll_none()),
                          ovk_precond_apply_many(NULL, NULL, NULL, ovk_poll_none()),
                          ovk_precond_apply_left(NULL, NULL, NULL, ovk_poll_none()),
                          ovk_precond_apply_right(NULL, NULL, NULL, ovk_poll_none()),
                          ovk_precond_factor(NULL),
                          ovk_precond_update(NULL),
                          ovk_solver_create(NULL, NULL, NULL, &solver),
                          ovk_solver_update(NULL),
                          ovk_solver_update_matrix(NULL),
                          ovk_solver_set_tolerances(NULL, 0.5, 0, 2, 1),
                          ovk_solver_set_monitor(NULL, NULL, NULL, 0),
                          ovk_solver_solve(NULL, NULL, NULL, NULL),
                          ovk_solver_solve_many(NULL, NULL, NULL, NULL),
                          ovk_pcg_solve(NULL, NULL, NULL, NULL, NULL, NULL),
                          ovk_reduction_create(NULL, NULL, 1, &red),
                          ovk_reduction_begin(NULL),
                          ovk_reduction_test(NULL, &complete),
                          ovk_reduction_wait(NULL),
                          ovk_collective_create_barrier(NULL, NULL, &barrier),
                          ovk_collective_begin(NULL),
                          ovk_collective_test(NULL, &complete),
                          ovk_collective_wait(NULL),
                          ovk_board_create(NULL, 4, 8, &board),
                          ovk_gallery_laplace27(NULL, one, one, NULL, &A),
                          ovk_mat_read_mm(NULL, "none", NULL, &A),
                          ovk_vec_read_mm(NULL, "none"),
                          ovk_multivec_read_mm(NULL, "none", NULL),
                          ovk_multivec_write_mm(NULL, "none"),
                          ovk_mat_write_mm(NULL, "none"),
                          ovk_vec_write_mm(NULL, "none"),
                          ovk_log_stats(NULL, stats),
                          ovk_log_write(NULL, "none")};
  for (size_t k = 0; k < sizeof errs / sizeof *errs; k++) assert_int_equal(errs[k], OVK_ERR_ARG);
  assert_string_equal(ovk_ctx_error(NULL), "");
}

TEST(what_is_asked_of_no_matrix_or_vector_is_nothing)
{
  assert_null(ovk_mat_ctx(NULL));
  assert_int_equal(ovk_mat_local_size(NULL), 0);
  assert_int_equal(ovk_mat_size(NULL), 0);
  assert_int_equal(ovk_mat_row_begin(NULL), 0);
  assert_int_equal(ovk_mat_row_end(NULL), 0);
  assert_int_equal(ovk_mat_nnz(NULL), 0);
  assert_int_equal(ovk_mat_block_size(NULL), 0);
  assert_int_equal(ovk_mat_near_nullspace_size(NULL), 0);
  assert_null(ovk_mat_near_nullspace_vec(NULL, 0));
  assert_null(ovk_mat_coordinates(NULL, NULL));
  assert_null(ovk_mat_order(NULL));
  assert_int_equal(ovk_mat_bytes(NULL), 0);
  assert_string_equal(ovk_mat_format(NULL), "");
  assert_null(ovk_vec_ctx(NULL));
  assert_null(ovk_vec_array(NULL));
  assert_null(ovk_vec_array_const(NULL));
  assert_int_equal(ovk_vec_local_size(NULL), 0);
  assert_int_equal(ovk_vec_size(NULL), 0);
  assert_int_equal(ovk_vec_first(NULL), 0);
  assert_null(ovk_multivec_ctx(NULL));
  assert_int_equal(ovk_multivec_columns(NULL), 0);
  assert_int_equal(ovk_multivec_local_size(NULL), 0);
  assert_int_equal(ovk_multivec_size(NULL), 0);
}

TEST(what_is_asked_of_no_context_or_solver_is_nothing)
{
  assert_true(ovk_ctx_comm(NULL) == MPI_COMM_NULL);
  assert_int_equal(ovk_ctx_rank(NULL), 0);
  assert_int_equal(ovk_ctx_size(NULL), 0);
  ovk_ctx_on_notice(NULL, NULL, NULL);
  assert_true(ovk_log_seconds(NULL, OVK_EVENT_SOLVE) == 0);
  assert_string_equal(ovk_precond_name(NULL), "");
  assert_int_equal(ovk_precond_bytes(NULL), 0);
  assert_string_equal(ovk_precond_info(NULL), "");
  assert_string_equal(ovk_solver_method(NULL), "");
  assert_string_equal(ovk_solver_method_why(NULL), "");
  assert_string_equal(ovk_solver_backend(NULL), "");
  assert_string_equal(ovk_solver_column_message(NULL, 0), "");
  assert_string_equal(ovk_spec_name(NULL), "");
  assert_string_equal(ovk_spec_text(NULL), "");
  assert_null(ovk_spec_inner(NULL));
  assert_false(ovk_spec_has(NULL, "key"));
  assert_string_equal(ovk_spec_string(NULL, "key", "otherwise"), "otherwise");
}

TEST(what_is_asked_of_no_sum_is_nothing)
{
  assert_null(ovk_reduction_values(NULL));
  assert_false(ovk_reduction_running(NULL));
  assert_string_equal(ovk_reduction_spec(NULL), "");
  assert_null(ovk_reduction_poll(NULL, 1).progress);
  assert_false(ovk_collective_running(NULL));
  assert_null(ovk_collective_poll(NULL, 1).progress);
  assert_false(ovk_board_progress(NULL));
  assert_false(ovk_board_is_behind(NULL));
}
