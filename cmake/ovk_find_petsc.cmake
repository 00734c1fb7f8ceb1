# SPDX-License-Identifier: BSD-2-Clause
# ovk_find_petsc(VARIABLE): makes ovk_petsc_ksp, to be linked PRIVATE, of a PETSc that libovkpetsc.so can
# be loaded by: real double precision, the same MPI, shared libraries, private headers. Where there is
# none VARIABLE says why, else it is empty.
include(CheckCSourceCompiles)

# ovk_petsc_has(VARIABLE CONDITION): whether a condition on PETSc's macros holds.
function(ovk_petsc_has variable condition)
  set(CMAKE_REQUIRED_INCLUDES ${OVK_PETSC_PC_INCLUDE_DIRS})
  set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
  set(CMAKE_REQUIRED_QUIET ON)
  check_c_source_compiles("
    #include <petscksp.h>
    #include <petsc/private/kspimpl.h>
    #if !(${condition})
    #error
    #endif
    int main(void) { return 0; }" ${variable})
endfunction()

function(ovk_find_petsc variable)
  set(${variable} "pkg-config finds no PETSc from 3.18 on" PARENT_SCOPE)
  find_package(PkgConfig QUIET)
  if(NOT PKG_CONFIG_FOUND)
    return()
  endif()
  pkg_check_modules(OVK_PETSC_PC QUIET "petsc>=3.18")
  if(NOT OVK_PETSC_PC_FOUND)
    return()
  endif()
  ovk_petsc_has(OVK_PETSC_HAS_HEADERS "1")
  ovk_petsc_has(OVK_PETSC_IS_REAL "!defined PETSC_USE_COMPLEX")
  ovk_petsc_has(OVK_PETSC_IS_DOUBLE "defined PETSC_USE_REAL_DOUBLE")
  ovk_petsc_has(OVK_PETSC_IS_SHARED "defined PETSC_HAVE_DYNAMIC_LIBRARIES")
  set(which "PETSc ${OVK_PETSC_PC_VERSION} ")
  if(NOT OVK_PETSC_HAS_HEADERS)
    set(${variable} "${which}is for another MPI, or has no private headers" PARENT_SCOPE)
  elseif(NOT OVK_PETSC_IS_REAL)
    set(${variable} "${which}is one of complex numbers" PARENT_SCOPE)
  elseif(NOT OVK_PETSC_IS_DOUBLE)
    set(${variable} "${which}is not of double precision" PARENT_SCOPE)
  elseif(NOT OVK_PETSC_IS_SHARED)
    set(${variable} "${which}does not load libraries" PARENT_SCOPE)
  else()
    add_library(ovk_petsc_ksp INTERFACE)
    target_include_directories(ovk_petsc_ksp SYSTEM INTERFACE ${OVK_PETSC_PC_INCLUDE_DIRS})
    target_link_libraries(ovk_petsc_ksp INTERFACE ${OVK_PETSC_PC_LINK_LIBRARIES})
    set(${variable} "" PARENT_SCOPE)
  endif()
endfunction()
