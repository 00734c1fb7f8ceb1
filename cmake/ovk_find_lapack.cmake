# SPDX-License-Identifier: BSD-2-Clause
# Finds LAPACK with the C interface LAPACKE; makes ovk_lapack, to be linked PRIVATE. Debian has LAPACKE as
# a library of its own, an OpenBLAS built from its sources may contain it. OVK_LAPACK_LIBRARIES has BLAS,
# too.
find_package(LAPACK REQUIRED) # of the vendor that ovk_find_cblas has found
find_path(LAPACKE_INCLUDE_DIR lapacke.h PATH_SUFFIXES openblas lapacke)
find_library(LAPACKE_LIBRARY NAMES lapacke)
set(OVK_LAPACK_LIBRARIES ${LAPACK_LIBRARIES} ${BLAS_LIBRARIES})
list(REMOVE_DUPLICATES OVK_LAPACK_LIBRARIES)
if(LAPACKE_LIBRARY)
  list(PREPEND OVK_LAPACK_LIBRARIES ${LAPACKE_LIBRARY})
endif()
if(LAPACKE_INCLUDE_DIR)
  include(CheckSymbolExists)
  set(CMAKE_REQUIRED_INCLUDES ${LAPACKE_INCLUDE_DIR})
  set(CMAKE_REQUIRED_LIBRARIES ${OVK_LAPACK_LIBRARIES} m)
  check_symbol_exists(LAPACKE_dgetrf_work lapacke.h OVK_HAVE_LAPACKE)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()
if(NOT OVK_HAVE_LAPACKE)
  message(FATAL_ERROR "LAPACKE, the C interface of LAPACK, not found (lapacke.h: ${LAPACKE_INCLUDE_DIR}, "
                      "library: ${LAPACKE_LIBRARY}): install it (Debian: liblapacke-dev)")
endif()
add_library(ovk_lapack INTERFACE)
target_include_directories(ovk_lapack SYSTEM INTERFACE ${LAPACKE_INCLUDE_DIR})
target_link_libraries(ovk_lapack INTERFACE ${OVK_LAPACK_LIBRARIES})
