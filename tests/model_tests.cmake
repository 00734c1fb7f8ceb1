# SPDX-License-Identifier: BSD-2-Clause
# Tests of src/model.
ovk_unit_test(test_model)

# Every allocation of the library in this program goes through support/malloc_fail.c.
ovk_unit_test(test_model_errors)
target_sources(test_model_errors PRIVATE support/malloc_fail.c)
target_link_options(test_model_errors PRIVATE
  LINKER:--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=free)
