# SPDX-License-Identifier: BSD-2-Clause
# Tests of src/matrix, but for Matrix Market.
ovk_mpi_test(test_vec 1 2 3 4 7)
ovk_mpi_test(test_exchange 1 2 3 4 7)
ovk_mpi_test(test_mat 1 2 3 4 7)
ovk_mpi_test(test_assembly 1 2 3 4 7)
ovk_mpi_test(test_gallery 1 2 3 4 7)
ovk_mpi_test(test_shell 1 2 3 4 7)
ovk_mpi_test(test_mat_pair 1 2 3 4)

# Every storage format against the entries that it was given; and what is special to each.
ovk_mpi_test(test_formats 1 2 3)
target_sources(test_formats PRIVATE format_matrices.c format_rows_odd.c format_rows_regular.c)
foreach(format IN ITEMS dia pattern sell sym symdia)
  ovk_unit_test(test_${format}_format)
  target_sources(test_${format}_format PRIVATE format_blocks.c)
endforeach()
