# SPDX-License-Identifier: BSD-2-Clause
# Tests of src/precond and src/solvers.
ovk_unit_test(test_updates)
ovk_mpi_test(test_precond 1 2 3 4 7)
ovk_mpi_test(test_methods 1 2 3 4 7)
ovk_mpi_test(test_solver 1 2 3 4 7)
ovk_mpi_test(test_real_matrices 1 2 4)
