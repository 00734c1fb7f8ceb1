# SPDX-License-Identifier: BSD-2-Clause
# libovk_delay.so, preloaded by the ranks and by nobody else.

# The sanitizers want to be the first library, unless they are told otherwise.
set(delay_environment ${OVK_TEST_ENVIRONMENT})
list(TRANSFORM delay_environment APPEND ":verify_asan_link_order=0" REGEX "^ASAN_OPTIONS=")

# ovk_delay_runs(PROGRAM SUFFIX VARIABLES RANKS...): runs a program with a delay of 3 ms.
function(ovk_delay_runs program suffix variables)
  foreach(ranks IN LISTS ARGN)
    ovk_launch(launch ${ranks})
    add_test(NAME ${program}${suffix}_${ranks}
             COMMAND ${launch} env LD_PRELOAD=$<TARGET_FILE:ovk_delay> OVK_DELAY_US=3000 ${variables}
                     $<TARGET_FILE:${program}>)
    set_tests_properties(${program}${suffix}_${ranks} PROPERTIES LABELS mpi TIMEOUT 120
                         SKIP_RETURN_CODE 77 PROCESSORS 2 ENVIRONMENT "${delay_environment}")
  endforeach()
endfunction()

if(OVK_BUILD_TOOLS)
  set(programs test_delay_library)
  if(OVK_HAVE_ALLREDUCE_INIT)
    list(APPEND programs test_delay_persistent)
  endif()
  foreach(program IN LISTS programs)
    ovk_test_program(${program} Threads::Threads)
    ovk_delay_runs(${program} "" "" 1 2 3)
  endforeach()
  # MPI_Init gives MPI_THREAD_MULTIPLE where the environment asks for it.
  ovk_delay_runs(test_delay_library _threads
    "OMPI_MPI_THREAD_LEVEL=3;MPIR_CVAR_DEFAULT_THREAD_LEVEL=MPI_THREAD_MULTIPLE" 1 2)
endif()
