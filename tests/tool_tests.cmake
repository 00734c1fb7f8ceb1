# SPDX-License-Identifier: BSD-2-Clause
# The program ovk, as its user meets it, and the examples.

# Open MPI unloads its plug-ins at the end, and what they leak has no name any more. Leaks of the program
# are valgrind's to find.
set(OVK_TOOL_ENVIRONMENT ${OVK_TEST_ENVIRONMENT})
if(OVK_SANITIZE)
  list(APPEND OVK_TOOL_ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
endif()

# ovk_cli_test(PART RANKS [LAUNCHER...]): runs test_cli_PART.sh; with no launcher, as one process.
function(ovk_cli_test part ranks)
  add_test(NAME cli_${part}_${ranks}
           COMMAND ${OVK_BASH} ${CMAKE_CURRENT_SOURCE_DIR}/test_cli_${part}.sh $<TARGET_FILE:ovk>
                   ${ranks} ${ARGN})
  set_tests_properties(cli_${part}_${ranks} PROPERTIES LABELS mpi TIMEOUT 300 PROCESSORS 2
                       ENVIRONMENT "${OVK_TOOL_ENVIRONMENT}")
endfunction()

if(OVK_BUILD_TOOLS)
  find_program(OVK_BASH bash REQUIRED)
  ovk_cli_test(usage 1)
  ovk_cli_test(files 1)
  ovk_cli_test(bench 1)
  ovk_cli_test(bench_overlap 1)
  ovk_cli_test(bench_kernels 1)
  ovk_cli_test(model 1)
  ovk_cli_test(solve 1)
  ovk_launch(launch 2)
  ovk_cli_test(usage 2 ${launch})
  ovk_cli_test(bench 2 ${launch})
  ovk_cli_test(bench_overlap 2 ${launch})
  ovk_cli_test(bench_kernels 2 ${launch})
  ovk_cli_test(model 2 ${launch})
  ovk_launch(launch 3)
  ovk_cli_test(files 3 ${launch})
  ovk_cli_test(solve 3 ${launch})
  ovk_cli_test(bench_kernels 3 ${launch})
  ovk_launch(launch 4)
  ovk_cli_test(bench_kernels 4 ${launch})

  # report, report_faults, report_browser
  foreach(part page faults browser)
    string(REPLACE "_page" "" name report_${part})
    add_test(NAME ${name} COMMAND ${OVK_BASH} ${CMAKE_CURRENT_SOURCE_DIR}/test_cli_report.sh
                                  $<TARGET_FILE:ovk> ${MPIEXEC_EXECUTABLE} ${part})
    set_tests_properties(${name} PROPERTIES LABELS mpi TIMEOUT 300 PROCESSORS 2 SKIP_RETURN_CODE 77
                         ENVIRONMENT "${OVK_TOOL_ENVIRONMENT}")
  endforeach()
endif()

if(OVK_BUILD_EXAMPLES)
  foreach(example ex01_laplace27 ex02_choose_backend ex03_own_backend ex04_own_precond
                  ex05_matrix_free ex06_collectives)
    ovk_add_mpi_runs(${example} 1 2)
    set_tests_properties(${example}_1 ${example}_2 PROPERTIES ENVIRONMENT "${OVK_TOOL_ENVIRONMENT}")
  endforeach()
endif()
