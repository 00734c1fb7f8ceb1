# SPDX-License-Identifier: BSD-2-Clause
# Tests of src/engine and src/backends.
add_library(ovk_reduction_support STATIC conformance.c reduction_specs.c)
target_link_libraries(ovk_reduction_support PUBLIC ovk_test_support PRIVATE ovk_compile)

add_library(ovk_schedule_support STATIC schedule_machine.c schedule_sums.c)
target_include_directories(ovk_schedule_support PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(ovk_schedule_support PUBLIC ovk_test_support PRIVATE ovk_compile)
foreach(name IN ITEMS test_schedule test_hierarchy test_shape)
  ovk_unit_test(${name} ovk_schedule_support)
endforeach()
ovk_test_program(test_run)
ovk_add_mpi_runs(test_run 1 2 3 4 7)
foreach(name IN ITEMS test_reduction test_nbc_specs)
  ovk_test_program(${name} ovk_reduction_support)
  ovk_add_mpi_runs(${name} 1 2 3 4 5 6 7 8)
endforeach()
# An MPI library that never yields takes minutes to make hundreds of sums with more ranks than cores.
set_tests_properties(test_nbc_specs_3 PROPERTIES TIMEOUT 900)
ovk_mpi_test(test_mpi_failure 2)
set_tests_properties(test_mpi_failure_2 PROPERTIES TIMEOUT 60)
ovk_test_program(test_contention ovk_reduction_support)
ovk_add_mpi_runs(test_contention 1 2 4 8 16)
ovk_test_program(test_solve_specs ovk_reduction_support)
ovk_add_mpi_runs(test_solve_specs 1 2 4)

# MPI_Init gives MPI_THREAD_MULTIPLE where the environment asks for it.
ovk_test_program(test_thread ovk_reduction_support)
ovk_add_mpi_runs(test_thread 2)
foreach(ranks IN ITEMS 1 2 3 4)
  ovk_launch(launch ${ranks})
  add_test(NAME test_thread_multiple_${ranks} COMMAND ${launch} $<TARGET_FILE:test_thread>)
  set_tests_properties(test_thread_multiple_${ranks} PROPERTIES LABELS mpi TIMEOUT 300 PROCESSORS 2
    ENVIRONMENT "${OVK_TEST_ENVIRONMENT};OMPI_MPI_THREAD_LEVEL=3;MPIR_CVAR_DEFAULT_THREAD_LEVEL=MPI_THREAD_MULTIPLE")
endforeach()

ovk_mpi_test(test_topology 1 2 3 4)
ovk_test_program(test_auto ovk_reduction_support)
ovk_add_mpi_runs(test_auto 1 2 3 4)
foreach(name IN ITEMS test_delay test_decorators)
  ovk_test_program(${name} ovk_reduction_support)
  ovk_add_mpi_runs(${name} 1 2 3 4)
endforeach()

# MPICH can treat odd and even ranks as if they ran on two nodes.
include(CheckSymbolExists)
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
check_symbol_exists(MPICH_NUMVERSION mpi.h OVK_MPI_IS_MPICH)
unset(CMAKE_REQUIRED_LIBRARIES)
if(OVK_MPI_IS_MPICH)
  foreach(name IN ITEMS test_topology test_auto)
    ovk_launch(launch 3)
    add_test(NAME ${name}_two_nodes COMMAND ${launch} $<TARGET_FILE:${name}>)
    set_tests_properties(${name}_two_nodes PROPERTIES LABELS mpi TIMEOUT 300 PROCESSORS 2
      ENVIRONMENT "${OVK_TEST_ENVIRONMENT};MPIR_CVAR_ODD_EVEN_CLIQUES=1")
  endforeach()
endif()
