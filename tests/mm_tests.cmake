# SPDX-License-Identifier: BSD-2-Clause
# Tests of Matrix Market files.
add_library(ovk_mm_support STATIC mm_support.c)
target_include_directories(ovk_mm_support PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(ovk_mm_support PUBLIC ovk_test_support PRIVATE ovk_compile)

ovk_unit_test(test_mm_words)
ovk_unit_test(test_mm_lines ovk_mm_support)

foreach(name IN ITEMS test_mm_read test_mm_errors test_mm_write)
  ovk_test_program(${name} ovk_mm_support)
  ovk_add_mpi_runs(${name} 1 2 3 4 7)
  # Many small files; an MPI library that never yields is slow with more ranks than cores.
  set_tests_properties(${name}_7 PROPERTIES TIMEOUT 300)
endforeach()
