# SPDX-License-Identifier: BSD-2-Clause
# Tests of src/core and of the row layouts.
ovk_unit_test(test_spec)
ovk_unit_test(test_registry)
ovk_unit_test(test_mem)
ovk_mpi_test(test_error 1 2 3 4 7)
ovk_mpi_test(test_ctx 1 2 3 4 7)
ovk_mpi_test(test_env 1 2 3 4 7)
ovk_mpi_test(test_log 1 2 3 4 7)
ovk_mpi_test(test_layout 1 2 3 4 7)

# Every allocation of the library in this program goes through support/malloc_fail.c.
ovk_mpi_test(test_malloc_failure 2)
target_sources(test_malloc_failure PRIVATE support/malloc_fail.c)
target_link_options(test_malloc_failure PRIVATE
  LINKER:--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=free)
