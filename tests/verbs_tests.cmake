# SPDX-License-Identifier: BSD-2-Clause
# Tests of the channel and the backend verbs. They run over the emulated adapter (label mpi), and over a
# real one (label verbs), where they skip if there is none; scripts/test-verbs brings one.
ovk_unit_test(test_exact)
target_sources(test_exact PRIVATE exact_reference.c)

# ovk_verbs_test(NAME RANKS... DEVICE RANKS...): a program of ovk_test_program(), over the emulated
# adapter and over a device.
function(ovk_verbs_test name)
  cmake_parse_arguments(PARSE_ARGV 1 on "" "" "DEVICE")
  ovk_add_mpi_runs(${name} ${on_UNPARSED_ARGUMENTS})
  foreach(ranks IN LISTS on_DEVICE)
    ovk_launch(launch ${ranks})
    add_test(NAME verbs_${name}_${ranks} COMMAND ${launch} $<TARGET_FILE:${name}>)
    set_tests_properties(verbs_${name}_${ranks} PROPERTIES LABELS verbs TIMEOUT 600 SKIP_RETURN_CODE 77
                         PROCESSORS 2 ENVIRONMENT "${OVK_TEST_ENVIRONMENT};OVK_TEST_DEVICE=ibverbs")
  endforeach()
endfunction()

ovk_test_program(test_nic)
target_sources(test_nic PRIVATE nic_world.c)
ovk_verbs_test(test_nic 1 2 3 DEVICE 2 4)
ovk_test_program(test_nic_emulated)
target_sources(test_nic_emulated PRIVATE nic_world.c)
ovk_add_mpi_runs(test_nic_emulated 2)
ovk_test_program(test_verbs ovk_reduction_support)
ovk_verbs_test(test_verbs 1 2 3 4 8 DEVICE 2 4 8)
ovk_test_program(test_verbs_solve)
ovk_verbs_test(test_verbs_solve 1 2 3 4 DEVICE 2 4)
ovk_test_program(test_atomic)
target_sources(test_atomic PRIVATE exact_reference.c)
ovk_verbs_test(test_atomic 1 2 3 4 8 DEVICE 4)
ovk_test_program(test_accumulator)
ovk_verbs_test(test_accumulator 1 3 DEVICE 2)
ovk_test_program(test_verbs_collectives)
ovk_verbs_test(test_verbs_collectives 1 2 3 4 5 DEVICE 2)

# The operations of collectives.h once more, over verbs instead of MPI.
foreach(ranks IN ITEMS 1 2 3 4 5)
  ovk_launch(launch ${ranks})
  add_test(NAME test_collectives_over_verbs_${ranks} COMMAND ${launch} $<TARGET_FILE:test_collectives>)
  set_tests_properties(test_collectives_over_verbs_${ranks} PROPERTIES LABELS mpi TIMEOUT 300 PROCESSORS 2
                       ENVIRONMENT "${OVK_TEST_ENVIRONMENT};OVK_TEST_ENGINE=verbs")
endforeach()
foreach(ranks IN ITEMS 2)
  ovk_launch(launch ${ranks})
  add_test(NAME verbs_test_collectives_${ranks} COMMAND ${launch} $<TARGET_FILE:test_collectives>)
  set_tests_properties(verbs_test_collectives_${ranks} PROPERTIES LABELS verbs TIMEOUT 600 SKIP_RETURN_CODE 77
                       PROCESSORS 2 ENVIRONMENT "${OVK_TEST_ENVIRONMENT};OVK_TEST_ENGINE=verbs;OVK_TEST_DEVICE=ibverbs")
endforeach()
