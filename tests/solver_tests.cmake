# SPDX-License-Identifier: BSD-2-Clause
# Tests of src/precond and src/solvers.
ovk_unit_test(test_updates)
ovk_unit_test(test_updates_hiding)
ovk_unit_test(test_updates_predict)
ovk_unit_test(test_phases)
ovk_mpi_test(test_precond 1 2 3 4 7)
ovk_mpi_test(test_methods 1 2 3 4 7)
ovk_mpi_test(test_choice 1 2 3)
ovk_mpi_test(test_solver 1 2 3 4 7)
ovk_mpi_test(test_deep_trouble 1 2 3)
ovk_mpi_test(test_real_matrices 1 2 4)
foreach(name IN ITEMS test_deep test_hiding_methods test_replacement)
  ovk_mpi_test(${name} 1 2 3 4)
  target_sources(${name} PRIVATE support/systems.c)
endforeach()

# The same with ten times as many random systems.
ovk_launch(launch 1)
add_test(NAME test_hiding_methods_many COMMAND ${launch} $<TARGET_FILE:test_hiding_methods>)
set_tests_properties(test_hiding_methods_many PROPERTIES LABELS slow TIMEOUT 600 PROCESSORS 1
                     ENVIRONMENT "${OVK_TEST_ENVIRONMENT};OVK_TEST_SYSTEMS=1000")
