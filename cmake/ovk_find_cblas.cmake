# SPDX-License-Identifier: BSD-2-Clause
# Finds a BLAS with the C interface, of BLA_VENDOR, or else OpenBLAS before others; makes ovk_cblas, to be linked
# PRIVATE.
if(NOT BLA_VENDOR)
  set(BLA_VENDOR OpenBLAS)
  find_package(BLAS QUIET)
  if(NOT BLAS_FOUND)
    unset(BLA_VENDOR)
  endif()
endif()
find_package(BLAS REQUIRED)
find_path(CBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas cblas)
if(NOT CBLAS_INCLUDE_DIR)
  message(FATAL_ERROR "cblas.h not found: install OpenBLAS (Debian: libopenblas-dev)")
endif()
add_library(ovk_cblas INTERFACE)
target_include_directories(ovk_cblas SYSTEM INTERFACE ${CBLAS_INCLUDE_DIR})
target_link_libraries(ovk_cblas INTERFACE ${BLAS_LIBRARIES})
