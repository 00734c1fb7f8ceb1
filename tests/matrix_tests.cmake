# SPDX-License-Identifier: BSD-2-Clause
# Tests of src/matrix, but for Matrix Market.
ovk_mpi_test(test_vec 1 2 3 4 7)
ovk_mpi_test(test_exchange 1 2 3 4 7)
ovk_mpi_test(test_mat 1 2 3 4 7)
ovk_mpi_test(test_gallery 1 2 3 4 7)
ovk_mpi_test(test_shell 1 2 3 4 7)
