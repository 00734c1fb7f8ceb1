# SPDX-License-Identifier: BSD-2-Clause
# The simulation against SimGrid's SMPI, where there is one: smpicc has an MPI of its own.
find_program(OVK_SMPICC smpicc)
find_program(OVK_SMPIRUN smpirun)
mark_as_advanced(OVK_SMPICC OVK_SMPIRUN)
if(OVK_BUILD_TOOLS AND OVK_SMPICC AND OVK_SMPIRUN AND NOT OVK_SANITIZE)
  set(replay ${CMAKE_CURRENT_BINARY_DIR}/model_smpi_replay)
  add_custom_command(OUTPUT ${replay}
                     COMMAND ${OVK_SMPICC} -std=c11 -O2 -o ${replay}
                             ${CMAKE_CURRENT_SOURCE_DIR}/model_smpi/replay.c
                     DEPENDS model_smpi/replay.c)
  add_custom_target(model_smpi_replay_program ALL DEPENDS ${replay})
  add_executable(model_smpi_dump model_smpi/dump.c)
  target_link_libraries(model_smpi_dump PRIVATE ovkrylov_static ovk_compile)
  configure_file(model_smpi/compare.in ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/model_smpi @ONLY
                 FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE)
  add_test(NAME model_smpi COMMAND ${OVK_BASH} ${CMAKE_CURRENT_SOURCE_DIR}/test_model_smpi.sh
           $<TARGET_FILE:ovk> $<TARGET_FILE:model_smpi_dump> ${replay} ${OVK_SMPIRUN})
  set_tests_properties(model_smpi PROPERTIES LABELS slow TIMEOUT 900 PROCESSORS 2
                       ENVIRONMENT "${OVK_TOOL_ENVIRONMENT}")
endif()
