# SPDX-License-Identifier: BSD-2-Clause
# Finds libraries to compare with; makes ovk_hypre and ovk_petsc, to be linked PRIVATE, for those that
# are installed. Debian builds both against Open MPI, so that other MPIs do without.
option(OVK_USE_PEERS "Build drivers of hypre and PETSc where they are installed" ${OVK_MPI_IS_OPEN_MPI})

if(OVK_USE_PEERS)
  find_path(HYPRE_INCLUDE_DIR HYPRE.h PATH_SUFFIXES hypre)
  find_library(HYPRE_LIBRARY HYPRE)
  mark_as_advanced(HYPRE_INCLUDE_DIR HYPRE_LIBRARY)
  if(HYPRE_INCLUDE_DIR AND HYPRE_LIBRARY)
    add_library(ovk_hypre INTERFACE)
    target_include_directories(ovk_hypre SYSTEM INTERFACE ${HYPRE_INCLUDE_DIR})
    target_link_libraries(ovk_hypre INTERFACE ${HYPRE_LIBRARY} m)
  endif()

  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(PETSC QUIET petsc>=3.17)
  endif()
  if(PETSC_FOUND)
    add_library(ovk_petsc INTERFACE)
    target_include_directories(ovk_petsc SYSTEM INTERFACE ${PETSC_INCLUDE_DIRS})
    target_link_libraries(ovk_petsc INTERFACE ${PETSC_LINK_LIBRARIES} m)
  endif()
endif()
