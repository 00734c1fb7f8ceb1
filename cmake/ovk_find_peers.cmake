# SPDX-License-Identifier: BSD-2-Clause
# Finds libraries to compare with; makes ovk_petsc, to be linked PRIVATE, if it is installed, and ovk_hypre.
# Debian builds both against Open MPI, so that other MPIs do without.
include(ovk_find_hypre)
option(OVK_USE_PEERS "Build the driver of PETSc where it is installed" ${OVK_MPI_IS_OPEN_MPI})

if(OVK_USE_PEERS)
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
