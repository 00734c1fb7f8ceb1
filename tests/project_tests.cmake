# SPDX-License-Identifier: BSD-2-Clause
# Checks of the project as a whole: who includes whom, layout, public headers, installation, memory.
function(ovk_script_test name script)
  add_test(NAME ${name} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/${script} ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT 120 SKIP_RETURN_CODE 77
                       ENVIRONMENT "${OVK_TEST_ENVIRONMENT}")
endfunction()

ovk_script_test(layers layers.sh ${PROJECT_SOURCE_DIR})
ovk_script_test(layers_self_test layers.sh --self-test)
ovk_script_test(format format.sh ${PROJECT_SOURCE_DIR})

find_program(OVK_CXX NAMES g++ clang++)
mark_as_advanced(OVK_CXX)
ovk_script_test(headers test_headers.sh ${CMAKE_C_COMPILER} "$<$<BOOL:${OVK_CXX}>:${OVK_CXX}>"
                ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include ${MPI_C_INCLUDE_DIRS})

# Outside programs would have to be built with the sanitizers too, and valgrind does not go with them.
if(NOT OVK_SANITIZE)
  ovk_launch(launch 2)
  ovk_script_test(install test_install.sh ${PROJECT_BINARY_DIR} ${CMAKE_INSTALL_PREFIX}
                  ${MPI_C_COMPILER} ${launch})
  find_program(OVK_VALGRIND valgrind)
  mark_as_advanced(OVK_VALGRIND)
  if(OVK_VALGRIND AND OVK_BUILD_TOOLS)
    add_test(NAME valgrind COMMAND ${launch} ${OVK_VALGRIND} --quiet --num-callers=40
             --keep-debuginfo=yes --error-exitcode=3 --leak-check=full --show-leak-kinds=definite
             --errors-for-leak-kinds=definite
             --suppressions=${CMAKE_CURRENT_SOURCE_DIR}/valgrind.supp
             $<TARGET_FILE:ovk> solve --laplace27 6 6 6 --grid 1 1 2 --method overlap
             --precond jacobi --backend iallreduce)
    set_tests_properties(valgrind PROPERTIES LABELS slow TIMEOUT 300 PROCESSORS 2
                         ENVIRONMENT "${OVK_TEST_ENVIRONMENT}")
  endif()
endif()
