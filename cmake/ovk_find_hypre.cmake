# SPDX-License-Identifier: BSD-2-Clause
# Finds hypre; makes ovk_hypre, to be linked PRIVATE, if it is installed and works on doubles in the memory of
# the host. Debian builds it against Open MPI, so that other MPIs do without.
include_guard(GLOBAL)
option(OVK_USE_HYPRE "Build the adapter for hypre and its driver where hypre is installed" ${OVK_MPI_IS_OPEN_MPI})
set(OVK_HYPRE_LEAST 22300) # the oldest version with the types that the adapter uses

if(OVK_USE_HYPRE AND NOT CMAKE_CROSSCOMPILING)
  find_path(HYPRE_INCLUDE_DIR HYPRE.h PATH_SUFFIXES hypre)
  find_library(HYPRE_LIBRARY HYPRE)
  mark_as_advanced(HYPRE_INCLUDE_DIR HYPRE_LIBRARY)
endif()
if(OVK_USE_HYPRE AND HYPRE_INCLUDE_DIR AND HYPRE_LIBRARY)
  file(STRINGS ${HYPRE_INCLUDE_DIR}/HYPRE_config.h lines
       REGEX "^#define +HYPRE_(RELEASE_NUMBER|COMPLEX|SINGLE|LONG_DOUBLE|SEQUENTIAL|USING_GPU)( |$)")
  string(REGEX MATCH "HYPRE_RELEASE_NUMBER +([0-9]+)" found "${lines}")
  set(number "${CMAKE_MATCH_1}")
  string(REGEX MATCH "HYPRE_(COMPLEX|SINGLE|LONG_DOUBLE|SEQUENTIAL|USING_GPU)" other "${lines}")
  if(NOT number OR number LESS OVK_HYPRE_LEAST)
    message(STATUS "hypre is older than ${OVK_HYPRE_LEAST}: not used")
  elseif(other)
    message(STATUS "hypre is built with ${other}: not used")
  else()
    add_library(ovk_hypre INTERFACE)
    target_include_directories(ovk_hypre SYSTEM INTERFACE ${HYPRE_INCLUDE_DIR})
    target_link_libraries(ovk_hypre INTERFACE ${HYPRE_LIBRARY} m)
  endif()
endif()
