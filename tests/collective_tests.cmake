# SPDX-License-Identifier: BSD-2-Clause
# Tests of src/engine/collectives, and of what runs on it.
ovk_unit_test(test_schedule_collectives ovk_schedule_support)
ovk_unit_test(test_combine)
foreach(name IN ITEMS test_collectives test_collective_rules)
  ovk_test_program(${name})
  ovk_add_mpi_runs(${name} 1 2 3 4 7)
endforeach()
ovk_mpi_test(test_halo 1 2 3 4 7)

# Matrices and solves once more, with the halo over the library's own all-to-all.
foreach(name IN ITEMS test_mat test_methods)
  foreach(ranks IN ITEMS 2 3)
    ovk_launch(launch ${ranks})
    add_test(NAME ${name}_halo_nbc_${ranks} COMMAND ${launch} $<TARGET_FILE:${name}>)
    set_tests_properties(${name}_halo_nbc_${ranks} PROPERTIES LABELS mpi TIMEOUT 300 PROCESSORS 2
                         ENVIRONMENT "${OVK_TEST_ENVIRONMENT};OVK_HALO=nbc:window=1")
  endforeach()
endforeach()
