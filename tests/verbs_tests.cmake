# SPDX-License-Identifier: BSD-2-Clause
# Tests of the channel and the backend verbs. They run over the emulated adapter (label mpi), and over a
# real one (label verbs), where they skip if there is none; scripts/test-verbs brings one.
ovk_unit_test(test_exact)
target_sources(test_exact PRIVATE exact_reference.c)

# ovk_verbs_run(NAME LABEL ENVIRONMENT COMMAND...): a test that runs a command.
function(ovk_verbs_run name label environment)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 300 SKIP_RETURN_CODE 77 PROCESSORS 2
                       ENVIRONMENT "${OVK_TEST_ENVIRONMENT};${environment}")
endfunction()

# ovk_verbs_test(NAME RANKS... DEVICE RANKS...): a program of ovk_test_program(), over the emulated
# adapter and over a device.
function(ovk_verbs_test name)
  cmake_parse_arguments(PARSE_ARGV 1 on "" "" "DEVICE")
  ovk_add_mpi_runs(${name} ${on_UNPARSED_ARGUMENTS})
  foreach(ranks IN LISTS on_DEVICE)
    ovk_launch(launch ${ranks})
    ovk_verbs_run(verbs_${name}_${ranks} verbs OVK_TEST_DEVICE=ibverbs ${launch} $<TARGET_FILE:${name}>)
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
  ovk_verbs_run(test_collectives_over_verbs_${ranks} mpi OVK_TEST_ENGINE=verbs
                ${launch} $<TARGET_FILE:test_collectives>)
endforeach()
ovk_launch(launch 2)
ovk_verbs_run(verbs_test_collectives_2 verbs "OVK_TEST_ENGINE=verbs;OVK_TEST_DEVICE=ibverbs"
              ${launch} $<TARGET_FILE:test_collectives>)

# Failures. MPICH never yields: two ranks there.
set(failure_ranks 2 3 4)
if(OVK_MPI_IS_MPICH)
  set(failure_ranks 2)
endif()
foreach(name IN ITEMS test_verbs_failure test_verbs_failure_solve test_verbs_after_failure)
  ovk_test_program(${name})
  target_sources(${name} PRIVATE fault_world.c)
  ovk_verbs_test(${name} ${failure_ranks} DEVICE 2)
endforeach()
ovk_test_program(test_recovery)
ovk_add_mpi_runs(test_recovery ${failure_ranks})

# Ranks that die: a script, as their launcher must be told to let the others live.
ovk_test_program(verbs_kill)
find_program(OVK_BASH bash REQUIRED)
foreach(ranks IN ITEMS 2 3)
  ovk_launch(launch ${ranks})
  set(command ${OVK_BASH} ${CMAKE_CURRENT_SOURCE_DIR}/test_verbs_kill.sh $<TARGET_FILE:verbs_kill> ${ranks} ${launch})
  ovk_verbs_run(test_verbs_kill_${ranks} mpi OVK_TEST_DEVICE=emulated ${command})
  ovk_verbs_run(verbs_test_verbs_kill_${ranks} verbs OVK_TEST_DEVICE=ibverbs ${command})
endforeach()

# A pulled link: scripts/test-verbs runs it where there is one to pull.
ovk_test_program(test_verbs_link)
target_sources(test_verbs_link PRIVATE fault_world.c)
